/** Requests to the server's API under `/v1`, with its errors in words for people. */

import { loadLater, text } from "./language/catalogue";
import { isKnown, type Problem, problemOf, UNREACHABLE } from "./uci/notice";

const TIMEOUT = 15_000; // ms for an answer, unless the request says otherwise

/**
 * The ids of the title of an error and of what to do, by its status; `other` is for the rest.
 */
export interface ServiceWords {
  readonly titles: Readonly<Record<number, readonly [title: string, hint?: string]>>;
  readonly other: readonly [title: string, hint?: string];
}

/** The answer of the server is an error, or there was none. */
export class ServiceError extends Error {
  constructor(
    readonly problem: Problem,
    /** Of HTTP; 0 without an answer. */
    readonly status: number,
  ) {
    super(problem.text);
  }
}

/** Return the problem that an answer of the server is; other errors are thrown again. */
export function problemIn(error: unknown): Problem {
  if (error instanceof ServiceError) return error.problem;
  throw error;
}

/** Return whether an error says that there is no such thing, or not any more. */
export function isGone(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

/** Have the server remove something, which may be gone already. */
export async function removeIfThere(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/**
 * Send a request with the account's token, if there is one; fails with a `ServiceError`.  The answer
 * has come as a whole: a connection that is lost in the middle of it is no answer.
 */
export async function requestService(
  words: ServiceWords,
  path: string,
  token: string | null,
  more: RequestInit = {},
): Promise<Response> {
  const headers = { ...more.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const signal = AbortSignal.timeout(TIMEOUT);
  let answer: Response;
  try {
    answer = await fetch(path, { signal, ...more, headers, cache: "no-store" });
    if (answer.ok) answer = await readWhole(answer);
  } catch {
    throw new ServiceError(UNREACHABLE, 0);
  }
  if (!answer.ok) throw new ServiceError(await problemOfAnswer(answer, words), answer.status);
  return answer;
}

async function readWhole(answer: Response): Promise<Response> {
  const body = await answer.blob();
  return new Response(body.size ? body : null, answer); // 204 must have none.
}

/** Read the problem document of an answer, which a proxy may have replaced. */
async function problemOfAnswer(
  answer: Response,
  { titles, other }: ServiceWords,
): Promise<Problem> {
  const document = (await answer.json().catch(() => null)) as {
    detail?: string;
    code?: string;
    path?: string;
    expected?: string;
  } | null;
  await loadLater().catch(() => {}); // The server's own sentence is better than none.
  const detail = document?.detail ?? `status ${answer.status}`;
  if (answer.status === 401) return problemOf("unauthorized", detail);
  const { path, expected } = document ?? {};
  const place = { ...(path && { path }), ...(expected && { expected }) };
  if (document?.code && isKnown(document.code)) {
    return { ...problemOf(document.code, detail), ...place };
  }
  const [titleId, hintId] = titles[answer.status] ?? other;
  const title = text(titleId);
  const hint = hintId ? text(hintId) : "";
  const isSaid = detail.toLowerCase() === title.toLowerCase();
  const code = answer.status === 409 && answer.headers.has("Retry-After") ? "reading" : "service";
  return { code, title, text: isSaid ? "" : detail, hint, tone: "error", ...place };
}
