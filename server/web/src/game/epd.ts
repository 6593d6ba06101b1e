/** Positions as lines of text: FEN, or EPD with its operations (`bm Nf3; id "1";`).  Pure. */

const POSITION =
  /^((?:[1-8kqrbnp]+\/){7}[1-8kqrbnp]+) +([wb] +\S+ +\S+)(?: +(\d+ +\d+))?(?: +.*;.*)?$/i;

/** The FEN of a line, without the operations behind it, as EPD has them; null if there is none. */
export function fenIn(line: string): string | null {
  const [, board, fields, counters = "0 1"] = POSITION.exec(line.trim()) ?? [];
  return board ? `${board} ${fields} ${counters}` : null;
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
