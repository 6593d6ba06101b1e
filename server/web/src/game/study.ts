/**
 * The game on the board, and the current position in it.
 *
 * All changes of the tree go through it, so that the view is updated (`version`), the game is
 * stored, and changes can be undone.
 */

import { batch, signal } from "@preact/signals";
import type { CommentShape } from "chessops/pgn";
import type { Move } from "chessops/types";
import { opposite } from "chessops/util";
import { text } from "../language/catalogue";
import * as storage from "../settings";
import type { Toasts } from "../toasts";
import { commentOn, ratingOf, setComment, setDrawings, setRating } from "./annotation";
import { readPositions } from "./epd";
import { orientationOf } from "./headers";
import { addressOf, type ImportedGame, readAddress, readPasted } from "./import";
import {
  firstOf,
  type PgnGame,
  readGames,
  readGamesInSteps,
  writeGame,
  writeSharedGame,
} from "./pgn";
import { InputError } from "./position";
import { finishInTasks } from "./steps";
import { enginePosition, type GameNode, GameTree } from "./tree";

/** The parts of the page on which the study depends. */
interface StudyContext {
  readonly toasts: Pick<Toasts, "addError" | "addNote">;
  /** Another position is on the board. */
  onMove(): void;
  /** Moves are about to be removed, or to change their order. */
  onRearrange(): void;
  /** Return the address of the page if it is not that of the game; null otherwise. */
  hash(): string | null;
  /** Return what the address of the page names beside the game; null if nothing. */
  aside?(): string | null;
}

const SAVE_DELAY = 400; // ms after the last change; browsers limit changes of the address
const MOST_UNDONE = 50;

export class Study {
  readonly tree = signal(new GameTree());
  readonly node = signal<GameNode>(this.tree.peek().root);
  /** Changes whenever the game does; nodes themselves are not signals. */
  readonly version = signal(0);
  /** The games of a file, to choose from. */
  readonly games = signal<readonly PgnGame[]>([]);
  readonly orientation = signal<"white" | "black">("white");
  /** The number of changes that can be undone. */
  readonly undoable = signal(0);
  /** The number of games that were replaced by an undo. */
  readonly redoable = signal(0);

  private undos: (() => void)[] = [];
  private redos: (() => void)[] = [];
  /** Undoes changes of a game that others change, too. */
  private sharedUndo: (() => void) | null = null;
  /** Cancels the reading of a long game when another one is opened. */
  private reading = new AbortController();
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private written = { version: -1, pgn: "" };

  constructor(private readonly context: StudyContext) {}

  // --- the current position

  goTo(node: GameNode): void {
    if (node === this.node.peek()) return;
    this.node.value = node;
    this.onMove();
  }

  goBack(): void {
    const { parent } = this.node.peek();
    if (parent) this.goTo(parent);
  }

  goForward(): void {
    const [next] = this.node.peek().children;
    if (next) this.goTo(next);
  }

  goToStart(): void {
    this.goTo(this.tree.peek().root);
  }

  goToEnd(): void {
    const line = this.node.peek().line();
    this.goTo(line[line.length - 1] ?? this.node.peek());
  }

  /** Go to the next or the previous variation at this move. */
  goSideways(step: 1 | -1): void {
    const node = this.node.peek();
    const siblings = node.parent?.children ?? [];
    const next = siblings[(siblings.indexOf(node) + step + siblings.length) % siblings.length];
    if (next) this.goTo(next);
  }

  flip(): void {
    this.orientation.value = opposite(this.orientation.peek());
  }

  // --- changes

  play(move: Move): void {
    const next = this.tree.peek().play(this.node.peek(), move);
    if (next) this.showNode(next);
  }

  playAll(moves: readonly string[]): void {
    this.showNode(this.tree.peek().playAll(this.node.peek(), moves));
  }

