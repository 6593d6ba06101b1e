/** Opens games and positions: from files, pasted text, the library, and the server's explorer. */

import { signal } from "@preact/signals";
import type { App } from "./app";
import { fileProblem, folderProblem } from "./game/file";
import type { GameNode } from "./game/tree";
import { loadLater, text } from "./language/catalogue";
import type { Library } from "./library/library";
import { EXPLORER, type ServedGame } from "./opening/served";

const LARGE_FILE = 1 << 20; // bytes; it takes longer than a frame or two to read

/** A file, and the encoding in which it was read. */
interface EncodedFile {
  readonly content: ArrayBuffer;
  readonly coding: string;
  readonly text: string;
}

export class Opener {
  /** The file that was opened last, if it is in an 8-bit encoding: it can be read in another one. */
  readonly encodedFile = signal<EncodedFile | null>(null);
  /** The library of games, once it was needed. */
  readonly library = signal<Library | null>(null);

  /** The game of the server's explorer that was chosen last. */
  private chosen: ServedGame | null = null;

  constructor(private readonly app: App) {}

  /** Begin a game on an empty board; an undo shows the former one. */
  newGame(): void {
    this.app.leaveFinishedGame();
    const isOther = !this.app.study.tree.peek().isUntouched;
    this.app.study.reset();
    if (isOther) this.app.toasts.addNote(text("new-game"), text("new-game-hint"));
  }

  /** Return whether another game may replace the one on the board; if not, the user is told why. */
  mayOpen(): boolean {
    const { isGameOn, room, toasts } = this.app;
    if (isGameOn) toasts.addNote(text("game-in-progress"), text("game-in-progress-hint"));
    else if (room.mayChange.peek()) return true;
    else toasts.addNote(text("game-of-room"), text("game-of-room-hint"));
    return false;
  }

  /** Open a game or a position; return whether that succeeded. */
  async openText(games: string): Promise<boolean> {
    if (this.encodedFile.peek()?.text !== games) this.encodedFile.value = null;
    const isOpen = await this.app.study.openText(games);
    if (isOpen) this.app.leaveFinishedGame();
    return isOpen;
  }

  /** Return the text of a file in an encoding, or else in the likely one; the user is told which. */
  async readFile(content: ArrayBuffer, chosen?: string): Promise<string> {
    const { CODINGS, readText } = await import("./game/encoding");
    const { text: read, coding } = readText(content, chosen);
    this.encodedFile.value = coding === null ? null : { content, coding, text: read };
    if (coding !== null && !chosen) {
      const title = text("file-read-as", { coding: CODINGS[coding] ?? "" });
      this.app.toasts.addNote(title, text("file-read-as-hint"));
    }
    return read;
  }

  /** Return the text of a file; null if it has no games, and the user is told what it is. */
  async textOf(file: File): Promise<string | null> {
    const content = await file.arrayBuffer().catch(() => null); // Browsers cannot read a folder.
    const problem = content ? fileProblem(file.name, content) : folderProblem(file.name);
    if (content && !problem) return this.readFile(content);
    this.app.toasts.addError(problem);
    return null;
  }

  /**
   * Open a game of the server's explorer, at the position that is on the board, unless another one
   * is chosen before the server answers.
   */
  async openServed(game: ServedGame): Promise<void> {
    this.chosen = game;
    const placeIn = (fen: string) => fen.split(" ", 4).join(" ");
    const wanted = placeIn(this.app.study.node.peek().fen);
    const path = `${EXPLORER}/games/${game.id}`;
    const pgn = await this.app.served.fetchText(path).catch(() => null);
    if (this.chosen !== game) return;
    if (pgn === null) {
      this.app.toasts.addNote(text("served-not-opened"), text("served-no-answer"));
    } else if (this.mayOpen() && (await this.openText(pgn))) {
      const line = this.app.study.tree.peek().mainline();
      const node = line.find(({ fen }) => placeIn(fen) === wanted);
      if (node) this.app.study.goTo(node);
    }
  }

  /** Return the library; null if its code cannot be loaded, and the user is told so. */
  async loadLibrary(): Promise<Library | null> {
    const loading = Promise.all([import("./library/library"), loadLater()]);
    const loaded = await loading.catch(() => null);
    if (loaded) this.library.value ??= new loaded[0].Library(this.app);
    else this.app.toasts.addNote(text("view-not-loaded"), text("try-again"));
    return this.library.value;
  }

  /** Search the library for the position of a move. */
  async findInLibrary(node: GameNode): Promise<void> {
    const library = await this.loadLibrary();
    if (!library) return;
    library.searchPosition(node);
    this.app.openDialog("import");
  }

  /** Open a file; one with several games is kept in the library.  Return whether it has several. */
  async openFile(file: File): Promise<boolean> {
    if (file.size >= LARGE_FILE) return (await this.loadLibrary())?.openLarge(file) ?? false;
    const games = await this.textOf(file);
    const hasSeveral = games !== null && (await this.openPasted(games));
    const coding = this.encodedFile.peek()?.coding ?? null;
    if (hasSeveral) void (await this.loadLibrary())?.keep(file, coding);
    return hasSeveral;
  }

  /** Open text that was pasted or dropped; return whether it has several games to choose from. */
  async openPasted(games: string): Promise<boolean> {
    if (this.app.editor.position.peek()) {
      try {
        this.app.editor.setFen(games);
      } catch (error) {
        this.app.toasts.addError(error);
      }
    } else if (this.mayOpen()) {
      return (await this.openText(games)) && this.app.study.games.peek().length > 1;
    }
    return false;
  }
}
