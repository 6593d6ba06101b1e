/** Files that players have tried, as the page shows them: the table is what is right. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { coverageOf } from "../analysis/review";
import { scoreText } from "../analysis/score";
import { text } from "../language/catalogue";
import { clockAt, commentOn, drawingsOn, shownNags, timeSpent } from "./annotation";
import { readText } from "./encoding";
import { readPositions } from "./epd";
import { glyphsOf } from "./glyph";
import { readPasted } from "./import";
import { readGames, writeSharedGame } from "./pgn";
import { refusal } from "./refusal.testing";
import { type GameNode, type GameTree, titleOf } from "./tree";

const FOLDERS = ["page", "pgn"].map(
  (name) => new URL(`../../../../tests/data/${name}/`, import.meta.url),
);

function textOf(name: string): string {
  for (const folder of FOLDERS) {
    try {
      return readText(readFileSync(new URL(name, folder))).text;
    } catch {}
  }
  throw new Error(`there is no file ${name}`);
}

function treesOf(text: string): GameTree[] {
  const pasted = readPasted(text.trim());
  return pasted ? [pasted.tree] : readGames(readPositions(text) ?? text).map((game) => game.open());
}

/** Return a position with what is shown of it: move, glyphs, score, times, drawings, comment. */
function shown(node: GameNode): string {
  const clock = node.parent && clockAt(node, node.parent.turn);
  const spent = timeSpent(node);
  const score = node.verdict && node.verdict.depth !== 0 ? scoreText(node.verdict.score) : "";
  const parts = [
    node.san + glyphsOf(shownNags(node)).signs,
    score && `(${score})`,
    clock === null ? "" : `clock ${clock}`,
    spent === null ? "" : `in ${spent} s`,
    drawingsOn(node).length ? `${drawingsOn(node).length} drawn` : "",
    commentOn(node) && `“${commentOn(node)}”`,
  ];
  return parts.filter(Boolean).join(" ");
}

const nodesOf = (tree: GameTree) => tree.mainline().map(shown).filter(Boolean).join(", ");

const noteOf = ({ note }: GameTree) => (note ? text(note.id, note.variables) : "");

test.each([
  [
    "bogus_castling_right.fen",
    [
      "Castling q is left out: king and rook do not stand for it in chess. If it is Chess960, choose that in “Set up”.",
    ],
  ],
  ["chesscom_arrows.pgn", ["e4 in 1.7 s 2 drawn, c5 in 2.5 s, Nf3 1 drawn"]],
  ["clocks_without_names.pgn", ["d4 clock 600, Nf6 clock 598, c4 clock 590"]],
  ["cp1251.pgn", ["e4 “Хороший ход”, e5, Nf3"]],
  [
    "engine_match_cutechess.pgn",
    [
      "b4, b5, d4, d5, c3 (+0.16) in 0.074 s, Nd6 (+0.33) in 0.072 s, Nd3 (+0.21) in 0.026 s, " +
        "Ne6 (+0.24) in 0.047 s, Ne3 (+0.13) in 0.084 s, O-O (+0.15) in 0.064 s, O-O (+0.06) in 0.062 s",
    ],
  ],
  ["fen_tag_semicolon.pgn", ["e4, e5"]],
  ["nag_14_15.pgn", ["e4+=, e5=+, Nf3 only, Nc6 better"]],
  ["same_fen_history_a.pgn", ["e4, Nf6, Qh5, Nxh5, Be2, Nf6, Bf1, Nh5, Be2, Nf6, Bf1, Nh5"]],
  ["same_fen_history_b.pgn", ["e4, Nf6, Qh5, Nxh5, Nc3, Nf6, Nb1, Ng8, Nf3, Nf6, Ng1, Nh5"]],
  ["single_eval.pgn", ["e4, e5, Nf3, Nc6, Bc4 (+0.21), Bc5, Bxf7+, Kxf7"]],
  [
    "study_position_chapters.pgn",
    ["2 drawn “Intro”, e4, c5!?", "1 drawn “Who has the opposition?”", "d4, d5"],
  ],
  ["utf16_bom.pgn", ["e4 “schön”, e5, Nf3"]],
])("%s", (name, games) => {
  const trees = treesOf(textOf(name));
  expect(trees.map((tree) => nodesOf(tree) || noteOf(tree))).toEqual(games);
  for (const tree of trees) {
    const again = treesOf(writeSharedGame(tree));
    expect(again.map(nodesOf)).toEqual([nodesOf(tree)]);
    expect(again.map(titleOf)).toEqual([titleOf(tree)]);
    expect(again.map(({ chess960 }) => chess960)).toEqual([tree.chess960]);
  }
});

test("lichess_analysed_again.pgn is a report with mistakes to practise", () => {
  const [tree] = treesOf(textOf("lichess_analysed_again.pgn")) as [GameTree];
  expect(coverageOf(tree).isReport).toBe(true);
  const judged = tree.mainline().filter(({ judgement }) => judgement);
  expect(judged.map(({ san, judgement }) => `${san} ${judgement}`)).toEqual([
    "Nf3 inaccuracy",
    "e5 blunder",
    "h3 mistake",
    "Nxe5 blunder",
  ]);
  const better = judged.map(({ parent }) => parent?.verdict?.best ?? "none");
  expect(better).toEqual(["b1c3", "b8c6", "b1c3", "none"]);
});

test("nested_variations.pgn keeps all its moves and words", () => {
  const [tree] = treesOf(textOf("nested_variations.pgn")) as [GameTree];
  const all = (of: GameTree) => [...of.nodes()].map(shown);
  expect(all(tree)).toHaveLength(81);
  expect(all(tree)).toContain("Qf3+± “The Fried Liver”");
  expect(treesOf(writeSharedGame(tree)).map(all)).toEqual([all(tree)]);
});

test("empty.pgn is no game", () => {
  expect(refusal(() => treesOf(textOf("empty.pgn")))).toMatch("no game or position found");
});

const lines = textOf("pasted_lines.txt").trim().split("\n").slice(1);

test.each(lines.map((line) => line.split("\t") as [string, string]))("%s: %s", (line, meaning) => {
  const [, count] = /(\d) moves/.exec(meaning) ?? [];
  if (meaning.startsWith("message"))
    expect(refusal(() => treesOf(line))).toMatch("its FEN is missing");
  else
    expect(treesOf(line)[0]?.root.line()).toHaveLength(
      Number(count ?? (line.endsWith("g1f3") ? 3 : 0)),
    );
});
