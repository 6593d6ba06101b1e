/**
 * A position that is being set up, and may not be legal yet.  Pure.
 *
 * Castling rights are kept as the user wants them, and count where king and rook are in place: so
 * a rook can be moved away and back without a loss of rights.
 */

import type { Board } from "chessops/board";
import { makeFen, parseFen } from "chessops/fen";
import { defaultSetup, type Setup } from "chessops/setup";
import { SquareSet } from "chessops/squareSet";
import type { Color, Square } from "chessops/types";
import { makeSquare } from "chessops/util";
import { MOST_MEN, normalizeFen } from "../game/fen";
import { InputError, positionOf } from "../game/position";

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

const colorOf = (wing: Wing): Color => (wing === "K" || wing === "Q" ? "white" : "black");
const rankOf = (color: Color): number => (color === "white" ? 0 : 7);

export function draftOf(setup: Setup, chess960: boolean): Draft {
  const { board, turn, halfmoves, fullmoves, epSquare } = setup;
  const draft: Draft = {
    board,
    turn,
    castling: new Set(WINGS),
    enPassant: epSquare ?? null,
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

/** Read a FEN, legal or not; it is Chess960 if that is wanted, or the FEN can mean nothing else. */
export function draftFrom(fen: string, chess960 = false): Draft {
  const usual = normalizeFen(fen, chess960);
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

/** Return the rook with which a side would castle; null if king and rook are not in place. */
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

export function setupOf(draft: Draft): Setup {
  const rooks = [...draft.castling].map((wing) => rookOf(draft, wing));
  const { enPassant } = draft;
  const isPossible = enPassant !== null && enPassantSquares(draft).includes(enPassant);
  return {
    board: draft.board,
    pockets: undefined,
    turn: draft.turn,
    castlingRights: rooks.reduce(
      (set, rook) => (rook === null ? set : set.with(rook)),
      SquareSet.empty(),
    ),
    epSquare: isPossible ? enPassant : undefined,
    remainingChecks: undefined,
    halfmoves: draft.halfmoves,
    fullmoves: draft.fullmoves,
  };
}

export function fenOf(draft: Draft): string {
  return makeFen(setupOf(draft));
}

/** Return why the position is not legal; "" if it is. */
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

/** Return what is unusual in a position, though engines accept it; "" if nothing. */
export function oddityOf(draft: Draft): string {
  for (const color of ["white", "black"] as const) {
    const name = color === "white" ? "White" : "Black";
    const pawns = draft.board.pieces(color, "pawn").size();
    if (pawns > 8) return `${name} has ${pawns} pawns: unusual, but it can be analysed`;
  }
  return "";
}

// The 960 start positions are numbered by Reinhard Scharnagl's scheme, where 518 is chess.
const FILES = 8;
/** The places of the two knights among the five that are free after bishops and queen. */
const KNIGHTS: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 2],
  [0, 3],
  [0, 4],
  [1, 2],
  [1, 3],
  [1, 4],
  [2, 3],
  [2, 4],
  [3, 4],
];

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
  for (const each of KNIGHTS[rest] ?? []) rank[places[each] as number] = "n";
  const [left, middle, right] = free() as [number, number, number];
  rank[left] = rank[right] = "r";
  rank[middle] = "k";
  const black = rank.join("");
  const castling = [right, left].map((file) => "abcdefgh"[file]).join("");
  const fields = `w ${castling.toUpperCase()}${castling} - 0 1`;
  return `${black}/pppppppp/8/8/8/8/PPPPPPPP/${black.toUpperCase()} ${fields}`;
}
