import { expect, test } from "vitest";
import { GameTree } from "../game/tree";
import { type Analysed, requestFor } from "./keeping";

function analysed(moves: string, more: Partial<Analysed> = {}): Analysed {
  const tree = more.tree ?? new GameTree();
  const node = tree.playAll(tree.root, moves.split(" ").filter(Boolean));
  return { tree, node, engine: "rookery", options: {}, lines: 3, opening: null, ...more };
}

test("a project has the position, the moves of the game, the engine and its settings", () => {
  const options = { Threads: "4", Hash: "512", Contempt: "20", MultiPV: "3" };
  const request = requestFor(analysed("e2e4 e7e5", { options, lines: 5, opening: "King's Pawn" }));
  expect(request).toMatchObject({
    name: "King's Pawn: 1. e4 e5",
    position: { moves: ["e2e4", "e7e5"] },
    variant: "standard",
    engines: [{ name: "rookery", options: { Contempt: "20" } }],
    settings: { nodes: 100_000, white: { lines: 5 }, black: { lines: 5 } },
  });
  expect(request).not.toHaveProperty("pgn");
  expect(request.position).not.toHaveProperty("fen");
});

test("a tree needs two lines at least", () => {
  expect(requestFor(analysed("", { lines: 1 })).settings?.white.lines).toBe(2);
});

test("a position that was set up is one by its FEN", () => {
  const fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
  const request = requestFor(analysed("e2e4", { tree: new GameTree(fen) }));
  expect(request.position).toEqual({ fen, moves: ["e2e4"] });
});

test("moves behind the position are searched first", () => {
  const tree = new GameTree();
  tree.playAll(tree.root, ["e2e4", "e7e5", "g1f3"]);
  tree.playAll(tree.root, ["e2e4", "c7c5"]);
  tree.playAll(tree.root, ["d2d4"]);
  const { pgn = "" } = requestFor(analysed("e2e4", { tree }));
  expect(pgn).toContain("e5 ( 1... c5 ) 2. Nf3");
  expect(pgn).not.toContain("d4");
});

test("null moves are not searched", () => {
  const tree = new GameTree();
  tree.playAll(tree.root, ["e2e4", "0000"]);
  expect(requestFor(analysed("e2e4", { tree }))).not.toHaveProperty("pgn");
});

test("the name of a long game is its last moves", () => {
  const moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1h1 f8e7 f1e1 b7b5";
  const { name = "" } = requestFor(analysed(moves));
  expect(name).toMatch(/^… .*b5$/);
  expect(name.length).toBeLessThan(45);
});
