/**
 * The glyphs of a move: somebody's own, and what an analysis has called it.
 *
 * Both are numbers in PGN (NAGs), and nothing there says whose one is.  So that a game which is
 * written and read again is the same, what an analysis has said of a move that has an evaluation
 * is the last of its ratings; `$0`, which PGN has for no glyph at all, is that it has found the
 * move good enough, where it would else be taken for the author of somebody's `?`.
 */

import { type Judgement, NAG_OF } from "../analysis/score";
import { isRating } from "./remark";
import type { GameNode } from "./tree";

const NONE = 0;
const JUDGEMENTS: ReadonlyMap<number, Judgement | null> = new Map([
  [NONE, null],
  ...(Object.keys(NAG_OF) as Judgement[]).map((name) => [NAG_OF[name], name] as const),
]);

/** What is shown: somebody's own, or else what an analysis has called the move. */
export function nagsOf({ nags, judgement }: GameNode): number[] {
  const isOwn = nags.some(isRating);
  return judgement && !isOwn ? [NAG_OF[judgement], ...nags] : [...nags];
}

/** What is written: all of them. */
export function writtenNags(node: GameNode): number[] {
  const { nags, judgement, verdict } = node;
  if (!nags.some(isRating)) return nagsOf(node);
  if (judgement) return [...nags, NAG_OF[judgement]];
  const isMistakable = verdict !== null && nags.some((nag) => JUDGEMENTS.has(nag));
  return isMistakable ? [...nags, NONE] : [...nags];
}

/** Tell apart what was read together: without an evaluation, all is somebody's own. */
export function sortNags(node: GameNode): void {
  if (!node.verdict) return;
  const at = node.nags.findLastIndex((nag) => JUDGEMENTS.has(nag));
  node.judgement = JUDGEMENTS.get(node.nags[at] ?? NONE) ?? null;
  node.nags = node.nags.filter((_, index) => index !== at);
}
