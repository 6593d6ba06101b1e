/** The jobs of the server over HTTP (`/v1/jobs`), with its errors in words for people. */

import { requestService, ServiceError, type ServiceWords } from "../service";
import type { Job } from "./job";
import type { Order } from "./order";

const JOBS = "/v1/jobs";
const ATTEMPTS = 3; // to post a job: with one key they make one job
const RETRY_DELAY = 1000; // ms

export class JobClient {
  constructor(private readonly token: () => string | null) {}

  /** Return the jobs of the account, the newest first. */
  async list(): Promise<readonly Job[]> {
    const answer = await this.request("GET", JOBS);
    return ((await answer.json()) as { jobs: readonly Job[] }).jobs;
  }

  async job(id: string): Promise<Job> {
    return (await (await this.request("GET", pathOf(id))).json()) as Job;
  }

  /** Post games, once more if the connection is lost meanwhile. */
  async create({ pgn, query }: Order): Promise<Job> {
    const headers = { "Content-Type": "application/x-chess-pgn", "Idempotency-Key": newKey() };
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.request("POST", `${JOBS}?${query}`, { headers, body: pgn });
        return (await answer.json()) as Job;
      } catch (error) {
        if (attempt === ATTEMPTS || !isPassing(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
      }
    }
  }

  async pause(id: string): Promise<void> {
    await this.request("POST", `${pathOf(id)}/pause`);
  }

  async resume(id: string): Promise<void> {
    await this.request("POST", `${pathOf(id)}/resume`);
  }

  async remove(id: string): Promise<void> {
    await this.request("DELETE", pathOf(id));
  }

  /** Return the results that are there: of games as PGN, of positions as NDJSON. */
  async results({ id, kind }: Pick<Job, "id" | "kind">): Promise<string> {
    const file = kind === "games" ? "annotated.pgn" : "results";
    return await (await this.request("GET", `${pathOf(id)}/${file}`, { signal: null })).text();
  }

  private request(method: string, path: string, more: RequestInit = {}): Promise<Response> {
    // Much may be sent.
    const patience = more.body === undefined ? {} : { signal: null };
    return requestService(WORDS, path, this.token(), { ...patience, ...more, method });
  }
}

function pathOf(id: string): string {
  return `${JOBS}/${encodeURIComponent(id)}`;
}

/** Return a key for one request.  Without a secure context, browsers make no UUID. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((each) => each.toString(36)).join("-");
}

/** Return whether the same request may succeed: there was no answer, or it is still being read. */
function isPassing(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 0 || error.problem.code === "reading");
}

const TITLES: ServiceWords["titles"] = {
  404: ["jobs-gone", "jobs-gone-hint"],
  409: ["jobs-changed", "jobs-changed-hint"],
  413: ["jobs-full", "jobs-full-hint"],
  422: ["jobs-impossible", "jobs-impossible-hint"],
  429: ["too-many-requests", "too-many-requests-hint"],
  503: ["jobs-not-now", "jobs-not-now-hint"],
};
const OTHER = ["jobs-refused", "jobs-refused-hint"] as const;
const WORDS: ServiceWords = { titles: TITLES, other: OTHER };
