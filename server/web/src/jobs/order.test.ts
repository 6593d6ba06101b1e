import { expect, test } from "vitest";
import { readGames } from "../game/pgn";
import { orderGame, orderGames } from "./order";

const SETTINGS = { engine: "rookery", movetime: 300, options: { Hash: "64" } };
const JUDGED = `[White "Ann"]
[Black "Bob"]

{ [%eval 0.3,12] } 1. f3 $6 { mine [%eval -0.6,12] } ( 1. e4 { better } ) 1... e5 $1 { [%eval -0.6,12] } *
`;
const BROKEN = `[White "Cid"]

1. e4 e5 2. Ke3 Nf6 *`;

test("a game is ordered without the judgements of an earlier analysis", () => {
  const [game] = readGames(JUDGED);
  if (!game) throw new Error("not read");
  const { pgn, name, query } = orderGame(game.open(), SETTINGS);
  expect(pgn).toMatch(/1\. f3 \{ mine/);
  expect(pgn).not.toMatch(/\$6|better/);
  expect(pgn).toMatch(/e5 \$1/); // That glyph is the user's.
  expect(name).toBe("Ann – Bob");
  expect(String(query)).toBe(
    `engine=rookery&movetime=300&name=${"Ann+%E2%80%93+Bob"}&option.Hash=64`,
  );
});

test("all games of a file are ordered, as they were changed", () => {
  const games = readGames(`${JUDGED}\n${BROKEN}\n\n[White "Dan"]\n\n1. d4 *`);
  const tree = games[2]?.open();
  if (!tree) throw new Error("not read");
  tree.playAll(tree.root, ["d2d4", "d7d5"]);
  games[1]?.open(); // What cannot be read stays for the server, which says so.
  const { pgn, name } = orderGames(games, SETTINGS);
  expect(name).toBe("Ann – Bob, and 2 more");
  const posted = readGames(pgn);
  expect(posted.map(({ headers }) => headers.get("White"))).toEqual(["Ann", "Cid", "Dan"]);
  expect(pgn).toContain("2. Ke3 Nf6");
  expect(pgn).toContain("1. d4 d5");
});

test("a name has nothing that the server refuses", () => {
  const [game] = readGames(`[White "A\u0007\u00a0${"x".repeat(300)}"]\n\n1. e4 *`);
  if (!game) throw new Error("not read");
  const { name } = orderGame(game.open(), SETTINGS);
  expect(name).toMatch(/^A x+$/);
  expect(name).toHaveLength(200);
});
