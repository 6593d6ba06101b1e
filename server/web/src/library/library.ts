/**
 * The library: files of games that this browser keeps, and the one that is open.
 *
 * Another place for files, like a server, would be another `FileStore`.
 */

import { computed, effect, signal } from "@preact/signals";
import type { App } from "../app";
import { CODINGS } from "../game/encoding";
import { type PgnGame, writeGame } from "../game/pgn";
import { InputError } from "../game/position";
import { type GameTree, titleOf } from "../game/tree";
import { type Progress, readLargeFile } from "./reader";
import { OWN_FILE } from "./search";
import { type FileEntry, FileStore, type KeptFile, type NewFile, type Version } from "./store";

/** A game in a kept file. */
interface Place {
  readonly file: number;
  readonly at: number;
  /** Its text, as it was opened or saved last. */
  readonly text: string;
}

const OPEN = "rookery.library.open"; // in session storage: the file whose games are listed
const PLACE = "rookery.library.place"; // in session storage, of the game on the board

export class Library {
  readonly files = signal<readonly FileEntry[]>([]);
  readonly progress = signal<Progress | null>(null);
  /** The file that was deleted last. */
  readonly deleted = signal<KeptFile | null>(null);
  /** The kept file whose games are listed. */
  private readonly open = signal<{ id: number; games: readonly PgnGame[] } | null>(null);
  /** Games that were saved from this page. */
  private readonly saved = signal<ReadonlyMap<GameTree, Place>>(new Map());
  /** The place of the game on the board; null if it is in no file. */
  readonly place = computed(() => this.placeOfGame());
  private readonly store = new FileStore();
  private readonly channel = new BroadcastChannel("rookery-library");
  private cancellation = new AbortController();

  constructor(private readonly app: App) {
    this.channel.addEventListener("message", () => void this.refresh());
    effect(() => {
      const games = this.app.study.games.value;
      if (this.open.peek()?.games !== games) this.open.value = null;
    });
    this.restorePlace();
    void this.attempt(async () => {
      await this.refresh();
      const id = Number(sessionStorage.getItem(OPEN));
      if (id && !this.app.study.games.peek().length) await this.relist(id);
    });
  }

  /** Find the place of the game that was on the board before a reload, and note it from now on. */
  private restorePlace(): void {
    const tree = this.app.study.tree.peek();
    const { title, place } = JSON.parse(sessionStorage.getItem(PLACE) ?? "{}");
    if (place && title === titleOf(tree)) this.setPlace(tree, place);
    effect(() => {
      const place = this.place.value;
      const title = titleOf(this.app.study.tree.peek());
      sessionStorage.setItem(PLACE, JSON.stringify({ title, place }));
    });
  }

  private setPlace(tree: GameTree, place: Place): void {
    this.saved.value = new Map([...this.saved.peek(), [tree, place]]);
  }

  private placeOfGame(): Place | null {
    const tree = this.app.study.tree.value;
    const saved = this.saved.value.get(tree);
    if (saved) return saved;
    const { id, games } = this.open.value ?? { id: 0, games: [] };
    const at = games.findIndex((game) => game.is(tree));
    const game = games[at];
    return game ? { file: id, at, text: game.source } : null;
  }

  // --- files

  /** Read a large file beside the page; return whether it has several games. */
  async openLarge(file: File): Promise<boolean> {
    this.app.openDialog("import"); // It shows the progress.
    const games = await this.attempt(() => this.readGames(file));
    if (!games || !this.show(games)) return false;
    if (games.length > 1) await this.keep(file);
    return games.length > 1;
  }

  cancel(): void {
    this.cancellation.abort();
  }

  private async readGames(file: Blob): Promise<readonly PgnGame[] | null> {
    this.cancel();
    const cancellation = new AbortController();
    this.cancellation = cancellation;
    this.progress.value = { count: 0, share: 0 };
    try {
      const onProgress = (progress: Progress) => {
        if (!cancellation.signal.aborted) this.progress.value = progress;
      };
      const read = await readLargeFile(file, onProgress, cancellation.signal);
      const coding = read?.coding;
      if (coding) this.app.toasts.addNote(`Read as ${CODINGS[coding]}`);
      return read ? read.games : null;
    } finally {
      if (this.cancellation === cancellation) this.progress.value = null;
    }
  }

  /** Show games unless the board is in use; return whether that was done. */
  private show(games: readonly PgnGame[]): boolean {
    if (this.app.play.game.peek() && !this.app.play.outcome.peek()) {
      this.app.toasts.addNote("A game is in progress", "Finish it first.");
      return false;
    }
    this.app.leaveFinishedGame();
    this.app.encodedFile.value = null;
    this.app.study.openGames(games);
    return true;
  }

