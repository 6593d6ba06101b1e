import { beforeEach, describe, expect, test } from "vitest";
import { settingsFrom } from "../settings";
import { START } from "../uci/line";
import { Conversation, type ConversationEvent, type SearchRequest } from "./conversation";
import { applySettings, growHash, useHash } from "./setup";

let engine: Conversation;
let sent: string[];
let events: Exclude<ConversationEvent, { type: "send" }>[];

/** Collect what the engine's side has done, and return the lines that were sent. */
function flush(from = engine): string[] {
  for (let event = from.nextEvent(); event; event = from.nextEvent()) {
    if (event.type === "send") sent.push(event.line);
    else events.push(event);
  }
  return sent.splice(0);
}

function ofType<T extends ConversationEvent["type"]>(type: T) {
  flush();
  return events.filter((event): event is typeof event & { type: T } => event.type === type);
}

const request = (move: string, limits = "infinite"): SearchRequest => ({
  fen: `fen after ${move}`,
  key: move,
  turn: move ? "black" : "white",
  start: "startpos",
  moves: move ? [move] : [],
  chess960: false,
  limits,
});

beforeEach(() => {
  [sent, events] = [[], []];
  engine = new Conversation("analysis");
  engine.start();
  engine.receive("option name MultiPV type spin default 1 min 1 max 500");
  engine.receive("option name UCI_Chess960 type check default false");
  engine.receive("uciok");
  flush();
  events = [];
});

describe("the beginning of an analysis", () => {
  test("requests follow uci without waiting for its answer", () => {
    engine.start();
    engine.requestSearch(request("e2e4"));
    const asked = ["position startpos moves e2e4", "go infinite"];
    expect(flush().filter((line) => !line.startsWith("setoption "))).toEqual(["uci", ...asked]);
    engine.receive("option name MultiPV type spin default 1 min 1 max 500");
    engine.receive("uciok");
    expect(flush()).toEqual([]);
  });

  test("nothing is sent before there is a session", () => {
    engine = new Conversation("analysis");
    engine.setOption("MultiPV", "3");
    engine.requestSearch(request(""));
    expect(flush()).toEqual([]);
    engine.start();
    expect(flush().slice(-3)).toEqual([
      "setoption name MultiPV value 3",
      "position startpos",
      "go infinite",
    ]);
  });

  test("a missing option that only the page wants is not reported", () => {
    for (const notice of [
      "unknown-option: there is no option 'UCI_ShowWDL'",
      "option-refused: MultiPV is set by the operator",
      "option-clamped: Hash is 16 here, not 64",
    ]) {
      engine.receive(`info string rookery ${notice}`);
    }
    expect(ofType("notice").map(({ notice }) => notice.code)).toEqual(["option-clamped"]);
  });

  test("a new session is told everything again", () => {
    engine.setOption("MultiPV", "2");
    engine.requestSearch(request("e2e4"));
    flush();
    engine.start();
    engine.receive("option name MultiPV type spin default 1 min 1 max 500");
    engine.receive("uciok");
    expect(flush()).toEqual([
      "uci",
      "setoption name UCI_ShowWDL value true",
      "setoption name UCI_AnalyseMode value true",
      "setoption name MultiPV value 2",
      "position startpos moves e2e4",
      "go infinite",
    ]);
  });
});

