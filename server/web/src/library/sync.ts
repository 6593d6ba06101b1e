/** Keeps files of the library the same here and on the server, for the account that is signed in. */

import { signal } from "@preact/signals";
import { ServiceError } from "../service";
import type { Problem } from "../uci/notice";
import type { FileEntry } from "./database";
import { inTurn } from "./in_turn";
import type { ServerFiles } from "./server_files";
import { type FileStore, isSame, type KeptFile } from "./store";
import { planSync, type ServedFile, type Step } from "./sync_plan";
import type { SyncStore } from "./sync_store";

/** What a file is read as, when it comes from the server. */
export interface ReadTitles {
  readonly titles: readonly string[];
  readonly coding: string | null;
}

interface SyncParts {
  readonly files: FileStore;
  readonly store: SyncStore;
  readonly server: ServerFiles;
  /** Whether there is an account whose files the server could have. */
  readonly mayAsk: () => boolean;
  readonly read: (bytes: Uint8Array, coding: string | null) => Promise<ReadTitles>;
  /** Return the name of the file here when both sides have changed. */
  readonly nameOfOwn: (path: string) => string;
  /** Something in the library has changed; the file is one that was removed on another machine. */
  readonly onChange: (dropped: KeptFile | null) => Promise<void>;
}

const LOCK = "rookery-library-sync"; // one tab at a time
const ROUNDS = 3; // another machine may write meanwhile
const OF_FILE: readonly number[] = [404, 412, 413, 422]; // errors that say nothing of other files
const PAUSE = 30_000; // ms, in which an account may write some files again
const RETRY = 5_000; // ms after which a server that did not answer is asked again

export class Sync {
  /** The account whose files the server keeps; null where it keeps none, or is not known yet. */
  readonly account = signal<string | null>(null);
  readonly served = signal<ReadonlyMap<string, ServedFile>>(new Map());
  readonly isRunning = signal(false);
  /** The reason why nothing can be sent or fetched now. */
  readonly problem = signal<Problem | null>(null);
  /** The reasons why some files are not sent, by their ids here. */
  readonly refused = signal<ReadonlyMap<number, Problem>>(new Map());
  private isWanted = false;
  private next: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: SyncParts) {}

  /** Make both sides the same; a call while that is done does it once more. */
  async run(): Promise<void> {
    this.isWanted = true;
    if (this.isRunning.peek()) return;
    this.isRunning.value = true;
    clearTimeout(this.next);
    try {
      while (this.isWanted) {
        this.isWanted = false;
        await inTurn(LOCK, () => this.runRounds());
      }
    } finally {
      this.isRunning.value = false;
    }
  }

  /** Return whether the account has a file kept, or any account while it is not known which. */
  isKept({ server }: FileEntry): boolean {
    const account = this.account.value;
    return Boolean(server && (account === null || server.account === account));
  }

  /** Keep a file on the server from now on, or not any more. */
  async setKept(file: FileEntry, isKept: boolean): Promise<void> {
    if (isKept === this.isKept(file)) return;
    const { id } = file;
    const account = this.account.peek();
    if (isKept && account === null) return;
    if (isKept && account !== null) await this.parts.store.keep(id, account);
    else await this.parts.store.release(id);
  }

  private async runRounds(): Promise<void> {
    if (!this.parts.mayAsk()) {
      this.account.value = null;
      return;
    }
    this.refused.value = new Map();
    try {
      for (let round = 0; round < ROUNDS; round++) {
        if (!(await this.runOnce())) break;
      }
      this.problem.value = null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.onError(error);
    }
  }

  private onError({ problem, status }: ServiceError): void {
    if (problem.code === "library-off" || status === 401) this.account.value = null;
    else this.problem.value = problem;
    // Browsers do not tell when a server is there again.
    const pause = status === 0 ? RETRY : status === 429 || status >= 500 ? PAUSE : null;
    if (pause) this.next = setTimeout(() => void this.run(), pause);
  }

  /** Do all that is to be done; return whether there was anything. */
  private async runOnce(): Promise<boolean> {
    const { account, files } = await this.parts.server.list();
    this.account.value = account;
    this.served.value = new Map(files.map((each) => [each.id, each]));
    const [here, removals] = [await this.parts.files.list(), await this.parts.store.removals()];
    const steps = planSync(here, removals, files, account);
    const wanted = steps.filter((step) => !("entry" in step && this.isRefused(step.entry)));
    for (const step of wanted) await this.tryStep(step, account);
    return wanted.length > 0;
  }

  private isRefused(entry: FileEntry | null): boolean {
    return entry !== null && this.refused.peek().has(entry.id);
  }

  private async tryStep(step: Step, account: string): Promise<void> {
    let dropped: KeptFile | null = null;
    try {
      dropped = await this.take(step, account);
    } catch (error) {
      if (!(error instanceof ServiceError) || !OF_FILE.includes(error.status)) throw error;
      const isOwn = step.type === "upload" && error.status !== 412 && error.status !== 404;
      // After the other errors the next round sees what has changed there.
      if (isOwn)
        this.refused.value = new Map(this.refused.peek()).set(step.entry.id, error.problem);
    }
    await this.parts.onChange(dropped);
  }

  private async take(step: Step, account: string): Promise<KeptFile | null> {
    const { store, server } = this.parts;
    switch (step.type) {
      case "upload":
        await this.upload(step.entry, step.expected);
        return null;
      case "download":
        await this.download(step.served, step.entry, account);
        return null;
      case "split":
        await this.split(step.served, step.entry, account);
        return null;
      case "drop":
        return store.drop(step.entry);
      case "remove":
        await server.remove(step.removal.id, step.removal.version);
        await store.forget(step.removal);
        return null;
      case "forget":
        await store.forget(step.removal);
        return null;
    }
  }

  private async upload({ id }: FileEntry, expected: number | null): Promise<void> {
    const kept = await this.parts.files.read(id);
    if (!kept?.entry.server) return;
    const { path, changed, server } = kept.entry;
    const version = await this.parts.server.write(server.id, path, kept.bytes, expected);
    await this.parts.store.setServer(id, { ...server, version, changed, path });
    this.noteServed({ id: server.id, path, version });
  }

  private async download(
    served: ServedFile,
    entry: FileEntry | null,
    account: string,
  ): Promise<void> {
    const { id, path } = served;
    const { bytes, version } = await this.parts.server.read(id);
    const { titles, coding } = await this.parts.read(bytes, entry?.coding ?? null);
    await this.parts.store.take({ path, bytes, titles, coding }, { id, account, version }, entry);
    this.noteServed({ id, path, version });
  }

  private async split(served: ServedFile, entry: FileEntry, account: string): Promise<void> {
    const there = await this.parts.server.read(served.id);
    const here = await this.parts.files.read(entry.id);
    if (here?.entry.server && isSame(here.bytes, there.bytes)) {
      const { changed, server } = here.entry;
      const { version } = there;
      await this.parts.store.setServer(entry.id, {
        ...server,
        version,
        changed,
        path: served.path,
      });
    } else await this.parts.store.split(entry.id, this.parts.nameOfOwn(entry.path), account);
  }

  private noteServed(file: ServedFile): void {
    this.served.value = new Map(this.served.peek()).set(file.id, file);
  }
}
