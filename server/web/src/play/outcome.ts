/** The end of a game: by the laws of chess, by time, by agreement.  Pure. */

import type { Color } from "chessops/types";
import { opposite } from "chessops/util";
import type { GameNode } from "../game/tree";
import type { Score } from "../uci/line";

export type Result = "1-0" | "0-1" | "1/2-1/2";

export interface Outcome {
  readonly result: Result;
  /** The id of a sentence for people. */
  readonly text: string;
  /** The header `Termination` of PGN. */
  readonly termination: "normal" | "time forfeit" | "abandoned";
}

const REPETITIONS = 3;
const FIFTY_MOVES = 100; // plies without a capture or a move of a pawn

const winOf = (color: Color): Result => (color === "white" ? "1-0" : "0-1");

// The ids of the sentences, by the winner.
const CHECKMATE = { white: "outcome-white-mates", black: "outcome-black-mates" } as const;
const TIME = { white: "outcome-white-wins-on-time", black: "outcome-black-wins-on-time" } as const;
const RESIGNED = { white: "outcome-black-resigns", black: "outcome-white-resigns" } as const;
const NO_MOVE = {
  white: "outcome-black-made-no-move",
  black: "outcome-white-made-no-move",
} as const;
const CANNOT_MATE = {
  white: "outcome-white-cannot-mate",
  black: "outcome-black-cannot-mate",
} as const;

function drawn(text: string): Outcome {
  return { result: "1/2-1/2", text, termination: "normal" };
}

/** Return the outcome by the position on the board; null if the game goes on. */
export function outcomeOf(node: GameNode): Outcome | null {
  const position = node.position();
  if (position.isCheckmate()) {
    const winner = opposite(node.turn);
    return { result: winOf(winner), text: CHECKMATE[winner], termination: "normal" };
  }
  if (position.isStalemate()) return drawn("outcome-stalemate");
  if (position.isInsufficientMaterial()) return drawn("outcome-material");
  if (position.halfmoves >= FIFTY_MOVES) return drawn("outcome-fifty-moves");
  if (repetitions(node) >= REPETITIONS) return drawn("outcome-repetition");
  return null;
}

/** Count how often the position has been on the board, this time included. */
function repetitions(node: GameNode): number {
  const key = repetitionKey(node.fen);
  return node.path().filter((each) => repetitionKey(each.fen) === key).length;
}

/** Return a FEN without its counters: pieces, turn, castling, en passant. */
function repetitionKey(fen: string): string {
  return fen.split(" ").slice(0, 4).join(" ");
}

/** Return the outcome of a side's flag: it loses, unless the other side cannot mate by any means. */
export function timeIsUp(node: GameNode, loser: Color): Outcome {
  const winner = opposite(loser);
  if (node.position().hasInsufficientMaterial(winner)) {
    return { result: "1/2-1/2", text: CANNOT_MATE[winner], termination: "time forfeit" };
  }
  return { result: winOf(winner), text: TIME[winner], termination: "time forfeit" };
}

export function resigned(loser: Color): Outcome {
  const winner = opposite(loser);
  return { result: winOf(winner), text: RESIGNED[winner], termination: "normal" };
}

export function agreed(): Outcome {
  return drawn("outcome-agreement");
}

/** Return the outcome of a move that cannot be played. */
export function madeNoMove(loser: Color): Outcome {
  const winner = opposite(loser);
  return { result: winOf(winner), text: NO_MOVE[winner], termination: "abandoned" };
}

const EARLIEST_DRAW = 20; // plies
const EVEN_SCORE = 20; // centipawns; a side that is better plays on
const EARLIEST_OFFER = 80; // plies
const LEVEL_SCORE = 10; // centipawns
const LEVEL_MOVES = 8;

/** The engine's policy on draws, by the scores (centipawns) of its own moves; null is no score. */
export const drawPolicy = {
  accepts(scores: readonly (number | null)[], ply: number): boolean {
    const last = scores.at(-1);
    return ply >= EARLIEST_DRAW && last != null && last <= EVEN_SCORE;
  },

  offers(scores: readonly (number | null)[], ply: number): boolean {
    const recent = scores.slice(-LEVEL_MOVES);
    const isLevel = recent.every((score) => score !== null && Math.abs(score) <= LEVEL_SCORE);
    return ply >= EARLIEST_OFFER && recent.length === LEVEL_MOVES && isLevel;
  },
};

/** Turn a score of White's into centipawns of a side; a mate is far beyond any other score. */
export function centipawnsOf(score: Score, color: Color): number {
  const { kind, value } = score;
  const centipawns = kind === "cp" ? value : Math.sign(value || -1) * 100_000;
  return color === "white" ? centipawns : -centipawns;
}
