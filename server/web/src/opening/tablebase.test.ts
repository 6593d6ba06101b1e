import { beforeAll, expect, test } from "vitest";
import { loadLater } from "../language/catalogue";
import { detailOf, headline, mayHave, outcomeOf, type TablebaseMove } from "./tablebase";

const MOVE: TablebaseMove = { uci: "e2e4", san: "e4", category: "loss", dtz: -12 };

beforeAll(() => loadLater());

test("only positions with few men and without castling are asked for", () => {
  expect(mayHave("8/8/8/8/4k3/8/7R/1K6 w - - 0 1", 3)).toBe(true);
  expect(mayHave("8/8/8/8/4k3/8/7R/1K6 w - - 0 1", 2)).toBe(false);
  expect(mayHave("8/8/8/8/4k3/8/8/4K2R w K - 0 1", 4)).toBe(false);
  expect(mayHave("8/8/8/8/4k3/8/7R/1K6 w - - 0 1", 0)).toBe(false);
});

test("a move is told for the side that plays it", () => {
  expect([outcomeOf(MOVE), detailOf(MOVE)]).toEqual(["wins", "DTZ 12"]);
  expect(outcomeOf({ ...MOVE, category: "win" })).toBe("loses");
  const cursed = { ...MOVE, category: "blessed-loss", dtz: -110 } as const;
  expect([outcomeOf(cursed), detailOf(cursed)]).toEqual(["draws", "fifty moves"]);
  expect(detailOf({ ...MOVE, category: "syzygy-loss" })).toBe("DTZ 12 or fifty moves");
  expect(detailOf({ ...MOVE, category: "maybe-loss", dtz: null })).toBe("or fifty moves");
});

test("the end of the game is told instead of a distance", () => {
  expect(detailOf({ ...MOVE, checkmate: true })).toBe("mate");
  expect(detailOf({ ...MOVE, category: "draw", dtz: 0, stalemate: true })).toBe("stalemate");
  expect(detailOf({ ...MOVE, category: "draw", dtz: 0 })).toBe("");
});

test("the position is told in words", () => {
  const told = (category: TablebaseMove["category"]) =>
    headline({ category, moves: [MOVE] }, "black");
  expect(told("loss")).toBe("Black loses");
  expect(told("draw")).toBe("A draw with best play");
  expect(told("cursed-win")).toBe("Black draws: the win takes more than fifty moves");
  expect(told("unknown")).toBeNull();
  expect(headline({ category: "loss", moves: [] }, "black")).toBe("Checkmate");
});
