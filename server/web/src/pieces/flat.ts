/** The set “Flat”: plain surfaces with a strong outline.  Drawn for this page. */

import type { Role } from "chessops/types";
import { type Inks, PieceSet } from "./set";

/** The outlines of a piece from top to bottom, and the lines within. */
interface Drawing {
  readonly shapes: readonly string[];
  readonly inner: string;
}

/** Return a ball as a path. */
const ball = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1-${2 * r} 0z`;
/** Return the foot of a piece, from the middle so many units to each side. */
const foot = (half: number) => `M${24 - half} 42v-2.500q0-2 2-2h${2 * half - 4}q2 0 2 2V42z`;

const DRAWINGS: Readonly<Record<Role, Drawing>> = {
  pawn: {
    shapes: [
      "M20.500 22.500C20.500 29 18.500 33 15.500 37.500h17C29.500 33 27.500 29 27.500 22.500z",
      ball(24, 17, 6.5),
      foot(11),
    ],
    inner: "",
  },
  knight: {
    shapes: [
      "M14.500 37.500C14.500 31 22 28.500 22.500 21.500C20 24.500 17 24.500 14.500 26.500C13.500 28.500 11.500 28.500 10 27C8.500 25.500 8.500 23.500 9.500 22C11.500 19 12.500 17 13.500 14C14.500 12 15.500 10.500 16.500 9.500L17.500 4.500L22 8.500C31.500 9.500 37 18 34.500 37.500z",
      foot(13),
    ],
    inner: "M26 14.500C30.500 19 31.500 26 30.500 33M17.800 14.800h.01",
  },
  bishop: {
    shapes: [
      "M24 9.500C29.500 13 33 18 33 23C33 27 31 30 28.500 31.500h-9C17 30 15 27 15 23C15 18 18.500 13 24 9.500z",
      ball(24, 7, 2.7),
      "M19.500 31.500h9L31 37.500H17z",
      foot(13),
    ],
    inner: "M24 16.500v9M19.500 21h9",
  },
  rook: {
    shapes: [
      "M17 17.500h14L32.500 37.500h-17z",
      "M12.500 7.500h5.500v4h3.500v-4h5v4h3.500v-4h5.500v8q0 2-2 2h-19q-2 0-2-2z",
      foot(13),
    ],
    inner: "M18.500 22.500h11",
  },
  queen: {
    shapes: [
      "M8.500 15.500L15.500 24L17 12L24 22.500L31 12L32.500 24L39.500 15.500L34.500 37.500h-21z",
      ...(
        [
          [8.5, 13.5],
          [17, 9.5],
          [31, 9.5],
          [39.5, 13.5],
        ] as const
      ).map(([x, y]) => ball(x, y, 2.6)),
      foot(14),
    ],
    inner: "M16 32.500h16",
  },
  king: {
    shapes: [
      "M22.200 15V11.300H18.500V7.700H22.200V4h3.600V7.700H29.500v3.600H25.800V15z",
      "M24 20C25.500 14.500 39 12.500 39 21.500C39 28 34.500 30.500 33.500 37.500h-19C13.500 30.500 9 28 9 21.500C9 12.500 22.500 14.500 24 20z",
      foot(14),
    ],
    inner: "M24 20.500v6.500M16.500 32.500h15",
  },
};

function draw(role: Role, { fill, line, inner }: Inks): string {
  const { shapes, inner: lines } = DRAWINGS[role];
  const outlines = shapes.map((path) => `<path d="${path}"/>`).join("");
  return (
    `<g fill="${fill}" stroke="${line}" stroke-width="1.800" stroke-linejoin="round">${outlines}</g>` +
    (lines &&
      `<path d="${lines}" fill="none" stroke="${inner}" stroke-width="2.200" stroke-linecap="round"/>`)
  );
}

export const set = new PieceSet(
  {
    white: { fill: "#fdfcf7", line: "#23282e", inner: "#23282e" },
    black: { fill: "#353c45", line: "#0b0d10", inner: "#f4f1e8" },
  },
  draw,
);
