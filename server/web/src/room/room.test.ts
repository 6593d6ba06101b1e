import { beforeEach, expect, test } from "vitest";
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

test("another first position is another game", () => {
  const overheard = new Overheard();
  const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const said = overheard.hear(`position fen ${fen} moves e2e4`);
  expect(said).toMatchObject({ kind: "position", tree: { root: { fen } }, node: { san: "e4" } });
});
