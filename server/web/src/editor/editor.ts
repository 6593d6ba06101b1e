/** The editor of a position: its tool, what can be undone, and the result. */

import { computed, signal } from "@preact/signals";
import type { Piece, Square } from "chessops/types";
import { INITIAL_FEN } from "../game/position";
import type { Study } from "../game/study";
import { GameTree } from "../game/tree";
import {
  type Draft,
  draftFrom,
  emptyDraft,
  faultOf,
  fenOf,
  oddityOf,
  startPosition,
} from "./draft";

/** The effect of a click on a square: it puts a piece there, removes one, or moves pieces. */
export type Tool = Piece | "hand" | "eraser";

const MOST_UNDONE = 200;

export class Editor {
  /** The position that is set up; null if the editor is closed. */
  readonly position = signal<Draft | null>(null);
  readonly tool = signal<Tool>("hand");
  readonly cursor = signal<Square>(28); // e4, for the keyboard
  readonly undoable = signal(0);
  readonly fen = computed(() => (this.position.value ? fenOf(this.position.value) : ""));
  private former: Draft[] = [];

  /** `onToggle`: the editor was opened or closed. */
  constructor(
    private readonly study: Pick<Study, "load" | "node" | "tree">,
    private readonly onToggle: () => void,
  ) {}

  /** What makes the position one that cannot be played; empty if nothing does. */
  get fault(): string {
    return this.position.value ? faultOf(this.position.value) : "";
  }

  /** What is unusual in the position; empty if nothing is. */
  get oddity(): string {
    return this.position.value ? oddityOf(this.position.value) : "";
  }

  open(fen: string, chess960: boolean): void {
    this.former = [];
    this.undoable.value = 0;
    this.tool.value = "hand";
    this.position.value = draftFrom(fen, chess960);
    this.onToggle();
  }

  /** Analyse the position, if it is legal; the game stays if it is the one on its board. */
  finish(): void {
    const draft = this.position.peek();
    if (!draft || faultOf(draft)) return;
    if (this.isOnBoard(draft)) {
      this.cancel();
      return;
    }
    const tree = new GameTree(fenOf(draft), [], draft.chess960);
    this.position.value = null;
    this.study.load(tree);
    this.onToggle();
  }

  private isOnBoard(draft: Draft): boolean {
    const { chess960 } = this.study.tree.peek();
    const shown = draftFrom(this.study.node.peek().fen, chess960);
    return fenOf(shown) === fenOf(draft) && shown.chess960 === draft.chess960;
  }

  cancel(): void {
    this.position.value = null;
    this.onToggle();
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

  setPiece(square: Square, piece: Piece | null): void {
    const draft = this.position.peek();
    if (!draft) return;
    const board = draft.board.clone();
    if (piece) board.set(square, piece);
    else board.take(square);
    this.change({ board });
  }

  /** Apply the tool to a square. */
  clickSquare(square: Square): void {
    const tool = this.tool.peek();
    if (tool === "hand") return;
    const present = this.position.peek()?.board.get(square);
    const isSame = tool !== "eraser" && present?.role === tool.role && present.color === tool.color;
    this.setPiece(square, tool === "eraser" || isSame ? null : tool);
  }

  clear(): void {
    this.change({ ...emptyDraft(), chess960: this.position.peek()?.chess960 ?? false });
  }

  /** Set the first position of chess, or of Chess960 by its number. */
  setStart(number: number | null): void {
    const chess960 = number !== null;
    this.change(draftFrom(chess960 ? startPosition(number) : INITIAL_FEN, chess960));
  }

  /** Set a FEN; fails with an `InputError` if it has errors. */
  setFen(fen: string): void {
    this.change(draftFrom(fen, this.position.peek()?.chess960));
  }
}