  /** Keep the file whose games are listed. */
  async keep(file: File): Promise<void> {
    const games = this.app.study.games.peek();
    await this.attempt(async () => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const id = await this.add({ path: file.name, bytes, titles: games.map(titleOf) });
      if (this.app.study.games.peek() === games) this.setOpen(id, games);
    });
  }

  private async add(file: NewFile): Promise<number> {
    void navigator.storage?.persist?.();
    const id = await this.store.add(file);
    await this.onChange();
    return id;
  }

  private setOpen(id: number, games: readonly PgnGame[]): void {
    this.open.value = { id, games };
    sessionStorage.setItem(OPEN, String(id));
  }

  /** Open a kept file, or one of its games. */
  async openKept(id: number, at: number | null = null): Promise<void> {
    await this.attempt(async () => {
      const games = await this.gamesOf(id);
      if (!games) return;
      const chosen = at === null ? undefined : games[at];
      if (!this.show(games)) return;
      if (chosen) this.app.study.openGame(chosen);
      this.setOpen(id, games);
    });
  }

  /** List the games of a file as before a reload; the game on the board stays. */
  private async relist(id: number): Promise<void> {
    const games = await this.gamesOf(id);
    if (!games || games.length < 2) return;
    this.app.study.games.value = games;
    this.open.value = { id, games };
  }

  private async gamesOf(id: number): Promise<readonly PgnGame[] | null> {
    const kept = await this.store.read(id);
    return kept && this.readGames(blobOf(kept.bytes));
  }

  async rename(id: number, path: string): Promise<void> {
    await this.attempt(() => this.store.rename(id, path));
    await this.onChange();
  }

  async remove(id: number): Promise<void> {
    this.deleted.value = await this.store.remove(id);
    await this.onChange();
  }

  async restore(): Promise<void> {
    const kept = this.deleted.peek();
    this.deleted.value = null;
    if (kept) await this.attempt(() => this.store.restore(kept));
    await this.onChange();
  }

  /** Download a file as it is. */
  async download({ id, path }: FileEntry): Promise<void> {
    const kept = await this.store.read(id);
    if (!kept) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blobOf(kept.bytes));
    link.download = path.split("/").at(-1) || OWN_FILE;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  // --- the game on the board

  /** Save the game on the board where it was opened. */
  async save(): Promise<void> {
    const place = this.place.peek();
    await this.saveIn(place?.file ?? null, place);
  }

  /** Save the game on the board as a new one, in a file or in a new one. */
  async saveNew(file: number | null): Promise<void> {
    await this.saveIn(file, null);
  }

  private async saveIn(file: number | null, place: Place | null): Promise<void> {
    const { study, toasts } = this.app;
    const tree = study.tree.peek();
    const game = { pgn: writeGame(tree), title: titleOf(tree), over: place };
    await this.attempt(async () => {
      let id = file;
      let at = id === null ? null : await this.store.save(id, game);
      if (id === null || at === null) {
        const bytes = new TextEncoder().encode(game.pgn);
        [id, at] = [await this.add({ path: OWN_FILE, bytes, titles: [game.title] }), 0];
      }
      this.setPlace(tree, { file: id, at, text: game.pgn });
      await this.onChange();
      if (place && at !== place.at) {
        toasts.addNote("Saved as a new game", "It was changed elsewhere since you opened it.");
      } else toasts.addNote(`Saved in ${this.nameOf(id)}`);
    });
  }

  /** Return what the game on the board was before it was saved. */
  async versions(): Promise<readonly Version[]> {
    const place = this.place.peek();
    return place ? this.store.versions(place.file, place.at) : [];
  }

  /** Put an earlier version on the board; saving it writes over the present one. */
  revert({ pgn }: Version): void {
    const place = this.place.peek();
    if (this.app.openText(pgn) && place) this.setPlace(this.app.study.tree.peek(), place);
  }

  nameOf(id: number): string {
    return this.files.peek().find((each) => each.id === id)?.path ?? "the library";
  }

  // --- changes

  private async onChange(): Promise<void> {
    await this.refresh();
    this.channel.postMessage("changed");
  }

  private async refresh(): Promise<void> {
    this.files.value = await this.store.list();
  }

  /** Do something, or tell the user what went wrong. */
  private async attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.app.toasts.addError(isFull(error) ? new InputError(FULL) : error);
      return null;
    }
  }
}

const FULL =
  "this browser has no more room: download a file of the library and delete it here, then try again";

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === "QuotaExceededError";
}

function blobOf(bytes: Uint8Array): Blob {
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/x-chess-pgn" });
}
