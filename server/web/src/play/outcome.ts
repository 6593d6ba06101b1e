/** How a game ends, by the laws of chess.  Pure. */

import type { GameNode } from "../game/tree";
import { type Color, other } from "./clock";

export type Result = "1-0" | "0-1" | "1/2-1/2";

export interface Outcome {
  readonly result: Result;
  /** A sentence for people. */
  readonly text: string;
  /** PGN's word for it. */
  readonly termination: "normal" | "time forfeit" | "abandoned";
}

const REPETITIONS = 3;
const FIFTY_MOVES = 100; // plies without a capture or a move of a pawn

const NAMES: Readonly<Record<Color, string>> = { white: "White", black: "Black" };
const winOf = (color: Color): Result => (color === "white" ? "1-0" : "0-1");

function drawn(text: string): Outcome {
  return { result: "1/2-1/2", text: `Draw by ${text}`, termination: "normal" };
}

/** What the board says; null if the game goes on. */
export function outcomeOf(node: GameNode): Outcome | null {
  const position = node.position();
  if (position.isCheckmate()) {
    const winner = other(node.turn);
    const text = `${NAMES[winner]} wins by checkmate`;
    return { result: winOf(winner), text, termination: "normal" };
  }
  if (position.isStalemate()) return drawn("stalemate");
  if (position.isInsufficientMaterial()) return drawn("insufficient material");
  if (position.halfmoves >= FIFTY_MOVES) return drawn("the fifty-move rule");
  if (repetitions(node) >= REPETITIONS) return drawn("threefold repetition");
  return null;
}

/** How often the position has been on the board, this time included. */
export function repetitions(node: GameNode): number {
  const key = placeOf(node.fen);
  return node.path().filter((each) => placeOf(each.fen) === key).length;
}

/** A FEN without its counters: pieces, turn, castling, en passant. */
function placeOf(fen: string): string {
  return fen.split(" ").slice(0, 4).join(" ");
}

/** A side's time is up: it loses, unless the other could not mate by any means. */
export function timeIsUp(node: GameNode, loser: Color): Outcome {
  const winner = other(loser);
  if (node.position().hasInsufficientMaterial(winner)) {
    const text = `Draw: ${NAMES[loser]} ran out of time, but ${NAMES[winner]} cannot mate`;
    return { result: "1/2-1/2", text, termination: "time forfeit" };
  }
  const text = `${NAMES[winner]} wins on time`;
  return { result: winOf(winner), text, termination: "time forfeit" };
}

export function resigned(loser: Color): Outcome {
  const text = `${NAMES[loser]} resigns`;
  return { result: winOf(other(loser)), text, termination: "normal" };
}

export function agreed(): Outcome {
  return drawn("agreement");
}

/** The engine has said no move that can be played. */
export function speechless(loser: Color): Outcome {
  const text = `${NAMES[loser]} made no legal move`;
  return { result: winOf(other(loser)), text, termination: "abandoned" };
}
