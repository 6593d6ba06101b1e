/** The database of the library in this browser (IndexedDB). */

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { IndexedGame } from "./game_index";
import type { Removal } from "./sync_plan";

/** A file when the server and this browser had the same, for the account that keeps it there. */
export interface ServerState {
  /** Of the file on the server. */
  readonly id: string;
  readonly account: string;
  /** 0 before it was sent. */
  readonly version: number;
  readonly changed: number;
  readonly path: string;
}

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
  /** Absent if it is kept in this browser only. */
  readonly server?: ServerState;
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
  /** Files that are to be removed on the server. */
  removals: { key: string; value: Removal };
}

const FORM = 3; // of the database

export type LibraryDatabase = IDBPDatabase<Schema>;

/** What happens if two tabs have pages that keep different forms of the database. */
export interface OtherForms {
  /** A tab with an older page has the database open, and keeps this one waiting. */
  readonly onBlocked?: () => void;
  /** A tab with a newer page wants the database, which was closed for it. */
  readonly onClosed?: () => void;
}

export function openDatabase(
  name = "rookery-library",
  { onBlocked, onClosed }: OtherForms = {},
): Promise<LibraryDatabase> {
  return openDB<Schema>(name, FORM, {
    upgrade(db, before) {
      if (before < 1) {
        db.createObjectStore("files", { keyPath: "id" });
        db.createObjectStore("contents", { autoIncrement: true }); // no id is used twice
        const versions = db.createObjectStore("versions", { autoIncrement: true });
        versions.createIndex("game", ["file", "at"]);
      }
      if (before < 2) {
        db.createObjectStore("games");
        db.createObjectStore("positions");
      }
      db.createObjectStore("removals", { keyPath: "id" });
    },
    blocked: () => onBlocked?.(),
    blocking: (_before, _wanted, event) => {
      (event.target as IDBDatabase).close();
      onClosed?.();
    },
  });
}
