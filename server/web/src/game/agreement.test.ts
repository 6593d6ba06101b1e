/** The files of games that the page and the command `analyse` read alike: `tests/data/pgn`. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decodeText } from "./encoding";
import { splitGames } from "./parser";
import { PgnGame } from "./pgn";

interface Expected {
  readonly white: string;
  readonly black: string;
  readonly result: string;
  readonly moves: string;
}

const folder = new URL("../../../../tests/data/pgn/", import.meta.url);
const expected: Record<string, (Expected | null)[]> = JSON.parse(
  readFileSync(new URL("expected.json", folder), "utf8"),
);

/** Return a game as the page reads it; null if it is refused. */
function seen(game: PgnGame): Expected | null {
  try {
    const { root, headers } = game.open();
    const moves = root
      .line()
      .map(({ san }) => san)
      .join(" ");
    if (!moves && game.unread) return null;
    const [white = "", black = "", result = ""] = ["White", "Black", "Result"].map((name) =>
      headers.get(name),
    );
    return { white, black, result, moves };
  } catch {
    return null;
  }
}

test.each(Object.keys(expected))("%s", (name) => {
  const text = decodeText(new Uint8Array(readFileSync(new URL(name, folder))));
  const games = [...splitGames(text)].map((each) => new PgnGame(each));
  expect(games.map(seen)).toEqual(expected[name]);
});
