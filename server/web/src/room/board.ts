/**
 * The game that a room shares, on this page: it follows the place that the page with control shows,
 * or is elsewhere in the game, and sends what its user changes if the user may write.
 */

import { batch, effect, signal, untracked } from "@preact/signals";
import { parseUci } from "chessops/util";
import { readGames } from "../game/pgn";
import type { Study } from "../game/study";
import type { GameNode, GameTree } from "../game/tree";
import { text } from "../language/catalogue";
import type { Toasts } from "../toasts";
import { applyChanges, type Change, differences, fits, type GameSketch, sketchOf } from "./change";
import { GameSync, type Received } from "./sync";

/** A follower of the room, by the name that the server has made unique; it may be empty. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly mayWrite: boolean;
}

/** The parts of the room on which the shared board depends. */
interface BoardContext {
  readonly study: Study;
  readonly toasts: Pick<Toasts, "addNote">;
  send(words: string): void;
  /** Return the id of this page in the room. */
  self(): string;
  isOwner(): boolean;
  hasControl(): boolean;
}

/** How one change of this page is undone: by other changes, or by the game before. */
type Undo =
  | { readonly tree: GameTree; readonly changes: readonly Change[] }
  | { readonly former: GameTree; readonly node: GameNode };

const PAUSE = 100; // ms from one line to the next
const MOST_UNDONE = 50;
const LONGEST_PLACE = 8000; // characters
const NO_TRIES: ReadonlySet<number> = new Set();

export class SharedBoard {
  /** Whether the whole game is shared, and not only the positions that are searched. */
  readonly isShared = signal(false);
  /** Whether the board shows what the page with control shows. */
  readonly isLive = signal(true);
  readonly members = signal<readonly Member[]>([]);
  readonly mayWrite = signal(false);
  readonly lastWriter = signal<string | null>(null);
  /** The ids of moves that are this page's own, and not in the shared game. */
  readonly tries = signal<ReadonlySet<number>>(NO_TRIES);
  /** The name that the user wants; empty for the one of the account. */
  name = "";
  ticket = "";
  /** Whether the page with control has named its place. */
  isPlaceKnown = false;

  private sync = new GameSync();
  private isFollowed = false; // The server tells the game.
  private listing: Member[] = [];
  private live: { readonly moves: readonly string[]; node: GameNode | null } | null = null;
  private shownPlace = "";
  private isOutside = false; // The change that is being made is not this page's.
  private undos: Undo[] = [];
  private known: { tree: GameTree; sketch: GameSketch; node: GameNode } | null = null;
  private readonly pushes = new Paced(() => this.push());
  private readonly places = new Paced(() => this.sendPlace());
  private hasToldLength = false;

  constructor(private readonly context: BoardContext) {
    const { study } = context;
    effect(() => {
      void study.version.value;
      void study.tree.value;
      untracked(() => this.onChange());
    });
    effect(() => {
      void study.node.value;
      untracked(() => this.onStep());
    });
  }

  // --- the connection

  /** Ask for the shared game, over a connection that is new. */
  follow(): void {
    this.sync.onConnect();
    this.isFollowed = true;
    this.listing = [];
    this.shownPlace = "";
    this.context.send(`follow ${this.ticket}`.trim());
    if (this.name) this.context.send(`name ${this.name}`);
  }

  /** Forget the room. */
  end(): void {
    if (this.isShared.peek()) this.undoBy(null);
    this.sync = new GameSync();
    this.isFollowed = false;
    this.live = this.known = null;
    this.isPlaceKnown = false;
    this.ticket = "";
    batch(() => {
      this.isShared.value = this.mayWrite.value = false;
      this.isLive.value = true;
      this.members.value = [];
      this.lastWriter.value = null;
      this.tries.value = NO_TRIES;
    });
  }

  // --- requests of the user

  setName(name: string): void {
    this.name = name;
    if (this.isFollowed) this.context.send(`name ${name}`.trim());
  }

  allow(id: string, mayWrite: boolean): void {
    this.context.send(`${mayWrite ? "allow" : "disallow"} ${id}`);
  }

  remove(id: string): void {
    this.context.send(`remove ${id}`);
  }

  /** Show what the page with control shows, and follow it from now on. */
  backToLive(): void {
    this.isLive.value = true;
    this.showLive();
  }

  /** Return the shared game without the moves that are only this page's; null if there is none. */
  copy(): GameTree | null {
    if (!this.isShared.peek()) return null;
    return readGames(this.sync.copy())[0]?.open() ?? null;
  }

  // --- lines of the server

