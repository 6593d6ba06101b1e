import { beforeEach, expect, test } from "vitest";
import { readGames } from "../game/pgn";
import { GameTree } from "../game/tree";
import { Overheard } from "./overheard";
import { Room } from "./room";

let said: string[];
let controls: boolean[];
let lines: string[];
let room: Room;
const hear = (...all: string[]) => {
  for (const line of all) room.hear(`rookery room ${line}`);
};
const spoken = () => said.splice(0);

beforeEach(() => {
  [said, controls, lines] = [[], [], []];
  room = new Room({
    say: (line) => said.push(line),
    said: (line) => lines.push(line),
    control: (isOurs) => controls.push(isOurs),
    declined: () => {},
  });
});

test("the owner asks who watches whenever the number has changed, and no more", () => {
  room.open();
  hear("open aUbM", "control owner", "watching 0");
  expect(spoken()).toEqual(["rookery room open"]);
  expect(room.name.value).toBe("aUbM");
  hear("watching 1");
  expect(spoken()).toEqual(["rookery room list"]);
  hear("watcher 1 ann", "watching 1");
  expect(spoken()).toEqual([]);
  expect(room.watchers.value).toEqual([{ id: "1", account: "ann" }]);
});

test("control goes to one who watches and back", () => {
  hear("open aUbM", "control owner", "watching 0");
  expect(room.hasControl.value).toBe(true);
  room.hand("1");
  hear("offer 1");
  expect(room.offered.value).toBe("1");
  hear("control 1");
  expect(room.hasControl.value).toBe(false);
  expect(room.offered.value).toBeNull();
  room.take();
  hear("control owner");
  expect(controls).toEqual([true, false, true]);
  expect(spoken()).toEqual(["rookery room hand 1", "rookery room take"]);
});

test("who watches has no control until it is taken", () => {
  room.reset("aUbM");
  expect(room.hasControl.value).toBe(false);
  hear("watch 2", "control owner", "watching 2");
  expect(room.isOwner.value).toBe(false);
  expect(room.hasControl.value).toBe(false);
  expect(spoken()).toEqual([]);
  hear("offer 2");
  room.accept();
  hear("control 2");
  expect(room.hasControl.value).toBe(true);
  room.giveBack();
  expect(spoken()).toEqual(["rookery room accept", "rookery room return"]);
});

test("a room that is closed leaves nothing behind", () => {
  hear("open aUbM", "control 3", "watching 0", "close");
  expect(room.name.value).toBeNull();
  expect(room.hasControl.value).toBe(true);
});

test("what the engine is told becomes positions and searches", () => {
  const overheard = new Overheard();
  expect(overheard.hear("setoption name MultiPV value 3")).toEqual({
    kind: "option",
    name: "MultiPV",
    value: "3",
  });
  const first = overheard.hear("position startpos moves e2e4");
  const second = overheard.hear("position startpos moves e2e4 c7c5");
  expect(second).toMatchObject({ kind: "position", node: { san: "c5" } });
  expect(first?.kind === "position" && second?.kind === "position" && first.tree).toBe(
    second?.kind === "position" && second.tree,
  );
  expect(overheard.hear("go infinite")).toMatchObject({
    kind: "go",
    wish: { moves: ["e2e4", "c7c5"], turn: "white" },
  });
  expect(overheard.hear("stop")).toBeNull();
});

test("the game on the board goes on, with all that is in it", () => {
  const [board] = readGames('[White "Ann"]\n\n1. e4 {mine} e5 (1... c5) 2. Nf3 *');
  const tree = board?.open() as GameTree;
  const overheard = new Overheard();
  const hear = (moves: string) => overheard.hear(`position startpos moves ${moves}`, tree);
  expect(hear("e2e4 e7e5")).toMatchObject({ tree, node: { san: "e5" }, isNew: false });
  hear("e2e4 e7e5 g1f3 b8c6");
  expect(hear("d2d4")).toMatchObject({ tree, node: { san: "d4" } });
  const line = tree.root.line();
  expect(line.map(({ san }) => san)).toEqual(["e4", "e5", "Nf3", "Nc6"]);
  expect(line[0]?.comments).toEqual(["mine"]);
  expect(tree.root.children.map(({ san }) => san)).toEqual(["e4", "d4"]);
  expect(line[0]?.children.map(({ san }) => san)).toEqual(["e5", "c5"]);
});

test("a game that was left for another is come back to", () => {
  const tree = new GameTree();
  const overheard = new Overheard();
  overheard.hear("position startpos moves e2e4", tree);
  const other = overheard.hear("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", tree);
  expect(other).toMatchObject({ isNew: true });
  const board = other?.kind === "position" ? other.tree : null;
  expect(overheard.hear("position startpos moves d2d4", board)).toMatchObject({
    isNew: false,
    tree,
  });
  expect(tree.root.children).toHaveLength(2);
});

test("a game goes on behind a null move, after which an engine hears the position alone", () => {
  const [game] = readGames("1. e4 -- 2. d4 *");
  const tree = game?.open() as GameTree;
  const [, pass] = tree.root.line();
  const said = new Overheard().hear(`position fen ${pass?.fen} moves g1f3`, tree);
  expect(said).toMatchObject({ tree, node: { san: "Nf3", parent: pass } });
});

test("which castling is meant is not taken from what was said before control was here", () => {
  const tree = new GameTree(undefined, [], true);
  const overheard = new Overheard();
  overheard.hear("setoption name UCI_Chess960 value false");
  expect(overheard.hear("position startpos", tree)).toMatchObject({ isNew: true });
  overheard.miss();
  expect(overheard.hear("position startpos", tree)).toMatchObject({ tree, isNew: false });
});

test("another first position is another game", () => {
  const overheard = new Overheard();
  const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const said = overheard.hear(`position fen ${fen} moves e2e4`);
  expect(said).toMatchObject({ kind: "position", tree: { root: { fen } }, node: { san: "e4" } });
});

test("after a command beyond UCI a search is of a position that nobody knows", () => {
  const overheard = new Overheard();
  overheard.hear("position startpos moves e2e4");
  expect(overheard.hear("d")).toBeNull();
  expect(overheard.hear("go infinite")).toMatchObject({ kind: "go" });
  expect(overheard.hear("flip")).toBeNull();
  expect(overheard.hear("go infinite")).toBeNull();
  overheard.hear("position startpos");
  expect(overheard.hear("go infinite")).toMatchObject({ kind: "go" });
});
