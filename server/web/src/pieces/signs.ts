/**
 * The set “Signs”, for those who see badly: each kind of piece is a sign of its own form with a
 * large letter in it.  Drawn for this page.
 */

import type { Role } from "chessops/types";
import { type Inks, PieceSet } from "./set";

/** The form of a sign: those that go straight have straight sides, the bishop stands on a corner. */
const FORMS: Readonly<Record<Role, string>> = {
  pawn: "M12 26a12 12 0 1 1 24 0a12 12 0 1 1-24 0z",
  knight: "M24 4.500L42 17L35.500 42h-23L6 17z",
  bishop: "M24 3L45 24L24 45L3 24z",
  rook: "M6.500 7h35v34h-35z",
  queen: "M16 4.500h16L43.500 16v16L32 43.500H16L4.500 32V16z",
  king: "M4 24a20 20 0 1 1 40 0a20 20 0 1 1-40 0z",
};

/** The letters as strokes, so that they look alike on every machine. */
const LETTERS: Readonly<Record<Role, string>> = {
  pawn: "M21 32V20.500h4a3.500 3.500 0 0 1 0 7h-4",
  knight: "M18 34V17.500L30 34V17.500",
  bishop: "M19.500 24h5.500a4.500 4.500 0 0 1 0 9h-5.500V15h5a4.500 4.500 0 0 1 0 9",
  rook: "M18 34.500V14h7a5.800 5.800 0 0 1 0 11.600h-7M25 25.600L31.500 34.500",
  queen:
    "M24 13.500c-5.500 0-9 4.500-9 10s3.500 10 9 10s9-4.500 9-10s-3.500-10-9-10zM26.500 28L33.500 35.500",
  king: "M17.500 13.500V34.500M30.500 13.500L18 25M22.500 21.500L31 34.500",
};

function draw(role: Role, { fill, line, inner }: Inks): string {
  const path = `<path d="${FORMS[role]}" stroke-linejoin="round"`;
  const width = role === "pawn" ? 3.4 : 4.4;
  return (
    `${path} fill="${fill}" stroke="${line}" stroke-width="5"/>` +
    `${path} fill="none" stroke="${inner}" stroke-width="2"/>` +
    `<path d="${LETTERS[role]}" fill="none" stroke="${inner}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
  );
}

export const set = new PieceSet(
  {
    white: { fill: "#ffffff", line: "#ffffff", inner: "#000000" },
    black: { fill: "#000000", line: "#000000", inner: "#ffffff" },
  },
  draw,
);