  /** Remove a move and all after it. */
  remove(node: GameNode): void {
    const { parent } = node;
    if (!parent) return;
    this.context.onRearrange();
    const [tree, here] = [this.tree.peek(), this.node.peek()];
    const at = parent.children.indexOf(node);
    this.addUndo(() => {
      this.tree.value = tree;
      // It may have been played again meanwhile, and more after it.
      const again = parent.children.find(({ uci }) => uci === node.uci);
      if (again) tree.remove(again);
      parent.children.splice(at, 0, node);
      if (again) tree.merge(node, again);
      this.showNode(here);
    });
    tree.remove(node);
    this.showNode(here.path().includes(node) ? parent : here);
  }

  /** Make a variation the main line. */
  promote(node: GameNode): void {
    if (!node.isMainline) this.rearrange((tree) => tree.promote(node));
  }

  /** Move the variation of a move before its alternatives, and leave those around it. */
  promoteVariation(node: GameNode): void {
    const start = node.path().findLast((each) => each.parent && each.parent.children[0] !== each);
    if (start) this.rearrange((tree) => tree.promote(node, [start]));
  }

  /** Remove all variations but the one of a move. */
  removeOthers(node: GameNode): void {
    this.rearrange((tree) => tree.removeOthers(node));
    const here = this.node.peek();
    if (!here.isMainline) this.goTo(node);
  }

  /** Change the variations of the game by a function that returns how to undo that. */
  private rearrange(change: (tree: GameTree) => () => void): void {
    this.context.onRearrange();
    const [tree, here] = [this.tree.peek(), this.node.peek()];
    const undo = change(tree);
    this.addUndo(() => {
      this.tree.value = tree;
      undo();
      this.showNode(here);
    });
    this.changed();
  }

  /** Go to the next or the previous mistake of the main line; return whether there is any. */
  goToMistake(step: 1 | -1): boolean {
    const isBad = ({ judgement }: GameNode) => judgement === "mistake" || judgement === "blunder";
    const found = this.tree.peek().root.line().filter(isBad);
    const { ply } = this.node.peek();
    const next =
      step === 1
        ? (found.find((each) => each.ply > ply) ?? found[0])
        : (found.findLast((each) => each.ply < ply) ?? found.at(-1));
    if (next) this.goTo(next);
    return next !== undefined;
  }

  /** Undo the last change. */
  undo(): void {
    if (this.sharedUndo) {
      this.context.onRearrange();
      this.sharedUndo();
      return;
    }
    const undo = this.undos.pop();
    this.undoable.value = this.undos.length;
    if (!undo) return;
    this.context.onRearrange();
    const [tree, node, games] = [this.tree.peek(), this.node.peek(), this.games.peek()];
    undo();
    this.addRedo(tree, () => this.load(tree, node, games));
  }

  /** Show the game again that an undo has replaced. */
  redo(): void {
    const redo = this.redos.pop();
    this.redoable.value = this.redos.length;
    redo?.();
  }

  /** Set the comment on a move and its rating; null is no rating. */
  annotate(node: GameNode, text: string, nag: number | null): void {
    if (text.trim() === commentOn(node) && nag === ratingOf(node)) return;
    this.addAnnotationUndo(node);
    setComment(node, text);
    setRating(node, nag);
    this.changed();
  }

  /** Set the arrows and circles of a position. */
  draw(node: GameNode, shapes: CommentShape[]): void {
    this.addAnnotationUndo(node);
    setDrawings(node, shapes);
    this.changed();
  }

  /** Set the tags of the game. */
  setHeaders(headers: Map<string, string>): void {
    const [tree, here] = [this.tree.peek(), this.node.peek()];
    const former = tree.headers;
    this.addUndo(() => {
      tree.headers = former;
      const isShown = this.tree.peek() === tree;
      this.tree.value = tree;
      this.showNode(isShown ? this.node.peek() : here);
    });
    tree.headers = headers;
    this.changed();
  }

