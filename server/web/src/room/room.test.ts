import { beforeEach, expect, test } from "vitest";
import { readGames } from "../game/pgn";
import { Study } from "../game/study";
import { GameTree } from "../game/tree";
import { Toasts } from "../toasts";
import { CommandObserver } from "./observer";
import { Room, type RoomEvent } from "./room";

let events: RoomEvent[];
let room: Room;
const receive = (...all: string[]) => {
  for (const line of all) room.receive(`rookery room ${line}`);
};
const sent = () => events.splice(0).flatMap((each) => (each.type === "send" ? each.line : []));

beforeEach(() => {
  events = [];
  const toasts = new Toasts();
  const study = new Study({ toasts, onMove: () => {}, onRearrange: () => {}, hash: () => null });
  room = new Room(study, toasts, (event) => events.push(event));
});

test("the owner requests the viewers when their number has changed, and not otherwise", () => {
  room.open();
  receive("open aUbM", "control owner", "watching 0");
  expect(sent()).toEqual(["rookery room open", "rookery room follow"]);
  expect(room.name.value).toBe("aUbM");
  receive("watching 1");
  expect(sent()).toEqual(["rookery room list"]);
  receive("watcher 1 ann", "watching 1");
  expect(sent()).toEqual([]);
  expect(room.viewers.value).toEqual([{ id: "1", account: "ann" }]);
});

test("control goes to a viewer and back", () => {
  receive("open aUbM", "control owner", "watching 0");
  expect(sent()).toEqual(["rookery room follow"]);
  expect(room.hasControl.value).toBe(true);
  room.offerControl("1");
  receive("offer 1");
  expect(room.offered.value).toBe("1");
  receive("control 1");
  expect(room.hasControl.value).toBe(false);
  expect(room.offered.value).toBeNull();
  room.takeControl();
  receive("control owner");
  expect(sent()).toEqual(["rookery room hand 1", "rookery room take"]);
});

test("a viewer has no control until it accepts it", () => {
  room.reset("aUbM");
  expect(room.hasControl.value).toBe(false);
  receive("watch 2", "control owner", "watching 2");
  expect(room.isOwner.value).toBe(false);
  expect(room.hasControl.value).toBe(false);
  expect(sent()).toEqual(["rookery room follow"]);
  receive("offer 2");
  room.acceptControl();
  receive("control 2");
  expect(room.hasControl.value).toBe(true);
  room.returnControl();
  expect(sent()).toEqual(["rookery room accept", "rookery room return"]);
});

test("a closed room is forgotten", () => {
  receive("open aUbM", "control 3", "watching 0", "close");
  expect(room.name.value).toBeNull();
  expect(room.hasControl.value).toBe(true);
});

test("commands to the engine become positions and searches", () => {
  const observer = new CommandObserver();
  expect(observer.observe("setoption name MultiPV value 3")).toEqual({
    type: "option",
    name: "MultiPV",
    value: "3",
  });
  const first = observer.observe("position startpos moves e2e4");
  const second = observer.observe("position startpos moves e2e4 c7c5");
  expect(second).toMatchObject({ type: "position", node: { san: "c5" } });
  expect(first?.type === "position" && second?.type === "position" && first.tree).toBe(
    second?.type === "position" && second.tree,
  );
  expect(observer.observe("go infinite")).toMatchObject({
    type: "go",
    request: { moves: ["e2e4", "c7c5"], turn: "white" },
  });
  expect(observer.observe("stop")).toBeNull();
});

test("the game on the board continues, with all that is in it", () => {
  const [board] = readGames('[White "Ann"]\n\n1. e4 {mine} e5 (1... c5) 2. Nf3 *');
  const tree = board?.open() as GameTree;
  const observer = new CommandObserver();
  const observe = (moves: string) => observer.observe(`position startpos moves ${moves}`, tree);
  expect(observe("e2e4 e7e5")).toMatchObject({ tree, node: { san: "e5" }, isNew: false });
  observe("e2e4 e7e5 g1f3 b8c6");
  expect(observe("d2d4")).toMatchObject({ tree, node: { san: "d4" } });
  const line = tree.root.line();
  expect(line.map(({ san }) => san)).toEqual(["e4", "e5", "Nf3", "Nc6"]);
  expect(line[0]?.comments).toEqual(["mine"]);
  expect(tree.root.children.map(({ san }) => san)).toEqual(["e4", "d4"]);
  expect(line[0]?.children.map(({ san }) => san)).toEqual(["e5", "c5"]);
});

test("a game that was left for another one is recognized again", () => {
  const tree = new GameTree();
  const observer = new CommandObserver();
  observer.observe("position startpos moves e2e4", tree);
  const other = observer.observe("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", tree);
  expect(other).toMatchObject({ isNew: true });
  const board = other?.type === "position" ? other.tree : null;
  expect(observer.observe("position startpos moves d2d4", board)).toMatchObject({
    isNew: false,
    tree,
  });
  expect(tree.root.children).toHaveLength(2);
});

test("a game continues after a null move, where engines get the position alone", () => {
  const [game] = readGames("1. e4 -- 2. d4 *");
  const tree = game?.open() as GameTree;
  const [, pass] = tree.root.line();
  const said = new CommandObserver().observe(`position fen ${pass?.fen} moves g1f3`, tree);
  expect(said).toMatchObject({ tree, node: { san: "Nf3", parent: pass } });
});

test("the castling rules are not those from before this page had control", () => {
  const tree = new GameTree(undefined, [], true);
  const observer = new CommandObserver();
  observer.observe("setoption name UCI_Chess960 value false");
  expect(observer.observe("position startpos", tree)).toMatchObject({ isNew: true });
  observer.forgetChess960();
  expect(observer.observe("position startpos", tree)).toMatchObject({ tree, isNew: false });
});

test("another first position is another game", () => {
  const observer = new CommandObserver();
  const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const said = observer.observe(`position fen ${fen} moves e2e4`);
  expect(said).toMatchObject({ type: "position", tree: { root: { fen } }, node: { san: "e4" } });
});

test("the position of a search is unknown after a command that is not UCI", () => {
  const observer = new CommandObserver();
  observer.observe("position startpos moves e2e4");
  expect(observer.observe("d")).toBeNull();
  expect(observer.observe("go infinite")).toMatchObject({ type: "go" });
  expect(observer.observe("flip")).toBeNull();
  expect(observer.observe("go infinite")).toBeNull();
  observer.observe("position startpos");
  expect(observer.observe("go infinite")).toMatchObject({ type: "go" });
});
