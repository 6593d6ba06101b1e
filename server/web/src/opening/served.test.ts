import { beforeAll, expect, test } from "vitest";
import { loadLater } from "../language/catalogue";
import { noteOn, playedMove, sharesOf, titleOfServed } from "./served";

const MOVE = { uci: "e2e4", san: "e4", white: 3, draws: 2, black: 1 };
const GAME = { id: 1, white: "Ann", black: "Bob", result: "1/2-1/2" };

beforeAll(() => loadLater());

test("a move has the number of its games", () => {
  const results = { white: 3, draw: 2, black: 1, open: 0 };
  expect(playedMove(MOVE)).toEqual({ uci: "e2e4", san: "e4", games: 6, results });
});

test("what is not known is not told", () => {
  expect(noteOn(MOVE)).toBe("");
  expect(noteOn({ ...MOVE, average_rating: 2500 })).toBe("average rating 2500");
  expect(noteOn({ ...MOVE, average_rating: 2500, last_year: 1999 })).toBe(
    "average rating 2500, last played in 1999",
  );
  expect(titleOfServed(GAME)).toBe("Ann – Bob, ½-½");
  expect(titleOfServed({ ...GAME, result: "1-0", white_rating: 2500, year: 1999 })).toBe(
    "Ann (2500) – Bob, 1-0, 1999",
  );
});

test("moves of a book have shares", () => {
  const weights = { e2e4: 300, d2d4: 199, a2a3: 1 };
  const moves = Object.entries(weights).map(([uci, weight]) => ({ ...MOVE, uci, weight }));
  expect([...sharesOf(moves)]).toEqual([
    ["e2e4", "60 %"],
    ["d2d4", "40 %"],
    ["a2a3", "< 1 %"],
  ]);
});
