/** A position is set up: with which piece, what can be undone, and what becomes of it. */

import { computed, signal } from "@preact/signals";
import type { Piece, Square } from "chessops/types";
import { INITIAL_FEN } from "../game/position";
import { GameTree } from "../game/tree";
import { type Draft, draftFrom, emptyDraft, faultOf, fenOf, oddityOf } from "./draft";
import { startPosition } from "./scharnagl";

/** What a click on a square does: puts a piece there, takes one away, or moves them. */
export type Tool = Piece | "hand" | "eraser";

export interface EditorEvents {
  opened(): void;
  closed(): void;
  load(tree: GameTree): void;
}

const MOST_UNDONE = 200;

export class Editor {
  /** The position that is set up; null is that none is. */
  readonly position = signal<Draft | null>(null);
  readonly tool = signal<Tool>("hand");
  readonly cursor = signal<Square>(28); // e4, for the keyboard
  readonly undoable = signal(0);
  readonly fault = computed(() => (this.position.value ? faultOf(this.position.value) : ""));
  readonly oddity = computed(() => (this.position.value ? oddityOf(this.position.value) : ""));
  readonly fen = computed(() => (this.position.value ? fenOf(this.position.value) : ""));
  private former: Draft[] = [];

  constructor(private readonly events: EditorEvents) {}

  open(fen: string, chess960: boolean): void {
    this.former = [];
    this.undoable.value = 0;
    this.tool.value = "hand";
    this.position.value = draftFrom(fen, chess960);
    this.events.opened();
  }

  /** Analyse what was set up. */
  finish(): void {
    const draft = this.position.peek();
    if (!draft || faultOf(draft)) return;
    const tree = new GameTree(fenOf(draft), [], draft.chess960);
    this.position.value = null;
    this.events.load(tree);
    this.events.closed();
  }

  cancel(): void {
    this.position.value = null;
    this.events.closed();
  }

  change(part: Partial<Draft>): void {
    const draft = this.position.peek();
    if (!draft) return;
    this.former = [...this.former.slice(1 - MOST_UNDONE), draft];
    this.undoable.value = this.former.length;
    this.position.value = { ...draft, ...part };
  }

  undo(): void {
    const draft = this.former.pop();
    this.undoable.value = this.former.length;
    if (draft) this.position.value = draft;
  }

  put(square: Square, piece: Piece | null): void {
    const draft = this.position.peek();
    if (!draft) return;
    const board = draft.board.clone();
    if (piece) board.set(square, piece);
    else board.take(square);
    this.change({ board });
  }

  /** A click on a square, with the tool that is chosen. */
  use(square: Square): void {
    const tool = this.tool.peek();
    if (tool === "hand") return;
    const there = this.position.peek()?.board.get(square);
    const isSame = tool !== "eraser" && there?.role === tool.role && there.color === tool.color;
    this.put(square, tool === "eraser" || isSame ? null : tool);
  }

  clear(): void {
    this.change({ ...emptyDraft(), chess960: this.position.peek()?.chess960 ?? false });
  }

  /** The first position: of chess, or of Chess960 by its number. */
  setStart(number: number | null): void {
    const chess960 = number !== null;
    this.change(draftFrom(chess960 ? startPosition(number) : INITIAL_FEN, chess960));
  }

  /** Take a FEN; what is wrong with it is for the caller. */
  take(fen: string): void {
    this.change(draftFrom(fen, this.position.peek()?.chess960));
  }
}
