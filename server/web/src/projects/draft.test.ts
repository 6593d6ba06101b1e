import { expect, test } from "vitest";
import { GameTree } from "../game/tree";
import {
  changeOf,
  type Draft,
  draftOf,
  enginesWith,
  fieldOf,
  newDraft,
  purposeOf,
  requestOf,
  startOf,
  withPurpose,
} from "./draft";
import { type Project, USUAL_RULES, USUAL_SIDE } from "./project";

const BUDGET = { positions: null, nodes: null, cpu_seconds: null, until: null, stable: null };
const PROJECT: Project = {
  id: "a",
  version: "1",
  name: "Ruy",
  position: {},
  variant: "standard",
  engines: [{ name: "rookery", options: { Hash: "64" } }],
  settings: USUAL_RULES,
  budget: { ...BUDGET, positions: 1000, nodes: 2_500_000, cpu_seconds: 1000, until: null },
  stage: "active",
  positions: 1,
  searches: 0,
  searching: 0,
  nodes: 0,
  cpu_seconds: 0,
  created: "2026-11-27T00:00:00Z",
  updated: "2026-11-27T00:00:00Z",
};

test("a new form asks for what the server does by itself, to a number of positions", () => {
  const request = requestOf(newDraft("rookery", {}), { name: "Open", position: { moves: [] } });
  expect(request).toEqual({
    name: "Open",
    position: { moves: [] },
    engines: [{ name: "rookery", options: {} }],
    settings: USUAL_RULES,
    budget: { ...BUDGET, positions: 1000 },
  });
  const named = requestOf({ ...newDraft("rookery", {}), name: " Mine " }, { name: "Open" });
  expect(named.name).toBe("Mine");
});

test("a form that nobody has touched changes nothing", () => {
  expect(changeOf(draftOf(PROJECT), PROJECT)).toBeNull();
  const grown = { ...PROJECT, positions: 50, version: "2" };
  expect(changeOf(draftOf(PROJECT), grown)).toBeNull();
});

test("a change has only the parts that are other ones, each as a whole", () => {
  const draft = draftOf(PROJECT);
  expect(changeOf({ ...draft, name: "Spanish " }, PROJECT)).toEqual({ name: "Spanish" });
  const budget = { ...draft.budget, positions: "", hours: "0.5", stable: "40" };
  expect(changeOf({ ...draft, budget }, PROJECT)).toEqual({
    budget: { ...BUDGET, nodes: 2_500_000, cpu_seconds: 1800, stable: 40 },
  });
  const white = { ...draft.white, limit: "2" };
  expect(changeOf({ ...draft, nodes: "5", white }, PROJECT)).toEqual({
    settings: { nodes: 5, white: { ...USUAL_SIDE, limit: 2 }, black: USUAL_SIDE },
  });
});

test("engines are other ones, or have other options; those that have retired are none", () => {
  const engines = [{ name: "old", retired: true }, ...PROJECT.engines];
  const draft = draftOf({ ...PROJECT, engines });
  expect(draft.engines).toEqual([{ name: "rookery", options: { Hash: "64" }, isChosen: true }]);
  const chosen = enginesWith(draft.engines, [{ name: "rookery" }, { name: "stockfish" }]);
  expect(changeOf({ ...draft, engines: chosen }, { ...PROJECT, engines })).toBeNull();
  const changed = chosen.map((each) => ({ ...each, options: {}, isChosen: true }));
  expect(changeOf({ ...draft, engines: changed }, { ...PROJECT, engines })).toEqual({
    engines: [
      { name: "rookery", options: {} },
      { name: "stockfish", options: {} },
    ],
  });
});

