import "fake-indexeddb/auto";
import { expect, test, vi } from "vitest";
import { ServiceError } from "../service";
import { problemOf, UNREACHABLE } from "../uci/notice";
import { openDatabase } from "./database";
import type { ServerFiles } from "./server_files";
import { FileStore, type KeptFile } from "./store";
import { Sync } from "./sync";
import type { ServedFile } from "./sync_plan";
import { SyncStore } from "./sync_store";

vi.stubGlobal("navigator", {}); // older versions of Node have none

const GAME = '[White "Ann"]\n\n1. e4 *\n';
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

/** The server, which all machines have in common. */
class Server implements ServerFiles {
  readonly files = new Map<string, ServedFile & { bytes: Uint8Array }>();
  isReachable = true;
  most = Number.POSITIVE_INFINITY; // bytes of a file

  async list() {
    this.check(this.isReachable, 0);
    return { account: "ann", files: [...this.files.values()] };
  }

  async read(id: string) {
    const file = this.files.get(id);
    this.check(file, 404);
    return { bytes: file?.bytes as Uint8Array, version: file?.version as number };
  }

  async write(id: string, path: string, bytes: Uint8Array, expected: number | null) {
    this.check((this.files.get(id)?.version ?? null) === expected, 412);
    this.check(bytes.length <= this.most, 413);
    const version = (expected ?? 0) + 1;
    this.files.set(id, { id, path, bytes, version });
    return version;
  }

  async remove(id: string, expected: number) {
    const file = this.files.get(id);
    this.check(file?.version === expected, 412);
    if (file) this.files.set(id, { ...file, version: expected + 1, removed: "now" });
  }

  private check(isRight: unknown, status: number) {
    if (isRight) return;
    throw new ServiceError(status ? problemOf("service", "") : UNREACHABLE, status);
  }
}

let count = 0;

/** A browser with a library. */
function machine(server: Server) {
  const database = openDatabase(`sync ${++count}`);
  const [files, store] = [new FileStore(database), new SyncStore(database)];
  const dropped: KeptFile[] = [];
  const sync = new Sync({
    files,
    store,
    server,
    mayAsk: () => true,
    read: async () => ({ titles: ["a game"], coding: null }),
    nameOfOwn: (path) => path.replace(".pgn", " (from this computer).pgn"),
    onChange: async (file) => void (file && dropped.push(file)),
  });
  const add = async (path: string, text = GAME) => {
    const id = await files.add({ path, bytes: bytesOf(text), titles: ["a game"], coding: null });
    await sync.run();
    const entry = (await files.read(id))?.entry;
    if (entry) await sync.setKept(entry, true);
    await sync.run();
    return id;
  };
  const save = (id: number, move: string) =>
    files.save(id, { pgn: GAME.replace("e4", move), title: "", over: { at: 0, text: GAME } });
  const paths = async () => (await files.list()).map(({ path }) => path);
  const textAt = async (path: string) => {
    const found = (await files.list()).find((each) => each.path === path);
    return textOf((await files.read(found?.id ?? 0))?.bytes);
  };
  return { files, sync, dropped, add, save, paths, textAt };
}

async function pair() {
  const server = new Server();
  const [one, other] = [machine(server), machine(server)];
  const id = await one.add("club.pgn");
  await other.sync.run();
  const [{ id: there } = { id: 0 }] = await other.files.list();
  return { server, one, other, id, there };
}

test("a kept file is there on another machine, and others are not", async () => {
  const { server, one, other } = await pair();
  await one.files.add({ path: "own.pgn", bytes: bytesOf("1. a4"), titles: [""], coding: null });
  await one.sync.run();
  await other.sync.run();
  expect(await other.paths()).toEqual(["club.pgn"]);
  expect(await other.textAt("club.pgn")).toBe(GAME);
  expect(server.files.size).toBe(1);
});

test("changes and moves are the same on both sides", async () => {
  const { one, other, id, there } = await pair();
  await one.save(id, "d4");
  await one.files.rename(id, "2026/club.pgn");
  await one.sync.run();
  await other.sync.run();
  expect(await other.textAt("2026/club.pgn")).toContain("1. d4");
  await other.files.rename(there, "2027/club.pgn");
  await other.sync.run();
  await one.sync.run();
  expect(await one.paths()).toEqual(["2027/club.pgn"]);
});

