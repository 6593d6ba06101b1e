/** What has changed in a project since the last visit. */

import { lineText } from "../game/tree";
import { dateLanguage, text } from "../language/catalogue";
import type { OpenProject } from "../projects/open_project";
import { gameOf } from "../projects/place";
import type { RootChange, TreeChange } from "../projects/tree";
import { valueText } from "../projects/value";
import type { Glimpse } from "../projects/visit";
import { Button } from "./controls";

const MOST_HISTORY = 3; // changes at the root

export function ProjectChanges({ shown }: { shown: OpenProject }) {
  const [since, now] = [shown.since.value, shown.now.value];
  const project = shown.project.value;
  if (!since || !now || !project) return null;
  const grown = now.size - since.size;
  if (grown <= 0) return null;
  const changes = shown.changes.value.filter(({ moves }) => moves.length > 0);
  return (
    <details class="project-changes" data-testid="changes">
      <summary>
        {text("project-since", { date: dateText(since.at) })}{" "}
        <b>{text("project-changes", { count: changes.length + Number(isNews(since, now)) })}</b>
      </summary>
      <ul>
        <li>{text("project-grown", { count: grown })}</li>
        {isNews(since, now) && (
          <li>
            <button type="button" onClick={() => shown.goTo([])}>
              {rootText(since, now)}
            </button>
            {shown.history.value.length > 1 && <RootHistory changes={shown.history.value} />}
          </li>
        )}
        {changes.map((change) => (
          <li key={change.moves.join(" ")}>
            <button type="button" onClick={() => shown.goTo(change.moves)}>
              {text("project-change", {
                line: lineOf(shown, change),
                move: change.san,
                value: valueText(change.value),
              })}
            </button>
          </li>
        ))}
      </ul>
      <Button look="small" onClick={() => shown.markSeen()}>
        {text("project-seen")}
      </Button>
    </details>
  );
}

/** The best moves at the root one after the other, with the time of each. */
function RootHistory({ changes }: { changes: readonly RootChange[] }) {
  return (
    <ol class="hint">
      {changes.slice(0, MOST_HISTORY).map(({ size, time, san, value }) => (
        <li key={size}>
          <time dateTime={time}>{dateText(time)}</time> {san} {valueText(value)}
        </li>
      ))}
    </ol>
  );
}

function isNews(since: Glimpse, now: Glimpse): boolean {
  return since.best !== now.best || valueText(since.value) !== valueText(now.value);
}

function rootText(since: Glimpse, now: Glimpse): string {
  const [before, after] = [valueText(since.value), valueText(now.value)];
  if (!since.best || since.best === now.best) {
    return text("project-root-value", { move: now.best || "–", before, after });
  }
  return text("project-root-best", { from: since.best, to: now.best || "–", before, after });
}

/** Return the moves from the root to a change. */
function lineOf(shown: OpenProject, { moves }: TreeChange): string {
  const project = shown.project.peek();
  if (!project) return "";
  const { tree, root } = gameOf(project);
  const line = lineText(tree.playAll(root, moves));
  const before = lineText(root);
  return line.slice(before.length).trim();
}

function dateText(date: string): string {
  return new Date(date).toLocaleString(dateLanguage(), { dateStyle: "medium", timeStyle: "short" });
}
