import { type Signal, signal } from "@preact/signals";
import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "../engine/socket.testing";
import { readGames } from "../game/pgn";
import { Study } from "../game/study";
import type { GameTree } from "../game/tree";
import type { Room } from "../room/room";
import { type Settings, settingsFrom } from "../settings";
import { Toasts } from "../toasts";
import { Analysis } from "./analysis";

const hear = (...lines: string[]) => {
  for (const data of lines) FakeSocket.newest().onmessage({ data });
};

let settings: Signal<Settings>;
let hasControl: Signal<boolean>;
let study: Study;
let analysis: Analysis;

beforeEach(() => {
  vi.useFakeTimers(); // Nothing is stored: there is no browser.
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { href: "http://localhost/" });
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw));
  const toasts = new Toasts();
  settings = signal(settingsFrom({ running: false }));
  hasControl = signal(true);
  study = new Study({
    toasts,
    onMove: () => analysis.onMove(),
    onRearrange: () => {},
    hash: () => null,
  });
  analysis = new Analysis({
    settings,
    engine: signal("rookery"),
    token: signal(null),
    study,
    room: {
      hasControl,
      watched: signal(null),
      viewerCount: signal(0),
      onSessionStart: () => {},
    } as unknown as Room,
    toasts,
    isBusy: () => false,
    onStopped: () => {},
  });
  analysis.connect();
  FakeSocket.newest().open();
  hear("rookery session 1.a heard 0 grace 60", "uciok");
});

const JUDGED = `{ [%eval 0.16,12] } 1. f3 { [%eval -0.90,12] Mistake. e4 was best. }
( 1. e4 e5 2. Nf3 ) 1... e5 *`;

test("a position that a new analysis of the game removes is not on the board any more", () => {
  const tree = readGames(JUDGED)[0]?.open() as GameTree;
  const better = tree.root.children[1];
  study.load(tree, better?.children[0]);
  analysis.startReview();
  for (const move of ["d2d4", "e7e5"]) {
    expect(study.node.peek().san).toBe("e5");
    hear(`info depth 9 score cp 0 pv ${move}`, `bestmove ${move}`);
  }
  expect(tree.root.children).not.toContain(better);
  expect(study.node.peek()).toBe(tree.root);
});

const run = (running: boolean) => {
  settings.value = { ...settings.peek(), running };
  analysis.requestSearch();
};

test.each([
  ["waiting", "waiting: you are number 2 of 3"],
  ["blocked", "quota-cpu: the quota is used up"],
] as const)("a search that is not wanted any more is not %s", (state, notice) => {
  run(true);
  hear(`info string rookery ${notice}`);
  expect(analysis.main[state].peek()).not.toBeNull();
  hasControl.value = false;
  run(false); // The other page still wants it.
  expect(analysis.main[state].peek()).not.toBeNull();
  hasControl.value = true;
  run(false);
  expect(analysis.main[state].peek()).toBeNull();
});