test("what was changed on both sides is kept twice, everywhere", async () => {
  const { one, other, id, there } = await pair();
  await one.save(id, "d4");
  await other.save(there, "c4");
  await one.sync.run();
  await other.sync.run();
  await one.sync.run();
  for (const each of [one, other]) {
    expect(await each.paths()).toEqual(["club (from this computer).pgn", "club.pgn"]);
    expect(await each.textAt("club.pgn")).toContain("1. d4");
    expect(await each.textAt("club (from this computer).pgn")).toContain("1. c4");
  }
});

test("the same change on both sides makes no second file", async () => {
  const { one, other, id, there } = await pair();
  await one.save(id, "d4");
  await other.save(there, "d4");
  await one.sync.run();
  await other.sync.run();
  expect(await other.paths()).toEqual(["club.pgn"]);
});

test("a deleted file goes everywhere, and comes back when that is undone", async () => {
  const { one, other, id } = await pair();
  await one.files.remove(id);
  await one.sync.run();
  await other.sync.run();
  expect(await other.paths()).toEqual([]);
  const [dropped] = other.dropped;
  if (dropped) await other.files.restore(dropped);
  await other.sync.run();
  await one.sync.run();
  expect(await one.textAt("club.pgn")).toBe(GAME);
});

test("a file that is deleted here and changed there comes back", async () => {
  const { one, other, id, there } = await pair();
  await other.save(there, "d4");
  await other.sync.run();
  await one.files.remove(id);
  await one.sync.run();
  expect(await one.textAt("club.pgn")).toContain("1. d4");
});

test("a file that is not kept there any more stays here only", async () => {
  const { one, other, server } = await pair();
  const [entry] = await one.files.list();
  if (entry) await one.sync.setKept(entry, false);
  await one.sync.run();
  await other.sync.run();
  expect([await one.paths(), await other.paths()]).toEqual([["club.pgn"], []]);
  expect([...server.files.values()].every(({ removed }) => removed)).toBe(true);
});

test("a file that is kept already stays the same one, if all of its folder are to be kept", async () => {
  const { one, server } = await pair();
  const [before] = await one.files.list();
  if (before) await one.sync.setKept(before, true);
  await one.sync.run();
  expect((await one.files.list())[0]?.server?.id).toBe(before?.server?.id);
  expect(server.files.size).toBe(1);
});

test("a file that both machines had is no second one", async () => {
  const server = new Server();
  const [one, other] = [machine(server), machine(server)];
  await other.files.add({ path: "b.pgn", bytes: bytesOf(GAME), titles: [""], coding: null });
  await one.add("a.pgn");
  await other.sync.run();
  expect(await other.paths()).toEqual(["a.pgn"]);
});

test("without a connection all works here, and is sent later", async () => {
  const { server, one, other, id } = await pair();
  server.isReachable = false;
  await one.save(id, "d4");
  await one.sync.run();
  expect(one.sync.problem.peek()?.code).toBe("unreachable");
  server.isReachable = true;
  await one.sync.run();
  await other.sync.run();
  expect(one.sync.problem.peek()).toBeNull();
  expect(await other.textAt("club.pgn")).toContain("1. d4");
});

test("a server that did not answer is asked again", async () => {
  const server = new Server();
  const { sync } = machine(server);
  server.isReachable = false;
  const timer = vi.spyOn(globalThis, "setTimeout");
  await sync.run();
  expect(sync.problem.value).toBe(UNREACHABLE);
  const [again] = timer.mock.calls.at(-1) ?? [];
  timer.mockRestore();
  server.isReachable = true;
  again?.();
  await vi.waitFor(() => expect(sync.problem.value).toBeNull());
});

test("a file that the server refuses keeps no other one from being sent", async () => {
  const server = new Server();
  server.most = 100;
  const one = machine(server);
  const large = await one.add("a.pgn", GAME.repeat(9));
  await one.add("b.pgn");
  expect([...one.sync.refused.peek().keys()]).toEqual([large]);
  expect([...server.files.values()].map(({ path }) => path)).toEqual(["b.pgn"]);
});
