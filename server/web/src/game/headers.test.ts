import { expect, test } from "vitest";
import { loadLater, text } from "../language/catalogue";
import { type EditedTag, editHeaders, knownValues, resultOf, shownTag } from "./headers";
import { readGames, writeGame } from "./pgn";
import type { GameTree } from "./tree";
import { GameTree as Tree } from "./tree";

const MATE = "1. f3 e5 2. g4 Qh4#";

function opened(pgn: string): GameTree {
  const [game] = readGames(pgn);
  if (!game) throw new Error("not read");
  return game.open();
}

function edited(tree: GameTree, values: Partial<Record<EditedTag, string>>) {
  return editHeaders(tree, new Map(Object.entries(values) as [EditedTag, string][]));
}

test.each([
  ["2026", "2026.??.??"],
  ["2026-11", "2026.11.??"],
  ["2026/1/5", "2026.01.05"],
  ["5.1.2026", "2026.01.05"],
  ["29.2.2024", "2024.02.29"],
  ["", "????.??.??"],
])("a date is written as PGN has it: %s", (text, written) => {
  const tree = new Tree(undefined, [["Date", "1999.12.31"]]);
  expect(edited(tree, { Date: text }).headers.get("Date")).toBe(written);
});

await loadLater();

test.each<[EditedTag, string, string]>([
  ["Date", "29.2.2023", "the month has no day 29"],
  ["Date", "2026.13.01", "there is no month 13"],
  ["Date", "5/1/2026", "write a date"],
  ["WhiteElo", "strong", "a rating is a number"],
  ["BlackElo", "9999", "a rating is a number"],
  ["ECO", "F10", "a code is like B90"],
  ["Result", "1-0", "the game ends by checkmate"],
])("%s cannot be %s", (tag, written, words) => {
  const { faults } = edited(opened(MATE), { [tag]: written });
  const { id = "", variables } = faults.get(tag) ?? {};
  expect(text(id, variables)).toContain(words);
});

test("tags that were not changed stay as they are, and others are removed by emptying them", () => {
  const tree = opened(
    '[Date "1999.??.??"]\n[WhiteElo "about 2000"]\n[ECO "A00"]\n[Board "7"]\n\n1. e4',
  );
  const { headers, faults } = edited(tree, { Date: "1999", WhiteElo: "about 2000", ECO: "" });
  expect(faults.size).toBe(0);
  expect(
    [...headers].filter(([tag]) => !/White$|Black$|Event|Site|Round|Result/.test(tag)),
  ).toEqual([
    ["Date", "1999.??.??"],
    ["WhiteElo", "about 2000"],
    ["Board", "7"],
  ]);
});

test("a game has the seven tags of the standard first, in its order", () => {
  const tree = new Tree(undefined, [
    ["Board", "7"],
    ["Black", 'A "B" \\'],
  ]);
  const tags = writeGame(tree).match(/^\[.*$/gm);
  expect(tags).toEqual([
    '[Event "?"]',
    '[Site "?"]',
    '[Date "????.??.??"]',
    '[Round "?"]',
    '[White "?"]',
    '[Black "A \\"B\\" \\\\"]',
    '[Result "*"]',
    '[Board "7"]',
  ]);
});

test("a game that ends on the board has its result, as long as it ends there", () => {
  const tree = opened(MATE);
  expect(resultOf(tree)).toBe("0-1");
  expect(writeGame(tree)).toMatch(/\[Result "0-1"\][\s\S]* 0-1\s*$/);
  const last = tree.mainline().at(-1);
  if (last) tree.remove(last);
  expect(resultOf(tree)).toBe("*");
});

test("a result that a file states is shown, whatever the position", () => {
  expect(resultOf(opened(`[Result "1-0"]\n\n${MATE} 1-0`))).toBe("1-0");
});

test("the names of a file are offered, the most frequent ones first", () => {
  const games = readGames(
    '[White "A"]\n[Black "B"]\n\n1. e4 *\n\n[White "B"]\n[Black "?"]\n\n1. d4 *',
  );
  expect(knownValues(games, ["White", "Black"])).toEqual(["B", "A"]);
});

test("a value that is unknown is shown as nothing", () => {
  expect(shownTag(new Map([["Date", "????.??.??"]]), "Date")).toBe("");
});