describe("searches", () => {
  test("the next position is requested without waiting for the answer to stop", () => {
    engine.requestSearch(request(""));
    engine.requestSearch(request("e2e4"));
    expect(flush()).toEqual([
      "position startpos",
      "go infinite",
      "stop",
      "position startpos moves e2e4",
      "go infinite",
    ]);
  });

  test("findings are never shown for another position", () => {
    engine.requestSearch(request(""));
    engine.receive("info depth 9 score cp 30 pv e2e4");
    expect(engine.findings?.depth).toBe(9);
    engine.requestSearch(request("e2e4"));
    expect(engine.findings).toBeNull();
    engine.receive("info depth 10 score cp 30 pv e2e4");
    expect(engine.findings).toBeNull();
    engine.receive("bestmove e2e4");
    engine.receive("info depth 3 score cp 10 pv e7e5");
    expect(engine.findings).toMatchObject({ fen: "fen after e2e4", depth: 3 });
  });

  test("however fast positions change, no more than two searches are pending", () => {
    for (const move of ["", "e2e4", "d2d4", "c2c4", "g1f3"]) engine.requestSearch(request(move));
    expect(flush().filter((line) => line.startsWith("go"))).toHaveLength(2);
    engine.receive("bestmove e2e4");
    expect(flush()).toEqual(["stop", "position startpos moves g1f3", "go infinite"]);
    engine.receive("bestmove e7e5");
    engine.receive("info depth 1 score cp 5 pv d7d5");
    expect(engine.findings?.fen).toBe("fen after g1f3");
  });

  test("a stopped search with another one behind it is not stopped twice", () => {
    engine.requestSearch(request(""));
    engine.requestSearch(request("e2e4"));
    engine.requestSearch(null);
    flush();
    engine.receive("bestmove e2e4");
    expect(flush()).toEqual(["stop"]);
    engine.receive("bestmove e7e5");
    expect(engine.pending).toBe(0);
    expect(ofType("bestmove")).toEqual([]);
  });

  test("an option that changes during a search begins the search anew", () => {
    engine.requestSearch(request(""));
    flush();
    engine.setOption("MultiPV", "3");
    expect(flush()).toEqual([
      "stop",
      "setoption name MultiPV value 3",
      "position startpos",
      "go infinite",
    ]);
    engine.setOption("MultiPV", "3");
    engine.setOption("No such option", "1");
    expect(flush().filter((line) => line.startsWith("setoption"))).toEqual([]);
  });

  test("another position with another value is searched once, and the same one anew", () => {
    engine.requestSearch(request(""), [["MultiPV", "1"]]);
    flush();
    engine.requestSearch(request("e2e4"), [["MultiPV", "2"]]);
    expect(flush()).toEqual([
      "stop",
      "setoption name MultiPV value 2",
      "position startpos moves e2e4",
      "go infinite",
    ]);
    engine.receive("bestmove d2d4");
    engine.receive("bestmove e7e5");
    expect(flush()).toEqual([]);
    engine.requestSearch(request("e2e4"), [["MultiPV", "2"]]);
    expect(flush()).toEqual([]);
    engine.requestSearch(request("e2e4"), [["MultiPV", "3"]]);
    expect(flush()).toEqual([
      "setoption name MultiPV value 3",
      "position startpos moves e2e4",
      "go infinite",
    ]);
  });

  test("a search that ends by itself is reported once, with its findings", () => {
    const limited = request("", "depth 3");
    engine.requestSearch(limited);
    engine.receive("info depth 3 score cp 20 pv d2d4");
    engine.receive("bestmove d2d4");
    expect(ofType("bestmove")).toMatchObject([
      { request: limited, findings: { depth: 3, isOver: true }, move: "d2d4" },
    ]);
    engine.requestSearch(request("", "depth 3"));
    expect(flush()).toEqual([]);
  });

  test("cached findings are kept apart from those of the search", () => {
    engine.requestSearch(request(""));
    engine.receive(
      "info string rookery cached: 2 lines follow, of a search of 2026-11-20: depth 32",
    );
    engine.receive("info depth 32 multipv 1 score cp 28 nodes 0 time 0 pv e2e4");
    engine.receive("info depth 32 multipv 2 score cp 20 nodes 0 time 0 pv d2d4");
    expect(engine.findings).toBeNull();
    const cached = ofType("cached");
    expect(cached).toMatchObject([{ findings: { fen: "fen after ", depth: 32, isOver: true } }]);
    expect(cached[0]?.findings.lines).toHaveLength(2);
    engine.receive("info depth 1 multipv 1 score cp 5 nodes 20 pv g1f3");
    expect(engine.findings).toMatchObject({ depth: 1, lines: [{ pv: ["g1f3"] }] });
  });
});

