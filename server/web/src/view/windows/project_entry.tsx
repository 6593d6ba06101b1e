/** A project in the list of the window Projects. */

import { useSignal } from "@preact/signals";
import { makeSan } from "chessops/san";
import { parseUci } from "chessops/util";
import { useMemo, useRef } from "preact/hooks";
import type { App } from "../../app";
import type { GameNode } from "../../game/tree";
import { dateLanguage, text } from "../../language/catalogue";
import { draftOf, purposeOf } from "../../projects/draft";
import { gameOf } from "../../projects/place";
import { continuation, type Project } from "../../projects/project";
import { projectsOf } from "../../projects/projects";
import { valueText, valueTitle } from "../../projects/value";
import { describeCost, nameOf } from "../../projects/words";
import { Button } from "../controls";
import { boardColors, pieceDrawing, renderSvg, type Scene } from "../picture";
import { ProjectState } from "../project_state";
import { Sparkline } from "../sparkline";
import type { Task } from "./projects";

export interface EntryProps {
  readonly app: App;
  readonly project: Project;
  readonly open: (task: Task) => void;
  readonly close: () => void;
}

export function ProjectEntry(props: EntryProps) {
  const { app, project } = props;
  const root = useMemo(() => rootOf(project), [project.id]);
  return (
    <div class="project-entry" data-project={project.id}>
      {root && <SmallBoard project={project} root={root} />}
      <div class="project-entry-text">
        <div class="job-head">
          <bdi class="job-name">{nameOf(project)}</bdi>
          <time dateTime={project.updated}>
            {text("projects-changed", { date: dateText(project.updated) })}
          </time>
        </div>
        {root && <Opening app={app} project={project} root={root} />}
        <ProjectState project={project} id="stage" />
        {root && <Best project={project} root={root} />}
        <p class="hint">{describeCost(project)}</p>
      </div>
      <EntryButtons {...props} />
    </div>
  );
}

/** Return the node of a project's root; null if the page does not know the variant. */
function rootOf(project: Project): GameNode | null {
  try {
    return gameOf(project).root;
  } catch {
    return null;
  }
}

/** The position of the root, from Black's side for a repertoire of Black. */
function SmallBoard({ project, root }: { project: Project; root: GameNode }) {
  const orientation = purposeOf(draftOf(project)) === "black" ? "black" : "white";
  const source = useMemo(() => {
    const scene: Scene = {
      fen: root.fen,
      orientation,
      lastMove: root.squares,
      check: null,
      arrows: [],
      coordinates: false,
      colors: boardColors(),
    };
    return `data:image/svg+xml,${encodeURIComponent(renderSvg(scene, pieceDrawing))}`;
  }, [root, orientation]);
  return <img class="project-board" src={source} alt={root.fen} width="88" height="88" />;
}

/** The name of the opening, unless the project is called so. */
function Opening({ app, project, root }: { app: App; project: Project; root: GameNode }) {
  const opening = app.openings.openingAt(root);
  if (!opening || project.name.startsWith(opening.name)) return null;
  return (
    <p class="hint">
      {opening.eco} {opening.name}
    </p>
  );
}

/** The best move of the root, its value, and how that has moved. */
function Best({ project, root }: { project: Project; root: GameNode }) {
  const { best, value, trend = [] } = project;
  const san = useMemo(() => (best ? sanOf(root, best) : ""), [root, best]);
  if (!value) return null;
  return (
    <p class="project-best" data-testid="best">
      {san && text("projects-best", { move: san })}
      <b title={valueTitle(value)}>{valueText(value)}</b>
      <Sparkline trend={trend} turn={root.turn} />
    </p>
  );
}

function sanOf(root: GameNode, uci: string): string {
  const move = parseUci(uci);
  return move ? makeSan(root.position(), move) : uci;
}

function dateText(date: string): string {
  return new Date(date).toLocaleString(dateLanguage(), { dateStyle: "medium", timeStyle: "short" });
}

const MORE: readonly (readonly [Task, id: string])[] = [
  ["copy", "projects-copy"],
  ["merge", "projects-merge"],
  ["import", "projects-import"],
];

function EntryButtons({ app, project, open, close }: EntryProps) {
  const { list } = projectsOf(app);
  const shown = useSignal<"more" | "delete" | null>(null);
  const keeper = useRef<HTMLSpanElement>(null);
  const isPlaying = app.isPlaying.value && app.play.outcome.value === null;
  const isGame = isPlaying || app.editor.position.value !== null;
  const mayOpen = !isGame && app.room.hasControl.value;
  const isActive = project.stage === "active";
  const openProject = () => {
    projectsOf(app).open(project.id);
    close();
  };
  const keep = () => {
    shown.value = "more";
    keeper.current?.querySelector("button")?.focus();
  };
  return (
    <div class="project-entry-buttons">
      <div class="job-buttons">
        <Button
          look="small primary"
          disabled={!mayOpen}
          title={mayOpen ? undefined : isGame ? text("jobs-finish-game") : text("room-no-control")}
          onClick={openProject}
        >
          {text("open")}
        </Button>
        <Button
          look="small"
          disabled={list.isBusy.value || project.stage === "building"}
          title={project.stage === "finished" ? text("project-go-on-title") : undefined}
          onClick={() =>
            void list.edit(project.id, isActive ? { stage: "paused" } : continuation(project))
          }
        >
          {text(isActive ? "project-pause" : "project-go-on")}
        </Button>
        <Button look="small" onClick={() => open("settings")}>
          {text("projects-settings")}
        </Button>
        <Button look="small" onClick={() => open("export")}>
          {text("projects-export")}
        </Button>
        <span ref={keeper}>
          <Button look="small" onClick={() => (shown.value = shown.peek() ? null : "more")}>
            {text(shown.value ? "projects-less" : "projects-more")}
          </Button>
        </span>
      </div>
      {shown.value === "more" && (
        <div class="job-buttons" role="group" aria-label={text("projects-more-of", named(project))}>
          {MORE.map(([task, id]) => (
            <Button key={task} look="small" onClick={() => open(task)}>
              {text(id)}
            </Button>
          ))}
          <Button look="small" onClick={() => (shown.value = "delete")}>
            {text("jobs-ask-delete")}
          </Button>
        </div>
      )}
      {shown.value === "delete" && (
        <div class="job-buttons" role="group" aria-label={text("jobs-delete-name", named(project))}>
          <span>{text("projects-delete-question", { count: project.positions })}</span>
          <Button look="small danger" onClick={() => void list.remove(project.id)}>
            {text("jobs-delete")}
          </Button>
          <Button look="small" onClick={keep}>
            {text("jobs-keep")}
          </Button>
        </div>
      )}
    </div>
  );
}

function named(project: Project): { name: string } {
  return { name: nameOf(project) };
}
