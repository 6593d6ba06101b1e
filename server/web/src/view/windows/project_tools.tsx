/** The parts of the window Projects that export a tree, copy and merge it, and add games to it. */

import { useSignal } from "@preact/signals";
import type { App } from "../../app";
import { saveFile } from "../../download";
import { text } from "../../language/catalogue";
import type { ExportFormat } from "../../projects/client";
import { gameOf, placeOf } from "../../projects/place";
import type { Project } from "../../projects/project";
import { projectsOf } from "../../projects/projects";
import { nameOf } from "../../projects/words";
import { Button, SelectRow } from "../controls";
import { Copyable } from "../dialog";
import { FieldProblem, NumberRow } from "./project_form";
import { CommandProblem, PgnField } from "./project_settings";

interface ToolProps {
  readonly app: App;
  readonly project: Project;
  readonly done: () => void;
}

const LONGEST_NAME = 200; // characters, as the server has it
const ENDINGS: Readonly<Record<ExportFormat, string>> = {
  pgn: "pgn",
  polyglot: "bin",
  ndjson: "ndjson",
};
const FORMATS: readonly (readonly [ExportFormat, id: string])[] = [
  ["pgn", "projects-as-pgn"],
  ["polyglot", "projects-as-book"],
  ["ndjson", "projects-as-lines"],
];

export function ExportProject({ app, project }: ToolProps) {
  const { list } = projectsOf(app);
  const format = useSignal<ExportFormat>("pgn");
  const [plies, nodes, visits] = [useSignal(""), useSignal(""), useSignal("")];
  const problem = list.problem.value;
  const save = async (event: Event) => {
    event.preventDefault();
    const kind = format.peek();
    const bounds = {
      ...(plies.peek() && { plies: Number(plies.peek()) }),
      ...(kind === "pgn" && nodes.peek() && { nodes: Number(nodes.peek()) }),
      ...(visits.peek() && { visits: Number(visits.peek()) }),
    };
    const file = await list.export(project.id, kind, bounds);
    if (file) saveFile(`${fileName(project)}.${ENDINGS[kind]}`, file);
  };
  return (
    <form class="stack" noValidate onSubmit={save}>
      <CommandProblem list={list} />
      <SelectRow
        name={text("projects-format")}
        value={format.value}
        options={FORMATS.filter(([each]) => each !== "polyglot" || isChess(project)).map(
          ([each, id]) => [each, text(id)] as const,
        )}
        set={(value) => (format.value = value as ExportFormat)}
      />
      <NumberRow
        name={text("projects-plies")}
        field="plies"
        placeholder={text("projects-no-limit")}
        value={plies.value}
        problem={problem}
        set={(value) => (plies.value = value)}
      />
      {format.value === "pgn" && (
        <NumberRow
          name={text("projects-most-positions")}
          field="nodes"
          placeholder="10000"
          value={nodes.value}
          problem={problem}
          set={(value) => (nodes.value = value)}
        />
      )}
      <NumberRow
        name={text("projects-visits")}
        field="visits"
        placeholder="1"
        value={visits.value}
        problem={problem}
        set={(value) => (visits.value = value)}
      />
      <div class="buttons">
        <button type="submit" class="button primary" disabled={list.isBusy.value}>
          {text("projects-download")}
        </button>
      </div>
      <Addresses app={app} project={project} />
    </form>
  );
}

function isChess({ variant }: Project): boolean {
  return variant === "standard";
}