describe("scores", () => {
  test("are White's, and so are bounds", () => {
    engine.requestSearch(request("e2e4"));
    engine.receive("info depth 3 score cp 50 lowerbound wdl 100 800 100 pv e7e5");
    expect(engine.findings?.lines[0]).toMatchObject({
      score: { kind: "cp", value: -50 },
      bound: "upper",
      wdl: [100, 800, 100],
    });
    engine.receive("info depth 6 score cp 20 upperbound pv e7e5");
    expect(engine.findings?.lines[0]).toMatchObject({ score: { value: -20 }, bound: "lower" });
  });

  test("that are exact are not replaced by a bound", () => {
    engine.requestSearch(request(""));
    engine.receive("info depth 5 score cp 20 pv d2d4 d7d5");
    engine.receive("info depth 6 score cp 50 lowerbound pv d2d4");
    expect(engine.findings?.lines[0]).toMatchObject({ depth: 5, bound: "exact" });
  });
});

describe("refusals", () => {
  const NO_SEARCH = "info string rookery no-search: no engine has searched this";

  test("a refused position is not shown with what the engine searches instead", () => {
    engine.requestSearch(request("e2e4"));
    engine.receive("info string rookery illegal-position: no king");
    engine.receive("info depth 5 score cp 99 pv e2e4");
    expect(engine.findings).toBeNull();
    expect(flush().at(-1)).toBe("stop");
  });

  test("a refusal that is repeated at its go does not refuse the next position", () => {
    engine.requestSearch(request("e2e4"));
    engine.receive("info string rookery illegal-position: no king");
    engine.requestSearch(request("d2d4"));
    engine.receive("info string rookery illegal-position: nothing is searched: no king");
    engine.receive("bestmove 0000");
    engine.receive("info depth 5 score cp 9 pv d7d5");
    expect(engine.findings?.fen).toBe("fen after d2d4");
  });

  test("a search without an engine is reported, but not if it was stopped", () => {
    engine.requestSearch(request("e2e4"));
    engine.receive(NO_SEARCH);
    engine.requestSearch(null);
    engine.receive(NO_SEARCH);
    expect(ofType("notice").map(({ notice }) => notice.code)).toEqual(["no-search"]);
  });
});

describe("a page that follows another one", () => {
  beforeEach(() => {
    engine.watch();
    engine.isFollowing = true;
  });

  test("shows what the other one searches, and sends nothing", () => {
    engine.receive("id name Stockfish");
    engine.observeOption("MultiPV", "2");
    engine.observeSearch(request("e2e4"));
    engine.endDescription();
    engine.receive("info depth 8 score cp 20 pv e7e5");
    expect(engine.findings).toMatchObject({ fen: "fen after e2e4", depth: 8 });
    engine.requestSearch(request("d2d4"));
    engine.receive("bestmove e7e5");
    engine.observeSearch(request("c2c4"));
    expect(engine.findings).toBeNull();
    expect(flush()).toEqual([]);
  });

  test("continues from what it has observed when it gets control", () => {
    engine.receive("option name MultiPV type spin default 1 min 1 max 500");
    engine.observeOption("MultiPV", "2");
    engine.observeSearch(request("e2e4"));
    engine.endDescription();
    engine.isFollowing = false;
    engine.requestSearch(request("e2e4"));
    expect(flush()).toEqual([]);
    engine.requestSearch(request("d2d4"));
    expect(flush()).toEqual(["stop", "position startpos moves d2d4", "go infinite"]);
  });

  test("begins anew with the present state after it has fallen behind", () => {
    engine.observeSearch(request(""));
    engine.receive("id name Stockfish");
    engine.observeSearch(request("e2e4"));
    engine.receive("info depth 3 score cp 10 pv e7e5");
    expect(engine.findings).toMatchObject({ fen: "fen after e2e4", depth: 3 });
  });
});

