import { expect, test } from "vitest";
import { commentOn, drawingsOn, setDrawings } from "./annotation";
import { type PgnGame, readGames, writeGame } from "./pgn";
import type { GameNode } from "./tree";

const read = (text: string) => {
  const tree = (readGames(text)[0] as PgnGame).open();
  return { tree, node: tree.root.children[0] as GameNode };
};
const shown = (node: GameNode) => drawingsOn(node).map(({ color, from, to }) => [color, from, to]);

const ARROW = "[%c_arrow e2e4;keyPressed;none;from;e2;opacity;0.8;to;e4,g1f3;keyPressed;shift]";
const SQUARES = "[%c_highlight e4;color;#eb6150,d5;keyPressed;alt;opacity;0.8;square;d5]";
const EFFECT = "[%c_effect e5;square;e5;type;BestMove;persistent;true,a1;square;a1;type;Winner?]";
const ALL = [
  ["yellow", 12, 28],
  ["green", 6, 21],
  ["red", 28, 28],
  ["blue", 35, 35],
  ["green", 36, 36],
  ["green", 0, 0],
];

test.each([
  `1. e4 {[%timestamp 17] ${ARROW} ${SQUARES} ${EFFECT} fine} *`,
  `1. e4 ${ARROW} ${SQUARES} ${EFFECT} {fine} *`,
])("Chess.com's drawings are shown, and written as they were: %#", (text) => {
  const { tree, node } = read(text);
  expect(shown(node)).toEqual(ALL);
  expect(commentOn(node)).toBe("fine");
  const written = writeGame(tree);
  for (const each of [ARROW, SQUARES, EFFECT]) expect(written).toContain(each);
});

test("drawings that were changed are written as [%cal] and [%csl]", () => {
  const { tree, node } = read(`1. e4 {${ARROW} fine} {${SQUARES} [%clk 0:01:00]} *`);
  setDrawings(node, [{ color: "red", from: 12, to: 28 }]);
  expect(writeGame(tree)).toContain("1. e4 { fine [%cal Re2e4] } { [%clk 0:01:00] } *");
  expect(shown(node)).toEqual([["red", 12, 28]]);
});
