/** The form of a project: what was chosen and typed, as a request to the server.  Pure. */

import { type GameTree, titleOf } from "../game/tree";
import {
  type Project,
  type ProjectBudget,
  type ProjectChange,
  type ProjectEngine,
  type ProjectRequest,
  type ProjectRules,
  type ProjectSide,
  USUAL_RULES,
} from "./project";

/** The values of the options of an engine, by their names. */
export type OptionValues = Readonly<Record<string, string>>;

/** The growth where one side is to move; `limit` is empty if there is none. */
export interface SideDraft {
  readonly width: number;
  readonly lines: string;
  readonly limit: string;
}

/** The end of a project; what is empty is no end. */
export interface BudgetDraft {
  readonly positions: string;
  /** Millions. */
  readonly nodes: string;
  /** Of CPU time. */
  readonly hours: string;
  /** A local date and time, as a field has it. */
  readonly until: string;
  readonly stable: string;
}

/** An engine with its options, which it keeps while it is not chosen. */
export interface EngineDraft {
  readonly name: string;
  readonly options: OptionValues;
  readonly isChosen: boolean;
}

/** What a project is called, how it grows, and when it ends. */
export interface Draft {
  readonly name: string;
  /** The same engine may be there several times, with other options. */
  readonly engines: readonly EngineDraft[];
  readonly nodes: string;
  /** That a search takes at most; empty if it may take as long as it does. */
  readonly seconds: string;
  readonly white: SideDraft;
  readonly black: SideDraft;
  readonly budget: BudgetDraft;
}

export type StartKind = "board" | "fen" | "pgn";

/** The first position of a new project. */
export interface StartDraft {
  readonly kind: StartKind;
  readonly fen: string;
  readonly pgn: string;
}

/** The nodes of the search of a position, by their names: about 0.05, 0.3 and 3 s of one thread. */
export const EFFORTS = { quick: 20_000, normal: 100_000, deep: 1_000_000 } as const;
export type Effort = keyof typeof EFFORTS;

const WIDE = 60; // the width, of the moves of the side against which a repertoire is made

/** What a tree is for: to understand a position, or as the repertoire of a side. */
export type Purpose = "understand" | "white" | "black";

const OWN_MOVES = "2"; // of a position, in the repertoire of a side
const REPLIES = 8; // of the other side, in the list of a search; the rest follows with less weight
const MILLION = 1_000_000;
const SECOND = 1000; // ms
const HOUR = 3600; // s

const NO_BUDGET: BudgetDraft = { positions: "", nodes: "", hours: "", until: "", stable: "" };

/** Return the form of a new project. */
export function newDraft(engine: string, options: OptionValues): Draft {
  const { nodes, white, black } = USUAL_RULES;
  return {
    name: "",
    engines: [{ name: engine, options, isChosen: true }],
    nodes: String(nodes),
    seconds: "",
    white: sideDraft(white),
    black: sideDraft(black),
    budget: { ...NO_BUDGET, positions: "1000" },
  };
}

/** Return the form of a project as it is. */
export function draftOf({ name, engines, settings, budget }: Project): Draft {
  const { positions, nodes, cpu_seconds: seconds, until, stable } = budget;
  return {
    name,
    engines: engines
      .filter(({ retired }) => !retired)
      .map(({ name, options = {} }) => ({ name, options, isChosen: true })),
    nodes: String(settings.nodes),
    seconds: typed(settings.movetime ? settings.movetime / SECOND : null),
    white: sideDraft(settings.white),
    black: sideDraft(settings.black),
    budget: {
      positions: typed(positions),
      nodes: typed(nodes && nodes / MILLION),
      hours: typed(seconds && Math.round((seconds / HOUR) * 1e4) / 1e4),
      until: until ? localTime(new Date(until)) : "",
      stable: typed(stable),
    },
  };
}

function sideDraft({ width, lines, limit }: ProjectSide): SideDraft {
  return { width, lines: String(lines), limit: typed(limit) };
}

function typed(number: number | null): string {
  return number === null ? "" : String(number);
}

/** Format a date as a field for a local date and time has it. */
function localTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Return the purpose that the limits of both sides mean; null if it is none of the usual ones. */
export function purposeOf({ white, black }: Draft): Purpose | null {
  if (!white.limit && !black.limit) return "understand";
  if (white.limit && black.limit) return null;
  return white.limit ? "white" : "black";
}

/** Return a form with the limits and lines that a purpose wants. */
export function withPurpose(draft: Draft, purpose: Purpose): Draft {
  const { white, black } = USUAL_RULES;
  const [usual, other] = [sideDraft(white), sideDraft(black)];
  if (purpose === "understand") {
    return { ...draft, white: keepWidth(usual, draft.white), black: keepWidth(other, draft.black) };
  }
  const own = { ...usual, limit: OWN_MOVES };
  const replies = { ...other, width: WIDE, lines: String(REPLIES) };
  return purpose === "white"
    ? { ...draft, white: keepWidth(own, draft.white), black: replies }
    : { ...draft, white: replies, black: keepWidth(own, draft.black) };
}

