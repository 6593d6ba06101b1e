import { expect, test } from "vitest";
import { GameTree } from "../game/tree";
import { cueOf, type Moment } from "./cue";

const MATE = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7".split(" ");
const tree = new GameTree();
tree.playAll(tree.root, MATE);
tree.playAll(tree.root, "e2e4 d7d5 e4d5 d8d5 b1c3 d5e5".split(" "));
const line = tree.mainline();
const moment = (node = tree.root, more: Partial<Moment> = {}): Moment => ({
  node,
  isOver: false,
  left: null,
  ...more,
});
const step = (moves: string) => {
  const node = tree.playAll(tree.root, moves.split(" "));
  return cueOf(moment(node.parent ?? node), moment(node));
};

test("moves forward are heard, by their kind", () => {
  expect(step("e2e4")).toBe("move");
  expect(step("e2e4 d7d5 e4d5")).toBe("capture");
  expect(step("e2e4 d7d5 e4d5 d8d5 b1c3 d5e5")).toBe("check");
  expect(step(MATE.join(" "))).toBe("end");
});

test("a step back, a jump and another game are silent", () => {
  const [first, second, third] = line.slice(1);
  expect(cueOf(moment(second), moment(first))).toBeNull();
  expect(cueOf(moment(first), moment(third))).toBeNull();
  expect(cueOf(moment(first), moment(new GameTree().root))).toBeNull();
});

test("the end of a game is heard once", () => {
  const [before, mate] = line.slice(-2);
  expect(cueOf(moment(mate), moment(mate, { isOver: true }))).toBeNull();
  expect(cueOf(moment(before), moment(mate, { isOver: true }))).toBe("end");
  expect(cueOf(moment(before), moment(before, { isOver: true }))).toBe("end");
  expect(cueOf(moment(before, { isOver: true }), moment(before, { isOver: true }))).toBeNull();
});

test("little time is heard when it begins", () => {
  const at = (left: number | null) => moment(tree.root, { left });
  expect(cueOf(at(20_000), at(19_900))).toBe("low");
  expect(cueOf(at(19_900), at(19_800))).toBeNull();
  expect(cueOf(at(null), at(10_000))).toBeNull();
});
