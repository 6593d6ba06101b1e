import { expect, test, vi } from "vitest";
import { PgnGame, readGames, writeGame } from "../game/pgn";
import { GameSync, type Outgoing } from "./sync";

/** Return a game of knights that go to and fro, with a comment and a variation. */
function longGame(plies = 60) {
  const moves = Array.from({ length: plies / 2 }, (_, at) => (at % 2 ? "Ng1 Ng8" : "Nf3 Nf6"));
  const text = moves.map((each, at) => `${at + 1}. ${each}`).join(" ");
  const [game] = readGames(`${text} {[%eval 0.1,20]} ({first} 1... e5) *`);
  return (game as PgnGame).open();
}

const textOf = (out: Outgoing | null) => (out?.type === "text" ? out.text : "");

test("a page that writes alone reads no game, and others have what it wrote", () => {
  const tree = longGame();
  const [writer, reader] = [new GameSync(), new GameSync()];
  writer.receive(0, '""');
  const first = writer.next(tree, () => "id");
  writer.onWritten(1);
  const board = reader.receive(1, textOf(first));
  const open = vi.spyOn(PgnGame.prototype, "open");
  let last = first;
  for (let version = 1; version < 4; version++) {
    const node = tree.mainline()[version * 10];
    if (node) node.comments = [`number ${version}`];
    last = writer.next(tree, () => "id");
    writer.onWritten(version + 1);
    expect(writer.next(tree, () => "id")).toBeNull();
  }
  expect(open).not.toHaveBeenCalled();
  expect(reader.receive(4, textOf(last))).toEqual({ type: "changed" });
  expect(open).toHaveBeenCalledTimes(1);
  open.mockRestore();
  expect(board.type === "replaced" && writeGame(board.tree)).toBe(writeGame(tree));
});

test("what only the writer's own analysis knows is not lost when another writes", () => {
  const [writer, other] = [new GameSync(), new GameSync()];
  const tree = longGame();
  writer.receive(0, '""');
  const first = writer.next(tree, () => "id");
  writer.onWritten(1);
  const board = other.receive(1, textOf(first));
  const [, node, next] = tree.mainline();
  if (node) node.verdict = { score: { kind: "cp", value: 20 }, depth: 20, best: "g8f6" };
  const second = writer.next(tree, () => "id");
  writer.onWritten(2);
  other.receive(2, textOf(second));
  const theirs = board.type === "replaced" ? board.tree : tree;
  const [, , same] = theirs.mainline();
  if (same) same.comments = ["theirs"];
  writer.receive(3, textOf(other.next(theirs, () => "id")));
  expect(next?.comments).toEqual(["theirs"]);
  expect(node?.verdict?.best).toBe("g8f6");
});

test("what a server has not taken is sent again", () => {
  const tree = longGame();
  const sync = new GameSync();
  sync.receive(0, '""');
  sync.next(tree, () => "id");
  sync.onWritten(1);
  tree.root.comments = ["once more"];
  const lost = sync.next(tree, () => "id");
  sync.forgetSent();
  expect(sync.next(tree, () => "id")).toEqual(lost);
});

test("a game that is deeper than a recursion is compared and sent", { timeout: 20_000 }, () => {
  const tree = longGame(3000);
  const sync = new GameSync();
  sync.receive(0, '""');
  sync.next(tree, () => "id");
  sync.onWritten(1);
  expect(sync.next(tree, () => "id")).toBeNull();
  tree.root.comments = ["a change"];
  expect(textOf(sync.next(tree, () => "id"))).toContain("a change");
});
