/**
 * Files of games that this browser keeps, in IndexedDB.
 *
 * A file is kept as its bytes, and is written back as it was read unless a game in it was saved.
 * Each change is one transaction, in which the file is read again: several tabs may change one file.
 */

import { type DecodedText, encodeText, readText } from "../game/encoding";
import { type FileEntry, type LibraryDatabase, openDatabase, type Version } from "./database";
import { partWith } from "./game_index";
import { dropParts } from "./index_store";
import { replaceGame } from "./splice";

/** A new file. */
export interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly titles: readonly string[];
  readonly coding: string | null;
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
  /** Whether the file becomes UTF-8, if its encoding has no letter for some of the game. */
  readonly mayBecomeUtf8?: boolean;
}

/** A game has letters that the encoding of its file has not. */
export class EncodingError extends Error {
  constructor(readonly coding: string) {
    super(`not in ${coding}`);
  }
}

const MOST_VERSIONS = 20; // of a game

export class FileStore {
  constructor(private readonly db: Promise<LibraryDatabase> = openDatabase()) {}

  async list(): Promise<readonly FileEntry[]> {
    const files = await (await this.db).getAll("files");
    return files.sort((one, other) => one.path.localeCompare(other.path));
  }

  /** Keep a file; return its id, or that of the file with the same bytes. */
  async add({ path, bytes, titles, coding }: NewFile): Promise<number> {
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
    const [size, changed] = [bytes.length, Date.now()];
    await files.put({ id, path: name, size, changed, titles, coding });
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

  /**
   * Save a game in a file; return its index, or null if the file was deleted.  Fails with an
   * `EncodingError` if the file would have to become UTF-8, and may not.
   */
  async save(id: number, saved: SavedGame): Promise<number | null> {
    const { pgn, title, over } = saved;
    const names = ["files", "contents", "versions", "games", "positions"] as const;
    const change = (await this.db).transaction(names, "readwrite");
    const [files, contents] = [change.objectStore("files"), change.objectStore("contents")];
    const entry = await files.get(id);
    const before = await contents.get(id);
    if (!entry || !before) return null;
    const former = readText(before, entry.coding ?? undefined);
    const { text, at, replaced } = replaceGame(former.text, pgn, over);
    const kept = former.coding === null ? null : encoded(text, former, before);
    if (former.coding !== null && !kept && !saved.mayBecomeUtf8) {
      throw new EncodingError(former.coding);
    }
    const bytes = kept ?? new TextEncoder().encode(text);
    const titles = [...entry.titles];
    titles[at] = title;
    const coding = kept ? former.coding : null;
    await files.put({ ...entry, titles, coding, size: bytes.length, changed: after(entry) });
    await contents.put(bytes, id);
    await dropParts(change, id, partWith(at));
    const versions = change.objectStore("versions");
    if (replaced !== null) {
      await versions.add({ file: id, at, saved: Date.now(), pgn: replaced });
      const old = await versions.index("game").getAllKeys([id, at]);
      for (const key of old.slice(0, -MOST_VERSIONS)) await versions.delete(key);
    }
    await change.done;
    return at;
  }

  /** Read a file in another encoding from now on, by which its games have other titles. */
  async setCoding(id: number, coding: string, titles: readonly string[]): Promise<void> {
    const change = (await this.db).transaction(["files", "games", "positions"], "readwrite");
    const entry = await change.objectStore("files").get(id);
    if (entry) {
      await change.objectStore("files").put({ ...entry, coding, titles, changed: after(entry) });
    }
    await dropParts(change, id);
    await change.done;
  }

  /** Return what a game was before each time it was saved, the newest first. */
  async versions(id: number, at: number): Promise<readonly Version[]> {
    return (await (await this.db).getAllFromIndex("versions", "game", [id, at])).reverse();
  }

  /** Forget the versions of games in files that were deleted before, and are not restored any more. */
  async dropOldVersions(): Promise<void> {
    const change = (await this.db).transaction(["files", "versions"], "readwrite");
    const files = new Set(await change.objectStore("files").getAllKeys());
    const versions = change.objectStore("versions");
    let cursor = await versions.index("game").openKeyCursor();
    while (cursor) {
      const [file] = cursor.key;
      const isKept = files.has(file);
      if (!isKept) await versions.delete(cursor.primaryKey);
      // All others of a kept file are skipped.
      cursor = await (isKept
        ? cursor.continue([file, Number.POSITIVE_INFINITY])
        : cursor.continue());
    }
    await change.done;
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

  /** Delete a file, and on the server next if it is kept there; return it, so that it can be restored. */
  async remove(id: number): Promise<KeptFile | null> {
    const names = ["files", "contents", "games", "positions", "removals"] as const;
    const change = (await this.db).transaction(names, "readwrite");
    const entry = await change.objectStore("files").get(id);
    const bytes = await change.objectStore("contents").get(id);
    await dropParts(change, id);
    await change.objectStore("files").delete(id);
    await change.objectStore("contents").delete(id);
    if (entry?.server?.version) await change.objectStore("removals").put(entry.server);
    await change.done;
    return entry && bytes ? { entry, bytes } : null;
  }

  /** Restore a file that was deleted; where the server keeps it, that counts as a change. */
  async restore({ entry, bytes }: KeptFile): Promise<void> {
    const change = (await this.db).transaction(["files", "contents"], "readwrite");
    await change.objectStore("files").put({ ...entry, changed: after(entry) });
    await change.objectStore("contents").put(bytes, entry.id);
    await change.done;
  }
}

/** Encode the new text of a file as it was; null if that is not possible without a loss. */
function encoded(text: string, former: DecodedText, before: Uint8Array): Uint8Array | null {
  const coding = former.coding ?? "";
  // A file may have lines in several encodings.
  return isSame(encodeText(former.text, coding) ?? undefined, before)
    ? encodeText(text, coding)
    : null;
}

export function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one?.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Return a path that no other file has: `a.pgn`, `a (2).pgn` ... */
export function freePath(path: string, taken: readonly string[]): string {
  const [, stem = path, end = ""] = /^(.*?)(\.\w+)?$/.exec(path) ?? [];
  let free = path;
  for (let count = 2; taken.includes(free); count++) free = `${stem} (${count})${end}`;
  return free;
}

/** Return the time of a change; each is later than the one before, so that the index knows of it. */
function after({ changed }: FileEntry): number {
  return Math.max(Date.now(), changed + 1);
}