describe("a session of the page before", () => {
  beforeEach(() => {
    engine = new Conversation("analysis");
    engine.setOption("MultiPV", "1");
    engine.requestSearch(request("e2e4"));
    expect(flush()).toEqual([]);
  });

  test("ends its search first, which counts for nothing", () => {
    engine.inherit(1);
    expect(flush()).toEqual([
      "uci",
      "stop",
      "setoption name UCI_ShowWDL value true",
      "setoption name UCI_AnalyseMode value true",
      "setoption name MultiPV value 1",
      "setoption name UCI_Chess960 value false",
      "position startpos moves e2e4",
      "go infinite",
    ]);
    engine.receive("info depth 20 score cp 300 pv d2d4");
    engine.receive("bestmove d2d4");
    expect(engine.findings).toBeNull();
    engine.receive("info depth 1 nodes 20 score cp 10 pv e7e5");
    expect(engine.findings?.lines[0]?.pv).toEqual(["e7e5"]);
    expect(ofType("bestmove")).toEqual([]);
  });

  test("with two searches gets the next one when the first has ended", () => {
    engine.inherit(2);
    expect(flush()).toEqual(["uci"]);
    engine.receive("bestmove d2d4");
    expect(flush().slice(-2)).toEqual(["position startpos moves e2e4", "go infinite"]);
    engine.receive("bestmove 0000");
    engine.receive("info depth 1 nodes 20 score cp 10 pv e7e5");
    expect(engine.findings?.depth).toBe(1);
  });
});

describe("a game", () => {
  const requestAfter = (...moves: string[]): SearchRequest => ({
    ...START,
    turn: moves.length % 2 ? "black" : "white",
    moves,
    limits: "wtime 9 btime 9",
  });
  const played = () => ofType("bestmove").map(({ move }) => move);

  beforeEach(() => {
    engine = new Conversation("game");
    engine.setOption("Skill Level", "3");
    engine.start();
    engine.receive("option name Skill Level type spin default 20 min 0 max 20");
    expect(flush()).toEqual(["uci"]);
    engine.receive("uciok");
    expect(flush()).toEqual(["setoption name Skill Level value 3", "ucinewgame"]);
  });

  test("gets a move for the position and the clocks", () => {
    engine.requestSearch(requestAfter("e2e4"));
    expect(flush()).toEqual(["position startpos moves e2e4", "go wtime 9 btime 9"]);
    engine.receive("info depth 3 score cp -20 pv e7e5");
    engine.receive("bestmove e7e5 ponder g1f3");
    expect(ofType("bestmove")).toMatchObject([
      { move: "e7e5", ponder: "g1f3", findings: { lines: [{ score: { value: 20 } }] } },
    ]);
  });

  test("tells the engine by ponderhit that its guess was right", () => {
    engine.requestSearch({ ...requestAfter("e2e4", "e7e5", "g1f3"), isPonder: true });
    expect(flush().at(-1)).toBe("go ponder wtime 9 btime 9");
    engine.requestSearch({ ...requestAfter("e2e4", "e7e5", "g1f3"), limits: "wtime 8 btime 9" });
    expect(flush()).toEqual(["ponderhit"]);
    engine.receive("bestmove b8c6");
    expect(played()).toEqual(["b8c6"]);
  });

  test("stops an engine that has guessed wrong, and does not play its move", () => {
    engine.requestSearch({ ...requestAfter("e2e4", "e7e5", "g1f3"), isPonder: true });
    flush();
    engine.requestSearch(requestAfter("e2e4", "e7e5", "d2d4"));
    expect(flush()).toEqual([
      "stop",
      "position startpos moves e2e4 e7e5 d2d4",
      "go wtime 9 btime 9",
    ]);
    engine.receive("bestmove b8c6");
    expect(played()).toEqual([]);
    engine.receive("bestmove e5d4");
    expect(played()).toEqual(["e5d4"]);
  });

  test("plays no move for a position that was taken back", () => {
    engine.requestSearch(requestAfter("e2e4"));
    engine.requestSearch(null);
    engine.requestSearch(requestAfter("d2d4"));
    engine.receive("bestmove e7e5");
    engine.receive("bestmove d7d5");
    expect(played()).toEqual(["d7d5"]);
  });

  test("plays no move of a search that was put off", () => {
    engine.requestSearch(requestAfter("e2e4"));
    engine.receive("info string rookery queue-full: no engine is free");
    engine.receive("bestmove a7a6");
    expect(played()).toEqual([]);
    engine.requestSearch(requestAfter("e2e4"));
    engine.receive("bestmove e7e5");
    expect(played()).toEqual(["e7e5"]);
  });

  test("is not put off by a notice about a search that was stopped", () => {
    const notice = "info string rookery no-search: no engine has searched this";
    engine.requestSearch(requestAfter("e2e4"));
    engine.requestSearch(null);
    engine.requestSearch(requestAfter("d2d4"));
    engine.receive(notice);
    expect(ofType("notice")).toEqual([]);
    engine.receive("bestmove a7a6");
    engine.receive(notice);
    expect(ofType("notice").map(({ notice }) => notice.code)).toEqual(["no-search"]);
  });

  test("requests the move again in a new session, but no move that was played", () => {
    const beginSession = () => {
      engine.start();
      engine.receive("uciok");
      return flush();
    };
    engine.requestSearch(requestAfter("e2e4"));
    flush();
    const search = ["position startpos moves e2e4", "go wtime 9 btime 9"];
    expect(beginSession()).toEqual(["uci", "ucinewgame", ...search]);
    engine.receive("bestmove e7e5");
    expect(played()).toEqual(["e7e5"]);
    expect(beginSession()).toEqual(["uci", "ucinewgame"]);
  });
});

