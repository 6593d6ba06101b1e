import { expect, test } from "vitest";
import { materialOf } from "./material";
import { INITIAL_FEN } from "./position";
import { extraWords } from "./words";

test("equal material is no lead", () => {
  expect(materialOf(INITIAL_FEN)).toEqual({
    white: { extra: [], lead: 0 },
    black: { extra: [], lead: 0 },
  });
});

test("each side has what the other has not, and one leads in points", () => {
  const { white, black } = materialOf("4k3/2n5/8/8/8/8/PPP1R3/4K3 w - - 0 1");
  expect(white).toEqual({ extra: ["rook", "pawn", "pawn", "pawn"], lead: 5 });
  expect(black).toEqual({ extra: ["knight"], lead: -5 });
  expect(extraWords(white.extra, white.lead)).toBe("a rook and 3 pawns more, 5 points ahead");
  expect(extraWords(black.extra, black.lead)).toBe("a knight more");
});
