/** The parts of the window Projects in which a project is made, and in which it is changed. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { App } from "../../app";
import { firstOf, readGames } from "../../game/pgn";
import { GameTree } from "../../game/tree";
import { text } from "../../language/catalogue";
import {
  changeOf,
  type Draft,
  draftOf,
  fieldOf,
  newDraft,
  requestOf,
  type StartDraft,
  type StartKind,
  startOf,
} from "../../projects/draft";
import type { EngineOffer } from "../../projects/engine_offer";
import type { ProjectList } from "../../projects/list";
import type { Project } from "../../projects/project";
import { projectsOf } from "../../projects/projects";
import { problemIn } from "../../service";
import { Button } from "../controls";
import { ProblemBox } from "../messages";
import { FieldProblem, NameRow, RulesRows } from "./project_form";

/** A form that was left before it was sent: it is there when it is opened again. */
let unsent: { readonly draft: Draft; readonly start: StartDraft } | null = null;

/** Return the engines that the server offers; none before its answer. */
function useOffers(app: App): readonly EngineOffer[] {
  const { client, list } = projectsOf(app);
  const offers = useSignal<readonly EngineOffer[]>([]);
  useEffect(() => {
    client.engines().then(
      (found) => (offers.value = found),
      (error) => (list.problem.value = problemIn(error)),
    );
  }, []);
  return offers.value;
}

/** The problem of the last command, unless a field of the form shows it. */
export function CommandProblem({ list }: { list: ProjectList }) {
  const problem = list.problem.value;
  return problem && fieldOf(problem.path) === null ? <ProblemBox problem={problem} /> : null;
}

interface FormButtonsProps {
  readonly list: ProjectList;
  readonly done: () => void;
  /** What the form does. */
  readonly action: string;
}

function FormButtons({ list, done, action }: FormButtonsProps) {
  return (
    <div class="buttons">
      <Button onClick={done}>{text("cancel")}</Button>
      <button type="submit" class="button primary" disabled={list.isBusy.value}>
        {action}
      </button>
    </div>
  );
}

export function NewProject({ app, done }: { app: App; done: () => void }) {
  const projects = projectsOf(app);
  const { list } = projects;
  const usual = useMemo(() => projects.analysed(), []);
  const [engine] = usual.engines ?? [];
  const draft = useSignal(unsent?.draft ?? newDraft(engine?.name ?? "", engine?.options ?? {}));
  const start = useSignal<StartDraft>(unsent?.start ?? { kind: "board", fen: "", pgn: "" });
  const offers = useOffers(app);
  useEffect(() => {
    unsent = { draft: draft.value, start: start.value };
  }, [draft.value, start.value]);
  const problem = list.problem.value;
  const create = async (event: Event) => {
    event.preventDefault();
    const { kind } = start.peek();
    const begin = kind === "board" ? usual : startOf(start.peek(), gameIn(start.peek()));
    if (!(await list.create(requestOf(draft.peek(), begin)))) return;
    unsent = null;
    done();
  };
  const change = (part: Partial<Draft>) => (draft.value = { ...draft.peek(), ...part });
  const fields = { draft: draft.value, problem, change };
  return (
    <form class="stack" noValidate onSubmit={create}>
      <CommandProblem list={list} />
      <NameRow {...fields} example={start.value.kind === "board" ? (usual.name ?? "") : ""} />
      <StartRows
        start={start.value}
        set={(part) => (start.value = { ...start.peek(), ...part })}
        problem={problem}
      />
      <RulesRows {...fields} offers={offers} />
      <FormButtons list={list} done={done} action={text("projects-begin")} />
    </form>
  );
}

/** Return the game of a PGN or of a FEN; null if the page cannot read it, and the server is to say why. */
function gameIn({ kind, fen, pgn }: StartDraft): GameTree | null {
  try {
    return kind === "fen" ? new GameTree(fen.trim()) : (firstOf(readGames(pgn))?.open() ?? null);
  } catch {
    return null;
  }
}

const STARTS: readonly (readonly [StartKind, id: string])[] = [
  ["board", "projects-from-board"],
  ["fen", "projects-from-fen"],
  ["pgn", "projects-from-pgn"],
];

function StartRows(props: {
  start: StartDraft;
  set: (part: Partial<StartDraft>) => void;
  problem: ProjectList["problem"]["value"];
}) {
  const { start, set, problem } = props;
  return (
    <fieldset class="project-part">
      <legend>{text("projects-start")}</legend>
      {STARTS.map(([kind, id]) => (
        <label class="check" key={kind}>
          <input
            type="radio"
            name="start"
            checked={start.kind === kind}
            onChange={() => set({ kind })}
          />
          <span>{text(id)}</span>
        </label>
      ))}
      {start.kind === "fen" && (
        <input
          type="text"
          aria-label="FEN"
          autoComplete="off"
          spellcheck={false}
          value={start.fen}
          onInput={(event) => set({ fen: event.currentTarget.value })}
        />
      )}
      {start.kind === "pgn" && <PgnField value={start.pgn} set={(pgn) => set({ pgn })} />}
      <FieldProblem field="start" problem={problem} />
    </fieldset>
  );
}

/** A field for a game, which may be chosen as a file. */
export function PgnField({ value, set }: { value: string; set: (pgn: string) => void }) {
  const read = async (file: File | undefined) => {
    if (file) set(await file.text());
  };
  return (
    <>
      <textarea
        rows={5}
        aria-label="PGN"
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
      />
      <input
        type="file"
        aria-label={text("import-file")}
        accept=".pgn,.txt,text/plain"
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
    </>
  );
}

export function ProjectSettings(props: { app: App; project: Project; done: () => void }) {
  const { app, project, done } = props;
  const { list } = projectsOf(app);
  const draft = useSignal(draftOf(project));
  const before = useMemo(() => project, []); // It may grow meanwhile.
  const offers = useOffers(app);
  const save = async (event: Event) => {
    event.preventDefault();
    const change = changeOf(draft.peek(), before);
    if (!change || (await list.edit(project.id, change))) done();
  };
  const change = (part: Partial<Draft>) => (draft.value = { ...draft.peek(), ...part });
  const fields = { draft: draft.value, problem: list.problem.value, change };
  return (
    <form class="stack" noValidate onSubmit={save}>
      <CommandProblem list={list} />
      <NameRow {...fields} />
      <RulesRows {...fields} offers={offers} />
      <FormButtons list={list} done={done} action={text("save")} />
    </form>
  );
}
