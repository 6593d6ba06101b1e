/**
 * Hashes of positions.  Pure.
 *
 * The library keeps them: after a change of them, `INDEX_FORM` has to change as well.
 */

import type { Board } from "chessops/board";
import type { Position } from "chessops/chess";
import { type Color, ROLES } from "chessops/types";

/** A hash of 64 bits, as two whole numbers of 32. */
export type Key = readonly [high: number, low: number];

/** Hash the pieces and the side to move, as names of openings have positions. */
export function boardKey(board: Board, turn: Color): Key {
  let high = turn === "white" ? 0x51ed270b : 0x2f0b4c47;
  let low = 64;
  for (const { hi, lo } of [board.white, board.black, ...ROLES.map((role) => board[role])]) {
    high = Math.imul(high ^ hi, 0x9e3779b1);
    high = Math.imul((high ^ (high >>> 15)) + lo, 0x85ebca77);
    low = Math.imul(low ^ lo, 0xc2b2ae3d);
    low = Math.imul((low ^ (low >>> 13)) + hi, 0x27d4eb2f);
    high ^= low >>> 11;
  }
  return [(high ^ (low << 7)) | 0, low | 0];
}

/** Hash a position: pieces, side to move, castling and en passant. */
export function positionKey(position: Position): Key {
  return withRights(boardKey(position.board, position.turn), position);
}

/** Return the hash of a position by that of its board. */
export function withRights([high, low]: Key, position: Position): Key {
  const { hi, lo } = position.castles.castlingRights;
  // Only where a pawn can be taken: otherwise the position is the same without it.
  const enPassant = position.epSquare === undefined ? undefined : position.toSetup().epSquare;
  const other = Math.imul(hi ^ ((enPassant ?? -1) + 1), 0x9e3779b1) ^ Math.imul(lo, 0x85ebca77);
  const mixed = Math.imul(high ^ other ^ (other >>> 15), 0xc2b2ae3d);
  return [(mixed ^ (mixed >>> 13)) | 0, Math.imul(low ^ other, 0x27d4eb2f) ^ (mixed >>> 11)];
}
