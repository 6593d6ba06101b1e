/** Tablebases of the server in words: which moves win, draw and lose. */

import type { Color } from "chessops/types";
import { text } from "../language/catalogue";

/** For the side to move, with the fifty-move rule; see `TablebaseResult` in docs/api.md. */
export type Category =
  | "win"
  | "syzygy-win"
  | "maybe-win"
  | "cursed-win"
  | "draw"
  | "blessed-loss"
  | "maybe-loss"
  | "syzygy-loss"
  | "loss"
  | "unknown";

export interface TablebaseMove {
  readonly uci: string;
  readonly san: string;
  /** Of the position behind the move, for its side to move. */
  readonly category: Category;
  readonly dtz?: number | null;
  readonly zeroing?: boolean;
  readonly checkmate?: boolean;
  readonly stalemate?: boolean;
  readonly insufficient_material?: boolean;
}

export interface TablebaseAnswer {
  readonly category: Category;
  readonly dtz?: number | null;
  readonly moves: readonly TablebaseMove[];
}

export type Outcome = "wins" | "draws" | "loses" | "unknown";

/** Return whether tablebases with positions of so many men may have a position. */
export function mayHave(fen: string, men: number): boolean {
  const [board = "", , castling] = fen.split(" ");
  return castling === "-" && board.replace(/[^a-z]/gi, "").length <= men;
}

// biome-ignore format: a table
const OUTCOMES: Readonly<Record<Category, readonly [Outcome, headline: string | null]>> = {
  "win": ["wins", "tablebase-side-wins"],
  "syzygy-win": ["wins", "tablebase-side-wins-or-draws"],
  "maybe-win": ["wins", "tablebase-side-wins-or-draws"],
  "cursed-win": ["draws", "tablebase-side-wins-too-late"],
  "draw": ["draws", "tablebase-draw"],
  "blessed-loss": ["draws", "tablebase-side-loses-too-late"],
  "maybe-loss": ["loses", "tablebase-side-loses-or-draws"],
  "syzygy-loss": ["loses", "tablebase-side-loses-or-draws"],
  "loss": ["loses", "tablebase-side-loses"],
  "unknown": ["unknown", null],
};
const FOR_OTHER: Readonly<Record<Outcome, Outcome>> = {
  wins: "loses",
  draws: "draws",
  loses: "wins",
  unknown: "unknown",
};

/** Return what the side to move can reach, in words; null if the tables do not say. */
export function headline({ category, moves }: TablebaseAnswer, side: Color): string | null {
  const [, id] = OUTCOMES[category];
  if (!id) return null;
  if (moves.length) return text(id, { side });
  return text(category === "loss" ? "tablebase-checkmate" : "tablebase-stalemate");
}

/** Return what a move does for the side that plays it. */
export function outcomeOf({ category }: TablebaseMove): Outcome {
  return FOR_OTHER[OUTCOMES[category][0]];
}

/** Return what else there is to say of a move; empty if nothing. */
export function detailOf(move: TablebaseMove): string {
  if (move.checkmate) return text("tablebase-detail-mate");
  if (move.stalemate) return text("tablebase-detail-stalemate");
  if (move.insufficient_material) return text("tablebase-detail-material");
  const isLate = move.category === "cursed-win" || move.category === "blessed-loss";
  if (isLate) return text("tablebase-detail-fifty");
  const isUnsure = /^(maybe|syzygy)-/.test(move.category);
  if (!move.dtz) return isUnsure ? text("tablebase-detail-or-fifty") : "";
  const distance = String(Math.abs(move.dtz));
  return text(isUnsure ? "tablebase-detail-distance-or-fifty" : "tablebase-detail-distance", {
    distance,
  });
}