  private addAnnotationUndo(node: GameNode): void {
    const [tree, { comments, nags }] = [this.tree.peek(), node];
    // In a room, another page may have loaded another game meanwhile.
    if (node.path()[0] !== tree.root) return;
    this.addUndo(() => {
      this.tree.value = tree;
      [node.comments, node.nags] = [comments, nags];
      this.showNode(node);
    });
  }

  /** Update view and storage after a change of the game that leaves the current position. */
  changed(): void {
    this.version.value++;
    this.save();
  }

  /** Show a position that may be new. */
  showNode(node: GameNode): void {
    batch(() => {
      this.version.value++;
      this.node.value = node;
    });
    this.onMove();
  }

  /**
   * Change the game as another page or an analysis has; the function returns whether it has changed
   * anything.  The current position stays if it is still part of the game.
   */
  changeFromOutside(change: () => boolean): void {
    const node = this.node.peek();
    const wasInGame = node.inGame === node;
    if (!change()) return;
    if (wasInGame && node.inGame !== node) this.showNode(node.inGame);
    else this.changed();
  }

  /** Undo by a function from now on, or by the changes that are made from now on. */
  undoBy(undo: (() => void) | null): void {
    this.sharedUndo = undo;
    this.undos = [];
    this.redos = [];
    this.undoable.value = this.redoable.value = 0;
  }

  private addUndo(undo: () => void): void {
    this.undos = [...this.undos.slice(1 - MOST_UNDONE), undo];
    this.undoable.value = this.undos.length;
  }

  /** Keep the game that an undo has replaced. */
  private addRedo(tree: GameTree, redo: () => void): void {
    if (tree === this.tree.peek() || tree.isUntouched) return;
    this.redos = [...this.redos.slice(1 - MOST_UNDONE), redo];
    this.redoable.value = this.redos.length;
  }

  // --- other games

  /** Show a game, and the games of its file to choose from: without others, those that are open. */
  load(tree: GameTree, node: GameNode = tree.root, games = this.gamesWith(tree)): void {
    this.reading.abort();
    this.context.onRearrange();
    const [former, here, others] = [this.tree.peek(), this.node.peek(), this.games.peek()];
    if (tree !== former && !former.isUntouched) {
      this.addUndo(() => {
        this.games.value = others;
        this.tree.value = former;
        this.showNode(here);
      });
    }
    batch(() => {
      this.turnFor(tree, former);
      this.tree.value = tree;
      this.node.value = node;
      this.version.value++;
      this.games.value = games;
    });
    this.onMove();
  }

  /** Return the games that are open, if a game is one of them. */
  private gamesWith(tree: GameTree): readonly PgnGame[] {
    const games = this.games.peek();
    return games.some((game) => game.is(tree)) ? games : [];
  }

  /** Turn the board as the tag `Orientation` says; a game without it undoes that of the one before. */
  private turnFor(tree: GameTree, former: GameTree): void {
    const side = orientationOf(tree) ?? (orientationOf(former) ? "white" : null);
    if (side && tree !== former) this.orientation.value = side;
  }

  /** Load a game from outside, and tell the user how its first position was read. */
  private open(tree: GameTree, node?: GameNode, games?: readonly PgnGame[]): void {
    this.load(tree, node, games);
    const { note } = tree;
    if (note) this.context.toasts.addNote(text("import-corrected"), text(note.id, note.variables));
  }

  reset(): void {
    this.load(new GameTree());
  }

  /**
   * Open a position, or games as PGN; return whether that succeeded.  It did not if another game was
   * opened while a long one was read.
   */
  async openText(games: string): Promise<boolean> {
    const trimmed = games.trim();
    if (!trimmed) return false;
    this.reading.abort();
    this.reading = new AbortController();
    try {
      const pasted = readPasted(trimmed);
      if (pasted) {
        this.addIllegal(pasted, "import-illegal");
        this.open(pasted.tree, pasted.node);
        return true;
      }
      const steps = readGamesInSteps(readPositions(trimmed) ?? trimmed);
      const read = await finishInTasks(steps, this.reading.signal);
      if (read) this.openGames(read);
      return read !== null;
    } catch (error) {
      this.context.toasts.addError(error);
      return false;
    }
  }