function keepWidth(side: SideDraft, { width }: SideDraft): SideDraft {
  return { ...side, width };
}

/** Return the request for a new project, whose start is given. */
export function requestOf(draft: Draft, start: Partial<ProjectRequest>): ProjectRequest {
  const { name, engines, budget } = draft;
  return {
    ...start,
    name: name.trim() || (start.name ?? ""),
    engines: enginesOf(engines),
    settings: rulesOf(draft),
    budget: budgetOf(budget),
  };
}

/** Return the start of a project for a FEN, or for a game whose moves are searched first. */
export function startOf(start: StartDraft, game: GameTree | null): Partial<ProjectRequest> {
  const isGame = start.kind === "pgn";
  const fen = game && !game.isStandard ? game.root.fen : null;
  return {
    name: (isGame && game && titleOf(game)) || "",
    position: isGame ? (fen === null ? {} : { fen }) : { fen: start.fen.trim() },
    variant: game?.chess960 ? "chess960" : "standard",
    ...(isGame ? { pgn: start.pgn } : {}),
  };
}

/** Return what a form changes of a project; null if that is nothing. */
export function changeOf(draft: Draft, project: Project): ProjectChange | null {
  const before = draftOf(project);
  const isOther = (key: keyof Draft) => !isSame(draft[key], before[key]);
  const engines = enginesOf(draft.engines);
  const change = {
    ...(isOther("name") && { name: draft.name.trim() }),
    ...(!isSame(engines, enginesOf(before.engines)) && { engines }),
    ...(RULES.some(isOther) && { settings: rulesOf(draft) }),
    ...(isOther("budget") && { budget: budgetOf(draft.budget) }),
  };
  return Object.keys(change).length ? change : null;
}

const RULES = ["nodes", "seconds", "white", "black"] as const;

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function enginesOf(engines: Draft["engines"]): ProjectEngine[] {
  return engines.filter(({ isChosen }) => isChosen).map(({ name, options }) => ({ name, options }));
}

/** Return the engines of a form, and those on offer of which it has none. */
export function enginesWith(
  engines: Draft["engines"],
  offered: readonly { readonly name: string }[],
): readonly EngineDraft[] {
  const others = offered.filter(({ name }) => !engines.some((each) => each.name === name));
  return [...engines, ...others.map(({ name }) => ({ name, options: {}, isChosen: false }))];
}

function rulesOf({ nodes, seconds, white, black }: Draft): ProjectRules {
  const movetime = numberIn(seconds, SECOND);
  const sides = { white: sideOf(white), black: sideOf(black) };
  return { nodes: Number(nodes), ...(movetime === null ? {} : { movetime }), ...sides };
}

function sideOf({ width, lines, limit }: SideDraft): ProjectSide {
  return { width, lines: Number(lines), limit: numberIn(limit) };
}

function budgetOf({ positions, nodes, hours, until, stable }: BudgetDraft): ProjectBudget {
  return {
    positions: numberIn(positions),
    nodes: numberIn(nodes, MILLION),
    cpu_seconds: numberIn(hours, HOUR),
    until: until ? new Date(until).toISOString() : null,
    stable: numberIn(stable),
  };
}

/** Return the number in a field, in another unit; null if the field is empty. */
function numberIn(field: string, unit = 1): number | null {
  if (!field.trim()) return null;
  return unit === 1 ? Number(field) : Math.round(Number(field) * unit);
}

/** The parts of a request that have a field of their own. */
const FIELDS: Readonly<Record<string, string>> = {
  "$.name": "name",
  "$.position": "start",
  "$.variant": "start",
  "$.pgn": "start",
  "$.engines": "engines",
  "$.settings": "sides",
  "$.settings.nodes": "nodes",
  "$.settings.movetime": "seconds",
  "$.settings.white": "white",
  "$.settings.black": "black",
  "$.budget.positions": "positions",
  "$.budget.nodes": "budget-nodes",
  "$.budget.cpu_seconds": "hours",
  "$.budget.until": "until",
  "$.budget.stable": "stable",
  "?plies": "plies",
  "?nodes": "nodes",
  "?visits": "visits",
};

/** Return the field that a part of a request stands in; null if it has none. */
export function fieldOf(path = ""): string | null {
  const [, start = "", rest = ""] = /^(\$|\?)(.*)$/.exec(path) ?? [];
  const members = rest.match(/\.?[^.[]+|\[\d+\]/g) ?? [];
  for (let count = members.length; count > 0; count--) {
    const field = FIELDS[start + members.slice(0, count).join("")];
    if (field) return field;
  }
  return null;
}
