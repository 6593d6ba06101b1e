/**
 * The reason why a WebSocket could not be opened.  Browsers do not tell a page, so the same
 * address is requested once more over plain HTTP, where the server states it.
 */

import { type Problem, problemOf, REFUSED, UNREACHABLE } from "../uci/notice";

export interface Verdict {
  readonly problem: Problem;
  /** Seconds until another attempt is worth it; null if only the user can change something. */
  readonly retry: number | null;
}

const TIMEOUT = 10_000; // ms
const FINAL = new Set([400, 401, 403, 404, 421]);

/** Return what the server objects to; null if nothing. */
export async function probe(path: string, token: string | null): Promise<Verdict | null> {
  try {
    const answer = await fetchUncached(path, token ? { Authorization: `Bearer ${token}` } : {});
    if (answer.status === 426) return await probeReadiness();
    const body = (await answer.text()).trim();
    const form = /^([a-z-]+): (.*)$/s.exec(body);
    const problem = form ? problemOf(form[1] ?? "", form[2] ?? "") : { ...REFUSED, text: body };
    // Another attempt with a wrong token would make the server's lock last longer.
    const isFinal = FINAL.has(answer.status) || problem.code === "too-many-tries";
    if (isFinal) return { problem, retry: null };
    return { problem, retry: Number(answer.headers.get("Retry-After")) || 5 };
  } catch {
    return { problem: UNREACHABLE, retry: 0 };
  }
}

function fetchUncached(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(path, { headers, cache: "no-store", signal: AbortSignal.timeout(TIMEOUT) });
}

async function probeReadiness(): Promise<Verdict | null> {
  const answer = await fetchUncached("/readyz");
  if (answer.ok) return null;
  const word = (await answer.text()).trim();
  const codes: Record<string, string> = { draining: "draining", full: "too-many-connections" };
  return { problem: problemOf(codes[word] ?? "engine-failed", word), retry: 5 };
}
