/** Arrows and circles on the board: of the engine, and of the user. */

import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import type { CommentShape, CommentShapeColor } from "chessops/pgn";
import { makeSquare, parseSquare, parseUci } from "chessops/util";
import { winChance } from "../analysis/score";
import type { Findings } from "../engine/findings";

const brush = (key: string, color: string, opacity: number) => ({
  key,
  color,
  opacity,
  lineWidth: 12,
});
export const BRUSHES = {
  green: brush("g", "#15781b", 0.9),
  red: brush("r", "#b3261e", 0.9),
  blue: brush("b", "#1f6fb5", 0.9),
  yellow: brush("y", "#c98a00", 0.9),
  best: brush("best", "#1f6fb5", 0.75),
  other: brush("other", "#1f6fb5", 0.4),
};

/** Convert drawings of PGN to shapes of the board. */
export function shapesOf(drawings: readonly CommentShape[]): DrawShape[] {
  return drawings.map(({ color, from, to }) => {
    const orig: Key = makeSquare(from);
    return from === to
      ? { orig, brush: color }
      : { orig, dest: makeSquare(to) as Key, brush: color };
  });
}

/** Convert shapes of the board to drawings of PGN, which have the same colours. */
export function drawingsOf(shapes: readonly DrawShape[]): CommentShape[] {
  return shapes.map(({ orig, dest, brush }) => ({
    color: brush as CommentShapeColor,
    from: parseSquare(orig) as number,
    to: parseSquare(dest ?? orig) as number,
  }));
}

/** Return arrows for the best lines of a position, thinner if they lose more; red for a threat. */
export function arrowsOf(findings: Findings | null, key: string, isThreat = false): DrawShape[] {
  const [best] = findings?.lines ?? [];
  if (!findings || !best || findings.key !== key) return [];
  const shapes: DrawShape[] = [];
  for (const line of [...findings.lines].reverse()) {
    const move = parseUci(line.pv[0] ?? "");
    const uci = line.pv[0] ?? "";
    if (!move || !("from" in move)) continue;
    const lost = Math.abs(winChance(best.score) - winChance(line.score));
    if ((isThreat || lost > 15) && line !== best) continue;
    shapes.push({
      orig: uci.slice(0, 2) as Key,
      dest: uci.slice(2, 4) as Key,
      brush: isThreat ? "red" : line === best ? "best" : "other",
      modifiers: { lineWidth: line === best ? 13 : Math.round(10 - lost / 3) },
    });
  }
  return shapes;
}
