/** Positions as lines of text: FEN, or EPD with its operations (`bm Nf3; id "1";`).  Pure. */

import { InputError, looksLikeFen, usualFields } from "./fen";

/** The FEN of a line, without what is behind it, as EPD has it; null if there is none. */
export function fenIn(line: string): string | null {
  if (!looksLikeFen(line)) return null;
  try {
    return usualFields(line).fen;
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** Positions, one a line (FEN or EPD), as games of which each has one; null if it is something else. */
export function positionsIn(text: string): string | null {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim());
  const games = lines.map((line) => {
    const id = /\bid +"([^"\\]*)"/.exec(line)?.[1];
    const fen = fenIn(line);
    return fen && `[Event "${id ?? ""}"]\n[FEN "${fen}"]\n\n*\n`;
  });
  return lines.length > 1 && games.every(Boolean) ? games.join("\n") : null;
}
