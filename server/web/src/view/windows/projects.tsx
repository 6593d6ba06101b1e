/** The window with the projects of the account: their list, and what is done with one of them. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { App } from "../../app";
import { text } from "../../language/catalogue";
import type { Project } from "../../projects/project";
import { projectsOf } from "../../projects/projects";
import { nameOf, shortNumber } from "../../projects/words";
import marks from "../../style/project.css?inline";
import styles from "../../style/projects.css?inline";
import { Button, Icon } from "../controls";
import { Window, type WindowProps } from "../dialog";
import { addStyles } from "../late_style";
import { ListProblem } from "./list_problem";
import { ProjectEntry } from "./project_entry";
import { NewProject, ProjectSettings } from "./project_settings";
import { CopyProject, ExportProject, ImportGame, MergeProject } from "./project_tools";

addStyles(marks);
addStyles(styles);

/** What the window shows of a project. */
export type Task = "settings" | "export" | "copy" | "merge" | "import";
export type Screen =
  | { readonly kind: "list"; readonly before?: string }
  | { readonly kind: "new" }
  | { readonly kind: Task; readonly id: string };

const TITLES: Readonly<Record<Task | "new", string>> = {
  new: "projects-new",
  settings: "projects-settings-of",
  export: "projects-export-of",
  copy: "projects-copy-of",
  merge: "projects-merge-into",
  import: "projects-import-into",
};
const TASKS = {
  settings: ProjectSettings,
  export: ExportProject,
  copy: CopyProject,
  merge: MergeProject,
  import: ImportGame,
} as const;

export function ProjectsWindow({ app, close }: WindowProps) {
  const { list } = projectsOf(app);
  const screen = useSignal<Screen>({ kind: "list" });
  useEffect(() => {
    list.show();
    return () => list.hide();
  }, [list]);
  const shown = screen.value;
  const project =
    "id" in shown ? list.projects.value?.find(({ id }) => id === shown.id) : undefined;
  const isGone = "id" in shown && list.projects.value !== null && !project;
  useEffect(() => {
    if (isGone) screen.value = { kind: "list" };
  }, [isGone]);
  const name = project ? nameOf(project) : "";
  const title = shown.kind === "list" ? "projects-title" : TITLES[shown.kind];
  return (
    <Window title={text(title, { name })} close={close} wide>
      <div class="stack projects-window">
        {shown.kind === "list" ? (
          <List app={app} screen={screen} close={close} />
        ) : (
          <Part app={app} screen={screen} project={project} />
        )}
      </div>
    </Window>
  );
}

/** A part of the window besides the list, and the way back. */
function Part(props: { app: App; screen: Signal<Screen>; project: Project | undefined }) {
  const { app, screen, project } = props;
  const { list } = projectsOf(app);
  const done = () => {
    list.forgetProblem();
    screen.value = { kind: "list", before: "id" in shown ? shown.id : "" };
  };
  const shown = screen.value;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => focusIn(place.current), []);
  if (shown.kind === "list") return null;
  const View = shown.kind === "new" ? null : TASKS[shown.kind];
  return (
    <>
      <div ref={place}>
        <Button look="small" onClick={done}>
          <Icon name="back" /> {text("projects-all")}
        </Button>
      </div>
      {View ? (
        project && <View key={project.id} app={app} project={project} done={done} />
      ) : (
        <NewProject app={app} done={done} />
      )}
    </>
  );
}

/** Put the focus on the first button: what had it is gone. */
function focusIn(element: Element | null | undefined): void {
  element?.querySelector("button")?.focus();
}

function List(props: { app: App; screen: Signal<Screen>; close: () => void }) {
  const { app, screen, close } = props;
  const { list } = projectsOf(app);
  const projects = list.projects.value;
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = screen.peek();
    if (shown.kind !== "list" || shown.before === undefined) return;
    const entry = head.current?.parentElement?.querySelector(`[data-project="${shown.before}"]`);
    focusIn(entry ?? head.current);
  }, []);
  const begin = () => {
    list.forgetProblem();
    screen.value = { kind: "new" };
  };
  const open = (task: Task, id: string) => {
    list.forgetProblem();
    screen.value = { kind: task, id };
  };
  return (
    <>
      <ListProblem app={app} problem={list.problem.value} retry={() => list.show()} />
      {projects?.length === 0 && <p class="hint">{text("projects-none")}</p>}
      {!projects && !list.problem.value && <p class="hint">{text("projects-asking")}</p>}
      {projects && (
        <div class="projects-head" ref={head}>
          <Room app={app} />
          <Button look="primary" onClick={begin}>
            {text("projects-new")}
          </Button>
        </div>
      )}
      <ul class="jobs" aria-label={text("projects")}>
        {sorted(projects ?? []).map((project) => (
          <li key={project.id}>
            <ProjectEntry
              app={app}
              project={project}
              open={(task) => open(task, project.id)}
              close={close}
            />
          </li>
        ))}
      </ul>
      {projects && projects.length > 0 && <p class="hint">{text("projects-go-on")}</p>}
    </>
  );
}

/** Sort projects by their last change.  Those that grow change all the time: the newest is first. */
function sorted(projects: readonly Project[]): readonly Project[] {
  const changed = ({ stage, updated }: Project) =>
    stage === "active" || stage === "building" ? "~" : updated;
  return [...projects].sort((one, other) => {
    const [first, second] = [changed(one), changed(other)];
    return first === second ? 0 : first < second ? 1 : -1;
  });
}

/** How much the account has of what it may have. */
function Room({ app }: { app: App }) {
  const own = projectsOf(app).list.own.value;
  if (!own?.projects.length) return <span />;
  const { projects, most_projects: most, positions, most_positions: room } = own;
  return (
    <p class="hint">
      {text("projects-room", {
        count: projects.length,
        most,
        positions: shortNumber(positions),
        room: shortNumber(room),
      })}
    </p>
  );
}
