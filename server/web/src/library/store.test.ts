import "fake-indexeddb/auto";
import { openDB } from "idb";
import { expect, test, vi } from "vitest";
import { encodeText } from "../game/encoding";
import { openDatabase } from "./database";
import { EncodingError, FileStore } from "./store";

const game = (name: string, moves: string) =>
  `[Event "a"]\n[White "${name}"]\n[Result "1-0"]\n\n${moves} 1-0`;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const ANN = game("Ann", "1. e4 e5");
const BOB = game("Bob", "1. d4  d5");
const FILE = `% made by hand\r\n${`${ANN}\n\n\n${BOB}\n`.replaceAll("\n", "\r\n")}`;

let count = 0;
const opened = () => new FileStore(openDatabase(`library ${++count}`));
const added = (store: FileStore, path = "club.pgn", text = FILE) =>
  store.add({ path, bytes: bytesOf(text), titles: ["Ann", "Bob"], coding: null });

test("a file is written back as it was read", async () => {
  const store = opened();
  const id = await added(store);
  expect(textOf((await store.read(id))?.bytes)).toBe(FILE);
});

test("a saved game changes nothing but itself, and its last state can be had again", async () => {
  const store = opened();
  const id = await added(store);
  const pgn = game("Ann", "1. c4");
  expect(await store.save(id, { pgn, title: "c", over: { at: 0, text: ANN } })).toBe(0);
  const kept = await store.read(id);
  expect(textOf(kept?.bytes)).toBe(FILE.replace("1. e4 e5", "1. c4"));
  expect(kept?.entry.titles).toEqual(["c", "Bob"]);
  expect((await store.versions(id, 0)).map((each) => each.pgn)).toEqual([ANN]);
  expect(await store.versions(id, 1)).toEqual([]);
});

test("a game that another tab has changed is not lost: the second one is added", async () => {
  const [name, other] = ["shared", "shared"].map((each) => new FileStore(openDatabase(each)));
  const id = await added(name as FileStore);
  const over = { at: 0, text: ANN };
  const saves = [name, other].map((store, at) =>
    store?.save(id, { pgn: game("Ann", `1. ${"ab"[at]}4`), title: "", over }),
  );
  expect(await Promise.all(saves)).toEqual([0, 2]);
  const text = textOf((await name?.read(id))?.bytes);
  expect(text).toContain("1. a4");
  expect(text).toContain("1. b4");
});

test("the same file is kept once, and another one of its name gets a number", async () => {
  const store = opened();
  expect(await added(store, "b.pgn")).toBe(await added(store));
  await added(store, "b.pgn", BOB);
  expect((await store.list()).map(({ path }) => path)).toEqual(["b (2).pgn", "b.pgn"]);
});

test("a file is renamed, deleted and restored", async () => {
  const store = opened();
  const id = await added(store);
  await store.rename(id, "2026/club.pgn");
  const removed = await store.remove(id);
  expect(await store.list()).toEqual([]);
  if (removed) await store.restore(removed);
  expect((await store.list()).map(({ path }) => path)).toEqual(["2026/club.pgn"]);
});

test("only the newest versions of a game are kept", async () => {
  const store = opened();
  const id = await added(store);
  let text = ANN;
  for (let move = 0; move < 25; move++) {
    const pgn = game("Ann", `1. e4 e5 {${move}}`);
    await store.save(id, { pgn, title: "", over: { at: 0, text } });
    text = pgn;
  }
  const versions = await store.versions(id, 0);
  expect(versions).toHaveLength(20);
  expect(versions[0]?.pgn).toContain("{23}");
});

test("versions of games are kept as long as their file, and until it cannot be restored", async () => {
  const store = opened();
  const pgn = game("Ann", "1. c4");
  const ids: number[] = [];
  for (const text of [ANN, FILE, `${ANN}\n`]) {
    const id = await added(store, "a.pgn", text);
    await store.save(id, { pgn, title: "c", over: { at: 0, text: ANN } });
    await store.save(id, { pgn: ANN, title: "", over: { at: 0, text: pgn } });
    ids.push(id);
  }
  const counts = () => Promise.all(ids.map(async (id) => (await store.versions(id, 0)).length));
  const removed = await store.remove(ids[2] ?? 0);
  if (removed) await store.restore(removed);
  await store.remove(ids[0] ?? 0);
  expect(await counts()).toEqual([2, 2, 2]);
  await store.dropOldVersions();
  expect(await counts()).toEqual([0, 2, 2]);
});

test("a file in an 8-bit encoding is written back in it", async () => {
  const store = opened();
  const russian = (name: string) => `[White "${name}"]\n[Result "*"]\n\n1. e4 *\n`;
  const before = encodeText(russian("Петров"), "windows-1251") as Uint8Array;
  const file = { path: "club.pgn", bytes: before, titles: [""], coding: "windows-1251" };
  const id = await store.add(file);
  const save = (name: string, mayBecomeUtf8 = false) =>
    store.save(id, { pgn: russian(name), title: "", over: null, mayBecomeUtf8 });
  expect(await save("Карпов")).toBe(1);
  const kept = await store.read(id);
  expect(kept?.bytes).toEqual(
    encodeText(`${russian("Петров")}\n${russian("Карпов")}`, "windows-1251"),
  );
  // A letter that it has not is not lost without a question.
  await expect(save("Réti")).rejects.toBeInstanceOf(EncodingError);
  expect((await store.read(id))?.bytes).toEqual(kept?.bytes);
  await save("Réti", true);
  const after = await store.read(id);
  expect(textOf(after?.bytes)).toContain("Карпов");
  expect(textOf(after?.bytes)).toContain("Réti");
  expect(after?.entry.coding).toBeNull();
});

test("a file with lines in several encodings is not written back as if it had one", async () => {
  const store = opened();
  const one = encodeText('[White "Петров"]\n', "windows-1251") as Uint8Array;
  const bytes = new Uint8Array([...one, ...bytesOf('[Black "Réti"]\n\n1. e4 *\n')]);
  const id = await store.add({ path: "a.pgn", bytes, titles: [""], coding: "windows-1251" });
  const saved = store.save(id, { pgn: ANN, title: "", over: null });
  await expect(saved).rejects.toBeInstanceOf(EncodingError);
});

test("a tab with an older page is asked to be closed, and the library opens then", async () => {
  const old = await openDB("older", 1);
  const onBlocked = vi.fn();
  const newer = openDatabase("older", { onBlocked });
  await vi.waitFor(() => expect(onBlocked).toHaveBeenCalled());
  old.close();
  (await newer).close();
});

test("the library does not keep a newer page waiting", async () => {
  const onClosed = vi.fn();
  await openDatabase("newer", { onClosed });
  (await openDB("newer", 99)).close();
  expect(onClosed).toHaveBeenCalledOnce();
});