/** Return the name of a file for a project, without its ending. */
function fileName({ name }: Project): string {
  return (
    name
      .replace(/[\p{C}\p{Z}\\/:*?"<>|]+/gu, " ")
      .trim()
      .slice(0, 80) || "project"
  );
}

/** The addresses for opening programs, which put a FEN behind them. */
function Addresses({ app, project }: Pick<ToolProps, "app" | "project">) {
  const addressOf = (action: string) => {
    const path = `/v1/projects/${encodeURIComponent(project.id)}/query?action=${action}&board=`;
    return new URL(path, location.href).href;
  };
  const copied = () => app.toasts.addNote(text("projects-address-copied"));
  return (
    <section class="stack" aria-labelledby="project-addresses">
      <h3 id="project-addresses">{text("projects-addresses")}</h3>
      <p class="hint">{text("projects-addresses-hint")}</p>
      <Copyable label={text("projects-queryall")} text={addressOf("queryall")} copied={copied} />
      <Copyable label={text("projects-querypv")} text={addressOf("querypv")} copied={copied} />
    </section>
  );
}

export function CopyProject({ app, project, done }: ToolProps) {
  const { list } = projectsOf(app);
  const isPart = useSignal(false);
  const name = useSignal(text("projects-copy-name", { name: nameOf(project) }));
  const copy = async (event: Event) => {
    event.preventDefault();
    const node = app.study.node.peek().inGame;
    const place = isPart.peek() ? placeOf(gameOf(project).root, node) : { moves: [] };
    const made = await list.copy(project.id, place, name.peek().trim().slice(0, LONGEST_NAME));
    if (made) done();
  };
  const parts = [
    [false, "projects-copy-whole"],
    [true, "projects-copy-part"],
  ] as const;
  return (
    <form class="stack" noValidate onSubmit={copy}>
      <CommandProblem list={list} />
      <p class="hint">{text("projects-copy-hint")}</p>
      {parts.map(([each, id]) => (
        <label class="check" key={id}>
          <input
            type="radio"
            name="part"
            checked={isPart.value === each}
            onChange={() => (isPart.value = each)}
          />
          <span>{text(id)}</span>
        </label>
      ))}
      <label class="field">
        <span>{text("projects-name")}</span>
        <input
          type="text"
          autoComplete="off"
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
        <FieldProblem field="name" problem={list.problem.value} />
      </label>
      <SubmitButtons done={done} id="projects-make-copy" isOff={list.isBusy.value} />
    </form>
  );
}

export function MergeProject({ app, project, done }: ToolProps) {
  const { list } = projectsOf(app);
  const others = (list.projects.value ?? []).filter(
    ({ id, variant }) => id !== project.id && variant === project.variant,
  );
  const chosen = useSignal("");
  const from = chosen.value || (others[0]?.id ?? "");
  const merge = async (event: Event) => {
    event.preventDefault();
    const merged = await list.merge(project.id, from);
    if (!merged) return;
    // The server goes on with a large tree, as the list shows.
    if (merged.stage !== "building") {
      const now = text("projects-now", { count: merged.positions });
      app.toasts.addNote(text("projects-merged"), now);
    }
    done();
  };
  if (!others.length) return <p class="hint">{text("projects-merge-none")}</p>;
  return (
    <form class="stack" noValidate onSubmit={merge}>
      <CommandProblem list={list} />
      <p class="hint">{text("projects-merge-hint")}</p>
      <SelectRow
        name={text("projects-merge-from")}
        value={from}
        options={others.map((each) => [each.id, nameOf(each)] as const)}
        set={(id) => (chosen.value = id)}
      />
      <SubmitButtons done={done} id="projects-merge-now" isOff={list.isBusy.value} />
    </form>
  );
}

export function ImportGame({ app, project, done }: ToolProps) {
  const { list } = projectsOf(app);
  const pgn = useSignal("");
  const add = async (event: Event) => {
    event.preventDefault();
    const changed = await list.addGame(project.id, pgn.peek());
    if (!changed) return;
    const count = changed.positions - project.positions;
    app.toasts.addNote(text("projects-imported"), text("projects-added", { count }));
    done();
  };
  return (
    <form class="stack" noValidate onSubmit={add}>
      <CommandProblem list={list} />
      <p class="hint">{text("projects-import-hint")}</p>
      <PgnField value={pgn.value} set={(value) => (pgn.value = value)} />
      <FieldProblem field="start" problem={list.problem.value} />
      <SubmitButtons
        done={done}
        id="projects-import-now"
        isOff={list.isBusy.value || !pgn.value.trim()}
      />
    </form>
  );
}

function SubmitButtons(props: { done: () => void; id: string; isOff: boolean }) {
  return (
    <div class="buttons">
      <Button onClick={props.done}>{text("cancel")}</Button>
      <button type="submit" class="button primary" disabled={props.isOff}>
        {text(props.id)}
      </button>
    </div>
  );
}
