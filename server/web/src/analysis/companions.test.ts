import { expect, test } from "vitest";
import type { Findings } from "../engine/findings";
import { disagreement } from "./companions";

function findings(move: string, cp: number, depth = 12, key = "p"): Findings {
  const score = { kind: "cp", value: cp } as const;
  const line = {
    rank: 1,
    score,
    bound: "exact",
    depth,
    seldepth: 0,
    pv: [move],
    wdl: null,
  } as const;
  const figures = { nodes: 1, nps: 1, hashfull: null, tbhits: 0, currmove: null, isOver: false };
  return { fen: "", key, lines: [line], depth, ...figures };
}

test.each([
  ["the same", findings("e2e4", 30), null],
  ["nearly the same", findings("e2e4", 60), null],
  ["another move", findings("d2d4", 30), "move"],
  ["another opinion", findings("e2e4", 300), "score"],
  ["too shallow", findings("d2d4", 30, 5), null],
  ["of another position", findings("d2d4", 30, 12, "q"), null],
  ["nothing", null, null],
])("an engine that finds %s", (_, other, expected) => {
  expect(disagreement(findings("e2e4", 25), other)).toBe(expected);
});
