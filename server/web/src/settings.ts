/** What this browser remembers from one visit to the next. */

import { INFINITE, type Limits } from "./uci/limits";

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
const MOST_PLAYED = 100; // games that are kept, the newest first

export function loadSettings(): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return stored && typeof stored === "object" ? { ...DEFAULTS, ...stored } : DEFAULTS;
  } catch {
    return DEFAULTS;
  }
}

export function saveSettings(settings: Settings): void {
  store(localStorage, KEY, JSON.stringify(settings));
}

export interface SavedGame {
  readonly pgn: string;
  /** The moves to where the user was. */
  readonly moves: readonly string[];
}

export function loadGame(): SavedGame | null {
  try {
    const stored = JSON.parse(localStorage.getItem(GAME) ?? "null") as Partial<SavedGame> | null;
    const isGood = typeof stored?.pgn === "string" && Array.isArray(stored.moves);
    return isGood ? (stored as SavedGame) : null;
  } catch {
    return null;
  }
}

export function saveGame(game: SavedGame): void {
  store(localStorage, GAME, JSON.stringify(game));
}

/** The games that were played here, as PGN, the newest first. */
export function loadPlayed(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PLAYED) ?? "[]");
    return Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

export function addPlayed(pgn: string): void {
  const games = [pgn, ...loadPlayed()].slice(0, MOST_PLAYED);
  store(localStorage, PLAYED, JSON.stringify(games));
}

/** A game that goes on, for a reload of this tab; null is that there is none. */
export function loadMatch(): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(MATCH) ?? "null");
  } catch {
    return null;
  }
}

export function saveMatch(match: unknown): void {
  if (match === null) sessionStorage.removeItem(MATCH);
  else store(sessionStorage, MATCH, JSON.stringify(match));
}

/** The token is kept for this tab only, and never in an address. */
export function loadToken(): string | null {
  try {
    return sessionStorage.getItem(TOKEN);
  } catch {
    return null;
  }
}

export function saveToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(TOKEN);
  else store(sessionStorage, TOKEN, token);
}

/** A browser that stores nothing is no reason to stop. */
function store(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    console.warn(`${key} is not remembered: this browser's storage is full or closed`);
  }
}
