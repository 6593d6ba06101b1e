/**
 * Files of games that this browser keeps, in IndexedDB.
 *
 * A file is kept as its bytes, and is written back as it was read unless a game in it was saved.
 * Each change is one transaction, in which the file is read again: several tabs may change one file.
 */

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { readText } from "../game/encoding";
import { replaceGame } from "./splice";

/** What a list of files shows. */
export interface FileEntry {
  readonly id: number;
  /** Its name; folders are separated by slashes. */
  readonly path: string;
  readonly size: number; // bytes
  /** The time of the last change, in ms since 1970. */
  readonly changed: number;
  /** The title of each game, by which it is searched. */
  readonly titles: readonly string[];
}

/** A game as it was before it was saved over. */
export interface Version {
  readonly file: number;
  readonly at: number;
  readonly saved: number; // ms since 1970
  readonly pgn: string;
}

interface Schema extends DBSchema {
  files: { key: number; value: FileEntry };
  contents: { key: number; value: Uint8Array };
  versions: { key: number; value: Version; indexes: { game: [number, number] } };
}

/** A new file. */
export interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly titles: readonly string[];
}

/** A kept file with its bytes. */
export interface KeptFile {
  readonly entry: FileEntry;
  readonly bytes: Uint8Array;
}

/** A game to be saved: over the one at an index, if its text is still the expected one. */
export interface SavedGame {
  readonly pgn: string;
  readonly title: string;
  readonly over: { readonly at: number; readonly text: string } | null;
}

const MOST_VERSIONS = 20; // of a game

export class FileStore {
  private readonly db: Promise<IDBPDatabase<Schema>>;

  constructor(name = "rookery-library") {
    this.db = openDB<Schema>(name, 1, {
      upgrade(db) {
        db.createObjectStore("files", { keyPath: "id" });
        db.createObjectStore("contents", { autoIncrement: true }); // no id is used twice
        const versions = db.createObjectStore("versions", { autoIncrement: true });
        versions.createIndex("game", ["file", "at"]);
      },
    });
  }

  async list(): Promise<readonly FileEntry[]> {
    const files = await (await this.db).getAll("files");
    return files.sort((one, other) => one.path.localeCompare(other.path));
  }

  /** Keep a file; return its id, or that of the file with the same bytes. */
  async add({ path, bytes, titles }: NewFile): Promise<number> {
    const change = (await this.db).transaction(["files", "contents"], "readwrite");
    const [files, contents] = [change.objectStore("files"), change.objectStore("contents")];
    const others = await files.getAll();
    for (const each of others) {
      if (each.size !== bytes.length) continue;
      if (isSame(await contents.get(each.id), bytes)) return each.id;
    }
    const id = await contents.add(bytes);
    const name = freePath(
      path,
      others.map((each) => each.path),
    );
    await files.put({ id, path: name, size: bytes.length, changed: Date.now(), titles });
    await change.done;
    return id;
  }

  /** Return a file; null if it was deleted. */
  async read(id: number): Promise<KeptFile | null> {
    const look = (await this.db).transaction(["files", "contents"]);
    const entry = await look.objectStore("files").get(id);
    const bytes = await look.objectStore("contents").get(id);
    return entry && bytes ? { entry, bytes } : null;
  }

  /** Save a game in a file; return its index, or null if the file was deleted. */
  async save(id: number, { pgn, title, over }: SavedGame): Promise<number | null> {
    const names = ["files", "contents", "versions"] as const;
    const change = (await this.db).transaction(names, "readwrite");
    const [files, contents] = [change.objectStore("files"), change.objectStore("contents")];
    const entry = await files.get(id);
    const before = await contents.get(id);
    if (!entry || !before) return null;
    const { text, at, replaced } = replaceGame(readText(before).text, pgn, over);
    const bytes = new TextEncoder().encode(text);
    const titles = [...entry.titles];
    titles[at] = title;
    await files.put({ ...entry, titles, size: bytes.length, changed: Date.now() });
    await contents.put(bytes, id);
    const versions = change.objectStore("versions");
    if (replaced !== null) {
      await versions.add({ file: id, at, saved: Date.now(), pgn: replaced });
      const old = await versions.index("game").getAllKeys([id, at]);
      for (const key of old.slice(0, -MOST_VERSIONS)) await versions.delete(key);
    }
    await change.done;
    return at;
  }

  /** Return what a game was before each time it was saved, the newest first. */
  async versions(id: number, at: number): Promise<readonly Version[]> {
    return (await (await this.db).getAllFromIndex("versions", "game", [id, at])).reverse();
  }

  /** Rename a file, or move it to another folder; the name may get a number to be the only one. */
  async rename(id: number, path: string): Promise<void> {
    const change = (await this.db).transaction("files", "readwrite");
    const entry = await change.store.get(id);
    const others = (await change.store.getAll()).filter((each) => each.id !== id);
    const name = freePath(
      path,
      others.map((each) => each.path),
    );
    if (entry) await change.store.put({ ...entry, path: name });
    await change.done;
  }

  /** Delete a file; return it, so that it can be restored. */
  async remove(id: number): Promise<KeptFile | null> {
    const change = (await this.db).transaction(["files", "contents"], "readwrite");
    const entry = await change.objectStore("files").get(id);
    const bytes = await change.objectStore("contents").get(id);
    await change.objectStore("files").delete(id);
    await change.objectStore("contents").delete(id);
    await change.done;
    return entry && bytes ? { entry, bytes } : null;
  }

  /** Restore a file that was deleted. */
  async restore({ entry, bytes }: KeptFile): Promise<void> {
    const change = (await this.db).transaction(["files", "contents"], "readwrite");
    await change.objectStore("files").put(entry);
    await change.objectStore("contents").put(bytes, entry.id);
    await change.done;
  }
}

function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one?.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Return a path that no other file has: `a.pgn`, `a (2).pgn` ... */
function freePath(path: string, taken: readonly string[]): string {
  const [, stem = path, end = ""] = /^(.*?)(\.\w+)?$/.exec(path) ?? [];
  let free = path;
  for (let count = 2; taken.includes(free); count++) free = `${stem} (${count})${end}`;
  return free;
}