describe("the hash size", () => {
  function sizeAfter(hashfull: number, settings = settingsFrom({})): string | undefined {
    engine.receive(`info depth 9 hashfull ${hashfull} score cp 1 pv e2e4`);
    growHash(engine, "some", settings);
    return engine.value("Hash");
  }

  beforeEach(() => {
    engine.receive("option name Hash type spin default 16 min 1 max 128");
    engine.requestSearch(request(""));
  });

  test("grows for the next search if the table is half full, within what is granted", () => {
    expect([400, 600, 600, 600].map((each) => sizeAfter(each))).toEqual(["16", "64", "128", "128"]);
  });

  test.each([
    [32, "16"],
    [100, "16"],
    [256, "64"],
    [1000, "128"],
    [33_554_432, "256"],
  ])("is a share of the %i MiB that are granted", (most, size) => {
    engine.receive(`option name Hash type spin default 16 min 1 max ${most}`);
    applySettings(engine, "some", settingsFrom({}));
    expect(engine.value("Hash")).toBe(size);
  });

  test("is changed in the next search, or in this one once its table is half full", () => {
    engine.receive("option name Hash type spin default 16 min 1 max 256");
    applySettings(engine, "some", settingsFrom({ lines: 1 }));
    engine.receive("bestmove e2e4"); // of the search before the number of lines was set
    expect(flush()).not.toContain("setoption name Hash value 64");
    for (const hashfull of [400, 600, 700]) {
      engine.receive(`info depth 9 hashfull ${hashfull} score cp 1 pv e2e4`);
      useHash(engine);
    }
    const begun = ["position startpos", "go infinite"];
    expect(flush()).toEqual(["stop", "setoption name Hash value 64", ...begun]);
  });

  test("stays if the user has chosen it", () => {
    const settings = settingsFrom({ options: { some: { Hash: "16" } } });
    applySettings(engine, "some", settings);
    expect(sizeAfter(900, settings)).toBe("16");
  });
});
