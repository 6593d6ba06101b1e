import "fake-indexeddb/auto";
import { expect, test } from "vitest";
import { positionKey } from "../game/key";
import { readGames } from "../game/pgn";
import { positionOf } from "../game/position";
import { GameTree, titleOf } from "../game/tree";
import type { Opening } from "../opening/openings";
import { type FileEntry, openDatabase } from "./database";
import { findAll } from "./finder";
import { bookOf, gamesWith, PartBuilder } from "./game_index";
import { IndexStore } from "./index_store";
import { NO_QUERY, type Query } from "./query";
import { FileStore } from "./store";

const PGN = `[White "Ann Lee"]
[Black "Bob"]
[Date "2024.05.??"]
[WhiteElo "2100"]
[BlackElo "1900"]
[Result "1-0"]

1. d4 Nf6 2. c4 e6 (2... g6 3. Nc3) 3. Nc3 Bb4 1-0

[White "Bob"]
[Black "Eve"]
[ECO "B90"]
[Result "1/2-1/2"]

1. c4 {by another way} e6 2. Nc3 Nf6 3. d4 Bb4 4. e3 Ba5 5. Qc2 Bb4 6. Qd1 Ba5 1/2-1/2

[White "Cid"]
[Result "*"]

1. e4 Zz9 *
`;
const NAMES = new Map<string, Opening>([
  ["rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w", { eco: "A45", name: "Indian Defense" }],
  ["rnbqk2r/pppp1ppp/4pn2/8/1bPP4/2N5/PP2PPPP/R1BQKBNR w", { eco: "E20", name: "Nimzo-Indian" }],
]);

function partOf(pgn: string) {
  const builder = new PartBuilder(0, bookOf(NAMES));
  for (const game of readGames(pgn)) builder.add(game);
  return builder.finish();
}

function after(moves: string) {
  const tree = new GameTree();
  return tree.playAll(tree.root, moves.split(" ").filter(Boolean));
}

const keyAfter = (moves: string) => positionKey(after(moves).position());
const NIMZO = "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4";
const part = partOf(PGN);
const withMoves = (moves: string) => [...gamesWith(part.positions, keyAfter(moves))];

test("positions of main lines are found, however they were reached", () => {
  expect(withMoves("")).toEqual([0, 1, 2]);
  expect(withMoves(NIMZO)).toEqual([0, 1]);
  expect(withMoves("d2d4 g8f6 c2c4")).toEqual([0]);
  expect(withMoves("e2e4")).toEqual([2]);
  expect(withMoves("d2d4 g8f6 c2c4 g7g6")).toEqual([]); // a variation
});

test("a position that a game has twice is kept once", () => {
  expect(part.positions).toHaveLength(7 + 11 + 2);
});

test("a position with other rights is another one", () => {
  const keys = ["w KQkq -", "w Kkq -", "b KQkq -"].map((rest) =>
    positionKey(positionOf(`r3k2r/8/8/8/8/8/8/R3K2R ${rest} 0 1`)).join(),
  );
  expect(new Set(keys).size).toBe(3);
});

test("the opening is that of the tags, or else of the last position with a name", () => {
  expect(part.games.map(({ eco }) => eco)).toEqual(["E20", "B90", ""]);
  expect(part.games[1]?.opening).toBe("Nimzo-Indian");
});

let count = 0;

/** Keep the games in two files, of which one is indexed. */
async function kept() {
  const database = openDatabase(`index ${++count}`);
  const [store, index] = [new FileStore(database), new IndexStore(database)];
  const titles = readGames(PGN).map(titleOf);
  const add = (path: string, text: string) =>
    store.add({ path, bytes: new TextEncoder().encode(text), titles, coding: null });
  await add("b.pgn", PGN);
  await add("club/a.pgn", `${PGN}\n`);
  const [, entry] = (await store.list()) as [FileEntry, FileEntry];
  await index.put(entry, part);
  const find = async (query: Partial<Query>) => {
    const wanted = { ...NO_QUERY, ...query };
    const found = await findAll(await store.list(), wanted, index, new AbortController().signal);
    return found.map(({ file, at }) => `${file.path} ${at}`);
  };
  return { store, index, entry, find };
}

test("games are found by words in all files, by the rest where they are indexed", async () => {
  const { find } = await kept();
  const position = { fen: "", key: keyAfter(NIMZO) };
  expect(await find({ words: "BOB ann" })).toEqual(["b.pgn 0", "club/a.pgn 0"]);
  expect(await find({ words: "ann", folder: "club" })).toEqual(["club/a.pgn 0"]);
  expect(await find({ position })).toEqual(["club/a.pgn 0", "club/a.pgn 1"]);
  expect(await find({ position, black: "eve" })).toEqual(["club/a.pgn 1"]);
  expect(await find({ position, words: "ann" })).toEqual(["club/a.pgn 0"]);
});

test.each<[Partial<Query>, number[]]>([
  [{ either: "bob" }, [0, 1]],
  [{ white: "lee ann" }, [0]],
  [{ opening: "e2" }, [0]],
  [{ opening: "indian nimzo" }, [0, 1]],
  [{ result: "1/2-1/2" }, [1]],
  [{ rating: 1900 }, [0]],
  [{ rating: 1901 }, []],
  [{ from: "2024.05.20", to: "2024" }, [0]],
  [{ from: "2024-06" }, []],
  [{ to: "2024.4" }, []],
])("games are found by their fields: %o", async (query, expected) => {
  const { find } = await kept();
  expect(await find(query)).toEqual(expected.map((at) => `club/a.pgn ${at}`));
});

test("what was saved is indexed again, and an older reading of the file is not kept", async () => {
  const { store, index, entry } = await kept();
  const missing = async () => (await index.missing(await store.list())).get(entry.id);
  expect(await missing()).toBeUndefined();
  await store.save(entry.id, { pgn: "1. d4 *", title: "", over: null });
  expect(await missing()).toEqual([0]);
  await index.put(entry, part);
  expect(await missing()).toEqual([0]);
});

test("the index of a deleted file is deleted", async () => {
  const { store, index, entry } = await kept();
  await store.remove(entry.id);
  expect(await index.positions(entry.id, 0)).toBeNull();
  expect(await index.games(entry.id, 0)).toBeNull();
});
