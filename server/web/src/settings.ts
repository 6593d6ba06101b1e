/** What this browser stores: settings, games, a session to continue, the token. */

import type { ResumeState } from "./engine/protocol";
import type { Origin } from "./game/tree";
import { DRAFT, JOBS, PLAYED, readStored, writeStored } from "./store";
import { type EnginePosition, INFINITE, LIMIT_KINDS, type Limits } from "./uci/line";

/** The sets of pieces, and the boards (`style/boards.css`); the first ones are those of the first visit. */
const PIECES = ["classic", "flat", "signs"] as const;
const BOARDS = ["slate", "wood", "green", "contrast"] as const;

export type PiecesId = (typeof PIECES)[number];
export type BoardId = (typeof BOARDS)[number];
export type Theme = "system" | "light" | "dark";

export interface Settings {
  readonly engine: string;
  readonly running: boolean;
  readonly limits: Limits;
  readonly lines: number;
  /** Values of options, by engine. */
  readonly options: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly theme: Theme;
  readonly pieces: PiecesId;
  readonly board: BoardId;
  readonly sounds: boolean;
  /** Of the sounds, 0 to 1. */
  readonly volume: number;
  readonly arrows: boolean;
  readonly bar: boolean;
  readonly stopsWhenHidden: boolean;
  /** The language of the page; "browser" is that of the browser. */
  readonly language: string;
  /** Whether an engine at a weak level thinks as long as a person would. */
  readonly levelsTakeTime: boolean;
  /** Milliseconds for each position of a whole-game analysis. */
  readonly reviewMs: number;
  /** Where a whole game is analysed, if the server works at jobs. */
  readonly reviewPlace: "server" | "tab";
  /** Width of the board as a share of the available room, 0.5 to 1. */
  readonly size: number;
  /** The panels beside the board that are folded. */
  readonly folded: Readonly<Record<string, boolean>>;
  /** The engines beside the first one. */
  readonly companions: readonly CompanionChoice[];
  /** The name by which others see this page in a room; empty for that of the account. */
  readonly roomName: string;
  /** The choices for the last game against an engine. */
  readonly play: PlayChoice;
}

export interface CompanionChoice {
  readonly engine: string;
  readonly lines: number;
  readonly isRunning: boolean;
}

