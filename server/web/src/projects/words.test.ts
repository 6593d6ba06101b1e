import { expect, test } from "vitest";
import "../language/english.testing";
import { type Project, USUAL_RULES } from "./project";
import { describeGrowth, detailOf } from "./words";

const PROJECT: Project = {
  id: "a",
  version: "1",
  name: "Ruy",
  position: {},
  variant: "standard",
  engines: [],
  settings: USUAL_RULES,
  budget: { positions: 9, nodes: null, cpu_seconds: null, until: null, stable: null },
  stage: "finished",
  positions: 9,
  searches: 9,
  searching: 0,
  nodes: 0,
  cpu_seconds: 0,
  created: "2026-11-27T00:00:00Z",
  updated: "2026-11-27T00:00:00Z",
};

test("the reason why a project does not grow is that of its cause", () => {
  const reason = "it has the 9 positions that it was to have";
  expect(describeGrowth({ ...PROJECT, cause: "positions", reason })).toBe(
    "Finished: it has as many positions as it was to have",
  );
  const full = { ...PROJECT, stage: "paused", cause: "quota", reason: "full" } as const;
  expect(describeGrowth(full)).toBe(
    "Paused: your projects have as many positions as they may have",
  );
  expect(detailOf(full)).toBeNull();
});

test("a reason without a cause, or with one that is new, is said as the server says it", () => {
  expect(describeGrowth({ ...PROJECT, reason: "of old" })).toBe("Finished: of old");
  const later = { ...PROJECT, cause: "of later" as never, reason: "of later times" };
  expect(describeGrowth(later)).toBe("Finished: of later times");
  expect(describeGrowth(PROJECT)).toBe("Finished");
});

test("an engine that fails is told in the server's words, too", () => {
  const reason = "3 searches in a row have failed: gone";
  const failed = { ...PROJECT, stage: "failed", cause: "engine", reason } as const;
  expect(describeGrowth(failed)).toBe("Stopped: engines cannot search for it");
  expect(detailOf(failed)).toBe(reason);
});
