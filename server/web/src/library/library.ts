/**
 * The library: files of games that this browser keeps, and the one that is open.  Some are kept on
 * the server as well.
 */

import { computed, effect, signal } from "@preact/signals";
import type { App } from "../app";
import { saveFile } from "../download";
import { CODINGS } from "../game/encoding";
import { positionKey } from "../game/key";
import type { PgnGame } from "../game/pgn";
import { InputError } from "../game/position";
import { type GameNode, titleOf } from "../game/tree";
import { text } from "../language/catalogue";
import { BoardGame } from "./board_game";
import { type FileEntry, type LibraryDatabase, openDatabase } from "./database";
import { Finder, type Found } from "./finder";
import { OWN_FILE } from "./folders";
import { IndexStore } from "./index_store";
import { Indexer } from "./indexer";
import { isInFolder, NO_QUERY } from "./query";
import { type FileGames, type Progress, readLargeFile, readTitles } from "./reader";
import { RemoteFiles } from "./server_files";
import { joinGames } from "./splice";
import { FileStore, type KeptFile, type NewFile } from "./store";
import { Sync } from "./sync";
import { SyncStore } from "./sync_store";

/** A kept file whose games are listed, as it was when it was read. */
interface OpenFile {
  readonly id: number;
  readonly games: readonly PgnGame[];
  readonly changed: number;
}

const OPEN = "rookery.library.open"; // in session storage: the file whose games are listed

export class Library {
  readonly files = signal<readonly FileEntry[]>([]);
  readonly progress = signal<Progress | null>(null);
  /** The file that was deleted last. */
  readonly deleted = signal<KeptFile | null>(null);
  /** The kept file whose games are listed. */
  private readonly open = signal<OpenFile | null>(null);
  /** The encoding of the kept file that was read last, if it is an 8-bit one. */
  private readonly encoded = signal<{ id: number; coding: string } | null>(null);
  /** The encoding of the kept file that is open, in which it can be read otherwise; null for UTF-8. */
  readonly coding = computed(() => {
    const encoded = this.encoded.value;
    return encoded && encoded.id === this.open.value?.id ? encoded.coding : null;
  });
  /** The game on the board. */
  readonly game: BoardGame;
  readonly finder: Finder;
  readonly indexer: Indexer;
  readonly sync: Sync;
  /** Whether there is an account for which the server may keep files. */
  readonly hasAccount = computed(() => this.app.account.isAdmitted.value);
  private readonly store: FileStore;
  private readonly channel = new BroadcastChannel("rookery-library");
  private cancellation = new AbortController();
  /** Whether the database was closed for a newer page. */
  private isClosed = false;

  constructor(private readonly app: App) {
    const database = this.openDatabase();
    const index = new IndexStore(database);
    this.store = new FileStore(database);
    this.finder = new Finder(this.files, index, (error) => this.addError(error));
    this.indexer = new Indexer(this.store, index, () => this.onIndexed());
    this.game = new BoardGame({
      app,
      store: this.store,
      listed: this.open,
      add: (file) => this.add(file),
      onChange: () => this.onChange(),
      nameOf: (id) => this.nameOf(id),
      attempt: (work) => this.attempt(work),
    });
    this.sync = new Sync({
      files: this.store,
      store: new SyncStore(database),
      server: new RemoteFiles(() => app.account.token.peek()),
      mayAsk: () => this.hasAccount.peek(),
      read: (bytes, coding) => readTitles(blobOf(bytes), coding),
      nameOfOwn,
      onChange: (dropped) => this.onSync(dropped),
    });
    this.channel.addEventListener("message", ({ data }: MessageEvent<string>) => {
      if (data === "changed") void this.attempt(() => this.refresh());
      void this.attempt(() => this.indexer.count());
      this.finder.indexed.value++;
    });
    effect(() => {
      const games = this.app.study.games.value;
      if (this.open.peek()?.games !== games) this.open.value = null;
    });
    addEventListener("online", () => this.runSync());
    void this.attempt(async () => {
      await this.refresh();
      await this.store.dropOldVersions();
      this.buildIndex();
      const id = Number(sessionStorage.getItem(OPEN));
      const isFree = !this.app.study.games.peek().length && !this.progress.peek();
      if (id && isFree) await this.relist(id);
    });
  }

  private openDatabase(): Promise<LibraryDatabase> {
    const { toasts } = this.app;
    const onBlocked = () => toasts.addError(new InputError(text("library-waits")));
    const onClosed = () => {
      this.indexer.cancel();
      this.isClosed = true;
      toasts.addError(new InputError(text("library-closed")));
    };
    return openDatabase(undefined, { onBlocked, onClosed });
  }

  // --- files

