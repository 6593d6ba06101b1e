/**
 * A position that is being set up, and may not be legal yet.  Pure.
 *
 * Castling rights are kept as the user wants them, and count where king and rook are in place: so
 * a rook can be moved away and back without a loss of rights.
 */

import type { Board } from "chessops/board";
import { makeFen, parseFen } from "chessops/fen";
import { defaultSetup } from "chessops/setup";
import { SquareSet } from "chessops/squareSet";
import { COLORS, type Color, type Square } from "chessops/types";
import { makeSquare } from "chessops/util";
import { MOST_MEN, normalizeFen } from "../game/fen";
import { InputError, positionOf } from "../game/position";
import { text } from "../language/catalogue";

export type Wing = "K" | "Q" | "k" | "q";

export const WINGS: readonly Wing[] = ["K", "Q", "k", "q"];

export interface Draft {
  readonly board: Board;
  readonly turn: Color;
  readonly castling: ReadonlySet<Wing>;
  readonly enPassant: Square | null;
  readonly chess960: boolean;
  readonly halfmoves: number;
  readonly fullmoves: number;
}

const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";

/** Read a FEN, legal or not; it is Chess960 if that is wanted, or the FEN can mean nothing else. */
export function draftFrom(fen: string, wantsChess960 = false): Draft {
  const { fen: usual, chess960 } = normalizeFen(fen, wantsChess960);
  const { epSquare, castlingRights, ...setup } = parseFen(usual).unwrap();
  const draft: Draft = {
    ...setup,
    castling: new Set(),
    enPassant: epSquare ?? null,
    chess960,
  };
  const castling = WINGS.filter((wing) => {
    const rook = rookOf(draft, wing);
    return rook !== null && castlingRights.has(rook);
  });
  return { ...draft, castling: new Set(castling) };
}

export function emptyDraft(): Draft {
  return draftFrom(EMPTY);
}

/** Return the rook with which a side would castle; null if king and rook are not in place. */
export function rookOf(draft: Draft, wing: Wing): Square | null {
  const color = wing === "K" || wing === "Q" ? "white" : "black";
  const home = SquareSet.fromRank(color === "white" ? 0 : 7);
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

/** Return the possible en passant squares, by the position of the pawns. */
export function enPassantSquares(draft: Draft): Square[] {
  const pusher = draft.turn === "white" ? "black" : "white";
  const [behind, at, from] = pusher === "black" ? [5, 4, 6] : [2, 3, 1];
  const pawns = draft.board.pieces(pusher, "pawn").intersect(SquareSet.fromRank(at));
  const { occupied } = draft.board;
  return [...pawns]
    .map((pawn) => pawn & 7)
    .filter((file) => !occupied.has(file + 8 * behind) && !occupied.has(file + 8 * from))
    .map((file) => file + 8 * behind);
}

export function fenOf(draft: Draft): string {
  const rooks = [...draft.castling].flatMap((wing) => rookOf(draft, wing) ?? []);
  const { board, turn, enPassant, halfmoves, fullmoves } = draft;
  const isPossible = enPassant !== null && enPassantSquares(draft).includes(enPassant);
  return makeFen({
    ...defaultSetup(),
    board,
    turn,
    castlingRights: rooks.reduce((set, rook) => set.with(rook), SquareSet.empty()),
    epSquare: isPossible ? enPassant : undefined,
    halfmoves,
    fullmoves,
  });
}

/** Return why the position is not legal; "" if it is. */
export function faultOf(draft: Draft): string {
  const { board } = draft;
  for (const color of COLORS) {
    const kings = board.pieces(color, "king").size();
    if (kings === 0) return text("setup-no-king", { color });
    if (kings > 1) return text("setup-kings", { color, count: kings });
    const men = board[color].size();
    if (men > MOST_MEN) return text("setup-men", { color, count: men, most: MOST_MEN });
  }
  const [pawn] = SquareSet.backranks().intersect(board.pawn);
  if (pawn !== undefined) return text("setup-pawn-on", { square: makeSquare(pawn) });
  try {
    positionOf(fenOf(draft));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { color, fault = "" } = error.variables ?? {};
    return color ? text("setup-in-check", { color }) : String(fault);
  }
  return "";
}

/** Return what is unusual in a position, though engines accept it; "" if nothing. */
export function oddityOf({ board }: Draft): string {
  const counts = COLORS.map((color) => [color, board.pieces(color, "pawn").size()] as const);
  const [color, pawns] = counts.find(([, count]) => count > 8) ?? [];
  return color ? text("setup-pawns", { color, count: pawns ?? 0 }) : "";
}

// The 960 start positions are numbered by Reinhard Scharnagl's scheme, where 518 is chess.
const FILES = 8;
// The places of the two knights among the five that are free after bishops and queen.
const KNIGHTS = ["01", "02", "03", "04", "12", "13", "14", "23", "24", "34"];

export const START_POSITIONS = 960;

/** Return the FEN of a start position of Chess960, 0 to 959. */
export function startPosition(number: number): string {
  const rank: string[] = Array(FILES).fill("");
  const free = () => rank.flatMap((piece, file) => (piece ? [] : [file]));
  let rest = number;
  const nextChoice = (choices: number) => {
    const choice = rest % choices;
    rest = Math.floor(rest / choices);
    return choice;
  };
  rank[nextChoice(4) * 2 + 1] = "b";
  rank[nextChoice(4) * 2] = "b";
  rank[free()[nextChoice(6)] as number] = "q";
  const places = free();
  for (const each of KNIGHTS[rest] ?? "") rank[places[Number(each)] as number] = "n";
  const [left, middle, right] = free() as [number, number, number];
  rank[left] = rank[right] = "r";
  rank[middle] = "k";
  const black = rank.join("");
  const castling = [right, left].map((file) => "abcdefgh"[file]).join("");
  const fields = `w ${castling.toUpperCase()}${castling} - 0 1`;
  return `${black}/pppppppp/8/8/8/8/PPPPPPPP/${black.toUpperCase()} ${fields}`;
}
