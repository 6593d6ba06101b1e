/**
 * A position that is being set up: it need not be legal yet.  Pure.
 *
 * Castling is kept as it is wanted, and counts where king and rook stand for it: so a rook
 * may be put away and back without a word about castling.
 */

import type { Board } from "chessops/board";
import { makeFen, parseFen } from "chessops/fen";
import { defaultSetup, type Setup } from "chessops/setup";
import { SquareSet } from "chessops/squareSet";
import type { Color, Square } from "chessops/types";
import { makeSquare } from "chessops/util";
import { MOST_MEN, usualFields } from "../game/fen";
import { InputError, positionOf } from "../game/position";

export type Wing = "K" | "Q" | "k" | "q";

export const WINGS: readonly Wing[] = ["K", "Q", "k", "q"];

export interface Draft {
  readonly board: Board;
  readonly turn: Color;
  readonly castling: ReadonlySet<Wing>;
  readonly passed: Square | null; // the en passant square
  readonly chess960: boolean;
  readonly halfmoves: number;
  readonly fullmoves: number;
}

const colorOf = (wing: Wing): Color => (wing === "K" || wing === "Q" ? "white" : "black");
const rankOf = (color: Color): number => (color === "white" ? 0 : 7);

export function draftOf(setup: Setup, chess960: boolean): Draft {
  const { board, turn, halfmoves, fullmoves, epSquare } = setup;
  const draft: Draft = {
    board,
    turn,
    castling: new Set(WINGS),
    passed: epSquare ?? null,
    chess960,
    halfmoves,
    fullmoves,
  };
  const held = WINGS.filter((wing) => {
    const rook = rookOf(draft, wing);
    return rook !== null && setup.castlingRights.has(rook);
  });
  return { ...draft, castling: new Set(held) };
}

/** The position of a FEN, which need not be legal; Chess960 if that is so, or must be meant. */
export function draftFrom(fen: string, chess960 = false): Draft {
  const usual = usualFields(fen, chess960);
  return parseFen(usual.fen).unwrap(
    (setup) => draftOf(setup, usual.chess960),
    () => {
      throw new InputError(`not a valid FEN: ${fen.slice(0, 90)}`);
    },
  );
}

export function emptyDraft(): Draft {
  const setup = defaultSetup();
  setup.board.clear();
  setup.castlingRights = SquareSet.empty();
  return draftOf(setup, false);
}

/** The rook with which a side would castle; null if king and rook do not stand for it. */
export function rookOf(draft: Draft, wing: Wing): Square | null {
  const color = colorOf(wing);
  const home = SquareSet.fromRank(rankOf(color));
  const isShort = wing === "K" || wing === "k";
  const king = draft.board.pieces(color, "king").intersect(home).singleSquare();
  if (king === undefined || (!draft.chess960 && (king & 7) !== 4)) return null;
  const rooks = [...draft.board.pieces(color, "rook").intersect(home)];
  const onSide = rooks.filter((rook) => (isShort ? rook > king : rook < king));
  const outermost = isShort ? onSide.at(-1) : onSide[0];
  if (outermost === undefined) return null;
  const isCorner = (outermost & 7) === (isShort ? 7 : 0);
  return draft.chess960 || isCorner ? outermost : null;
}

/** Squares on which a pawn may just have been passed, by where pawns stand. */
export function passable(draft: Draft): Square[] {
  const pusher = draft.turn === "white" ? "black" : "white";
  const [behind, at, from] = pusher === "black" ? [5, 4, 6] : [2, 3, 1];
  const pawns = draft.board.pieces(pusher, "pawn").intersect(SquareSet.fromRank(at));
  const { occupied } = draft.board;
  return [...pawns]
    .map((pawn) => pawn & 7)
    .filter((file) => !occupied.has(file + 8 * behind) && !occupied.has(file + 8 * from))
    .map((file) => file + 8 * behind);
}

export function setupOf(draft: Draft): Setup {
  const rooks = [...draft.castling].map((wing) => rookOf(draft, wing));
  const passed = draft.passed !== null && passable(draft).includes(draft.passed);
  return {
    board: draft.board,
    pockets: undefined,
    turn: draft.turn,
    castlingRights: rooks.reduce(
      (set, rook) => (rook === null ? set : set.with(rook)),
      SquareSet.empty(),
    ),
    epSquare: passed ? (draft.passed ?? undefined) : undefined,
    remainingChecks: undefined,
    halfmoves: draft.halfmoves,
    fullmoves: draft.fullmoves,
  };
}

export function fenOf(draft: Draft): string {
  return makeFen(setupOf(draft));
}

/** Why nobody can play on from here, in words; "" if one can. */
export function faultOf(draft: Draft): string {
  const { board } = draft;
  for (const color of ["white", "black"] as const) {
    const kings = board.pieces(color, "king").size();
    if (kings !== 1) {
      const name = color === "white" ? "White" : "Black";
      return kings ? `${name} has ${kings} kings instead of one` : `${name} has no king`;
    }
    const men = board[color].size();
    if (men > MOST_MEN)
      return `${color === "white" ? "White" : "Black"} has ${men} pieces, and ${MOST_MEN} are the most`;
  }
  const edges = SquareSet.backranks().intersect(board.pawn);
  const [pawn] = edges;
  if (pawn !== undefined) return `a pawn cannot stand on ${makeSquare(pawn)}`;
  try {
    positionOf(fenOf(draft));
  } catch (error) {
    if (error instanceof InputError) return error.message.replace(/^.*: /, "");
    throw error;
  }
  return "";
}

/** What could not have come about in a game, though engines take it; "" if nothing. */
export function oddityOf(draft: Draft): string {
  for (const color of ["white", "black"] as const) {
    const name = color === "white" ? "White" : "Black";
    const pawns = draft.board.pieces(color, "pawn").size();
    if (pawns > 8) return `${name} has ${pawns} pawns: unusual, but it can be analysed`;
  }
  return "";
}
