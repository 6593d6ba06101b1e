/** The database of the library in this browser (IndexedDB). */

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { IndexedGame } from "./game_index";

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
  /** The 8-bit encoding in which it is read and written; older entries have none. */
  readonly coding?: string | null;
}

/** A game as it was before it was saved over. */
export interface Version {
  readonly file: number;
  readonly at: number;
  readonly saved: number; // ms since 1970
  readonly pgn: string;
}

/** The form of the index, the file, and the first game of a part of it. */
export type PartKey = [form: number, file: number, first: number];

export interface Schema extends DBSchema {
  files: { key: number; value: FileEntry };
  contents: { key: number; value: Uint8Array };
  versions: { key: number; value: Version; indexes: { game: [number, number] } };
  games: { key: PartKey; value: readonly IndexedGame[] };
  positions: { key: PartKey; value: BigUint64Array };
}

export type LibraryDatabase = IDBPDatabase<Schema>;

export function openDatabase(name = "rookery-library"): Promise<LibraryDatabase> {
  return openDB<Schema>(name, 2, {
    upgrade(db, before) {
      if (before < 1) {
        db.createObjectStore("files", { keyPath: "id" });
        db.createObjectStore("contents", { autoIncrement: true }); // no id is used twice
        const versions = db.createObjectStore("versions", { autoIncrement: true });
        versions.createIndex("game", ["file", "at"]);
      }
      db.createObjectStore("games");
      db.createObjectStore("positions");
    },
    // Another tab has a newer page, and waits for this one.
    blocking: (_before, _wanted, event) => (event.target as IDBDatabase).close(),
  });
}
