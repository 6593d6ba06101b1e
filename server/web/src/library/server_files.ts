/** The files of the account on the server (`/v1/library/files`), with its errors in words for people. */

import { requestService, type ServiceWords } from "../service";
import type { ServedFile } from "./sync_plan";

interface ServedList {
  readonly account: string;
  readonly files: readonly ServedFile[];
}

/** The place of the files on the server; tests have another one. */
export interface ServerFiles {
  list(): Promise<ServedList>;
  /** Return the bytes of a file, and their version. */
  read(id: string): Promise<{ bytes: Uint8Array; version: number }>;
  /** Write a file over a version, or as a new one; return its new version. */
  write(id: string, path: string, bytes: Uint8Array, expected: number | null): Promise<number>;
  remove(id: string, expected: number): Promise<void>;
}

const FILES = "/v1/library/files";
const SLOW = 120_000; // ms for a large file

export class RemoteFiles implements ServerFiles {
  constructor(private readonly token: () => string | null) {}

  async list(): Promise<ServedList> {
    return (await (await this.request(FILES)).json()) as ServedList;
  }

  async read(id: string): Promise<{ bytes: Uint8Array; version: number }> {
    const answer = await this.request(`${FILES}/${id}`, { signal: AbortSignal.timeout(SLOW) });
    const version = Number(answer.headers.get("ETag")?.replaceAll('"', ""));
    return { bytes: new Uint8Array(await answer.arrayBuffer()), version };
  }

  async write(
    id: string,
    path: string,
    bytes: Uint8Array,
    expected: number | null,
  ): Promise<number> {
    const answer = await this.request(`${FILES}/${id}?path=${encodeURIComponent(path)}`, {
      method: "PUT",
      headers: { "Content-Type": "application/x-chess-pgn", ...condition(expected) },
      body: bytes as Uint8Array<ArrayBuffer>,
      signal: AbortSignal.timeout(SLOW),
    });
    return ((await answer.json()) as ServedFile).version;
  }

  async remove(id: string, expected: number): Promise<void> {
    await this.request(`${FILES}/${id}`, { method: "DELETE", headers: condition(expected) });
  }

  private request(path: string, more: RequestInit = {}): Promise<Response> {
    return requestService(WORDS, path, this.token(), more);
  }
}

function condition(expected: number | null): Record<string, string> {
  return expected === null ? { "If-None-Match": "*" } : { "If-Match": `"${expected}"` };
}

const TITLES: ServiceWords["titles"] = {
  413: ["sync-too-large", "sync-too-large-hint"],
  422: ["sync-bad-name", "sync-bad-name-hint"],
  429: ["too-many-requests", "too-many-requests-hint"],
};
const OTHER = ["sync-not-now", "try-again-later"] as const;
const WORDS: ServiceWords = { titles: TITLES, other: OTHER };
