/**
 * The signs of PGN's numbers (NAGs), and what they mean.
 *
 * Only signs that fonts of all systems have: `⩲` is a box on most, so that it is written `+=`; where
 * there is no such sign, or one like the box of a missing sign (`□`), it is a word.
 */

import type { Color } from "chessops/types";
import { text } from "../language/catalogue";

/** A sign or the id of a word, the id of a meaning, and the side that it speaks of. */
type Glyph = readonly [sign: string, meaning: string, color?: Color];

/** The user's ratings of a move, with the ids of their names. */
export const RATINGS: readonly (readonly [nag: number, id: string])[] = [
  [3, "rating-brilliant"],
  [1, "rating-good"],
  [5, "rating-interesting"],
  [6, "rating-dubious"],
  [2, "rating-mistake"],
  [4, "rating-blunder"],
];

/** A meaning for White, and the same for Black with the next number. */
function both(nag: number, white: string, black: string, meaning: string): [number, Glyph][] {
  return [
    [nag, [white, meaning, "white"]],
    [nag + 1, [black, meaning, "black"]],
  ];
}

export const GLYPHS: ReadonlyMap<number, Glyph> = new Map<number, Glyph>([
  [1, ["!", "glyph-good-move"]],
  [2, ["?", "glyph-mistake"]],
  [3, ["!!", "glyph-brilliant-move"]],
  [4, ["??", "glyph-blunder"]],
  [5, ["!?", "glyph-interesting-move"]],
  [6, ["?!", "glyph-dubious-move"]],
  [7, ["sign-only", "glyph-forced-move"]],
  [8, ["sign-only", "glyph-only-move"]],
  [9, ["??", "glyph-worst-move"]],
  [10, ["=", "glyph-equal"]],
  [11, ["=", "glyph-equal-quiet"]],
  [12, ["=", "glyph-equal-active"]],
  [13, ["∞", "glyph-unclear"]],
  ...both(14, "+=", "=+", "glyph-slightly-better"),
  ...both(16, "±", "∓", "glyph-side-better"),
  ...both(18, "+−", "−+", "glyph-winning"),
  ...both(20, "+−", "−+", "glyph-wins-easily"),
  ...both(22, "sign-zugzwang", "sign-zugzwang", "glyph-zugzwang"),
  ...both(32, "↑↑", "↑↑", "glyph-little-ahead-development"),
  ...both(34, "↑↑", "↑↑", "glyph-far-ahead-development"),
  ...both(36, "↑", "↑", "glyph-initiative"),
  ...both(38, "↑", "↑", "glyph-lasting-initiative"),
  ...both(40, "→", "→", "glyph-attacks"),
  ...both(42, "∞=", "∞=", "glyph-too-little-material"),
  ...both(44, "=∞", "=∞", "glyph-enough-material"),
  ...both(46, "=∞", "=∞", "glyph-more-than-enough-material"),
  ...both(132, "⇄", "⇄", "glyph-some-counterplay"),
  ...both(134, "⇄", "⇄", "glyph-decisive-counterplay"),
  ...both(136, "⊕", "⊕", "glyph-short-of-time"),
  ...both(138, "⊕", "⊕", "glyph-severe-time-trouble"),
  [140, ["∆", "glyph-idea"]],
  [141, ["∇", "glyph-against-idea"]],
  [142, ["sign-better", "glyph-better-is"]],
  [143, ["sign-worse", "glyph-worse-is"]],
  [144, ["sign-equivalent", "glyph-equivalent-is"]],
  [145, ["RR", "glyph-remark-of-editor"]],
  [146, ["N", "glyph-novelty"]],
]);

/** Return the signs of some numbers, each once, and their meanings; empty where there are none. */
export function glyphsOf(nags: readonly number[]): { signs: string; meaning: string } {
  const known = nags.flatMap((nag) => {
    const glyph = GLYPHS.get(nag);
    return glyph ? [glyph] : [];
  });
  const all = [...new Set(known.map(([sign]) => sign))];
  const signs = all.map((sign) => (/^[a-zR]{2}/.test(sign) ? ` ${text(sign)}` : sign)).join("");
  const meanings = known.map(([, id, color = ""]) => text(id, { color }));
  return { signs, meaning: [...new Set(meanings)].join(", ") };
}
