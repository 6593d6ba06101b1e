import { describe, expect, test } from "vitest";
import type { FileEntry } from "./database";
import { planSync, type Removal, type ServedFile, stateOf } from "./sync_plan";

const SERVER = { id: "f", account: "ann", version: 3, changed: 10, path: "a.pgn" };
const FILE: FileEntry = { id: 1, path: "a.pgn", size: 9, changed: 10, titles: [], server: SERVER };
const EDITED = { ...FILE, changed: 11 };
const MOVED = { ...FILE, path: "2026/a.pgn" };
const SERVED: ServedFile = { id: "f", path: "a.pgn", version: 3 };
const LATER = { ...SERVED, version: 4 };
const GONE = { ...LATER, removed: "2026-11-27T00:00:00Z" };
const DELETED: Removal = { id: "f", account: "ann", version: 3 };

function plan(
  files: readonly FileEntry[],
  served: readonly ServedFile[],
  removals: readonly Removal[] = [],
) {
  return planSync(files, removals, served, "ann");
}

describe("a file that is here and there", () => {
  test("is left alone while nothing has changed", () => {
    expect(plan([FILE], [SERVED])).toEqual([]);
    expect(stateOf(FILE, SERVED)).toBe("same");
  });

  test("is sent after a change or a move here", () => {
    for (const entry of [EDITED, MOVED]) {
      expect(plan([entry], [SERVED])).toEqual([{ type: "upload", entry, expected: 3 }]);
      expect(stateOf(entry, SERVED)).toBe("here");
    }
  });

  test("is fetched after a change there", () => {
    expect(plan([FILE], [LATER])).toEqual([{ type: "download", served: LATER, entry: FILE }]);
    expect(stateOf(FILE, LATER)).toBe("there");
  });

  test("is kept twice after a change on both sides", () => {
    expect(plan([EDITED], [LATER])).toEqual([{ type: "split", served: LATER, entry: EDITED }]);
    expect(stateOf(EDITED, LATER)).toBe("both");
  });

  test("goes when it was removed there, unless it was changed here", () => {
    expect(plan([FILE], [GONE])).toEqual([{ type: "drop", entry: FILE }]);
    expect(plan([EDITED], [GONE])).toEqual([{ type: "upload", entry: EDITED, expected: 4 }]);
  });
});

test("a file that the server does not know is sent", () => {
  const entry = { ...FILE, server: { ...SERVER, version: 0, changed: 0, path: "" } };
  expect(plan([entry], [])).toEqual([{ type: "upload", entry, expected: null }]);
  expect(plan([FILE], [])).toEqual([{ type: "upload", entry: FILE, expected: null }]);
});

test("a file that is not here is fetched", () => {
  expect(plan([], [SERVED])).toEqual([{ type: "download", served: SERVED, entry: null }]);
  expect(plan([], [GONE])).toEqual([]);
});

describe("a file that was deleted here", () => {
  test("is removed there", () => {
    expect(plan([], [SERVED], [DELETED])).toEqual([{ type: "remove", removal: DELETED }]);
  });

  test("comes back if it was changed there", () => {
    expect(plan([], [LATER], [DELETED])).toEqual([
      { type: "forget", removal: DELETED },
      { type: "download", served: LATER, entry: null },
    ]);
  });

  test("is forgotten when it is gone there, or is here again", () => {
    expect(plan([], [GONE], [DELETED])).toEqual([{ type: "forget", removal: DELETED }]);
    expect(plan([FILE], [SERVED], [DELETED])).toEqual([{ type: "forget", removal: DELETED }]);
  });
});

test("files that are kept nowhere or for another account are left alone", () => {
  const { server: _, ...local } = FILE;
  const other = { ...EDITED, server: { ...SERVER, account: "bob" } };
  expect(plan([local, other], [], [{ ...DELETED, account: "bob" }])).toEqual([]);
});
