import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GameTree } from "../game/tree";
import { namesIn, openingOf } from "./openings";

const names = namesIn(readFileSync(new URL("./openings.txt", import.meta.url), "utf8"));

function nameAfter(moves: string): string | undefined {
  const tree = new GameTree();
  return openingOf(tree.playAll(tree.root, moves.split(" ")), names)?.name;
}

test("the whole list is read", () => {
  expect(names.size).toBeGreaterThan(3700);
});

test.each([
  ["e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6", "Sicilian Defense: Najdorf Variation"],
  ["d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 g1f3", "Queen's Gambit Declined: Three Knights Variation"],
  ["g1f3 d7d5 d2d4 g8f6 c2c4 e7e6 b1c3", "Queen's Gambit Declined: Three Knights Variation"],
  ["e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 h2h4", "Ruy Lopez: Morphy Defense"],
])("%s is the %s", (moves, name) => {
  expect(nameAfter(moves)).toBe(name);
});

test("an unknown position has no name", () => {
  const tree = new GameTree("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  expect(openingOf(tree.root, names)).toBeNull();
});
