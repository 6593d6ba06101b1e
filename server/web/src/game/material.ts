/** The balance of material in a position.  Pure. */

export const ROLES = ["queen", "rook", "bishop", "knight", "pawn"] as const;
const LETTERS = { queen: "q", rook: "r", bishop: "b", knight: "n", pawn: "p" } as const;
const POINTS = { queen: 9, rook: 5, bishop: 3, knight: 3, pawn: 1 } as const;

export type Piece = (typeof ROLES)[number];

interface SideMaterial {
  /** The pieces of which it has more than the other side, the most valuable first. */
  readonly extra: readonly Piece[];
  /** Points by which it leads; below 0 if the other side does. */
  readonly lead: number;
}

/** Return what each side has more than the other. */
export function materialOf(fen: string): Readonly<Record<"white" | "black", SideMaterial>> {
  const [board = ""] = fen.split(" ", 1);
  const count = (letter: string) => board.split(letter).length - 1;
  const more = ROLES.map((role) => {
    const letter = LETTERS[role];
    return [role, count(letter.toUpperCase()) - count(letter)] as const;
  });
  const lead = more.reduce((sum, [role, difference]) => sum + POINTS[role] * difference, 0);
  const extraOf = (sign: number) =>
    more.flatMap(([role, difference]) => Array(Math.max(0, sign * difference)).fill(role));
  return {
    white: { extra: extraOf(1), lead },
    black: { extra: extraOf(-1), lead: 0 - lead },
  };
}