  receive(word: string, rest: string): void {
    const [first = ""] = rest.split(" ", 1);
    const others = rest.slice(first.length + 1);
    switch (word) {
      case "member": {
        const [right = ""] = others.split(" ", 1);
        const name = others.slice(right.length + 1);
        this.listing.push({ id: first, name, mayWrite: right === "writes" });
        break;
      }
      case "members":
        this.onMembers();
        break;
      case "game": {
        const [writer = ""] = others.split(" ", 1);
        this.onGame(Number(first), writer, others.slice(writer.length + 1));
        break;
      }
      case "written":
        this.sync.onWritten(Number(first));
        this.lastWriter.value = this.context.self();
        this.onSynced();
        break;
      case "stale":
        this.sync.onStale(Number(first));
        this.pushes.request();
        break;
      case "place":
        this.isPlaceKnown = first !== "none";
        if (this.isPlaceKnown) this.onPlace(others.split(" ").filter(Boolean));
        break;
      default:
    }
  }

  private onMembers(): void {
    this.members.value = this.listing;
    this.listing = [];
    this.updateRight();
  }

  /** The owner writes, those that it lets write, and the page with control. */
  private updateRight(): void {
    const { study, self, toasts, isOwner, hasControl } = this.context;
    const isWriter = this.members.peek().some(({ id, mayWrite }) => id === self() && mayWrite);
    const may = isWriter || hasControl();
    if (may === this.mayWrite.peek()) return;
    // What was tried before is not sent, but for what is shown to all.
    if (may) this.markTries(false);
    if (hasControl()) this.sync.share(study.node.peek());
    if (!may) this.sync.forgetSent();
    this.mayWrite.value = may;
    if (!isOwner() && !hasControl()) {
      toasts.addNote(text(may ? "room-may-write" : "room-may-not-write"));
    }
    this.markTries();
    this.pushes.request();
  }

  private onGame(version: number, writer: string, written: string): void {
    const { study, toasts } = this.context;
    if (version > 0) this.lastWriter.value = writer;
    let received: Received = { type: "none" };
    this.fromOutside(() => {
      const tree = study.tree.peek();
      study.changeFromOutside(() => {
        received = this.sync.receive(version, written);
        return received.type === "changed";
      });
      if (received.type === "replaced") this.showGame(tree, received.tree);
    });
    if ((received as Received).type === "unreadable") toasts.addNote(text("room-unreadable"));
    this.onSynced();
  }

  /** Show another game, at the same place if this page has control. */
  private showGame(former: GameTree, tree: GameTree): void {
    const { study, toasts, isOwner, hasControl } = this.context;
    const moves = hasControl() ? movesTo(study.node.peek()) : [];
    const undo = { former, node: study.node.peek() };
    const isOther = this.isShared.peek() && former !== tree;
    study.load(tree, nodeAt(tree, moves));
    if (isOther) this.undos.push(undo);
    if (isOther && isOwner()) toasts.addNote(text("room-replaced"), text("room-replaced-undo"));
    this.isLive.value = true;
  }

  /** Go on after the server's game and this page's have become the same, but for what is unsent. */
  private onSynced(): void {
    const isNew = this.sync.isShared && !this.isShared.peek();
    this.isShared.value = this.sync.isShared;
    if (isNew) this.undoBy(() => this.undo());
    this.remember();
    this.markTries();
    if (this.live) this.onPlace(this.live.moves);
    this.pushes.request();
    this.places.request();
  }

  // --- the place

  private onPlace(moves: readonly string[]): void {
    if (this.context.hasControl()) {
      this.live = null;
      return;
    }
    const { node } = this.live ?? {};
    const isSame = node && movesTo(node).join() === moves.join() && isThere(node, this.tree);
    this.live = { moves, node: isSame ? node : null };
    if (this.isLive.peek()) this.showLive();
  }

  /** Take the position that is searched for the place, if the page with control names none. */
  onSearched(node: GameNode): void {
    const [root] = node.path();
    if (root?.fen === this.tree.root.fen) this.onPlace(movesTo(node));
  }

  private get tree(): GameTree {
    return this.context.study.tree.peek();
  }

  private showLive(): void {
    const { live } = this;
    if (!live || !this.isShared.peek()) return;
    live.node ??= tryMoves(this.tree, live.moves);
    const { node } = live;
    this.fromOutside(() => this.context.study.goTo(node));
  }

  private onStep(): void {
    if (!this.isShared.peek()) return;
    if (this.context.hasControl()) this.places.request();
    else if (!this.isOutside)
      this.isLive.value = this.context.study.node.peek() === this.live?.node;
  }

  /** React to a change of control: the page that has it shows the place. */
  onControl(): void {
    this.shownPlace = "";
    if (this.context.hasControl()) this.isLive.value = true;
    this.updateRight();
    this.places.request();
  }

