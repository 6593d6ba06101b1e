/** The shared games of the server over HTTP (`/v1/games`), with its errors in words for people. */

import { requestService, type ServiceWords } from "../service";

/** A game that this account shares. */
export interface OwnGame {
  readonly id: string;
  readonly title: string;
  readonly created: string;
  readonly updated: string;
  /** Absent if the link never ends. */
  readonly expires?: string;
}

export interface OwnGames {
  readonly games: readonly OwnGame[];
  /** The most days for which a game may be shared; absent if there is no bound. */
  readonly most_days?: number;
  /** Whether pages of other sites may show shared games in a frame. */
  readonly frames: boolean;
}

/** A shared game, as its readers have it. */
export interface SharedGame {
  readonly id: string;
  readonly title: string;
  readonly pgn: string;
}

export interface GameChange {
  readonly pgn?: string;
  readonly title?: string;
  /** Null is for good. */
  readonly days?: number | null;
}

const GAMES = "/v1/games";
const ADDRESS = /^#game=([\w-]{1,100})$/;

/** Return the id of the shared game that an address names; null if it names none. */
export function sharedIn(hash: string): string | null {
  return ADDRESS.exec(hash)?.[1] ?? null;
}

/** Return the link to a shared game. */
export function linkTo(id: string): string {
  return `${location.origin}/#game=${id}`;
}

/** Read a shared game; no token is needed. */
export async function readSharedGame(id: string): Promise<SharedGame> {
  return (await (await request("GET", pathOf(id), null)).json()) as SharedGame;
}

export async function listGames(token: string | null): Promise<OwnGames> {
  return (await (await request("GET", GAMES, token)).json()) as OwnGames;
}

export async function shareGame(change: GameChange, token: string | null): Promise<OwnGame> {
  return (await (await request("POST", GAMES, token, change)).json()) as OwnGame;
}

export async function changeGame(id: string, change: GameChange, token: string | null) {
  await request("PATCH", pathOf(id), token, change);
}

export async function withdrawGame(id: string, token: string | null): Promise<void> {
  await request("DELETE", pathOf(id), token);
}

function pathOf(id: string): string {
  return `${GAMES}/${encodeURIComponent(id)}`;
}

function request(
  method: string,
  path: string,
  token: string | null,
  change?: GameChange,
): Promise<Response> {
  const json = { headers: { "Content-Type": "application/json" }, body: JSON.stringify(change) };
  return requestService(WORDS, path, token, { method, ...(change ? json : {}) });
}

const TITLES: ServiceWords["titles"] = {
  404: ["shared-gone", "shared-gone-hint"],
  413: ["shared-too-large", "shared-too-large-hint"],
  422: ["shared-impossible"],
  429: ["too-many-requests", "too-many-requests-hint"],
};
const OTHER = ["shared-not-now", "try-again-later"] as const;
const WORDS: ServiceWords = { titles: TITLES, other: OTHER };
