/** Positions by their FEN: checked once, on the way in. */

import { Chess, type Position } from "chessops/chess";
import { INITIAL_FEN, makeFen, parseFen } from "chessops/fen";
import type { Setup } from "chessops/setup";
import { SquareSet } from "chessops/squareSet";
import { opposite } from "chessops/util";

export { INITIAL_FEN };

const REASONS: Readonly<Record<string, string>> = {
  ERR_EMPTY: "there are no pieces",
  ERR_OPPOSITE_CHECK: "the side not to move is in check",
  ERR_PAWNS_ON_BACKRANK: "there is a pawn on the first or last rank",
  ERR_KINGS: "each side needs exactly one king",
};

/** What cannot be read; the message is for people. */
export class InputError extends Error {}

// All that is shown at a time asks for the same position: of each line, the moves it has.
let latest: { readonly fen: string; readonly position: Position } | null = null;

/** Return the position of a FEN, for the caller to keep; fields at its end may be missing. */
export function positionOf(fen: string): Position {
  if (latest?.fen !== fen) latest = { fen, position: read(fen) };
  return latest.position.clone();
}

function read(fen: string): Position {
  const setup = parseFen(fen.trim()).unwrap(
    (setup) => setup,
    () => {
      throw new InputError(`not a valid FEN: ${fen.slice(0, 90)}`);
    },
  );
  return Chess.fromSetup(setup).unwrap(
    (position) => position,
    (error) => {
      throw new InputError(`the position is not legal: ${REASONS[error.message] ?? error.message}`);
    },
  );
}

export function fenOf(position: Position): string {
  return makeFen(position.toSetup());
}

/**
 * The position as if the other side were to move, as a FEN; null where that is no position,
 * because it would take a king.
 */
export function passed(position: Position): string | null {
  const { epSquare: _, ...setup } = position.toSetup();
  const turn = opposite(position.turn);
  return Chess.fromSetup({ ...setup, epSquare: undefined, turn }).unwrap(
    (other) => (other.isEnd() ? null : fenOf(other)),
    () => null,
  );
}

/** How many moves there are, each piece that a pawn may become for itself, as engines count. */
export function movesIn(position: Position): number {
  let count = 0;
  for (const [from, squares] of position.allDests()) {
    const isPawn = position.board.pawn.has(from);
    const last = isPawn ? squares.intersect(SquareSet.backranks()).size() : 0;
    count += squares.size() + 3 * last;
  }
  return count;
}

/** Say whether castling is possible only by the rules of Chess960. */
export function isChess960(setup: Setup): boolean {
  if (setup.castlingRights.isEmpty()) return false;
  const corners = SquareSet.corners();
  if (!setup.castlingRights.diff(corners).isEmpty()) return true;
  const kings = setup.board.king;
  return (
    (setup.castlingRights.intersects(SquareSet.fromRank(0)) && !kings.has(4)) ||
    (setup.castlingRights.intersects(SquareSet.fromRank(7)) && !kings.has(60))
  );
}

/** What stands where, in words, for who does not see the board. */
export function inWords(position: Position): string {
  const sides = (["white", "black"] as const).map((color) => {
    const roles = (["king", "queen", "rook", "bishop", "knight", "pawn"] as const).map((role) => {
      const squares = [...position.board.pieces(color, role)].map(
        (square) => "abcdefgh"[square & 7] + String((square >> 3) + 1),
      );
      return squares.length ? `${role}${squares.length > 1 ? "s" : ""} ${squares.join(" ")}` : "";
    });
    return `${color === "white" ? "White" : "Black"}: ${roles.filter(Boolean).join(", ")}`;
  });
  const turn = position.turn === "white" ? "White" : "Black";
  const check = position.isCheckmate() ? "Checkmate. " : position.isCheck() ? "Check. " : "";
  return `${sides.join(". ")}. ${check}${turn} to move.`;
}