  /** Read a large file beside the page; return whether it has several games. */
  async openLarge(file: File): Promise<boolean> {
    this.app.openDialog("import"); // It shows the progress.
    const read = await this.attempt(() => this.readGames(file));
    if (!read || !this.show(read.games)) return false;
    if (read.games.length > 1) await this.keep(file, read.coding);
    return read.games.length > 1;
  }

  cancel(): void {
    this.cancellation.abort();
  }

  private async readGames(file: Blob, known: string | null = null): Promise<FileGames | null> {
    this.cancel();
    const cancellation = new AbortController();
    this.cancellation = cancellation;
    this.progress.value = { count: 0, share: 0 };
    try {
      const onProgress = (progress: Progress) => {
        if (!cancellation.signal.aborted) this.progress.value = progress;
      };
      const read = await readLargeFile(file, onProgress, cancellation.signal, known);
      if (read?.coding && !known)
        this.app.toasts.addNote(text("file-read-as", { coding: CODINGS[read.coding] ?? "" }));
      return read;
    } finally {
      if (this.cancellation === cancellation) this.progress.value = null;
    }
  }

  /** Show games unless the board is in use; return whether that was done. */
  private show(games: readonly PgnGame[]): boolean {
    if (!this.app.opener.mayOpen()) return false;
    this.app.leaveFinishedGame();
    this.app.opener.encodedFile.value = null;
    this.app.study.openGames(games);
    return true;
  }

