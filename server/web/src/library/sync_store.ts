/** What the library's database has of the server: each change is one transaction, as in `FileStore`. */

import type { FileEntry, LibraryDatabase, ServerState } from "./database";
import { dropParts } from "./index_store";
import { freePath, isSame, type KeptFile, type NewFile } from "./store";
import type { Removal } from "./sync_plan";

const PARTS = ["files", "contents", "games", "positions"] as const;

export class SyncStore {
  constructor(private readonly db: Promise<LibraryDatabase>) {}

  /** Have a file kept on the server, to which it is sent next. */
  async keep(id: number, account: string): Promise<void> {
    await this.change(id, (entry) => ({ ...entry, server: unsent(account) }));
  }

  /** Have a file kept here only; it is removed there next. */
  async release(id: number): Promise<void> {
    const change = (await this.db).transaction(["files", "removals"], "readwrite");
    const entry = await change.objectStore("files").get(id);
    if (entry?.server) {
      const { server, ...local } = entry;
      await change.objectStore("files").put(local);
      if (server.version) await change.objectStore("removals").put(server);
    }
    await change.done;
  }

  /** Remember what both sides have now. */
  async setServer(id: number, server: ServerState): Promise<void> {
    await this.change(id, (entry) =>
      entry.server?.id === server.id ? { ...entry, server } : entry,
    );
  }

  /** Make a file that has changed on both sides another one, with a name of its own. */
  async split(id: number, path: string, account: string): Promise<void> {
    const change = (await this.db).transaction("files", "readwrite");
    const entry = await change.store.get(id);
    const name = freePath(path, pathsOf(await change.store.getAll()));
    if (entry) await change.store.put({ ...entry, path: name, server: unsent(account) });
    await change.done;
  }

  /**
   * Keep what was fetched, over a file unless that has changed meanwhile, or as a new file; one that
   * is here with the same bytes, and not on the server, becomes that.
   */
  async take(
    file: NewFile,
    served: Pick<ServerState, "id" | "account" | "version">,
    over: FileEntry | null,
  ): Promise<void> {
    const change = (await this.db).transaction(PARTS, "readwrite");
    const [files, contents] = [change.objectStore("files"), change.objectStore("contents")];
    const all = await files.getAll();
    let former = over && all.find(({ id }) => id === over.id);
    let isKnown = false;
    for (const each of over ? [] : all) {
      if (each.server || each.size !== file.bytes.length) continue;
      if (isSame(await contents.get(each.id), file.bytes)) [former, isKnown] = [each, true];
    }
    const isStale = over && (former?.changed !== over.changed || former.path !== over.path);
    if (!isStale) {
      const id = former?.id ?? (await contents.add(file.bytes));
      const path = freePath(file.path, pathsOf(all.filter((each) => each.id !== id)));
      const changed =
        isKnown && former ? former.changed : Math.max(Date.now(), (former?.changed ?? 0) + 1);
      const [size, { titles, coding }] = [file.bytes.length, file];
      // A name that is taken here may be another one there.
      const server = { ...served, changed, path };
      await files.put({ id, path, size, changed, titles, coding, server });
      if (!isKnown) {
        await contents.put(file.bytes, id);
        await dropParts(change, id);
      }
    }
    await change.done;
  }

  /** Delete a file that was removed there, unless it has changed; return it. */
  async drop({ id, changed }: FileEntry): Promise<KeptFile | null> {
    const change = (await this.db).transaction(PARTS, "readwrite");
    const [files, contents] = [change.objectStore("files"), change.objectStore("contents")];
    const entry = await files.get(id);
    const bytes = await contents.get(id);
    if (entry?.changed !== changed || !bytes) return null;
    await dropParts(change, id);
    await files.delete(id);
    await contents.delete(id);
    await change.done;
    return { entry, bytes };
  }

  async removals(): Promise<readonly Removal[]> {
    return (await this.db).getAll("removals");
  }

  async forget({ id }: Removal): Promise<void> {
    await (await this.db).delete("removals", id);
  }

  private async change(id: number, edit: (entry: FileEntry) => FileEntry): Promise<void> {
    const change = (await this.db).transaction("files", "readwrite");
    const entry = await change.store.get(id);
    if (entry) await change.store.put(edit(entry));
    await change.done;
  }
}

/** Return the state of a file that is to be sent, under an id that no other file has. */
function unsent(account: string): ServerState {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const id = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { id, account, version: 0, changed: 0, path: "" };
}

function pathsOf(files: readonly FileEntry[]): string[] {
  return files.map(({ path }) => path);
}
