/** Positions in words, for screen readers. */

import type { Position } from "chessops/chess";
import type { Color } from "chessops/types";
import { makeSquare } from "chessops/util";
import { listText, text } from "../language/catalogue";
import { type Piece, ROLES } from "./material";

const ALL_ROLES = ["king", ...ROLES] as const;

/** Describe a position: `White: king e1. Black: king e8, rook e2. Check. White to move.` */
export function describePosition(position: Position): string {
  const piecesOf = (color: Color) => {
    const parts = ALL_ROLES.flatMap((role) => {
      const squares = [...position.board.pieces(color, role)].map(makeSquare);
      const count = squares.length;
      return count ? text("words-pieces", { role, count, squares: squares.join(" ") }) : [];
    });
    return parts.join(", ");
  };
  const isMate = position.isCheckmate();
  const id = isMate ? "words-mate" : position.isCheck() ? "words-check" : "words-position";
  return text(id, {
    white: piecesOf("white"),
    black: piecesOf("black"),
    turn: position.turn,
  });
}

/** Put extra pieces into words: `2 pawns and a knight more, 1 point ahead`. */
export function extraWords(extra: readonly Piece[], lead: number): string {
  const parts = ROLES.flatMap((role) => {
    const count = extra.filter((each) => each === role).length;
    return count ? text("words-extra-pieces", { role, count }) : [];
  });
  return text(lead > 0 ? "words-extra-ahead" : "words-extra", { pieces: listText(parts), lead });
}
