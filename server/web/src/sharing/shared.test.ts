import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { type GameNode, GameTree } from "../game/tree";
import { ServiceError } from "../service";
import { problemOf } from "../uci/notice";
import { sharedIn } from "./client";
import { Shared } from "./shared";

const GAME = { id: "abc", title: "A game", pgn: "1. e4 {good} e5 *" };

class Board {
  readonly tree = signal(new GameTree());
  readonly node = signal<GameNode>(this.tree.peek().root);
  restored = 0;

  load(tree: GameTree, node: GameNode = tree.root): void {
    this.tree.value = tree;
    this.node.value = node;
  }

  restore(): void {
    this.restored++;
  }
}

async function shown(read = async () => GAME) {
  const board = new Board();
  const shared = new Shared(board, read);
  expect(shared.openAddress("#game=abc")).toBe(true);
  await Promise.resolve();
  await Promise.resolve();
  return { board, shared };
}

test("only the address of a shared game names one", () => {
  expect(sharedIn("#game=aB-_9")).toBe("aB-_9");
  for (const each of ["", "#game=", "#game=a/b", "#moves=e2e4", "#room=abc"]) {
    expect(sharedIn(each)).toBeNull();
  }
});

test("a shared game is on the board under its own address, until another game is", async () => {
  const { board, shared } = await shown();
  expect(board.tree.value.root.children[0]?.san).toBe("e4");
  expect(shared.hash).toBe("game=abc");
  board.load(new GameTree());
  expect(shared.isShown.value).toBe(false);
  expect(shared.hash).toBeNull();
});

test("a copy is another game, at the same position", async () => {
  const { board, shared } = await shown();
  const tree = board.tree.value;
  board.node.value = tree.root.children[0] as GameNode;
  shared.copy();
  expect(board.tree.value).not.toBe(tree);
  expect(board.node.value.san).toBe("e4");
  expect(board.node.value.comments).toEqual(["good"]);
  expect(shared.isShown.value).toBe(false);
});

test("a game that is not there is a problem, from which the board of before is reached", async () => {
  const problem = problemOf("service", "gone");
  const { board, shared } = await shown(async () => {
    throw new ServiceError(problem, 404);
  });
  expect(shared.problem.value).toBe(problem);
  expect(shared.hash).toBe("game=abc");
  shared.leave();
  expect(shared.problem.value).toBeNull();
  expect(board.restored).toBe(1);
});

test("a game that comes after another one was opened is not shown", async () => {
  const board = new Board();
  let answer: (game: typeof GAME) => void = () => {};
  const shared = new Shared(board, () => new Promise((resolve) => (answer = resolve)));
  shared.openAddress("#game=abc");
  const own = new GameTree();
  board.load(own);
  answer(GAME);
  await Promise.resolve();
  await Promise.resolve();
  expect(board.tree.value).toBe(own);
});
