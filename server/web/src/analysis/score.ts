/**
 * What a score is worth, always as White sees it.
 *
 * The chance to win is lichess' curve, fitted to games of its members: 50 % at 0, about 75 %
 * at +3.0.  Judgements of moves and the accuracy are its formulas too; server/web/README.md
 * has them in words.
 */

import type { Bound, Score } from "../uci/line";

export type Judgement = "inaccuracy" | "mistake" | "blunder";

const STEEPNESS = -0.00368208;
const CEILING = 1000; // centipawns; a mate is worth as much

/** Turn a score of the side to move into White's. */
export function forWhite(score: Score, turn: "white" | "black"): Score {
  return turn === "white" ? score : { kind: score.kind, value: -score.value };
}

/** The same for what a score may be at least or at most: what Black has at least, White has at most. */
export function boundForWhite(bound: Bound, turn: "white" | "black"): Bound {
  if (bound === "exact" || turn === "white") return bound;
  return bound === "lower" ? "upper" : "lower";
}

/** White's chance to win, 0 to 100.  `mate 0` is a mate that is on the board: `score` knows whose. */
export function winChance(score: Score): number {
  const cp = score.kind === "cp" ? score.value : Math.sign(score.value) * CEILING;
  const bounded = Math.max(-CEILING, Math.min(CEILING, cp));
  return 50 + 50 * (2 / (1 + Math.exp(STEEPNESS * bounded)) - 1);
}

/** Points of win chance that the mover lost by a move; never below 0. */
export function loss(before: Score, after: Score, mover: "white" | "black"): number {
  const lost = winChance(before) - winChance(after);
  return Math.max(0, mover === "white" ? lost : -lost);
}

/** What to call a move that lost so many points; null for one that is good enough. */
export function judge(points: number): Judgement | null {
  if (points >= 15) return "blunder";
  if (points >= 10) return "mistake";
  return points >= 5 ? "inaccuracy" : null;
}

/** How accurate a move was that lost so many points, 0 to 100. */
export function accuracy(points: number): number {
  const value = 103.1668100711649 * Math.exp(-0.04354415386753951 * points) - 3.166924740191411;
  return Math.max(0, Math.min(100, value));
}

export const NAG_OF: Readonly<Record<Judgement, number>> = {
  mistake: 2,
  blunder: 4,
  inaccuracy: 6,
};

/** A score as players write it: `+0.3`, `−1.2`, `#5`, `#−3`. */
export function scoreText(score: Score): string {
  if (score.kind === "mate") return `#${score.value < 0 ? "−" : ""}${Math.abs(score.value)}`;
  const pawns = Math.abs(score.value) / 100;
  const text = pawns >= 10 ? pawns.toFixed(1) : pawns.toFixed(2);
  return score.value === 0 ? "0.00" : `${score.value > 0 ? "+" : "−"}${text}`;
}

/** The same in few characters, for the bar. */
export function shortScore(score: Score): string {
  if (score.kind === "mate") return `#${Math.abs(score.value)}`;
  const pawns = Math.abs(score.value) / 100;
  return pawns >= 10 ? pawns.toFixed(0) : pawns.toFixed(1);
}