  /** Open the first game of a file, and list the others; fails if none can be opened. */
  openGames(games: readonly PgnGame[]): void {
    const first = firstOf(games);
    if (!first) return;
    this.loadGame(first, games.length > 1 ? games : []);
  }

  /** Tell the user which move of a line or a link is not legal. */
  private addIllegal({ illegal }: ImportedGame, id: string): void {
    if (illegal === null) return;
    this.context.toasts.addError(new InputError(id, { move: illegal.slice(0, 20) }));
  }

  pgn(): string {
    return writeSharedGame(this.tree.peek());
  }

  address(): string {
    const { origin, pathname } = location;
    return `${origin}${pathname}#${addressOf(this.tree.peek(), this.node.peek())}`;
  }

  // --- storage

  private onMove(): void {
    this.context.onMove();
    this.save();
  }

  private save(): void {
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => this.saveNow(), SAVE_DELAY);
  }

  saveNow(): void {
    clearTimeout(this.saveTimer);
    const hash = this.context.hash();
    const [tree, node] = [this.tree.peek(), this.node.peek().inGame];
    const address = addressOf(tree, node);
    if (hash === null) {
      const isOver = node.position().isEnd();
      storage.saveGame({
        pgn: this.gameText(),
        moves: node.path().flatMap(({ uci }) => uci || []), // those of `position` may begin later
        address,
        position: isOver ? null : enginePosition(tree, node),
        origin: tree.origin,
      });
    }
    const whole = [this.context.aside?.(), address].filter(Boolean).join("&");
    history.replaceState(null, "", `#${hash ?? whole}`);
  }

  /** Return the game as PGN, which is written anew only after a change. */
  private gameText(): string {
    const version = this.version.peek();
    if (this.written.version !== version) {
      this.written = { version, pgn: writeGame(this.tree.peek()) };
    }
    return this.written.pgn;
  }

  /** Open a game of a file. */
  openGame(game: PgnGame): void {
    try {
      this.loadGame(game);
    } catch (error) {
      this.context.toasts.addError(error);
    }
  }

  /** Load a game, and tell the user which move could not be read. */
  private loadGame(game: PgnGame, games?: readonly PgnGame[]): void {
    this.open(game.open(), undefined, games);
    if (game.unread === null) return;
    const move = game.unread.slice(0, 20);
    this.context.toasts.addNote(text("import-cut"), text("import-left-out", { move }));
  }

  /** Load the game of the address, or that of the last visit: an undo shows the latter. */
  restore(): void {
    const linked = this.linkedGame();
    const saved = storage.loadGame();
    try {
      const tree = saved && readGames(saved.pgn)[0]?.open();
      const node = tree?.playAll(tree.root, saved?.moves ?? []);
      if (tree) tree.origin = saved?.origin ?? null;
      const isLinked = tree && node && addressOf(tree, node) === location.hash.slice(1);
      // The address of a tab that is loaded again may be older than its last move.
      const isSame = linked && tree && (isLinked || isReloaded());
      if (tree && node) this.load(tree, node);
      if (!linked || isSame) return;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
    if (linked) this.open(linked.tree, linked.node);
  }

  /** Return the game of the address, and tell the user what is wrong with it; null if none. */
  private linkedGame(): ImportedGame | null {
    try {
      const linked = readAddress(location.hash);
      if (linked) this.addIllegal(linked, "import-illegal-in-link");
      return linked;
    } catch (error) {
      this.context.toasts.addError(error);
      return null;
    }
  }

  /** Open the game of an address that was changed by hand. */
  openAddress(): void {
    const linked = this.linkedGame();
    if (linked) this.open(linked.tree, linked.node);
  }
}

/** Return whether this tab has loaded the page again: what it has stored is the newest. */
function isReloaded(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "reload";
}
