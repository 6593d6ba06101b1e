/**
 * Why a WebSocket could not be opened.  A browser does not tell a page, so the same
 * address is asked once more over plain HTTP, where the server says it in words.
 */

import { type Problem, problemOf, REFUSED, UNREACHABLE } from "./problem";

export interface Verdict {
  readonly problem: Problem;
  /** Seconds until it is worth trying again; null if it never is by itself, without somebody. */
  readonly retry: number | null;
}

const PATIENCE = 10000; // ms
const FINAL = new Set([400, 401, 403, 404, 421]);

/** Null if there is nothing to object to. */
export async function probe(path: string, token: string | null): Promise<Verdict | null> {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  try {
    const answer = await ask(path, headers);
    if (answer.status === 426) return await readiness();
    const body = (await answer.text()).trim();
    const form = /^([a-z-]+): (.*)$/s.exec(body);
    const problem = form ? problemOf(form[1] ?? "", form[2] ?? "") : { ...REFUSED, text: body };
    // Who tries a wrong token once more makes the lock last.
    const isFinal = FINAL.has(answer.status) || problem.code === "too-many-tries";
    if (isFinal) return { problem, retry: null };
    return { problem, retry: Number(answer.headers.get("Retry-After")) || 5 };
  } catch {
    return { problem: UNREACHABLE, retry: 0 };
  }
}

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(path, { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
}

async function readiness(): Promise<Verdict | null> {
  const answer = await ask("/readyz");
  if (answer.ok) return null;
  const word = (await answer.text()).trim();
  const codes: Record<string, string> = { draining: "draining", full: "too-many-connections" };
  return { problem: problemOf(codes[word] ?? "engine-failed", word), retry: 5 };
}
