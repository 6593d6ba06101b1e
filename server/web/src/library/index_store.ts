/** The index of the library's files, in parts: a part is made anew after a change of a game in it. */

import type { IDBPTransaction, StoreNames } from "idb";
import type { FileEntry, LibraryDatabase, Schema } from "./database";
import { INDEX_FORM, type IndexedGame, type IndexPart, partsOf } from "./game_index";

type Change = IDBPTransaction<Schema, readonly StoreNames<Schema>[], "readwrite">;

/** Drop a part of a file's index, or all of them. */
export async function dropParts(
  change: Pick<Change, "objectStore">,
  file: number,
  first: number | null = null,
): Promise<void> {
  const [from, to] = first === null ? [0, Number.POSITIVE_INFINITY] : [first, first];
  const parts = IDBKeyRange.bound([INDEX_FORM, file, from], [INDEX_FORM, file, to]);
  await change.objectStore("games").delete(parts);
  await change.objectStore("positions").delete(parts);
}

export class IndexStore {
  constructor(private readonly db: Promise<LibraryDatabase>) {}

  /** Remove what an older page has indexed in another form. */
  async clean(): Promise<void> {
    const change = (await this.db).transaction(["games", "positions"], "readwrite");
    const others = IDBKeyRange.upperBound([INDEX_FORM], true);
    await change.objectStore("games").delete(others);
    await change.objectStore("positions").delete(others);
    await change.done;
  }

  /** Return the first games of the parts that each of some files lacks. */
  async missing(files: readonly FileEntry[]): Promise<Map<number, number[]>> {
    const keys = await (await this.db).getAllKeys("positions");
    const there = new Set(keys.map(([form, file, first]) => `${form} ${file} ${first}`));
    const missing = new Map<number, number[]>();
    for (const { id, titles } of files) {
      const parts = partsOf(titles.length);
      const absent = parts.filter((first) => !there.has(`${INDEX_FORM} ${id} ${first}`));
      if (absent.length) missing.set(id, absent);
    }
    return missing;
  }

  /** Keep a part, unless its file has changed since it was read. */
  async put({ id, changed }: FileEntry, { first, games, positions }: IndexPart): Promise<void> {
    const change = (await this.db).transaction(["files", "games", "positions"], "readwrite");
    const entry = await change.objectStore("files").get(id);
    if (entry?.changed === changed) {
      await change.objectStore("games").put(games, [INDEX_FORM, id, first]);
      await change.objectStore("positions").put(positions, [INDEX_FORM, id, first]);
    }
    await change.done;
  }

  async games(file: number, first: number): Promise<readonly IndexedGame[] | null> {
    return (await (await this.db).get("games", [INDEX_FORM, file, first])) ?? null;
  }

  async positions(file: number, first: number): Promise<BigUint64Array | null> {
    return (await (await this.db).get("positions", [INDEX_FORM, file, first])) ?? null;
  }
}
