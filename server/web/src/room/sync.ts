/**
 * The game of a room on this page: what the server has, what this page has changed since, and what
 * of it is to be sent.  Pure.
 *
 * The server keeps one text.  A change is sent as the whole game, with the version that it changes;
 * if another page was faster, its changes are joined with those of this page (`change.ts`), and the
 * result is sent again.  To read a long game takes a while: a page that writes alone reads none.
 */

import { PgnGame, writeGame } from "../game/pgn";
import { InputError } from "../game/position";
import type { GameNode, GameTree } from "../game/tree";
import { applyChanges, differences, GAME_TAG, type GameSketch, sketchOf, sortAs } from "./change";

/** The longest text that the server takes, in bytes as JSON. */
const LONGEST = 64_000;

/** What has become of the game on the board by a version of the server's. */
export type Received =
  | { readonly type: "none" }
  | { readonly type: "changed" }
  /** It is another game. */
  | { readonly type: "replaced"; readonly tree: GameTree }
  | { readonly type: "unreadable" };

export type Outgoing =
  | { readonly type: "text"; readonly version: number; readonly text: string }
  | { readonly type: "too-long"; readonly bytes: number };

/** What the server is to take: the text, the game that it is of, and the one on the board. */
interface Sent {
  readonly pgn: string;
  readonly id: string;
  readonly joined: GameTree;
  readonly tree: GameTree;
}

export class GameSync {
  /** The newest version of the server that is known; null before the first. */
  version: number | null = null;
  /** The game on the board that is the room's; null if there is none yet. */
  private local: GameTree | null = null;
  private pgn = ""; // as the server has it
  private base: GameSketch | null = null; // of that
  private isBaseRead = true; // Otherwise it has more than the text says.
  /** The server's game, in which changes of this page are made; null if it has to be read. */
  private remote: GameTree | null = null;
  private id = "";
  private sent: Sent | null = null;
  private lastTried: GameSketch | null = null; // It is not sent twice if it comes back otherwise.
  private awaited = 0; // the version that the server tells before anything can be sent
  private readonly tries = new WeakSet<GameNode>();

  /** Whether a game is shared. */
  get isShared(): boolean {
    return this.local !== null;
  }

  /** Begin anew with a connection: what was sent may be lost, and the server tells the newest. */
  onConnect(): void {
    this.version = null;
    this.awaited = 0;
    this.forgetSent();
  }

  // --- from the server

  /** Take a version of the server; `text` is a string in JSON. */
  receive(version: number, text: string): Received {
    if (this.version !== null && version <= this.version) return { type: "none" };
    this.version = version;
    if (version === 0) return { type: "none" };
    this.lastTried = null;
    try {
      return this.take(JSON.parse(text) as string);
    } catch (error) {
      if (!(error instanceof InputError || error instanceof SyntaxError)) throw error;
      return { type: "unreadable" };
    }
  }

  private take(pgn: string): Received {
    const tree = openGame(pgn);
    const id = tree.headers.get(GAME_TAG) ?? "";
    const sketch = sketchOf(tree);
    const { local, base: known } = this;
    const isOther = !local || !known || id !== this.id;
    const base = isOther || this.isBaseRead ? known : sketchOf(openGame(this.pgn));
    [this.pgn, this.base, this.id] = [pgn, sketch, id];
    this.isBaseRead = true;
    this.remote = isOther ? null : tree;
    if (!base || isOther) {
      tree.headers = new Map([...tree.headers].filter(([name]) => name !== GAME_TAG));
      this.local = tree;
      return { type: "replaced", tree };
    }
    const changes = differences(base, sketch);
    const own = differences(base, this.sketchOf(local)).filter(({ type }) => type === "order");
    applyChanges(local, changes);
    // What only this page has comes after what all have, unless its user has put it elsewhere.
    sortAs(local, sketch);
    applyChanges(local, own);
    return { type: changes.length ? "changed" : "none" };
  }

  /** The server has taken what was sent. */
  onWritten(version: number): void {
    const { sent } = this;
    this.sent = null;
    if (!sent) return;
    this.version = version;
    [this.pgn, this.id, this.local] = [sent.pgn, sent.id, sent.tree];
    this.remote = sent.joined;
    this.base = sketchOf(sent.joined);
    this.isBaseRead = false;
  }

  /** Forget what was sent: the server does not take it, as this page no longer writes. */
  forgetSent(): void {
    this.sent = null;
    this.lastTried = null;
  }

  /** The server has not taken what was sent: it has a newer version, which it tells. */
  onStale(version: number): void {
    this.forgetSent();
    this.awaited = version;
  }

  // --- to the server

  /** Return what is to be sent now for the game on the board; null if nothing is. */
  next(tree: GameTree, makeId: () => string): Outgoing | null {
    if (this.sent || this.version === null || this.version < this.awaited) return null;
    const isOther = tree !== this.local;
    const sketch = this.sketchOf(tree);
    const { lastTried } = this;
    if (!isOther && lastTried && !differences(lastTried, sketch).length) return null;
    const id = isOther ? makeId() : this.id;
    const joined = isOther || !this.base ? openGame(writeGame(tree)) : this.join(sketch);
    if (!joined) return null;
    this.lastTried = sketch;
    joined.headers = new Map([...joined.headers, [GAME_TAG, id]]);
    const pgn = writeGame(joined);
    const text = JSON.stringify(pgn);
    const bytes = new TextEncoder().encode(text).length;
    if (bytes > LONGEST) return { type: "too-long", bytes };
    this.sent = { pgn, id, joined, tree };
    return { type: "text", version: this.version, text };
  }

  /** Return the server's game with the changes of this page; null if there are none. */
  private join(sketch: GameSketch): GameTree | null {
    const changes = differences(this.base as GameSketch, sketch);
    if (!changes.length) return null;
    const joined = this.remote ?? openGame(this.pgn);
    this.remote = null; // until the server has taken the changes
    applyChanges(joined, changes);
    return joined;
  }

  private sketchOf(tree: GameTree): GameSketch {
    return sketchOf(tree, (node) => this.tries.has(node));
  }

  // --- moves that are not sent

  /** Mark the moves that are not in the server's game as tries; return the ids of all tries. */
  markTries(isWriter: boolean): ReadonlySet<number> {
    const found = new Set<number>();
    if (!this.local || !this.base) return found;
    const stack: [GameNode, GameSketch["root"] | null][] = [[this.local.root, this.base.root]];
    for (let top = stack.pop(); top; top = stack.pop()) {
      const [node, known] = top;
      const keys = new Map(known?.children.map((each) => [each.key, each]));
      for (const child of node.children) {
        const sketch = keys.get(child.uci) ?? null;
        if (sketch) this.tries.delete(child);
        else if (!isWriter) this.tries.add(child);
        if (this.tries.has(child)) found.add(child.id);
        stack.push([child, sketch]);
      }
    }
    return found;
  }

  /** Send the moves to a node after all: a writer goes on from them. */
  share(node: GameNode): void {
    for (const each of node.path()) this.tries.delete(each);
  }

  /** Return the game as the server has it, without the tries of this page. */
  copy(): string {
    const tree = openGame(this.pgn);
    tree.headers.delete(GAME_TAG);
    return writeGame(tree);
  }
}

function openGame(pgn: string): GameTree {
  const game = new PgnGame(pgn);
  if (!game.isGame) throw new InputError("the room's game has no moves and no tags");
  return game.open();
}