  private sendPlace(): void {
    const { hasControl, send, study } = this.context;
    if (!this.isShared.peek() || !hasControl()) return;
    const place = ["place moves", ...movesTo(study.node.peek())].join(" ");
    if (place === this.shownPlace || place.length > LONGEST_PLACE) return;
    this.shownPlace = place;
    send(place);
  }

  // --- changes of this page

  private onChange(): void {
    if (!this.isFollowed || this.isOutside) return;
    const { study } = this.context;
    const node = study.node.peek();
    if (this.mayWrite.peek()) {
      this.sync.share(node);
      this.addUndo();
    }
    this.remember();
    this.markTries();
    this.pushes.request();
  }

  private push(): void {
    if (!this.isFollowed || !this.mayWrite.peek()) return;
    const out = this.sync.next(this.tree, makeId);
    if (out?.type === "text") {
      this.hasToldLength = false;
      this.context.send(`game ${out.version} ${out.text}`);
    } else if (out && !this.hasToldLength) {
      this.hasToldLength = true;
      this.context.toasts.addNote(text("room-too-long"), text("room-too-long-shown"));
    }
  }

  private markTries(isWriter = this.mayWrite.peek()): void {
    const tries = this.sync.markTries(isWriter);
    if (tries.size || this.tries.peek().size) this.tries.value = tries;
  }

  /** Make a change that is not this page's. */
  private fromOutside(change: () => void): void {
    const before = this.isOutside;
    this.isOutside = true;
    change();
    this.isOutside = before;
  }

  // --- undo

  private remember(): void {
    const { tree } = this;
    this.known = { tree, sketch: sketchOf(tree), node: this.context.study.node.peek() };
    if (this.isShared.peek()) this.context.study.undoable.value = this.undos.length;
  }

  private addUndo(): void {
    const { known, tree } = this;
    if (!known || !this.isShared.peek()) return;
    if (known.tree !== tree) this.undos.push({ former: known.tree, node: known.node });
    else {
      const changes = differences(sketchOf(tree), known.sketch);
      if (changes.length) this.undos.push({ tree, changes });
    }
    this.undos = this.undos.slice(-MOST_UNDONE);
  }

  /** Undo the last change of this page, if nobody has changed the same since. */
  private undo(): void {
    const { study, toasts } = this.context;
    const undo = this.undos.pop();
    if (!undo) return;
    if ("former" in undo) this.fromOutside(() => study.load(undo.former, undo.node));
    else if (undo.tree === this.tree && fits(undo.tree, undo.changes)) {
      this.fromOutside(() =>
        study.changeFromOutside(() => {
          applyChanges(undo.tree, undo.changes);
          return true;
        }),
      );
    } else toasts.addNote(text("room-no-undo"), text("room-changed-since"));
    this.remember();
    this.markTries();
    this.pushes.request();
  }

  /** Have the study undo by a function, or by itself. */
  private undoBy(undo: (() => void) | null): void {
    this.undos = [];
    this.context.study.undoBy(undo);
  }
}

/** Calls with a pause between them; of several requests in one pause, one is fulfilled. */
class Paced {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isDue = false;

  constructor(private readonly act: () => void) {}

  request(): void {
    if (this.timer !== undefined) {
      this.isDue = true;
      return;
    }
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isDue) this.request();
      this.isDue = false;
    }, PAUSE);
    this.act();
  }
}

function makeId(): string {
  return Math.random().toString(36).slice(2, 12);
}

function movesTo(node: GameNode): string[] {
  return node
    .path()
    .slice(1)
    .map(({ uci }) => uci);
}

/** Return the node to which moves lead in a game, as far as they are in it. */
function nodeAt(tree: GameTree, moves: readonly string[]): GameNode {
  let node = tree.root;
  for (const uci of moves) {
    const next = node.children.find((each) => each.uci === uci);
    if (!next) break;
    node = next;
  }
  return node;
}

/** Return the node to which moves lead; those that are not in the game do not become part of it. */
function tryMoves(tree: GameTree, moves: readonly string[]): GameNode {
  let node = nodeAt(tree, moves);
  for (const uci of moves.slice(movesTo(node).length)) {
    const move = parseUci(uci);
    const next = move ? tree.tryMove(node, move) : null;
    if (!next) break;
    node = next;
  }
  return node;
}

/** Return whether a node is still what moves in the game lead to, or goes on from there. */
function isThere(node: GameNode, tree: GameTree): boolean {
  const path = node.path();
  return path[0] === tree.root && nodeAt(tree, movesTo(node)) === node.inGame;
}