export interface PlayChoice {
  readonly color: "white" | "black" | "random";
  /** Minutes and seconds; 0 minutes mean no clock. */
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
  language: "browser",
  theme: "system",
  pieces: "classic",
  board: "slate",
  sounds: false,
  volume: 0.5,
  arrows: true,
  bar: true,
  stopsWhenHidden: true,
  levelsTakeTime: true,
  reviewMs: 300,
  reviewPlace: "server",
  size: 1,
  folded: {},
  companions: [],
  roomName: "",
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
const SETTINGS = "rookery.settings";
const GAME = "rookery.game";
const TOKEN = "rookery.token";
const MATCH = "rookery.match";
const HANDOVER = "rookery.handover";
const TICKET = "rookery.ticket";
const MOST_PLAYED = 100; // games, the newest first
const MOST_JOBS = 50; // the newest first

export function loadSettings(): Settings {
  return settingsFrom(readStored("localStorage", SETTINGS));
}

/** Read stored settings, perhaps of an older page or edited by hand; ignore what does not fit. */
export function settingsFrom(stored: unknown): Settings {
  const settings = fitted(DEFAULTS, stored);
  const play = fitted(DEFAULTS.play, settings.play);
  const limits = fitted(INFINITE, settings.limits);
  const lines = Math.min(10, Math.max(1, Math.round(settings.lines)));
  return {
    ...settings,
    play,
    lines,
    pieces: PIECES.includes(settings.pieces) ? settings.pieces : DEFAULTS.pieces,
    board: BOARDS.includes(settings.board) ? settings.board : DEFAULTS.board,
    volume: Math.min(1, Math.max(0, settings.volume)),
    companions: companionsFrom(settings.companions),
    limits: LIMIT_KINDS.includes(limits.kind) ? limits : INFINITE,
  };
}

function companionsFrom(stored: unknown): CompanionChoice[] {
  const none: CompanionChoice = { engine: "", lines: 1, isRunning: true };
  const choices = Array.isArray(stored) ? stored.map((each) => fitted(none, each)) : [];
  return choices.filter(({ engine }) => engine !== "").slice(0, 3);
}

/** Return the defaults, replaced by stored fields where these have the same type. */
function fitted<T extends object>(defaults: T, stored: unknown): T {
  const isObject = stored !== null && typeof stored === "object";
  const given: Record<string, unknown> = isObject ? { ...stored } : {};
  const fields = Object.entries(defaults).map(([key, value]) => {
    const own = given[key];
    return [key, typeof own === typeof value && own !== null ? own : value];
  });
  return Object.fromEntries(fields) as T;
}

/** Store what has changed since `before`: another tab may have changed other settings. */
export function saveSettings(settings: Settings, before: Settings): void {
  writeStored("localStorage", SETTINGS, merged(loadSettings(), settings, before));
}

/** Return the stored settings with the fields that have changed since `before`. */
export function merged(stored: Settings, settings: Settings, before: Settings): Settings {
  const own = Object.entries(settings).filter(
    ([key, value]) => before[key as keyof Settings] !== value,
  );
  return { ...stored, ...Object.fromEntries(own) };
}

interface SavedGame {
  readonly pgn: string;
  /** The moves to the position on the board. */
  readonly moves: readonly string[];
  /** The address of that position. */
  readonly address: string;
  /** The position for an engine; null if the game is over there. */
  readonly position: EnginePosition | null;
  readonly origin?: Origin | null;
}

/** Return the game of this tab; in a new tab, the game that was changed last. */
export function loadGame(): SavedGame | null {
  return gameIn("sessionStorage") ?? gameIn("localStorage");
}

function gameIn(storage: "localStorage" | "sessionStorage"): SavedGame | null {
  const stored = readStored(storage, GAME) as Partial<SavedGame> | null;
  if (typeof stored?.pgn !== "string" || !Array.isArray(stored.moves)) return null;
  const { address = "", position, origin = null } = stored;
  const isWhole = typeof position?.fen === "string" && typeof position.key === "string";
  const { pgn, moves } = stored;
  const isPlace = typeof origin?.file === "number" && typeof origin.text === "string";
  return {
    pgn,
    moves,
    address,
    position: isWhole ? position : null,
    origin: isPlace ? origin : null,
  };
}

/** Store a game: for this tab, and for tabs that are opened later. */
export function saveGame(game: SavedGame): void {
  writeStored("sessionStorage", GAME, game);
  writeStored("localStorage", GAME, game);
}

/** Return the games played here, as PGN, the newest first. */
export function loadPlayed(): readonly string[] {
  const stored = readStored("localStorage", PLAYED);
  return Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : [];
}

/** Add a game that was played here; the oldest make room for it. */
export function addPlayed(pgn: string): void {
  let games = [pgn, ...loadPlayed()].slice(0, MOST_PLAYED);
  while (!writeStored("localStorage", PLAYED, games) && games.length > 1) {
    games = games.slice(0, Math.floor(games.length / 2));
  }
}

/** A job that this browser has posted to a server without accounts. */
export interface SavedJob {
  readonly id: string;
  readonly name: string;
}

export function loadJobs(): readonly SavedJob[] {
  const stored = readStored("localStorage", JOBS);
  const jobs: readonly Partial<SavedJob>[] = Array.isArray(stored) ? stored.filter(Boolean) : [];
  return jobs.flatMap(({ id, name }) => (typeof id === "string" ? { id, name: String(name) } : []));
}

export function rememberJob(job: SavedJob): void {
  const others = loadJobs().filter(({ id }) => id !== job.id);
  writeStored("localStorage", JOBS, [job, ...others].slice(0, MOST_JOBS));
}

export function forgetJob(id: string): void {
  const others = loadJobs().filter((each) => each.id !== id);
  if (others.length < loadJobs().length) writeStored("localStorage", JOBS, others);
}

/** Return the unfinished game of this tab, from before a reload; null if there is none. */
export function loadMatch(): unknown {
  return readStored("sessionStorage", MATCH);
}

export function saveMatch(match: unknown): void {
  writeStored("sessionStorage", MATCH, match);
}

/** A position that is being set up, and the address of the one from which it began. */
interface SavedDraft {
  readonly fen: string;
  readonly chess960: boolean;
  readonly address: string;
}

/** Return the position that this tab was setting up; null if there is none. */
export function loadDraft(): SavedDraft | null {
  const stored = readStored("sessionStorage", DRAFT) as Partial<SavedDraft> | null;
  if (typeof stored?.fen !== "string" || typeof stored.address !== "string") return null;
  return { fen: stored.fen, chess960: stored.chess960 === true, address: stored.address };
}

export function saveDraft(draft: SavedDraft | null): void {
  writeStored("sessionStorage", DRAFT, draft);
}

/** The controller of a room in which nothing was handed over. */
export const OWNER = "owner";

/** A session with viewers, left by one page of this tab for the next one. */
export interface Handover {
  readonly engine: string;
  readonly resume: ResumeState;
  /** The number of searches whose `bestmove` has not come. */
  readonly pending: number;
  /** The room's name, and its controller. */
  readonly room: { readonly name: string; readonly control: string };
}

/** Return the session that the page before has left, if it is with that engine, and forget it. */
export function takeHandover(engine: string): Handover | null {
  const handover = readStored("sessionStorage", HANDOVER) as Partial<Handover> | null;
  saveHandover(null);
  const { resume, room, pending } = handover ?? {};
  const isWhole =
    typeof resume?.pass === "string" &&
    Array.isArray(resume.unheard) &&
    typeof room?.name === "string" &&
    typeof room.control === "string";
  return isWhole && handover?.engine === engine
    ? { engine, resume, room, pending: pending ?? 0 }
    : null;
}

export function saveHandover(handover: Handover | null): void {
  if (handover || readStored("sessionStorage", HANDOVER))
    writeStored("sessionStorage", HANDOVER, handover);
}

/** Return what this tab comes back to a room with; empty if it has not been there. */
export function loadTicket(room: string): string {
  const stored = readStored("sessionStorage", TICKET) as {
    room?: unknown;
    ticket?: unknown;
  } | null;
  return stored?.room === room && typeof stored.ticket === "string" ? stored.ticket : "";
}

export function saveTicket(room: string, ticket: string): void {
  writeStored("sessionStorage", TICKET, { room, ticket });
}

/** Return the token of this tab, or else of this device; it is never in an address. */
export function loadToken(): string | null {
  const token = readStored("sessionStorage", TOKEN) ?? readStored("localStorage", TOKEN);
  return typeof token === "string" ? token : null;
}

/** Keep a token for this tab, or on this device: all of its tabs have it, and those to come. */
export function saveToken(token: string, isOfDevice = false): void {
  writeStored(isOfDevice ? "localStorage" : "sessionStorage", TOKEN, token);
}

/** Forget a token wherever it is kept. */
export function forgetToken(token: string | null): void {
  for (const name of ["sessionStorage", "localStorage"] as const)
    if (readStored(name, TOKEN) === token) writeStored(name, TOKEN, null);
}
