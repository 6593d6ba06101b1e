import { signal } from "@preact/signals";
import { expect, test, vi } from "vitest";
import { type PgnGame, readGames } from "../game/pgn";
import { positionOf } from "../game/position";
import { GameTree } from "../game/tree";
import { MoveIndex, OpeningExplorer } from "./explorer";

const GAMES = `[Result "1-0"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 1-0

[Result "0-1"]

1. c4 Nf6 2. Nc3 e6 3. d4 d5 4. Bg5 0-1

[Result "1/2-1/2"]

1. d4 Nf6 2. c4 e6 3. Nc3 d5 4. cxd5 1/2-1/2

[Result "*"]

1. d4 Nf6 2. c4 e6 3. Nc3 d5 4. Bg5 Nbd7 *
`;

function indexOf(pgn: string): MoveIndex {
  const index = new MoveIndex();
  for (const game of readGames(pgn)) {
    const start = game.start();
    if (start) index.add(start, game.sans(), game.headers.get("Result"));
    else index.skipGame();
  }
  return index;
}

function after(moves: string) {
  const tree = new GameTree();
  return tree.playAll(tree.root, moves.split(" ").filter(Boolean)).position();
}

test("moves are counted with their results, the most frequent first", () => {
  const { moves } = indexOf(GAMES).lookUp(after(""));
  expect(moves.map(({ san, games }) => [san, games])).toEqual([
    ["d4", 3],
    ["c4", 1],
  ]);
  expect(moves[0]?.results).toEqual({ white: 1, draw: 1, black: 0, open: 1 });
});

test("a position is found however it was reached", () => {
  const found = indexOf(GAMES).lookUp(after("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6"));
  expect(found.moves.map(({ uci, games }) => [uci, games])).toEqual([
    ["c1g5", 2],
    ["c4d5", 1],
  ]);
  expect(found.games).toEqual([1, 2, 3]);
});

test("the side to move and the rights make different positions", () => {
  const index = indexOf("1. Nf3 Nf6 2. Rg1 Rg8 3. Rh1 Rh8 4. e4 *");
  expect(index.lookUp(after("g1f3 g8f6")).moves.map(({ san }) => san)).toEqual(["Rg1"]);
  expect(index.lookUp(after("g1f3 g8f6 h1g1 h8g8 g1h1 g8h8")).moves).toHaveLength(1);
  const other = positionOf("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 0 1");
  expect(index.lookUp(other).moves).toEqual([]);
});

test("castling, promotion and en passant are found", () => {
  const start = '[FEN "4k3/P7/8/8/4p3/8/3P4/4K2R w K - 0 1"]\n\n';
  const index = indexOf(`${start}1. O-O *\n\n${start}1. a8=N *\n\n${start}1. d4 exd3 *`);
  const root = positionOf("4k3/P7/8/8/4p3/8/3P4/4K2R w K - 0 1");
  expect(index.lookUp(root).moves.map(({ san }) => san)).toEqual(["O-O", "a8=N", "d4"]);
  const next = positionOf("4k3/P7/8/8/3Pp3/8/8/4K2R b K d3 0 1");
  expect(index.lookUp(next).moves.map(({ san }) => san)).toEqual(["exd3"]);
});

test("a double step without a possible capture does not change the position", () => {
  const index = indexOf("1. e4 e5 *");
  const position = positionOf("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  expect(index.lookUp(position).moves.map(({ san }) => san)).toEqual(["e5"]);
});

test("a game is read up to an illegal move, and others keep their numbers", () => {
  const variant = '[Variant "Atomic"]\n\n1. e4 *';
  const index = indexOf(`1. e4 e5 2. Qxf7 *\n\n${variant}\n\n1. e4 c5 *`);
  const found = index.lookUp(after("e2e4"));
  expect(found.moves.map(({ san }) => san)).toEqual(["e5", "c5"]);
  expect(found.games).toEqual([0, 2]);
});

test("the index grows, and few games are listed", () => {
  const index = new MoveIndex();
  for (let at = 0; at < 300; at++) index.add(after(""), ["e4", "e5", "Nf3", "Nc6"], "1-0");
  const found = index.lookUp(after("e2e4 e7e5"));
  expect(found.moves[0]).toMatchObject({ san: "Nf3", games: 300 });
  expect(found.games).toHaveLength(50);
});

test("the source is the chosen one while it has games, or else the first", () => {
  const [file, isServed] = [signal<readonly PgnGame[]>([]), signal(false)];
  const explorer = new OpeningExplorer(file, isServed, signal(0));
  expect(explorer.source.value).toBe("own");
  isServed.value = true;
  expect([explorer.source.value, explorer.sources.value]).toEqual(["server", ["server", "own"]]);
  file.value = readGames(GAMES);
  expect(explorer.source.value).toBe("file");
  explorer.chosen.value = "server";
  expect(explorer.source.value).toBe("server");
  isServed.value = false;
  expect([explorer.source.value, explorer.sources.value]).toEqual(["file", ["file", "own"]]);
});

test("a game that was just played is among those of this browser", () => {
  let stored: string[] = [];
  vi.stubGlobal("localStorage", { getItem: () => JSON.stringify(stored) });
  const finished = signal(0);
  const explorer = new OpeningExplorer(signal([]), signal(false), finished);
  explorer.toggle();
  expect(explorer.state.value?.games).toHaveLength(0);
  stored = ["1. e4 e5 1-0"];
  finished.value++;
  expect(explorer.state.value?.games).toHaveLength(1);
  vi.unstubAllGlobals();
});
