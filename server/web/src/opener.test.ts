import { signal } from "@preact/signals";
import { beforeEach, expect, test, vi } from "vitest";
import type { App } from "./app";
import type { GameNode } from "./game/tree";
import type { Job } from "./jobs/job";
import { Reviewer } from "./jobs/reviewer";
import { Opener } from "./opener";
import type { ServedGame } from "./opening/served";

const served = (id: number): ServedGame => ({ id, white: "Ann", black: "Bob", result: "*" });

let opened: string[];
let notes: string[];
let answers: ((pgn: string) => void)[];
let [isGameOn, mayChange] = [false, true];
let opener: Opener;
let reviewer: Reviewer;

beforeEach(() => {
  [opened, notes, answers] = [[], [], []];
  [isGameOn, mayChange] = [false, true];
  const answer = () => new Promise<string>((resolve) => answers.push(resolve));
  const app = {
    get isGameOn() {
      return isGameOn;
    },
    get opener() {
      return opener;
    },
    room: { mayChange: { peek: () => mayChange } },
    editor: { position: signal(null) },
    toasts: { addNote: (title: string) => notes.push(title) },
    study: { node: { peek: () => ({ fen: "" }) }, games: signal([]) },
    served: { fetchText: answer },
    jobs: { results: answer },
  } as unknown as App;
  opener = new Opener(app);
  opener.openText = async (pgn) => {
    opened.push(pgn);
    return false;
  };
  reviewer = new Reviewer(app);
});

test("text is opened only where the game may be replaced", async () => {
  isGameOn = true;
  await opener.openPasted("1. e4 *");
  [isGameOn, mayChange] = [false, false];
  await opener.openPasted("1. d4 *");
  mayChange = true;
  await opener.openPasted("1. c4 *");
  expect(notes).toEqual(["A game is in progress", "The game is the room’s"]);
  expect(opened).toEqual(["1. c4 *"]);
});

test.each([
  ["of the explorer", () => opener.openServed(served(1))],
  ["of a job", () => reviewer.openJob({} as Job)],
])("a game %s does not replace one that has begun meanwhile", async (_, open) => {
  const opening = open();
  isGameOn = true;
  answers[0]?.("1. e4 *");
  await opening;
  expect([opened, notes]).toEqual([[], ["A game is in progress"]]);
});

test("of two games of the explorer the one that was chosen last is opened", async () => {
  const openings = [1, 2].map((id) => opener.openServed(served(id)));
  answers[1]?.("1. d4 *");
  answers[0]?.("1. e4 *");
  await Promise.all(openings);
  expect(opened).toEqual(["1. d4 *"]);
});

test("a library that cannot be loaded is said to be so", async () => {
  vi.doMock("./library/library", () => {
    throw new Error("the server is away");
  });
  expect(await opener.openFile(new File([" ".repeat(1 << 20)], "club.pgn"))).toBe(false);
  await opener.findInLibrary({} as GameNode);
  const note = "This part of the page could not be loaded";
  expect(notes).toEqual([note, note]);
});
