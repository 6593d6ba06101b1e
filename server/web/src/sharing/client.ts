/** The shared games of the server over HTTP (`/v1/games`), with its errors in words for people. */

import { ServiceError } from "../jobs/client";
import { isKnown, type Problem, problemOf, UNREACHABLE } from "../uci/notice";

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
const TIMEOUT = 15_000; // ms
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

async function request(
  method: string,
  path: string,
  token: string | null,
  body?: GameChange,
): Promise<Response> {
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(body ? { "Content-Type": "application/json" } : {}),
  };
  const more = { method, headers, signal: AbortSignal.timeout(TIMEOUT) };
  let answer: Response;
  try {
    answer = await fetch(path, {
      ...more,
      ...(body ? { body: JSON.stringify(body) } : {}),
      cache: "no-store",
    });
  } catch {
    throw new ServiceError(UNREACHABLE, 0);
  }
  if (!answer.ok) throw new ServiceError(await problemIn(answer), answer.status);
  return answer;
}

// biome-ignore format: a table
const TITLES: Readonly<Record<number, readonly [title: string, hint: string]>> = {
  404: ["There is no such game, or not any more", "Its owner may have withdrawn it, or the link was not copied whole."],
  413: ["The game is too large to share", "Remove variations or comments."],
  422: ["The server cannot share this game", ""],
  429: ["Too many requests at once", "Wait a moment, and try again."],
};
const OTHER = ["The server cannot share games now", "Try again later."] as const;

/** Read the problem document of an answer, which a proxy may have replaced. */
async function problemIn(answer: Response): Promise<Problem> {
  const document = (await answer.json().catch(() => null)) as {
    detail?: string;
    code?: string;
  } | null;
  const text = document?.detail ?? `status ${answer.status}`;
  if (answer.status === 401) return problemOf("unauthorized", text);
  if (document?.code && isKnown(document.code)) return problemOf(document.code, text);
  const [title, hint] = TITLES[answer.status] ?? OTHER;
  return { code: "service", title, text: answer.status === 404 ? "" : text, hint, tone: "error" };
}
