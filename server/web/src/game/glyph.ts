/**
 * The signs of PGN's numbers (NAGs), and what they mean.
 *
 * Only signs that fonts of all systems have: `⩲` is a box on most, so that it is written `+=`; where
 * there is no such sign, or one like the box of a missing sign (`□`), it is a word.
 */

type Glyph = readonly [sign: string, meaning: string];

/** A meaning for White, and the same for Black with the next number. */
function both(nag: number, white: string, black: string, meaning: string): [number, Glyph][] {
  return [
    [nag, [white, `White ${meaning}`]],
    [nag + 1, [black, `Black ${meaning}`]],
  ];
}

export const GLYPHS: ReadonlyMap<number, Glyph> = new Map<number, Glyph>([
  [1, ["!", "good move"]],
  [2, ["?", "mistake"]],
  [3, ["!!", "brilliant move"]],
  [4, ["??", "blunder"]],
  [5, ["!?", "interesting move"]],
  [6, ["?!", "dubious move"]],
  [7, ["only", "forced move"]],
  [8, ["only", "only move"]],
  [9, ["??", "worst move"]],
  [10, ["=", "equal"]],
  [11, ["=", "equal, quiet"]],
  [12, ["=", "equal, active"]],
  [13, ["∞", "unclear"]],
  ...both(14, "+=", "=+", "is slightly better"),
  ...both(16, "±", "∓", "is better"),
  ...both(18, "+−", "−+", "is winning"),
  ...both(20, "+−", "−+", "wins easily"),
  ...both(22, "zugzwang", "zugzwang", "is in zugzwang"),
  ...both(32, "↑↑", "↑↑", "is a little ahead in development"),
  ...both(34, "↑↑", "↑↑", "is far ahead in development"),
  ...both(36, "↑", "↑", "has the initiative"),
  ...both(38, "↑", "↑", "has a lasting initiative"),
  ...both(40, "→", "→", "attacks"),
  ...both(42, "∞=", "∞=", "has too little for the material"),
  ...both(44, "=∞", "=∞", "has enough for the material"),
  ...both(46, "=∞", "=∞", "has more than enough for the material"),
  ...both(132, "⇄", "⇄", "has some counterplay"),
  ...both(134, "⇄", "⇄", "has decisive counterplay"),
  ...both(136, "⊕", "⊕", "is short of time"),
  ...both(138, "⊕", "⊕", "is in severe time trouble"),
  [140, ["∆", "with the idea"]],
  [141, ["∇", "against the idea"]],
  [142, ["better", "better is"]],
  [143, ["worse", "worse is"]],
  [144, ["equivalent", "equivalent is"]],
  [145, ["RR", "remark of the editor"]],
  [146, ["N", "novelty"]],
]);

/** Return the signs of some numbers, each once, and their meanings; empty where there are none. */
export function glyphsOf(nags: readonly number[]): { signs: string; meaning: string } {
  const known = nags.flatMap((nag) => {
    const glyph = GLYPHS.get(nag);
    return glyph ? [glyph] : [];
  });
  const all = [...new Set(known.map(([sign]) => sign))];
  const signs = all.map((sign) => (/^[a-zR]{2}/.test(sign) ? ` ${sign}` : sign)).join("");
  return { signs, meaning: [...new Set(known.map(([, meaning]) => meaning))].join(", ") };
}
