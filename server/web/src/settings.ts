/** What this browser remembers from one visit to the next. */

import type { Standing } from "./link/ledger";
import { INFINITE, KINDS, type Limits } from "./uci/limits";

export type Theme = "system" | "light" | "dark";

export interface Settings {
  readonly engine: string;
  readonly running: boolean;
  readonly limits: Limits;
  readonly lines: number;
  /** Values of options, by engine. */
  readonly options: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly theme: Theme;
  readonly arrows: boolean;
  readonly bar: boolean;
  readonly stopsWhenHidden: boolean;
  /** Milliseconds for each position of a whole-game analysis. */
  readonly reviewMs: number;
  /** Width of the board as a share of what there is room for, 0.5 to 1. */
  readonly size: number;
  /** What was chosen for the last game against an engine. */
  readonly play: PlayChoice;
}

export interface PlayChoice {
  readonly color: "white" | "black" | "random";
  /** Minutes and seconds; no minutes are no clock. */
  readonly minutes: number;
  readonly increment: number;
  readonly strength: "full" | "elo" | "skill";
  readonly elo: number;
  readonly skill: number;
  readonly ponders: boolean;
}

const DEFAULTS: Settings = {
  engine: "",
  running: true,
  limits: INFINITE,
  lines: 3,
  options: {},
  theme: "system",
  arrows: true,
  bar: true,
  stopsWhenHidden: true,
  reviewMs: 300,
  size: 1,
  play: {
    color: "white",
    minutes: 5,
    increment: 3,
    strength: "elo",
    elo: 1500,
    skill: 5,
    ponders: true,
  },
};
const KEY = "rookery.settings";
const GAME = "rookery.game";
const TOKEN = "rookery.token";
const PLAYED = "rookery.played";
const MATCH = "rookery.match";
const DRAFT = "rookery.draft";
const BATON = "rookery.baton";
const MOST_PLAYED = 100; // games that are kept, the newest first

export function loadSettings(): Settings {
  return settingsFrom(read("localStorage", KEY));
}

/** Settings of what was stored, perhaps by an older page or by hand: what does not fit is left. */
export function settingsFrom(stored: unknown): Settings {
  const settings = fitted(DEFAULTS, stored);
  const play = fitted(DEFAULTS.play, settings.play);
  const limits = fitted(INFINITE, settings.limits);
  const lines = Math.min(10, Math.max(1, Math.round(settings.lines)));
  return { ...settings, play, lines, limits: KINDS.includes(limits.kind) ? limits : INFINITE };
}

/** The same fields with what was stored, where that is of the same type. */
function fitted<T extends object>(usual: T, stored: unknown): T {
  const isObject = stored !== null && typeof stored === "object";
  const given: Record<string, unknown> = isObject ? { ...stored } : {};
  const fields = Object.entries(usual).map(([key, value]) => {
    const own = given[key];
    return [key, typeof own === typeof value && own !== null ? own : value];
  });
  return Object.fromEntries(fields) as T;
}

/** Keep what has changed since `before`: another tab may have changed something else. */
export function saveSettings(settings: Settings, before: Settings): void {
  write("localStorage", KEY, merged(loadSettings(), settings, before));
}

/** What was stored, with the fields that differ from what they were before. */
export function merged(stored: Settings, settings: Settings, before: Settings): Settings {
  const own = Object.entries(settings).filter(
    ([key, value]) => before[key as keyof Settings] !== value,
  );
  return { ...stored, ...Object.fromEntries(own) };
}

/** A position as an engine hears it, and the FEN by which what is found is kept. */
export interface Words {
  readonly fen: string;
  readonly turn: "white" | "black";
  /** `startpos`, or a FEN. */
  readonly start: string;
  readonly moves: readonly string[];
  readonly chess960: boolean;
}

/** Where every game begins. */
export const START: Words = {
  fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  turn: "white",
  start: "startpos",
  moves: [],
  chess960: false,
};

export interface SavedGame {
  readonly pgn: string;
  /** The moves to where the user was. */
  readonly moves: readonly string[];
  /** The address of that position. */
  readonly address: string;
  /** What an engine is to search there; null is nothing. */
  readonly words: Words | null;
}

