/** The panel of a project: its tree at the position on the board, and how it grows. */

import { useEffect, useRef } from "preact/hooks";
import type { App } from "../app";
import { type GameNode, moveNumber } from "../game/tree";
import { text } from "../language/catalogue";
import type { OpenProject } from "../projects/open_project";
import { continuation, type Project } from "../projects/project";
import { projectsOf } from "../projects/projects";
import type { TreePosition } from "../projects/tree";
import { valueText, valueTitle } from "../projects/value";
import { describeCost, nameOf } from "../projects/words";
import styles from "../style/project.css?inline";
import { hasOneColumn } from "./columns";
import { Button, IconButton } from "./controls";
import { addStyles } from "./late_style";
import { ProblemBox } from "./messages";
import { Panel, rememberedFolding } from "./panel";
import { ProjectChanges } from "./project_changes";
import { ProjectMap } from "./project_map";
import { ProjectMoves } from "./project_moves";
import { ProjectState } from "./project_state";

addStyles(styles);

const MOST_LINE = 16; // moves of the main line

export function ProjectPanel({ app }: { app: App }) {
  const projects = projectsOf(app);
  const { shown } = projects;
  const panel = useRef<HTMLDivElement>(null);
  const project = shown.project.value;
  useEffect(() => {
    shown.show();
    return () => shown.hide();
  }, [shown]);
  const isKnown = shown.look.value !== null;
  useEffect(() => {
    if (!isKnown || !projects.isAwaited) return;
    projects.isAwaited = false;
    // In one column it is below the board.
    if (hasOneColumn.peek()) scrollTo({ top: 0 });
    else panel.current?.scrollIntoView({ block: "nearest" });
  }, [projects, project?.id, isKnown]);
  return (
    <Panel
      title={project ? nameOf(project) : text("project")}
      look="project"
      folding={rememberedFolding(app, "project")}
      actions={
        <>
          {project && <GrowthButton shown={shown} project={project} />}
          <IconButton
            icon="tree"
            label={text("projects-title")}
            onClick={() => app.openDialog("projects")}
          />
          <IconButton icon="close" label={text("project-close")} onClick={() => projects.close()} />
        </>
      }
    >
      <div data-testid="project" ref={panel}>
        {shown.problem.value && <ProblemBox problem={shown.problem.value} />}
        {project ? (
          <Content app={app} shown={shown} project={project} />
        ) : (
          !shown.problem.value && <p class="hint">{text("lookup-waiting")}</p>
        )}
      </div>
    </Panel>
  );
}

function Content(props: { app: App; shown: OpenProject; project: Project }) {
  const { app, shown, project } = props;
  const hasFailed = project.stage === "failed";
  return (
    <>
      {hasFailed && <Growth project={project} />}
      <ProjectChanges shown={shown} />
      <Position app={app} shown={shown} />
      {!hasFailed && <Growth project={project} />}
      <ProjectMap shown={shown} />
    </>
  );
}

/** Whether the tree grows, what it has and what it has cost. */
function Growth({ project }: { project: Project }) {
  const { budget, building } = project;
  const { positions } = budget;
  return (
    <div class="project-growth">
      <ProjectState project={project} id="growth" />
      <p class="hint">{describeCost(project)}</p>
      {positions !== null && !building && project.stage !== "finished" && (
        <progress
          max={positions}
          value={Math.min(positions, project.positions)}
          aria-label={text("project-progress")}
        />
      )}
    </div>
  );
}

function GrowthButton({ shown, project }: { shown: OpenProject; project: Project }) {
  const isActive = project.stage === "active";
  return (
    <Button
      look="small"
      disabled={shown.isBusy.value || project.stage === "building"}
      title={project.stage === "finished" ? text("project-go-on-title") : undefined}
      onClick={() => void shown.edit(isActive ? { stage: "paused" } : continuation(project))}
    >
      {text(isActive ? "project-pause" : "project-go-on")}
    </Button>
  );
}

/** What the tree has of the position on the board. */
function Position({ app, shown }: { app: App; shown: OpenProject }) {
  const look = shown.look.value;
  const node = app.study.node.value;
  if (!look) return <p class="hint project-waiting">{text("lookup-waiting")}</p>;
  const { position, place } = look;
  if (position.kind === "unknown") {
    return <Unknown app={app} shown={shown} isOnWay={place.fen === undefined} />;
  }
  return (
    <section class="project-position" aria-label={text("page-position")}>
      <Headline position={position} />
      <MainLine app={app} node={node} position={position} />
      <ProjectMoves app={app} shown={shown} place={place} position={position} turn={node.turn} />
    </section>
  );
}

/** A position that the tree does not have, and the way to have it there. */
function Unknown(props: { app: App; shown: OpenProject; isOnWay: boolean }) {
  const { app, shown, isOnWay } = props;
  const mayAdd = isOnWay && app.study.node.value.parent !== null;
  return (
    <div class="project-unknown" data-testid="unknown">
      <p>{text("project-unknown")}</p>
      {mayAdd && (
        <Button look="small" disabled={shown.isBusy.value} onClick={() => void shown.addPosition()}>
          {text("project-add-position")}
        </Button>
      )}
      <Button look="small" onClick={() => shown.goTo([])}>
        {text("project-to-root")}
      </Button>
    </div>
  );
}

const KINDS: Readonly<Partial<Record<TreePosition["kind"], string>>> = {
  unsearched: "project-unsearched",
  checkmate: "project-checkmate",
  stalemate: "project-stalemate",
  "dead draw": "project-dead-draw",
  tablebase: "project-from-tablebase",
  failed: "project-search-failed",
};

/** The value of the position, and that of its own search. */
function Headline({ position }: { position: TreePosition }) {
  const { value, own, depth = 0, size = 0, kind, proven } = position;
  const kindText = KINDS[kind];
  return (
    <p class="project-headline">
      {value && (
        <b class="headline" title={valueTitle(value)} data-testid="value">
          {valueText(value)}
        </b>
      )}
      <span class="hint">
        {proven && <>{text("project-proven")} · </>}
        {kindText
          ? text(kindText)
          : text("project-own-search", { value: valueText(own), depth: String(depth) })}
        {size > 1 && <> · {text("project-positions", { count: size })}</>}
        {position.searching && <> · {text("project-searching")}</>}
      </span>
    </p>
  );
}

/** The main line of the tree from the position on the board; a click plays it up to there. */
function MainLine(props: { app: App; node: GameNode; position: TreePosition }) {
  const { app, node, position } = props;
  const { line = [], san = [] } = position;
  if (!line.length) return null;
  return (
    <section class="project-line" data-testid="main-line" aria-label={text("project-main-line")}>
      {san.slice(0, MOST_LINE).map((move, at) => {
        const ply = node.ply + at + 1;
        const hasNumber = at === 0 || ply % 2 === 1;
        return (
          <button
            type="button"
            key={line.slice(0, at + 1).join(" ")}
            class="pv-move"
            disabled={app.movableSide.value === null}
            onClick={() => app.study.playAll(line.slice(0, at + 1))}
          >
            {hasNumber && <span class="number">{moveNumber(ply)} </span>}
            {move}
          </button>
        );
      })}
    </section>
  );
}
