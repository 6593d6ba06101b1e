import { expect, test } from "vitest";
import { parseLine } from "./line";
import { isValidValue, parseOption, setOption } from "./option";

const info = (line: string) => {
  const parsed = parseLine(line);
  return parsed?.type === "info" ? parsed.info : null;
};

test("an info line is read whole", () => {
  const line =
    "info depth 12 seldepth 18 multipv 2 score cp -31 wdl 10 950 40 nodes 12345 nps 99 hashfull 7 tbhits 1 time 125 pv e7e5 g1f3";
  expect(info(line)).toEqual({
    depth: 12,
    seldepth: 18,
    multipv: 2,
    score: { kind: "cp", value: -31 },
    bound: "exact",
    wdl: [10, 950, 40],
    nodes: 12345,
    nps: 99,
    hashfull: 7,
    tbhits: 1,
    time: 125,
    pv: ["e7e5", "g1f3"],
  });
});

test.each([
  ["info score mate -3 pv e1e2", { kind: "mate", value: -3 }, "exact"],
  ["info score cp 20 lowerbound pv e1e2", { kind: "cp", value: 20 }, "lower"],
  ["info score upperbound cp 20 pv e1e2", { kind: "cp", value: 20 }, "upper"],
])("a score with its bound: %s", (line, score, bound) => {
  expect(info(line)).toMatchObject({ score, bound });
});

test("words without sense are skipped, and the rest is read", () => {
  expect(info("info depth x nodes 5 nonsense pv e2e4 <script> d2d4")).toEqual({
    multipv: 1,
    nodes: 5,
    pv: ["e2e4"],
  });
});

test("the words after string are text, whatever they are", () => {
  expect(info("info string depth 3 <b>")).toEqual({ multipv: 1, text: "depth 3 <b>" });
});

test("the server's own lines are notices", () => {
  expect(parseLine("info string rookery waiting: you are number 2 of 3")).toEqual({
    type: "notice",
    notice: { code: "waiting", text: "you are number 2 of 3" },
  });
});

test.each([
  ["bestmove e2e4 ponder e7e5", "e2e4", "e7e5"],
  ["bestmove (none)", null, null],
  ["bestmove 0000", null, null],
  ["bestmove a7a8q", "a7a8q", null],
])("%s", (line, move, ponder) => {
  expect(parseLine(line)).toEqual({ type: "bestmove", move, ponder });
});

test.each([
  [
    "option name Skill Level type spin default 20 min 0 max 20",
    { type: "spin", name: "Skill Level", initial: "20", min: 0, max: 20 },
  ],
  [
    "option name Style type combo default Very Solid var Very Solid var Wild",
    { type: "combo", name: "Style", initial: "Very Solid", vars: ["Very Solid", "Wild"] },
  ],
  ["option name Clear Hash type button", { type: "button", name: "Clear Hash", initial: "" }],
  [
    "option name Ponder type check default false",
    { type: "check", name: "Ponder", initial: "false" },
  ],
  ["option name Log type string default <empty>", { type: "string", name: "Log", initial: "" }],
  ["option name Log type string default", { type: "string", name: "Log", initial: "" }],
  ["option name Odd type spin default 1", null],
  ["option name Odd type thing", null],
  ["option name  type spin default 1 min 0 max 2", null],
  ["options name Odd type check", null],
  [`option name${" ".repeat(65_000)}x`, null],
  [`option name x${" type ".repeat(10_000)}`, null],
])("%s", (line, option) => {
  expect(parseOption(line)).toEqual(option);
});

test("only valid values of an option are accepted", () => {
  const spin = parseOption("option name Hash type spin default 16 min 1 max 64");
  const combo = parseOption("option name A type combo default x var x var y");
  if (!spin || !combo) throw new Error("not read");
  expect(["1", "64"].every((value) => isValidValue(spin, value))).toBe(true);
  expect(["0", "65", "1.5", "", "1e1"].some((value) => isValidValue(spin, value))).toBe(false);
  expect([isValidValue(combo, "y"), isValidValue(combo, "z")]).toEqual([true, false]);
});

test("an empty text is sent as UCI has it", () => {
  expect(setOption("Log", "")).toBe("setoption name Log value <empty>");
  expect(setOption("Clear Hash")).toBe("setoption name Clear Hash");
});
