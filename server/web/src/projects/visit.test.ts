import { beforeEach, expect, test, vi } from "vitest";
import type { TreePosition } from "./tree";
import { type Glimpse, glimpseOf, loadVisit, lookedAt, saveVisit } from "./visit";

const store = new Map<string, string>();

beforeEach(() => {
  store.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  });
});

function glimpse(minute: number, size = minute): Glimpse {
  return { at: new Date(60_000 * minute).toISOString(), size, best: "e4", value: { cp: size } };
}

test("a look has the size, the best allowed move and the value", () => {
  const moves = [
    { move: "d2d4", san: "d4", excluded: true, value: { cp: 40 } },
    { move: "e2e4", san: "e4", value: { cp: 30 } },
  ];
  const root: TreePosition = { fen: "", kind: "searched", size: 7, value: { cp: 30 }, moves };
  const at = new Date(0);
  const expected = { at: at.toISOString(), size: 7, best: "e4", value: { cp: 30 } };
  expect(glimpseOf(root, at)).toEqual(expected);
  expect(glimpseOf({ fen: "", kind: "unsearched" }, at)).toMatchObject({ size: 0, best: "" });
});

test("the first visit has nothing to compare with", () => {
  const first = glimpse(0);
  expect(lookedAt(null, first)).toEqual({ since: first, last: first });
});

test("who comes back soon continues the visit, and later compares with its end", () => {
  let visit = lookedAt(null, glimpse(0));
  visit = lookedAt(visit, glimpse(20));
  visit = lookedAt(visit, glimpse(40));
  expect(visit).toEqual({ since: glimpse(0), last: glimpse(40) });
  visit = lookedAt(visit, glimpse(100));
  expect(visit).toEqual({ since: glimpse(40), last: glimpse(100) });
});

test("visits are kept by project, those that were made last", () => {
  const visit = lookedAt(null, glimpse(0));
  expect(loadVisit({ id: "a" })).toBeNull();
  for (let at = 0; at < 110; at++) saveVisit({ id: `p${at}` }, visit);
  saveVisit({ id: "p109" }, lookedAt(visit, glimpse(9)));
  expect(loadVisit({ id: "p109" })?.last).toEqual(glimpse(9));
  expect(loadVisit({ id: "p20" })).toEqual(visit);
  expect(loadVisit({ id: "p0" })).toBeNull();
});

test("a visit that was changed by hand is none", () => {
  store.set("rookery.visits", JSON.stringify({ a: { since: 1, last: {} }, b: null }));
  expect(loadVisit({ id: "a" })).toBeNull();
  expect(loadVisit({ id: "b" })).toBeNull();
  store.set("rookery.visits", "[");
  expect(loadVisit({ id: "a" })).toBeNull();
});
