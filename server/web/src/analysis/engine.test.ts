import { beforeEach, expect, test } from "vitest";
import { INFINITE } from "../uci/limits";
import { Engine, type Findings, type Wish } from "./engine";

let said: string[];
let finished: [Wish, Findings | null, string | null][];
let known: Findings[];
let notices: string[];
let engine: Engine;

const wish = (move: string, limits = INFINITE): Wish => ({
  fen: `fen after ${move}`,
  turn: move ? "black" : "white",
  start: "startpos",
  moves: move ? [move] : [],
  chess960: false,
  limits,
});
const quiet = {
  say: () => {},
  introduced: () => {},
  changed: () => {},
  notice: () => {},
  known: () => {},
  finished: () => {},
};
const spoken = () => said.splice(0);

beforeEach(() => {
  said = [];
  finished = [];
  known = [];
  notices = [];
  engine = new Engine({
    ...quiet,
    say: (line) => said.push(line),
    known: (findings) => known.push(findings),
    notice: ({ code }) => notices.push(code),
    finished: (...all) => finished.push(all),
  });
  engine.fresh();
  engine.hear("option name MultiPV type spin default 1 min 1 max 500");
  engine.hear("option name UCI_Chess960 type check default false");
  engine.hear("uciok");
  spoken();
});

test("what is wanted is said right behind uci, without waiting for its answer", () => {
  engine.fresh();
  engine.want(wish("e2e4"));
  const asked = ["position startpos moves e2e4", "go infinite"];
  expect(spoken().filter((line) => !line.startsWith("setoption "))).toEqual(["uci", ...asked]);
  engine.hear("option name MultiPV type spin default 1 min 1 max 500");
  engine.hear("uciok");
  expect(spoken()).toEqual([]);
});

test("nothing is said before there is a session", () => {
  const early = new Engine({ ...quiet, say: (line) => said.push(line) });
  early.set("MultiPV", "3");
  early.want(wish(""));
  expect(spoken()).toEqual([]);
  early.fresh();
  expect(spoken().slice(-3)).toEqual([
    "setoption name MultiPV value 3",
    "position startpos",
    "go infinite",
  ]);
});

test("an engine that lacks what the page would have liked is no news", () => {
  const news: string[] = [];
  const poor = new Engine({ ...quiet, notice: ({ code }) => news.push(code) });
  poor.hear("info string rookery unknown-option: there is no option 'UCI_ShowWDL'");
  poor.hear("info string rookery option-refused: MultiPV is set by the operator");
  poor.hear("info string rookery option-clamped: Hash is 16 here, not 64");
  expect(news).toEqual(["option-clamped"]);
});

test("the next position is asked for without waiting for the answer to stop", () => {
  engine.want(wish(""));
  engine.want(wish("e2e4"));
  expect(spoken()).toEqual([
    "position startpos",
    "go infinite",
    "stop",
    "position startpos moves e2e4",
    "go infinite",
  ]);
});

test("what is found for another position is never shown", () => {
  engine.want(wish(""));
  engine.hear("info depth 9 score cp 30 pv e2e4");
  expect(engine.findings?.depth).toBe(9);
  engine.want(wish("e2e4"));
  expect(engine.findings).toBeNull();
  engine.hear("info depth 10 score cp 30 pv e2e4");
  expect(engine.findings).toBeNull();
  engine.hear("bestmove e2e4");
  engine.hear("info depth 3 score cp 10 pv e7e5");
  expect(engine.findings).toMatchObject({ fen: "fen after e2e4", depth: 3 });
});

test("scores are White's", () => {
  engine.want(wish("e2e4"));
  engine.hear("info depth 3 score cp 10 wdl 100 800 100 pv e7e5");
  expect(engine.findings?.lines[0]).toMatchObject({
    score: { kind: "cp", value: -10 },
    wdl: [100, 800, 100],
  });
});

