/**
 * The game that is on the board, and where in it we are.
 *
 * Whoever changes the tree does it here, so that the view is told (`version`), the game is
 * kept, and what was taken away can be had back.
 */

import { batch, signal } from "@preact/signals";
import type { CommentShape } from "chessops/pgn";
import type { Move } from "chessops/types";
import * as storage from "../settings";
import { addressOf, fromAddress, type Linked } from "./address";
import { positionsIn } from "./epd";
import { pastedIn } from "./pasted";
import { firstOf, type PgnGame, readGames, sharedGame, writeGame } from "./pgn";
import { InputError } from "./position";
import { comment, draw, rate, ratingOf, wordsOn } from "./remark";
import { type GameNode, GameTree, wordsOf } from "./tree";

export interface StudyEvents {
  /** Another position is on the board. */
  moved(): void;
  /** Moves are about to go, or to change their order. */
  rearranging(): void;
  complain(error: unknown): void;
  say(title: string, text: string): void;
  /** What the address of the page says besides the game; null is the game itself. */
  hash(): string | null;
}

const SAVE = 400; // ms after the last change; browsers bound how often an address may change
const MOST_UNDONE = 50;
const ILLEGAL = "a move is not legal: only the moves before it are shown";
const BROKEN = "the link has an illegal move: only the moves before it are shown";

export class Study {
  readonly tree = signal(new GameTree());
  readonly node = signal<GameNode>(this.tree.peek().root);
  /** Changes whenever the game does; nodes themselves are not signals. */
  readonly version = signal(0);
  /** The games of a file, to choose from. */
  readonly games = signal<readonly PgnGame[]>([]);
  readonly orientation = signal<"white" | "black">("white");
  /** How much of what was taken away, written over or put elsewhere can be had back. */
  readonly undoable = signal(0);

  /** How many games can be had again, from before others were had back. */
  readonly redoable = signal(0);

  private undos: (() => void)[] = [];
  private redos: (() => void)[] = [];
  private saving = 0;
  private writing = { version: -1, pgn: "" };

  constructor(private readonly events: StudyEvents) {}

  // --- where we are

  go(node: GameNode): void {
    if (node === this.node.peek()) return;
    this.node.value = node;
    this.moved();
  }

  back(): void {
    const { parent } = this.node.peek();
    if (parent) this.go(parent);
  }

  forward(): void {
    const [next] = this.node.peek().children;
    if (next) this.go(next);
  }

  first(): void {
    this.go(this.tree.peek().root);
  }

  last(): void {
    const line = this.node.peek().line();
    this.go(line[line.length - 1] ?? this.node.peek());
  }

  /** To the next or the former variation at this move. */
  sideways(step: 1 | -1): void {
    const node = this.node.peek();
    const siblings = node.parent?.children ?? [];
    const next = siblings[(siblings.indexOf(node) + step + siblings.length) % siblings.length];
    if (next) this.go(next);
  }

  flip(): void {
    this.orientation.value = this.orientation.peek() === "white" ? "black" : "white";
  }

  // --- what is played

  play(move: Move): void {
    const next = this.tree.peek().play(this.node.peek(), move);
    if (next) this.arrive(next);
  }

  playAll(moves: readonly string[]): void {
    this.arrive(this.tree.peek().playAll(this.node.peek(), moves));
  }

  /** Take the current move and all after it away. */
  remove(node: GameNode): void {
    const { parent } = node;
    if (!parent) return;
    this.events.rearranging();
    const [tree, here] = [this.tree.peek(), this.node.peek()];
    const at = parent.children.indexOf(node);
    this.keepUndo(() => {
      this.tree.value = tree;
      // It may have been played again meanwhile, and more after it.
      const again = parent.children.find(({ uci }) => uci === node.uci);
      if (again) tree.remove(again);
      parent.children.splice(at, 0, node);
      if (again) tree.join(node, again);
      this.arrive(here);
    });
    tree.remove(node);
    this.arrive(here.path().includes(node) ? parent : here);
  }

  promote(node: GameNode): void {
    if (node.isMainline) return;
    this.events.rearranging();
    const [tree, here] = [this.tree.peek(), this.node.peek()];
    const undo = tree.promote(node);
    this.keepUndo(() => {
      this.tree.value = tree;
      undo();
      this.arrive(here);
    });
    this.changed();
  }

  /** Have back what was taken away, written over or put elsewhere last. */
  undo(): void {
    const undo = this.undos.pop();
    this.undoable.value = this.undos.length;
    if (!undo) return;
    this.events.rearranging();
    const [tree, node] = [this.tree.peek(), this.node.peek()];
    undo();
    this.keepRedo(tree, node);
  }

  /** Have the game once more that was on the board before one of earlier was had back. */
  redo(): void {
    const redo = this.redos.pop();
    this.redoable.value = this.redos.length;
    redo?.();
  }

  /** Say something about a move, and what is thought of it; null is nothing. */
  annotate(node: GameNode, text: string, nag: number | null): void {
    if (text.trim() === wordsOn(node) && nag === ratingOf(node)) return;
    this.keepRemarks(node);
    comment(node, text);
    rate(node, nag);
    this.changed();
  }

  /** Have these arrows and circles with a position. */
  draw(node: GameNode, shapes: CommentShape[]): void {
    this.keepRemarks(node);
    draw(node, shapes);
    this.changed();
  }

  private keepRemarks(node: GameNode): void {
    const [tree, { comments, nags }] = [this.tree.peek(), node];
    // Another may have brought another game to a room while somebody wrote.
    if (node.path()[0] !== tree.root) return;
    this.keepUndo(() => {
      this.tree.value = tree;
      [node.comments, node.nags] = [comments, nags];
      this.arrive(node);
    });
  }

