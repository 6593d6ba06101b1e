/** The game on the board, with its place in the files of the library: there it is saved. */

import { computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { App } from "../app";
import { CODINGS } from "../game/encoding";
import { type PgnGame, writeGame } from "../game/pgn";
import { type GameTree, type Origin, titleOf } from "../game/tree";
import { text } from "../language/catalogue";
import type { Version } from "./database";
import { OWN_FILE } from "./folders";
import { EncodingError, type FileStore, type NewFile } from "./store";

/** A game that the encoding of its file cannot write. */
export interface UnwrittenGame {
  readonly path: string;
  readonly coding: string;
  /** Save it, by which the file becomes UTF-8. */
  save(): Promise<void>;
}

interface BoardGameParts {
  readonly app: App;
  readonly store: FileStore;
  /** The kept file whose games are listed. */
  readonly listed: ReadonlySignal<{ id: number; games: readonly PgnGame[] } | null>;
  /** Add a file; return its id. */
  readonly add: (file: NewFile) => Promise<number>;
  /** A file has changed. */
  readonly onChange: () => Promise<void>;
  readonly nameOf: (file: number) => string;
  /** Do something, or tell the user what went wrong. */
  readonly attempt: (work: () => Promise<void>) => Promise<unknown>;
}

export class BoardGame {
  /** A game that cannot be saved in the encoding of its file, until the user has decided. */
  readonly unwritten = signal<UnwrittenGame | null>(null);
  /** Changes when a game was saved. */
  private readonly saves = signal(0);
  /** The place of the game; null if it is in no file. */
  readonly place = computed(() => this.findPlace());

  constructor(private readonly parts: BoardGameParts) {
    effect(() => {
      const place = this.place.value;
      const tree = parts.app.study.tree.peek();
      if (place && !tree.origin) untracked(() => this.setPlace(tree, place));
    });
  }

  private setPlace(tree: GameTree, place: Origin): void {
    const { study } = this.parts.app;
    tree.origin = place;
    this.saves.value++;
    if (tree === study.tree.peek()) study.changed(); // It is stored with the game.
  }

  private findPlace(): Origin | null {
    const tree = this.parts.app.study.tree.value;
    void this.saves.value;
    const { id, games } = this.parts.listed.value ?? { id: 0, games: [] };
    const at = games.findIndex((game) => game.is(tree));
    const game = games[at];
    return tree.origin ?? (game ? { file: id, at, text: game.source } : null);
  }

  /** Save the game on the board where it was opened. */
  async save(): Promise<void> {
    const place = this.place.peek();
    await this.saveIn(place?.file ?? null, place);
  }

  /** Save the game on the board as a new one, in a file or in a new one. */
  async saveNew(file: number | null): Promise<void> {
    await this.saveIn(file, null);
  }

  private async saveIn(
    file: number | null,
    place: Origin | null,
    mayBecomeUtf8 = false,
  ): Promise<void> {
    const tree = this.parts.app.study.tree.peek();
    const game = { pgn: writeGame(tree), title: titleOf(tree), over: place, mayBecomeUtf8 };
    this.unwritten.value = null;
    await this.parts.attempt(async () => {
      try {
        let id = file;
        let at = id === null ? null : await this.parts.store.save(id, game);
        if (id === null || at === null) {
          [id, at] = [await this.addOwn(new TextEncoder().encode(game.pgn), game.title), 0];
        }
        await this.onSave(tree, { file: id, at, text: game.pgn }, place);
      } catch (error) {
        if (!(error instanceof EncodingError) || file === null) throw error;
        const save = () => this.saveIn(file, place, true);
        this.unwritten.value = {
          path: this.parts.nameOf(file),
          coding: CODINGS[error.coding] ?? "",
          save,
        };
      }
    });
  }

  private async onSave(tree: GameTree, place: Origin, former: Origin | null): Promise<void> {
    this.setPlace(tree, place);
    await this.parts.onChange();
    const { toasts } = this.parts.app;
    if (former && place.at !== former.at) {
      toasts.addNote(text("library-saved-as-new"), text("library-saved-as-new-reason"));
    } else toasts.addNote(text("library-saved-in", { file: this.parts.nameOf(place.file) }));
  }

  /** Return what the game on the board was before it was saved. */
  async versions(): Promise<readonly Version[]> {
    const place = this.place.peek();
    return place ? this.parts.store.versions(place.file, place.at) : [];
  }

  /** Put an earlier version on the board; saving it writes over the present one. */
  async revert({ pgn }: Version): Promise<void> {
    const place = this.place.peek();
    if ((await this.parts.app.opener.openText(pgn)) && place)
      this.setPlace(this.parts.app.study.tree.peek(), place);
  }

  private addOwn(bytes: Uint8Array, title: string): Promise<number> {
    return this.parts.add({ path: OWN_FILE, bytes, titles: [title], coding: null });
  }
}
