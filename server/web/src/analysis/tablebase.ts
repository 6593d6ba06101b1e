/**
 * What tablebases have to say of a position, as far as an engine tells.  Pure.
 *
 * Stockfish, Rookery and those that do as they do say 200 pawns for a win that tablebases
 * have, less a centipawn for each ply to it.  A draw is 0.00 like any other, so it is not
 * called one: the engine may have found it by itself.
 */

import type { Findings } from "./engine";

const MEN = 7; // of the largest tablebases there are
const [LEAST, MOST] = [19_000, 20_000]; // centipawns

/** Who wins by the tablebases of the engine; null if they have not said that somebody does. */
export function tablebaseWinner(findings: Findings): "White" | "Black" | null {
  const [best] = findings.lines;
  if (!best || !findings.tbhits || best.bound !== "exact" || menIn(findings.fen) > MEN) return null;
  const { kind, value } = best.score;
  const size = Math.abs(value);
  if (kind !== "cp" || size < LEAST || size > MOST) return null;
  return value > 0 ? "White" : "Black";
}

function menIn(fen: string): number {
  return fen.split(" ", 1)[0]?.match(/[a-z]/gi)?.length ?? 0;
}