test("however fast positions change, no more than two searches are owed", () => {
  for (const move of ["", "e2e4", "d2d4", "c2c4", "g1f3"]) engine.want(wish(move));
  expect(spoken().filter((line) => line.startsWith("go"))).toHaveLength(2);
  engine.hear("bestmove e2e4");
  expect(spoken()).toEqual(["stop", "position startpos moves g1f3", "go infinite"]);
  engine.hear("bestmove e7e5");
  engine.hear("info depth 1 score cp 5 pv d7d5");
  expect(engine.findings?.fen).toBe("fen after g1f3");
});

test("a stopped search with another one behind it is not stopped twice", () => {
  engine.want(wish(""));
  engine.want(wish("e2e4"));
  engine.want(null);
  spoken();
  engine.hear("bestmove e2e4");
  expect(spoken()).toEqual(["stop"]);
  engine.hear("bestmove e7e5");
  expect(engine.isSearching).toBe(false);
  expect(finished).toEqual([]);
});

test("a position that is refused is not shown with what the engine searches instead", () => {
  engine.want(wish("e2e4"));
  engine.hear("info string rookery illegal-position: no king");
  engine.hear("info depth 5 score cp 99 pv e2e4");
  expect(engine.findings).toBeNull();
  expect(spoken().at(-1)).toBe("stop");
});

test("a refusal that is said again at its go is not one of the position after it", () => {
  engine.want(wish("e2e4"));
  engine.hear("info string rookery illegal-position: no king");
  engine.want(wish("d2d4"));
  engine.hear("info string rookery illegal-position: nothing is searched: no king");
  engine.hear("bestmove 0000");
  engine.hear("info depth 5 score cp 9 pv d7d5");
  expect(engine.findings?.fen).toBe("fen after d2d4");
});

const MADE_UP = "info string rookery no-search: no engine has searched this";

test("that no engine has searched is told, but not of a search that was stopped", () => {
  engine.want(wish("e2e4"));
  engine.hear(MADE_UP);
  expect(notices).toEqual(["no-search"]);
  engine.want(null);
  engine.hear(MADE_UP);
  expect(notices).toEqual(["no-search"]);
});

test("an option that changes while it searches begins the search anew", () => {
  engine.want(wish(""));
  spoken();
  engine.set("MultiPV", "3");
  expect(spoken()).toEqual([
    "stop",
    "setoption name MultiPV value 3",
    "position startpos",
    "go infinite",
  ]);
  engine.set("MultiPV", "3");
  engine.set("No such option", "1");
  expect(spoken().filter((line) => line.startsWith("setoption"))).toEqual([]);
});

test("what an earlier search had found is told apart from what this one finds", () => {
  engine.want(wish(""));
  engine.hear("info string rookery cached: 2 lines follow, of a search of 2026-11-20: depth 32");
  engine.hear("info depth 32 multipv 1 score cp 28 nodes 0 time 0 pv e2e4");
  engine.hear("info depth 32 multipv 2 score cp 20 nodes 0 time 0 pv d2d4");
  expect(engine.findings).toBeNull();
  expect(known).toMatchObject([{ fen: "fen after ", depth: 32, isOver: true }]);
  expect(known[0]?.lines).toHaveLength(2);
  engine.hear("info depth 1 multipv 1 score cp 5 nodes 20 pv g1f3");
  expect(engine.findings).toMatchObject({ depth: 1, lines: [{ pv: ["g1f3"] }] });
});

test("a search that ends by itself is reported once, with what it found", () => {
  const limited = wish("", { kind: "depth", value: 3 });
  engine.want(limited);
  engine.hear("info depth 3 score cp 20 pv d2d4");
  engine.hear("bestmove d2d4");
  expect(finished).toHaveLength(1);
  expect(finished[0]).toMatchObject([limited, { depth: 3, isOver: true }, "d2d4"]);
  engine.want(wish("", { kind: "depth", value: 3 }));
  expect(spoken().filter((line) => line === "go depth 3")).toHaveLength(1);
});

test("a new session is told everything again", () => {
  engine.set("MultiPV", "2");
  engine.want(wish("e2e4"));
  spoken();
  engine.fresh();
  engine.hear("option name MultiPV type spin default 1 min 1 max 500");
  engine.hear("uciok");
  expect(spoken()).toEqual([
    "uci",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_AnalyseMode value true",
    "setoption name MultiPV value 2",
    "position startpos moves e2e4",
    "go infinite",
  ]);
});