test("an engine that is there twice, with other options, stays so", () => {
  const [first] = PROJECT.engines;
  const twice = { ...PROJECT, engines: [...PROJECT.engines, { name: "rookery" }] };
  const draft = draftOf(twice);
  expect(changeOf({ ...draft, name: "Both" }, twice)).toEqual({ name: "Both" });
  const more = enginesWith(draft.engines, [{ name: "rookery" }, { name: "stockfish" }]);
  const engines = more.map((each) => ({ ...each, isChosen: true }));
  expect(changeOf({ ...draft, engines }, twice)?.engines).toEqual([
    first,
    { name: "rookery", options: {} },
    { name: "stockfish", options: {} },
  ]);
  const without = engines.map((each, at) => ({ ...each, isChosen: at === 1 }));
  expect(changeOf({ ...draft, engines: without }, twice)?.engines).toEqual([
    { name: "rookery", options: {} },
  ]);
});

test("a search has a bound of time if there is one", () => {
  const draft = draftOf({ ...PROJECT, settings: { ...USUAL_RULES, movetime: 1500 } });
  expect(draft.seconds).toBe("1.5");
  expect(requestOf({ ...draft, seconds: "0.25" }, {}).settings?.movetime).toBe(250);
  expect(requestOf({ ...draft, seconds: "" }, {}).settings).toEqual(USUAL_RULES);
});

test("units of the form come back as they were", () => {
  const { budget } = draftOf(PROJECT);
  expect([budget.nodes, budget.hours]).toEqual(["2.5", "0.2778"]);
  const changed = changeOf({ ...draftOf(PROJECT), budget: { ...budget, stable: "1" } }, PROJECT);
  expect(changed?.budget).toMatchObject({ nodes: 2_500_000, cpu_seconds: 1000 });
});

test("a date is local in the form, and exact in the request", () => {
  const project = { ...PROJECT, budget: { ...BUDGET, until: "2030-01-02T03:04:00Z" } };
  const draft = draftOf(project);
  expect(draft.budget.until).toMatch(/^2030-01-0[123]T\d\d:\d\d$/);
  const request = requestOf(draft, {});
  expect(request.budget?.until).toBe("2030-01-02T03:04:00.000Z");
});

test("a repertoire follows few moves of its own side, and all of the other", () => {
  const usual: Draft = newDraft("rookery", {});
  expect(purposeOf(usual)).toBe("understand");
  const white = withPurpose(usual, "white");
  expect(purposeOf(white)).toBe("white");
  expect([white.white.limit, white.black.limit]).toEqual(["2", ""]);
  expect(Number(white.black.width)).toBeGreaterThan(Number(white.white.width));
  expect(withPurpose(white, "understand").black.lines).toBe(usual.black.lines);
  const both = { ...white, black: { ...white.black, limit: "1" } };
  expect(purposeOf(both)).toBeNull();
});

test("a project starts at a FEN, or where a game does", () => {
  const fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
  const start = { kind: "fen", fen: ` ${fen} `, pgn: "" } as const;
  expect(startOf(start, new GameTree(fen))).toEqual({
    name: "",
    position: { fen },
    variant: "standard",
  });
  expect(startOf({ ...start, fen: "8/8" }, null).position).toEqual({ fen: "8/8" });
  const game = new GameTree(undefined, [["Event", "Match"]]);
  expect(startOf({ kind: "pgn", fen: "", pgn: "1. e4 *" }, game)).toEqual({
    name: "Match",
    position: {},
    variant: "standard",
    pgn: "1. e4 *",
  });
});

test("the server's places are fields of the form", () => {
  const places: [string | undefined, string | null][] = [
    ["$.name", "name"],
    ["$.position.fen", "start"],
    ["$.position.moves[1]", "start"],
    ["$.engines[0].options.Hash", "engines"],
    ["$.settings", "sides"],
    ["$.settings.nodes", "nodes"],
    ["$.settings.white.width", "white"],
    ["$.budget.cpu_seconds", "hours"],
    ["?visits", "visits"],
    ["$.from", null],
    ["$", null],
    [undefined, null],
  ];
  expect(places.map(([path]) => [path, fieldOf(path)])).toEqual(places);
});