  /** Keep the file whose games are listed, and which was read in an 8-bit encoding if it has one. */
  async keep(file: File, coding: string | null): Promise<void> {
    const games = this.app.study.games.peek();
    await this.attempt(async () => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const id = await this.add({ path: file.name, bytes, titles: games.map(titleOf), coding });
      if (this.app.study.games.peek() !== games) return;
      this.setOpen(id, games);
      this.encoded.value = coding === null ? null : { id, coding };
    });
  }

  private async add(file: NewFile): Promise<number> {
    void navigator.storage?.persist?.();
    const id = await this.store.add(file);
    await this.onChange();
    return id;
  }

  private setOpen(id: number, games: readonly PgnGame[]): void {
    this.open.value = { id, games, changed: this.changedAt(id) };
    sessionStorage.setItem(OPEN, String(id));
  }

  /** Open a kept file, or one of its games. */
  async openKept(id: number, at: number | null = null): Promise<void> {
    await this.attempt(async () => {
      const open = this.open.peek();
      const isListed = open?.id === id && open.changed === this.changedAt(id);
      const games = isListed ? this.app.study.games.peek() : await this.gamesOf(id);
      if (!games) return;
      const chosen = at === null ? undefined : games[at];
      if (!isListed && !this.show(games)) return;
      if (chosen) this.app.study.openGame(chosen);
      this.setOpen(id, games);
    });
  }

  /** Open a game that was found, at the position that was searched. */
  async openFound({ file, at }: Found): Promise<void> {
    const wanted = this.finder.query.peek().position;
    await this.openKept(file.id, at);
    if (!wanted) return;
    const line = this.app.study.tree.peek().mainline();
    const node = line.find((each) => {
      const [high, low] = positionKey(each.position());
      return high === wanted.key[0] && low === wanted.key[1];
    });
    if (node) this.app.study.goTo(node);
  }

  /** List the games of a file as before a reload; the game on the board stays. */
  private async relist(id: number): Promise<void> {
    const games = await this.gamesOf(id);
    if (!games || games.length < 2) return;
    this.app.study.games.value = games;
    this.open.value = { id, games, changed: this.changedAt(id) };
  }

  private changedAt(id: number): number {
    return this.files.peek().find((each) => each.id === id)?.changed ?? 0;
  }

  private async gamesOf(id: number, coding?: string): Promise<readonly PgnGame[] | null> {
    const kept = await this.store.read(id);
    if (!kept) return null;
    const read = await this.readGames(blobOf(kept.bytes), coding ?? kept.entry.coding ?? null);
    if (!read) return null;
    this.encoded.value = read.coding === null ? null : { id, coding: read.coding };
    return read.games;
  }

  /** Read the kept file that is open in another encoding. */
  async readAs(coding: string): Promise<void> {
    const id = this.open.peek()?.id;
    if (id === undefined) return;
    await this.attempt(async () => {
      const games = await this.gamesOf(id, coding);
      if (!games || !this.show(games)) return;
      await this.store.setCoding(id, coding, games.map(titleOf));
      await this.onChange();
      this.setOpen(id, games);
    });
  }

  async rename(id: number, path: string): Promise<void> {
    await this.attempt(async () => {
      await this.store.rename(id, path);
      await this.onChange();
    });
  }

  async remove(id: number): Promise<void> {
    await this.attempt(async () => {
      this.deleted.value = await this.store.remove(id);
      await this.onChange();
    });
  }

  async restore(): Promise<void> {
    const kept = this.deleted.peek();
    if (!kept) return;
    await this.attempt(async () => {
      await this.store.restore(kept);
      this.deleted.value = null;
      await this.onChange();
    });
  }

  /** Download a file as it is. */
  async download({ id, path }: FileEntry): Promise<void> {
    await this.attempt(async () => {
      const kept = await this.store.read(id);
      if (kept) saveFile(path.split("/").at(-1) || OWN_FILE, blobOf(kept.bytes));
    });
  }

  /** Download all files of a folder as one, in UTF-8. */
  async downloadFolder(folder: string): Promise<void> {
    const files = this.files.peek().filter(({ path }) => isInFolder(path, folder));
    await this.attempt(async () => {
      const texts: string[] = [];
      for (const { id } of files) texts.push(...(await this.textsOf(id)));
      saveFile(`${folder.replaceAll("/", " - ")}.pgn`, blobOf(joinGames(texts)));
    });
  }

  /** Download all games that were found as one file, in UTF-8. */
  async downloadFound(): Promise<void> {
    const found = this.finder.found.peek() ?? [];
    await this.attempt(async () => {
      const texts: string[] = [];
      for (const id of new Set(found.map(({ file }) => file.id))) {
        const games = await this.textsOf(id);
        const wanted = found.filter(({ file }) => file.id === id);
        texts.push(...wanted.flatMap(({ at }) => games[at] ?? []));
      }
      saveFile("found.pgn", blobOf(joinGames(texts)));
    });
  }

  private async textsOf(id: number): Promise<string[]> {
    const kept = await this.store.read(id);
    const read = kept && (await this.readGames(blobOf(kept.bytes), kept.entry.coding ?? null));
    if (!read) throw new InputError(text("library-not-there"));
    return read.games.map(({ source }) => source);
  }

  nameOf(id: number): string {
    return this.files.peek().find((each) => each.id === id)?.path ?? text("library-itself");
  }

  // --- changes

  private async onChange(): Promise<void> {
    await this.showChange();
    this.runSync();
  }

  private async showChange(): Promise<void> {
    await this.refresh();
    this.channel.postMessage("changed");
    this.buildIndex();
  }

  /** Make the files that the server keeps the same here and there. */
  runSync(): void {
    void this.attempt(() => this.sync.run());
  }

  private async onSync(dropped: KeptFile | null): Promise<void> {
    if (dropped) this.deleted.value = dropped;
    await this.showChange();
  }

  /** Keep a file on the server as well, or not any more. */
  async setKept(file: FileEntry, isKept: boolean): Promise<void> {
    await this.setAllKept([file], isKept);
    if (isKept) return;
    this.app.toasts.addNote(text("sync-released", { file: file.path }), text("sync-released-hint"));
  }

  /** Keep the files of a folder on the server as well, or not any more. */
  async setFolderKept(folder: string, files: readonly FileEntry[], isKept: boolean): Promise<void> {
    await this.setAllKept(files, isKept);
    if (isKept) return;
    const title = text("sync-folder-released", { folder });
    this.app.toasts.addNote(title, text("sync-folder-released-hint"));
  }

  private async setAllKept(files: readonly FileEntry[], isKept: boolean): Promise<void> {
    await this.attempt(async () => {
      for (const file of files) await this.sync.setKept(file, isKept);
      await this.onChange();
    });
  }

  /** Index in the background what is not indexed yet. */
  buildIndex(): void {
    void this.attempt(() => this.indexer.run());
  }

  private onIndexed(): void {
    this.finder.indexed.value++;
    this.channel.postMessage("indexed");
  }

  /** Search the games with a position, and with nothing else that was wanted before. */
  searchPosition(node: GameNode): void {
    this.finder.change(NO_QUERY);
    this.wantPosition(node);
  }

  /** Search those games only that have a position. */
  wantPosition(node: GameNode): void {
    this.finder.change({ position: { fen: node.fen, key: positionKey(node.position()) } });
  }

  private async refresh(): Promise<void> {
    this.files.value = await this.store.list();
  }

  /** Do something, or tell the user what went wrong. */
  private async attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.addError(error);
      return null;
    }
  }

  private addError(error: unknown): void {
    const id = this.isClosed ? "library-closed" : isFull(error) ? "library-full" : null;
    this.app.toasts.addError(id === null ? error : new InputError(text(id)));
  }
}

/** Return the name of the file here when it was changed on another machine, too. */
function nameOfOwn(path: string): string {
  const [, name = path, end = ""] = /^(.*?)(\.\w+)?$/.exec(path) ?? [];
  return text("sync-from-here", { name }) + end;
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === "QuotaExceededError";
}

function blobOf(content: Uint8Array | string): Blob {
  return new Blob([content as Uint8Array<ArrayBuffer> | string], {
    type: "application/x-chess-pgn",
  });
}