test("what Black has at least, White has at most", () => {
  engine.want(wish("e2e4"));
  engine.hear("info depth 6 score cp 50 lowerbound pv e7e5");
  expect(engine.findings?.lines[0]).toMatchObject({ score: { value: -50 }, bound: "upper" });
  engine.hear("info depth 6 score cp 20 upperbound pv e7e5");
  expect(engine.findings?.lines[0]).toMatchObject({ score: { value: -20 }, bound: "lower" });
});

test("a bound does not take the place of a score that is exact", () => {
  engine.want(wish(""));
  engine.hear("info depth 5 score cp 20 pv d2d4 d7d5");
  engine.hear("info depth 6 score cp 50 lowerbound pv d2d4");
  expect(engine.findings?.lines[0]).toMatchObject({ depth: 5, bound: "exact" });
});

test("who only watches shows what another has searched, and says nothing", () => {
  engine.fresh(false);
  engine.isFollowing = true;
  engine.hear("id name Stockfish");
  engine.overhearOption("MultiPV", "2");
  engine.overhearSearch(wish("e2e4"));
  engine.arrive();
  engine.hear("info depth 8 score cp 20 pv e7e5");
  expect(engine.findings).toMatchObject({ fen: "fen after e2e4", depth: 8 });
  engine.want(wish("d2d4"));
  engine.hear("bestmove e7e5");
  engine.overhearSearch(wish("c2c4"));
  expect(engine.findings).toBeNull();
  expect(spoken()).toEqual([]);
});

test("who is handed control goes on from what was overheard", () => {
  engine.fresh(false);
  engine.isFollowing = true;
  engine.hear("option name MultiPV type spin default 1 min 1 max 500");
  engine.overhearOption("MultiPV", "2");
  engine.overhearSearch(wish("e2e4"));
  engine.arrive();
  engine.isFollowing = false;
  engine.want(wish("e2e4"));
  expect(spoken()).toEqual([]);
  engine.want(wish("d2d4"));
  expect(spoken()).toEqual(["stop", "position startpos moves d2d4", "go infinite"]);
});

test("who has fallen behind begins anew with where things stand", () => {
  engine.isFollowing = true;
  engine.overhearSearch(wish(""));
  engine.hear("id name Stockfish");
  engine.overhearSearch(wish("e2e4"));
  engine.hear("info depth 3 score cp 10 pv e7e5");
  expect(engine.findings).toMatchObject({ fen: "fen after e2e4", depth: 3 });
});

test("what another page has asked for ends first, and is not taken for what this one asks", () => {
  const next = new Engine({
    ...quiet,
    say: (line) => said.push(line),
    finished: (...all) => finished.push(all),
  });
  next.set("MultiPV", "1");
  next.want(wish("e2e4"));
  expect(spoken()).toEqual([]);
  next.inherit(1);
  expect(spoken()).toEqual([
    "uci",
    "stop",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_AnalyseMode value true",
    "setoption name UCI_Chess960 value false",
    "setoption name MultiPV value 1",
    "position startpos moves e2e4",
    "go infinite",
  ]);
  next.hear("info depth 20 score cp 300 pv d2d4");
  next.hear("bestmove d2d4");
  expect(next.findings).toBeNull();
  next.hear("info depth 1 nodes 20 score cp 10 pv e7e5");
  expect(next.findings?.lines[0]?.pv).toEqual(["e7e5"]);
  expect(finished).toEqual([]);
});

test("a page that finds two searches under way asks for its own when one has ended", () => {
  const next = new Engine({ ...quiet, say: (line) => said.push(line) });
  next.want(wish("e2e4"));
  next.inherit(2);
  expect(spoken()).toEqual(["uci"]);
  next.hear("bestmove d2d4");
  expect(spoken().slice(-2)).toEqual(["position startpos moves e2e4", "go infinite"]);
  next.hear("bestmove 0000");
  next.hear("info depth 1 nodes 20 score cp 10 pv e7e5");
  expect(next.findings?.depth).toBe(1);
});
