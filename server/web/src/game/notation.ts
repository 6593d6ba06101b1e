/**
 * Moves as files write them: short, long or UCI, with letters of any language, or figurines.  Pure.
 *
 * `Letters` has the meaning of the letters: `Rd2` is a rook's move in English, and the king's in
 * French.  The command `analyse` reads in the same way.
 */

import type { Position } from "chessops/chess";
import { parseSan } from "chessops/san";
import type { Move } from "chessops/types";
import { makeSquare, parseSquare, parseUci } from "chessops/util";

/** Pieces (K, Q, R, B, N or P) by letters in upper case. */
export type Letters = Readonly<Record<string, string>>;

/** The parts of a move as it is written. */
export interface MoveText {
  readonly word: string;
  readonly nag?: number | undefined;
  /** Castling, or the null move as `--`: they have no letters. */
  readonly san?: string;
  readonly piece?: string;
  /** A file, a rank, or both. */
  readonly origin?: string;
  readonly to?: string;
  readonly promotion?: string;
}

const NULLS = new Set(["--", "z0", "0000", "@@@@", "null", "pass", "<>"]);
const NOISE = /^(?:[.…,:=+#!?]*|e\.?p\.?|[+-]{2}\/?|\+\/-|-\/\+|±|∓|∞|=\/∞|(?:n\/)?d\/?|ch|mate)$/i;
const NAGS: Readonly<Record<string, number>> = {
  "!": 1,
  "?": 2,
  "!!": 3,
  "??": 4,
  "!?": 5,
  "?!": 6,
  "‼": 3,
  "⁇": 4,
  "⁉": 5,
  "⁈": 6,
}; // prettier-ignore
const FIGURES = "♔♕♖♗♘♙♚♛♜♝♞♟";
const LONGEST_MOVE = 64; // characters, glyphs included
const INVISIBLE = /\u200b|\u200c|\u200d|\u200e|\u200f|[\u2060-\u2064]|[\ufe00-\ufe0f]|\ufeff/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const NUMBER = /^(\d{1,6})(?:([.…]+)|$|(?=\p{L}))/u;
const END = /(?:e\.?p\.?)?(?:[+#†‡]|ch|mate)*([!?‼⁇⁉⁈]{0,3})$/;
const PIECE = "(?![a-h])\\p{L}|[♔-♟]|Кр";
const MOVE = new RegExp(
  `^(?<piece>Кр|${PIECE})?(?<origin>[a-h]?[1-8]?)[-x:×]?(?<to>[a-h][1-8])` +
    `(?:[=/]?\\(?(?<promotion>${PIECE}|b)\\)?)?$`,
  "u",
);
const SHORT = /^([a-h])[x:×]?([a-h])$/;
const CASTLE = /^([0OoОо])-?\1(-?\1)?$/;

/** Split a word into the move number at its beginning, if it has one, and the rest. */
export function splitMoveNumber(word: string): [number | null, string] {
  const found = word === "0000" ? null : NUMBER.exec(word);
  return found ? [Number(found[1]), word.slice(found[0].length)] : [null, word];
}

/** Return the NAG of a word that is a glyph. */
export function nagOfGlyph(word: string): number | undefined {
  return NAGS[word];
}

/** Return whether a word is certainly no move, nor the piece of one (`D h5`). */
export function isNoise(word: string): boolean {
  return word !== "--" && word !== "D" && NOISE.test(word);
}

/** Parse a word that should be a move; without `to` and `san` it is none. */
export function parseMoveText(word: string): MoveText {
  if (word.length > LONGEST_MOVE) return { word };
  let text = word.replace(INVISIBLE, "").replace(DASHES, "-");
  if (NULLS.has(text.toLowerCase())) return { word, san: "--" };
  const end = END.exec(text);
  const nag = NAGS[end?.[1] ?? ""];
  text = end ? text.slice(0, end.index) : text;
  if (NULLS.has(text.toLowerCase())) return { word, nag, san: "--" };
  const castle = CASTLE.exec(text);
  if (castle) return { word, nag, san: castle[2] ? "O-O-O" : "O-O" };
  const short = SHORT.exec(text);
  if (short) return { word, nag, origin: short[1] ?? "", to: short[2] ?? "" };
  const { piece, origin = "", to, promotion } = MOVE.exec(text)?.groups ?? {};
  if (!to) return { word, nag };
  return { word, nag, piece: capital(piece), origin, to, promotion: capital(promotion) };
}

/** Return the letters of a move whose meaning depends on the language. */
export function pieceLetters({ piece, promotion }: MoveText): string[] {
  return [piece, promotion].flatMap((each) => (each && !FIGURES.includes(each) ? each : []));
}

/** Find the move in a position; null if it is not legal or ambiguous. */
export function findMove(written: MoveText, position: Position, letters: Letters): Move | null {
  const { san, origin = "", to } = written;
  if (san) return parseSan(position, san) ?? null;
  if (!to) return null;
  if (to.length === 1) return findCapture(position, origin, to);
  const piece = pieceOf(written.piece, letters);
  const promotion = pieceOf(written.promotion, letters);
  if (piece === null || promotion === null) return null;
  if (origin.length === 2 && /^[PK]?$/.test(piece)) {
    const move = parseUci(`${origin}${to}${promotion.toLowerCase()}`);
    const from = parseSquare(origin);
    const isMeant = piece !== "K" || (from !== undefined && position.board.king.has(from));
    return move && isMeant && position.isLegal(move) ? move : null;
  }
  const text = `${piece === "P" ? "" : piece}${origin}${to}${promotion && `=${promotion}`}`;
  return parseSan(position, text) ?? null;
}

/** Find a pawn's capture of which only the files are written. */
function findCapture(position: Position, from: string, to: string): Move | null {
  const found: Move[] = [];
  for (const pawn of position.board.pieces(position.turn, "pawn")) {
    if (makeSquare(pawn)[0] !== from) continue;
    for (const square of position.dests(pawn)) {
      const name = makeSquare(square);
      if (name[0] === to && from !== to && !/[18]/.test(name)) {
        found.push({ from: pawn, to: square });
      }
    }
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

function capital(letter = ""): string {
  return letter === "Кр" || FIGURES.includes(letter) ? letter : letter.toUpperCase();
}

/** Return the piece of a letter; null if it has none. */
function pieceOf(letter: string | undefined, letters: Letters): string | null {
  if (!letter) return "";
  const figure = FIGURES.indexOf(letter);
  return figure < 0 ? (letters[letter] ?? null) : ("KQRBNP"[figure % 6] ?? null);
}
