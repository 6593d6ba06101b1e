/** What the engine likes, as arrows on the board. */

import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { parseUci } from "chessops/util";
import type { Findings } from "../analysis/engine";
import { winChance } from "../analysis/score";

/** Arrows for the best lines of a position: the thinner, the more they lose; a threat's are red. */
export function arrowsOf(findings: Findings | null, fen: string, isThreat = false): DrawShape[] {
  const [best] = findings?.lines ?? [];
  if (!findings || !best || findings.fen !== fen) return [];
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
