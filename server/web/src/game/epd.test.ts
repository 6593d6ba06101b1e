import { expect, test } from "vitest";
import { fenIn, positionsIn } from "./epd";
import { readGames } from "./pgn";

const BARE = "4k3/8/8/8/8/8/4P3/4K3 w - -";

test.each([
  [`${BARE} 3 40`, `${BARE} 3 40`],
  [BARE, `${BARE} 0 1`],
  [`${BARE} bm e4; id "x";`, `${BARE} 0 1`],
  [`${BARE} 0 1 ;D1 7 ;D2 35`, `${BARE} 0 1`],
  [`${BARE} x y`, `${BARE} 0 1`],
  ["4k3/8/8/8 w - - 0 1", null],
  ["1. e4 e5", null],
])("the FEN of a line: %s", (line, fen) => {
  expect(fenIn(line)).toBe(fen);
});

test("lines with positions are games of which each has one, by its name", () => {
  const pgn = positionsIn(`${BARE} bm e4; id "first";\n\n${BARE.replace(" w ", " b ")}\n`) ?? "";
  const games = readGames(pgn);
  expect(games.map((game) => game.headers.get("Event"))).toEqual(["first", ""]);
  expect(games.map((game) => game.open().root.turn)).toEqual(["white", "black"]);
});

test("one position alone, or something else beside them, is no list", () => {
  expect(positionsIn(BARE)).toBeNull();
  expect(positionsIn(`${BARE}\n1. e4 e5`)).toBeNull();
  expect(positionsIn("")).toBeNull();
});
