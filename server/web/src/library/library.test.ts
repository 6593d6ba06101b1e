import "fake-indexeddb/auto";
import { signal } from "@preact/signals";
import { beforeEach, expect, test, vi } from "vitest";
import type { App } from "../app";
import { describeGame, listGames } from "../game/listing";
import { Study } from "../game/study";
import { Toasts } from "../toasts";
import { openDatabase } from "./database";
import { Library } from "./library";
import type { ReaderMessage, ReaderOrder } from "./reader";

const game = (name: string) => `[Event "a"]\n[White "${name}"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n`;
const fileOf = (...names: string[]) => new File([names.map(game).join("\n")], "club.pgn");

const SLOW = 100; // ms for a file, in which the database has answered

/** A worker that reads files, and that indexes nothing. */
class FakeWorker extends EventTarget {
  async postMessage(order: Partial<ReaderOrder>): Promise<void> {
    if (!order.file) return;
    await new Promise((resolve) => setTimeout(resolve, SLOW));
    const texts = [...listGames(await order.file.text())];
    const games = texts.map((text) => ({ text, description: describeGame(text) }));
    this.send({ type: "progress", games, share: 1 });
    this.send({ type: "end", coding: null });
  }
  private send(data: ReaderMessage): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
  terminate(): void {}
}

const stored = new Map<string, string>();

vi.stubGlobal("Worker", FakeWorker);
vi.stubGlobal("addEventListener", () => {});
vi.stubGlobal("navigator", {});
vi.stubGlobal("history", { replaceState: () => {} });
vi.stubGlobal("sessionStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
});

let app: App;

beforeEach(() => {
  const toasts = new Toasts();
  app = {
    study: new Study({ toasts, onMove: () => {}, onRearrange: () => {}, hash: () => "" }),
    toasts,
    account: { isAdmitted: signal(false), token: signal(null) },
    opener: { encodedFile: signal(null), mayOpen: () => true },
    leaveFinishedGame: () => {},
    openDialog: () => {},
  } as unknown as App;
});

test("a file that was open before a reload is listed, unless another one is read", async () => {
  await new Library(app).openLarge(fileOf("Ann", "Bob"));
  app.study.games.value = [];
  new Library(app);
  await vi.waitFor(() => expect(app.study.games.peek()).toHaveLength(2), 5000);
  app.study.games.value = [];
  expect(await new Library(app).openLarge(fileOf("Cid", "Dan", "Eva"))).toBe(true);
  expect(app.study.games.peek()).toHaveLength(3);
});

test("the games of a file are not shown where another game may not be opened", async () => {
  app.opener.mayOpen = () => false;
  expect(await new Library(app).openLarge(fileOf("Ann", "Bob"))).toBe(false);
  expect(app.study.games.peek()).toEqual([]);
});

test("the library forgets what is left of deleted files when it is opened", async () => {
  const database = await openDatabase();
  await database.add("versions", { file: 99, at: 0, saved: 0, pgn: "" });
  new Library(app);
  await vi.waitFor(async () => expect(await database.count("versions")).toBe(0), 5000);
});