  /** The game has changed; where we are in it has not. */
  changed(): void {
    this.version.value++;
    this.save();
  }

  /** Show a node that may be new. */
  arrive(node: GameNode): void {
    batch(() => {
      this.version.value++;
      this.node.value = node;
    });
    this.moved();
  }

  private keepUndo(undo: () => void): void {
    this.undos = [...this.undos.slice(1 - MOST_UNDONE), undo];
    this.undoable.value = this.undos.length;
  }

  /** What was done to a game is not lost by having another back. */
  private keepRedo(tree: GameTree, node: GameNode): void {
    if (tree === this.tree.peek() || tree.isUntouched) return;
    this.redos = [...this.redos.slice(1 - MOST_UNDONE), () => this.load(tree, node)];
    this.redoable.value = this.redos.length;
  }

  // --- other games

  load(tree: GameTree, node: GameNode = tree.root): void {
    this.events.rearranging();
    const [former, here] = [this.tree.peek(), this.node.peek()];
    if (tree !== former && !former.isUntouched) {
      this.keepUndo(() => {
        this.tree.value = former;
        this.arrive(here);
      });
    }
    batch(() => {
      this.tree.value = tree;
      this.node.value = node;
      this.version.value++;
      if (!this.games.peek().some((game) => game.is(tree))) this.games.value = [];
    });
    this.moved();
  }

  /** Load a game that comes from outside, and say how its first position was read. */
  private open(tree: GameTree, node?: GameNode): void {
    this.load(tree, node);
    if (tree.note) this.events.say("The position is not quite as it was written", tree.note);
  }

  reset(): void {
    this.load(new GameTree());
  }

  /** Take what was pasted or dropped: a FEN, or games as PGN. */
  take(text: string): boolean {
    const trimmed = text.trim();
    if (!trimmed) return false;
    try {
      const pasted = pastedIn(trimmed);
      if (pasted) {
        if (!pasted.isWhole) this.events.complain(new InputError(ILLEGAL));
        this.open(pasted.tree, pasted.node);
        return true;
      }
      const games = readGames(positionsIn(trimmed) ?? trimmed);
      const first = firstOf(games);
      if (!first) return false;
      this.games.value = games.length > 1 ? games : [];
      this.show(first);
      return true;
    } catch (error) {
      this.events.complain(error);
      return false;
    }
  }

  pgn(): string {
    return sharedGame(this.tree.peek());
  }

  address(): string {
    const { origin, pathname } = location;
    return `${origin}${pathname}#${addressOf(this.tree.peek(), this.node.peek())}`;
  }

  // --- what is kept

  private moved(): void {
    this.events.moved();
    this.save();
  }

  private save(): void {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.saveNow(), SAVE) as unknown as number;
  }

  saveNow(): void {
    clearTimeout(this.saving);
    const hash = this.events.hash();
    const [tree, node] = [this.tree.peek(), this.node.peek()];
    const address = addressOf(tree, node);
    if (hash === null) {
      const words = wordsOf(tree, node);
      const isOver = node.position().isEnd();
      storage.saveGame({
        pgn: this.written(),
        moves: node.path().flatMap(({ uci }) => uci || []), // those of `words` may begin later
        address,
        words: isOver ? null : words,
      });
    }
    history.replaceState(null, "", `#${hash ?? address}`);
  }

  /** The game as PGN, written anew only when it has changed: going through it changes nothing. */
  private written(): string {
    const version = this.version.peek();
    if (this.writing.version !== version) {
      this.writing = { version, pgn: writeGame(this.tree.peek()) };
    }
    return this.writing.pgn;
  }

  /** Open a game of a file. */
  choose(game: PgnGame): void {
    try {
      this.show(game);
    } catch (error) {
      this.events.complain(error);
    }
  }

  /** Load a game, and say what of it could not be read. */
  private show(game: PgnGame): void {
    this.open(game.open());
    if (game.unread === null) return;
    const move = `“${game.unread.slice(0, 20)}”`;
    const text = `${move} is not a legal move: it is left out, with the rest of its line.`;
    this.events.say("Part of the game cannot be shown", text);
  }

  /** The game of the address, or that of the last visit, which can be had back then. */
  restore(): void {
    const linked = this.linked();
    const saved = storage.loadGame();
    try {
      const tree = saved && readGames(saved.pgn)[0]?.open();
      const node = tree?.playAll(tree.root, saved?.moves ?? []);
      const isLinked = tree && node && addressOf(tree, node) === location.hash.slice(1);
      // A tab that is loaded again has the address of a moment before its last move.
      const isSame = linked && tree && (isLinked || isReloaded());
      if (tree && node) this.load(tree, node);
      if (!linked || isSame) return;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
    if (linked) this.open(linked.tree, linked.node);
  }

  /** The game of the address; null if there is none.  What is wrong with it is said. */
  private linked(): Linked | null {
    try {
      const linked = fromAddress(location.hash);
      if (linked?.isWhole === false) this.events.complain(new InputError(BROKEN));
      return linked;
    } catch (error) {
      this.events.complain(error);
      return null;
    }
  }

  /** The address has been changed by hand. */
  follow(): void {
    const linked = this.linked();
    if (linked) this.open(linked.tree, linked.node);
  }
}

/** Whether this tab shows the page once more: what it has kept is the newest there is. */
function isReloaded(): boolean {
  const [visit] = performance.getEntriesByType("navigation");
  return visit instanceof PerformanceNavigationTiming && visit.type === "reload";
}