/** The game of this tab; of a new one, that which was changed last. */
export function loadGame(): SavedGame | null {
  return gameIn("sessionStorage") ?? gameIn("localStorage");
}

function gameIn(where: Where): SavedGame | null {
  const stored = read(where, GAME) as Partial<SavedGame> | null;
  if (typeof stored?.pgn !== "string" || !Array.isArray(stored.moves)) return null;
  const words = typeof stored.words?.fen === "string" ? stored.words : null;
  return { pgn: stored.pgn, moves: stored.moves, address: stored.address ?? "", words };
}

/** Keep a game: for this tab, and for those that are opened later. */
export function saveGame(game: SavedGame): void {
  write("sessionStorage", GAME, game);
  write("localStorage", GAME, game);
}

/** Whether the address leads to a room that is watched. */
export function isRoom(hash: string): boolean {
  return hash.startsWith("#room=");
}

/** The games that were played here, as PGN, the newest first. */
export function loadPlayed(): readonly string[] {
  const stored = read("localStorage", PLAYED);
  return Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : [];
}

export function addPlayed(pgn: string): void {
  write("localStorage", PLAYED, [pgn, ...loadPlayed()].slice(0, MOST_PLAYED));
}

/** A game that goes on, for a reload of this tab; null is that there is none. */
export function loadMatch(): unknown {
  return read("sessionStorage", MATCH);
}

export function saveMatch(match: unknown): void {
  write("sessionStorage", MATCH, match);
}

/** A position that is being set up, and the address of the one that it began from. */
export interface SavedDraft {
  readonly fen: string;
  readonly chess960: boolean;
  readonly address: string;
}

/** The position that this tab was setting up; null is that there is none. */
export function loadDraft(): SavedDraft | null {
  const stored = read("sessionStorage", DRAFT) as Partial<SavedDraft> | null;
  if (typeof stored?.fen !== "string" || typeof stored.address !== "string") return null;
  return { fen: stored.fen, chess960: stored.chess960 === true, address: stored.address };
}

export function saveDraft(draft: SavedDraft | null): void {
  write("sessionStorage", DRAFT, draft);
}

/** Who has control of a room, if it has not been handed on. */
export const OWNER = "owner";

/** A session that others watch, left by one page of this tab for the next to go on with. */
export interface Baton {
  readonly engine: string;
  readonly standing: Standing;
  /** Searches whose `bestmove` has not come. */
  readonly searches: number;
  /** The room's name, and who has control. */
  readonly room: { readonly name: string; readonly control: string };
}

/** Take what the page before has left, if it is a session with that engine: it is good once. */
export function takeBaton(engine: string): Baton | null {
  const baton = read("sessionStorage", BATON) as Partial<Baton> | null;
  saveBaton(null);
  const { standing, room, searches } = baton ?? {};
  const isWhole =
    typeof standing?.pass === "string" &&
    Array.isArray(standing.unheard) &&
    typeof room?.name === "string" &&
    typeof room.control === "string";
  return isWhole && baton?.engine === engine
    ? { engine, standing, room, searches: searches ?? 0 }
    : null;
}

export function saveBaton(baton: Baton | null): void {
  if (baton || read("sessionStorage", BATON)) write("sessionStorage", BATON, baton);
}

/** The token is kept for this tab only, and never in an address. */
export function loadToken(): string | null {
  const token = read("sessionStorage", TOKEN);
  return typeof token === "string" ? token : null;
}

export function saveToken(token: string | null): void {
  write("sessionStorage", TOKEN, token);
}

type Where = "localStorage" | "sessionStorage";

/** What is stored; null if there is nothing, or nothing that can be read. */
function read(where: Where, key: string): unknown {
  try {
    return JSON.parse(globalThis[where].getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value; null takes it away.  A browser that stores nothing is no reason to stop. */
function write(where: Where, key: string, value: unknown): void {
  try {
    if (value === null) globalThis[where].removeItem(key);
    else globalThis[where].setItem(key, JSON.stringify(value));
  } catch {
    console.warn(`${key} is not remembered: this browser's storage is full or closed`);
  }
}
