import { expect, test } from "vitest";
import { GameTree } from "../game/tree";
import { gameOf, placeOf, rootIn, rootOnWay } from "./place";
import type { Project } from "./project";

const MOVES = ["e2e4", "e7e5"];

function rootAfter(moves: readonly string[], fen?: string) {
  const position = { moves, ...(fen ? { fen } : {}) };
  return gameOf({ name: "Open", variant: "standard", position } as unknown as Project).root;
}

function game(moves: string): { tree: GameTree; end: ReturnType<GameTree["playAll"]> } {
  const tree = new GameTree();
  return { tree, end: tree.playAll(tree.root, moves.split(" ").filter(Boolean)) };
}

test("a project has a game that leads to its root, with its name", () => {
  const { tree, root } = gameOf({
    name: "Open",
    variant: "standard",
    position: { moves: MOVES },
  } as unknown as Project);
  expect(tree.headers.get("Event")).toBe("Open");
  expect(root.path().map(({ san }) => san)).toEqual(["", "e4", "e5"]);
});

test("a position on a way from the root is asked for by the moves of the way", () => {
  const { end } = game("e2e4 e7e5 e1e2 e8e7");
  expect(placeOf(rootAfter(MOVES), end)).toEqual({ moves: ["Ke2", "Ke7"] });
  expect(placeOf(rootAfter([]), end)).toEqual({ moves: ["e4", "e5", "Ke2", "Ke7"] });
});

test("the way begins where the root came first, so that repetitions are seen", () => {
  const { end } = game("g1f3 g8f6 f3g1 f6g8");
  expect(placeOf(rootAfter([]), end)).toEqual({ moves: ["Nf3", "Nf6", "Ng1", "Ng8"] });
});

test("a position that is reached otherwise, or by a null move, is asked for by its FEN", () => {
  const other = game("d2d4").end;
  expect(placeOf(rootAfter(MOVES), other)).toEqual({ fen: other.fen, moves: [] });
  const threat = game("e2e4 0000").end;
  expect(placeOf(rootAfter([]), threat)).toEqual({ fen: threat.fen, moves: [] });
});

test("the root is found on the way, or in the moves of the game", () => {
  const { tree, end } = game("e2e4 e7e5 g1f3");
  const root = rootAfter(MOVES);
  expect(rootOnWay(root, end)?.san).toBe("e5");
  expect(rootOnWay(root, tree.root)).toBeNull();
  expect(rootIn(root, tree, tree.root)?.san).toBe("e5");
  expect(rootIn(rootAfter(["d2d4"]), tree, end)).toBeNull();
});

test("a root that another order of moves has reached is found on the way", () => {
  const { tree, end } = game("g1f3 g8f6 d2d4");
  expect(rootIn(rootAfter(["d2d4", "g8f6", "g1f3"]), tree, end)?.san).toBe("d4");
});
