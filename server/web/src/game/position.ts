/** Positions by their FEN, which is checked when it is read. */

import { Chess, type Position } from "chessops/chess";
import { INITIAL_FEN, makeFen, parseFen } from "chessops/fen";
import { SquareSet } from "chessops/squareSet";
import type { Color } from "chessops/types";
import { opposite } from "chessops/util";
import { InputError, type NormalizedFen, readFen, type Said } from "./fen";

export { INITIAL_FEN, InputError, type Said };

function faultOf(fault: string, turn: Color): InputError {
  if (fault !== "ERR_OPPOSITE_CHECK") return new InputError("position-not-legal", { fault });
  return new InputError("position-in-check", { color: opposite(turn) });
}

// All lines of the engine are shown for the same position.
let latest: { readonly fen: string; readonly position: Position } | null = null;

/** Read a FEN from outside: harmless errors are corrected, all others refused. */
export function checkedFen(text: string, chess960 = false): NormalizedFen {
  const reading = readFen(text, chess960);
  positionOf(reading.fen); // It fails where a king could be taken.
  return reading;
}

/** Return the position of a FEN that was checked; the caller may change it. */
export function positionOf(fen: string): Position {
  if (latest?.fen !== fen) latest = { fen, position: parsePosition(fen) };
  return latest.position.clone();
}

function parsePosition(fen: string): Position {
  const setup = parseFen(fen.trim()).unwrap(
    (setup) => setup,
    () => {
      throw new InputError("fen-unreadable", { fen: fen.slice(0, 90) });
    },
  );
  return Chess.fromSetup(setup).unwrap(
    (position) => position,
    (error) => {
      throw faultOf(error.message, setup.turn);
    },
  );
}

export function fenOf(position: Position): string {
  return makeFen(position.toSetup());
}

/** Return the FEN after a null move; null if the other side could take a king. */
export function afterNullMove(position: Position): string | null {
  const { epSquare: _, ...setup } = position.toSetup();
  const turn = opposite(position.turn);
  const halfmoves = setup.halfmoves + 1;
  const fullmoves = setup.fullmoves + (turn === "white" ? 1 : 0);
  return Chess.fromSetup({ ...setup, epSquare: undefined, turn, halfmoves, fullmoves }).unwrap(
    fenOf,
    () => null,
  );
}

/** Count the legal moves, each promotion for itself, as engines do. */
export function countMoves(position: Position): number {
  let count = 0;
  for (const [from, squares] of position.allDests()) {
    const isPawn = position.board.pawn.has(from);
    const last = isPawn ? squares.intersect(SquareSet.backranks()).size() : 0;
    count += squares.size() + 3 * last;
  }
  return count;
}

export const sideName = (color: Color) => (color === "white" ? "White" : "Black");
