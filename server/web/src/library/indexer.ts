/** Indexes the library's files in the background, one after the other, as far as that is not done. */

import { signal } from "@preact/signals";
import type { FileEntry } from "./database";
import { type IndexPart, PART } from "./game_index";
import { inTurn } from "./in_turn";
import type { IndexStore } from "./index_store";
import type { FileStore } from "./store";

/** A file of which some parts are to be indexed. */
export interface IndexOrder {
  readonly bytes: Uint8Array;
  readonly coding: string | null;
  readonly parts: readonly number[];
}

export type IndexMessage =
  | { readonly type: "part"; readonly part: IndexPart }
  | { readonly type: "end" }
  | { readonly type: "failed"; readonly text: string };

/** The number of games that can be searched by position, of how many. */
export interface IndexProgress {
  readonly done: number;
  readonly total: number;
  readonly isRunning: boolean;
}

const LOCK = "rookery-library-index"; // one tab at a time indexes

export class Indexer {
  readonly progress = signal<IndexProgress>({ done: 0, total: 0, isRunning: false });
  private isWanted = false;
  private cancellation: AbortController | null = null;

  constructor(
    private readonly files: FileStore,
    private readonly index: IndexStore,
    private readonly onPart: () => void,
  ) {}

  /** Count what is indexed, by this tab or by another one. */
  async count(): Promise<void> {
    const files = await this.files.list();
    const missing = await this.index.missing(files);
    let [done, total] = [0, 0];
    for (const { id, titles } of files) {
      total += titles.length;
      done += titles.length;
      for (const first of missing.get(id) ?? []) done -= Math.min(PART, titles.length - first);
    }
    this.progress.value = { done, total, isRunning: this.cancellation !== null };
  }

  /** Index what is missing, until it is cancelled. */
  async run(): Promise<void> {
    this.isWanted = true;
    if (this.cancellation) return;
    const cancellation = new AbortController();
    this.cancellation = cancellation;
    try {
      const ended = cancellation.signal;
      await inTurn(LOCK, () => this.indexFiles(ended), { signal: ended });
    } catch (error) {
      if (!cancellation.signal.aborted) throw error;
    } finally {
      this.cancellation = null;
      await this.count();
    }
  }

  cancel(): void {
    this.cancellation?.abort();
  }

  private async indexFiles(ended: AbortSignal): Promise<void> {
    await this.index.clean();
    while (this.isWanted && !ended.aborted) {
      this.isWanted = false;
      await this.count();
      const files = await this.files.list();
      for (const [id, parts] of await this.index.missing(files)) {
        const kept = ended.aborted ? null : await this.files.read(id);
        if (kept) await this.indexFile(kept.entry, kept.bytes, parts, ended);
      }
    }
  }

  private async indexFile(
    entry: FileEntry,
    bytes: Uint8Array,
    parts: readonly number[],
    ended: AbortSignal,
  ): Promise<void> {
    const worker = new Worker(new URL("./index.worker.ts", import.meta.url), { type: "module" });
    let kept: Promise<unknown> = Promise.resolve();
    const read = new Promise<void>((resolve, reject) => {
      ended.addEventListener("abort", () => resolve());
      worker.addEventListener("error", () => reject(new Error("the worker has failed")));
      worker.addEventListener("message", ({ data }: MessageEvent<IndexMessage>) => {
        if (data.type === "end") resolve();
        else if (data.type === "failed") reject(new Error(data.text));
        else kept = kept.then(() => this.keep(entry, data.part)).catch(reject);
      });
      const order: IndexOrder = { bytes, coding: entry.coding ?? null, parts };
      worker.postMessage(order);
    });
    await read.finally(() => worker.terminate());
    await kept;
  }

  private async keep(entry: FileEntry, part: IndexPart): Promise<void> {
    await this.index.put(entry, part);
    await this.count();
    this.onPart();
  }
}
