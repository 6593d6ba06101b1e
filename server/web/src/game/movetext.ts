/**
 * The text of games as the reader takes it, which skips what it does not know.
 *
 * Of `♘f3` and of `Sf3` it would make a move of the pawn, of a game with an empty line in it two,
 * and of two games without one between them one.  Pure.
 */

import { braceless } from "./remark";

/** Letters of any alphabet in which moves are written, and figurines. */
const LETTER = "A-Za-z\u00c0-\u024f\u0370-\u052f♔-♟";
const PARTS = new RegExp(
  [
    /\{[^}]*\}?/, // a comment, perhaps without an end
    /(?<gap>\n[^\S\n]*\n\s*)/,
    /(?<header>\[\w[\w+#=:-]*\s+)?"(?:\\.|[^"\\\n])*"\]?/,
    /;(?<said>[^\r\n]*)/,
    /(?<result>1-0|0-1|1\/2-1\/2|\*)/,
    // Moves as PGN has them are left out here, for there are so many.
    `(?<![${LETTER}])(?<piece>(?![KQRBNa-h])[${LETTER}])(?<from>[a-h]?[1-8]?)(?<sign>[-x:×]?)(?<to>[a-h][1-8])`,
    /(?<taker>[KQRBN]?[a-h]?[1-8]?)[:×](?<taken>[a-h][1-8])/,
  ]
    .map((part) => (typeof part === "string" ? part : part.source))
    .join("|"),
  "gm",
);
/** What goes on with a game, and does not begin one. */
const MORE = /^(?:(?!1\s*\.(?!\s*\.))\d+\s*[.…]|[({)$*]|1-0|0-1|1\/2)/;
const AHEAD = 12; // characters, for a number and its dots
const FIGURINES = "♔♕♖♗♘♙♚♛♜♝♞♟";
const PIECES = ["K", "Q", "R", "B", "N", ""];
/** A move that is never legal: what was written is in the comment behind it. */
const FOREIGN = "@a1";

type Part = Partial<Record<string, string>>;

/** The same games, in the words of the reader. */
export function readable(text: string): string {
  let [isBegun, isOver] = [false, false]; // the game that we are in
  let seen = 0; // how far
  return text.replace(PARTS, (whole: string, ...rest: unknown[]) => {
    const [part, at] = [rest.at(-1) as Part, rest.at(-3) as number];
    if (/\S/.test(text.slice(seen, at))) [isBegun, isOver] = [true, false];
    seen = at + whole.length;
    if (part.to) {
      [isBegun, isOver] = [true, false];
      return moveOf(part, whole);
    }
    if (part.taken) return `${part.taker}x${part.taken}`;
    if (part.said !== undefined) return `{${braceless(part.said).trim()}}`;
    if (part.result) isOver = true;
    if (part.header) {
      const isNext = isBegun || isOver;
      isBegun = isOver = false;
      return isNext ? `\n${whole}` : whole;
    }
    if (!part.gap) return whole;
    const goesOn = !isOver && (!isBegun || MORE.test(text.slice(seen, seen + AHEAD)));
    if (!goesOn) isBegun = isOver = false;
    return goesOn ? "\n" : whole;
  });
}

/** A move with the letter that PGN has for its piece. */
function moveOf({ piece = "", from = "", sign = "", to = "" }: Part, whole: string): string {
  const figurine = FIGURINES.indexOf(piece);
  const letter = piece && figurine >= 0 ? PIECES[figurine % PIECES.length] : asPiece(piece);
  if (letter === undefined) return `${FOREIGN} {${whole}}`;
  return `${letter}${from}${/[:×]/.test(sign) ? "x" : sign}${to}`;
}

/** The piece of a letter, which some write small; a pawn has none. */
function asPiece(letter: string): string | undefined {
  return PIECES.find((each) => each === letter.toUpperCase().replace("P", ""));
}

/** A move as it was written. */
export function writtenMove(san: string, comments: readonly string[] = []): string {
  return san === FOREIGN ? (comments[0] ?? san) : san;
}
