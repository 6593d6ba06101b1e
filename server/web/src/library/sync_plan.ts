/**
 * What has to be done so that the files that are kept on the server are the same here.  Pure.
 *
 * It looks at three states of each file: here, there, and when both were the same.
 */

import type { FileEntry } from "./database";

/** A file of the server's list; one that was removed is listed for a while. */
export interface ServedFile {
  readonly id: string;
  readonly path: string;
  readonly version: number;
  readonly removed?: string;
}

/** A file that was deleted here, or is not to be kept there any more. */
export interface Removal {
  /** Of the file on the server. */
  readonly id: string;
  readonly account: string;
  readonly version: number;
}

export type Step =
  | { readonly type: "upload"; readonly entry: FileEntry; readonly expected: number | null }
  | { readonly type: "download"; readonly served: ServedFile; readonly entry: FileEntry | null }
  /** Both have changed, and both are kept. */
  | { readonly type: "split"; readonly served: ServedFile; readonly entry: FileEntry }
  /** It was removed there. */
  | { readonly type: "drop"; readonly entry: FileEntry }
  | { readonly type: "remove"; readonly removal: Removal }
  /** It has changed there since, or is gone there, too. */
  | { readonly type: "forget"; readonly removal: Removal };

/** How a file is here, compared with the server. */
export type SyncState = "same" | "here" | "there" | "both";

/** Return the steps for the files of an account. */
export function planSync(
  files: readonly FileEntry[],
  removals: readonly Removal[],
  served: readonly ServedFile[],
  account: string,
): Step[] {
  const own = files.filter(({ server }) => server?.account === account);
  const there = new Map(served.map((each) => [each.id, each]));
  const here = new Set(own.map(({ server }) => server?.id));
  const steps: Step[] = [];
  for (const removal of removals) {
    if (removal.account !== account) continue;
    const file = there.get(removal.id);
    const isSame = file?.version === removal.version && !file.removed && !here.has(removal.id);
    if (isSame) there.delete(removal.id);
    steps.push({ type: isSame ? "remove" : "forget", removal });
  }
  for (const entry of own) {
    const step = stepFor(entry, there.get(entry.server?.id ?? ""));
    if (step) steps.push(step);
  }
  for (const each of there.values()) {
    if (each.removed || here.has(each.id)) continue;
    steps.push({ type: "download", served: each, entry: null });
  }
  return steps;
}

function stepFor(entry: FileEntry, served: ServedFile | undefined): Step | null {
  // Without a file there is nothing that could be lost: perhaps the server's database is a new one.
  if (!served) return { type: "upload", entry, expected: null };
  switch (stateOf(entry, served)) {
    case "same":
      return null;
    case "here":
      return { type: "upload", entry, expected: served.version };
    case "there":
      return served.removed ? { type: "drop", entry } : { type: "download", served, entry };
    case "both":
      // What was changed here is not deleted, as it was changed there by nobody.
      return served.removed
        ? { type: "upload", entry, expected: served.version }
        : { type: "split", served, entry };
  }
}

/** Compare a file that is kept on the server with what is there, as far as that is known. */
export function stateOf(
  { path, changed, server }: FileEntry,
  served: ServedFile | undefined,
): SyncState {
  const isHere = !server || server.changed !== changed || server.path !== path;
  const isThere = Boolean(served && server && served.version !== server.version);
  if (isHere) return isThere ? "both" : "here";
  return isThere ? "there" : "same";
}
