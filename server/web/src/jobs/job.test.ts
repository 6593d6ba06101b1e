import { beforeAll, expect, test } from "vitest";
import { loadLater } from "../language/catalogue";
import { describeJob, type Job, resultCount } from "./job";

const job: Job = {
  id: "a",
  name: "Ann – Bob",
  kind: "games",
  state: "running",
  total: 20,
  done: 3,
  failed: 0,
  created: "2026-11-26T12:24:21Z",
};

beforeAll(() => loadLater());

test.each([
  [{}, "Running: 3 of 20 games"],
  [{ seconds_left: 0.2 }, "Running: 3 of 20 games, about 1 s left"],
  [{ seconds_left: 61 }, "Running: 3 of 20 games, about 2 min left"],
  [{ seconds_left: 9000 }, "Running: 3 of 20 games, about 3 h left"],
  [{ total: 1, done: 0 }, "Running: 1 game"],
  [{ kind: "positions" }, "Running: 3 of 20 positions"],
  [{ state: "queued", done: 0 }, "Waiting for an engine: 0 of 20 games"],
  [{ state: "paused" }, "Paused: 3 of 20 games"],
  [{ state: "failed", reason: "no such engine" }, "Stopped: no such engine"],
  [{ state: "finished", done: 20 }, "Finished: 20 games"],
  [
    { state: "finished", done: 20, failed: 2 },
    "Finished: 20 games, of which 2 could not be analysed",
  ],
  [
    { state: "finished", total: 1, done: 1, failed: 1 },
    "Finished: 1 game, which could not be analysed",
  ],
] as const)("%o is described as %s", (changes, text) => {
  expect(describeJob({ ...job, ...changes } as Job)).toBe(text);
});

test("games that could not be analysed are no results", () => {
  expect(resultCount({ ...job, done: 3, failed: 3 })).toBe(0);
});
