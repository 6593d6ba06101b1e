/** Search of the library: files and games by the words of their titles.  Pure. */

import type { FileEntry } from "./store";

/** The file for games that are saved in no other one. */
export const OWN_FILE = "My games.pgn";

/** A game that was found. */
export interface Found {
  readonly file: FileEntry;
  readonly at: number;
  readonly title: string;
}

/** Find games that have all words, in any order; at most as many as wanted. */
export function findGames(files: readonly FileEntry[], text: string, most: number): Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Found[] = [];
  if (!words.length) return found;
  for (const file of files) {
    for (const [at, title] of file.titles.entries()) {
      const lower = title.toLowerCase();
      if (!words.every((word) => lower.includes(word))) continue;
      found.push({ file, at, title });
      if (found.length === most) return found;
    }
  }
  return found;
}

/** Return the files by their folders, the files without one first. */
export function byFolder(files: readonly FileEntry[]): Map<string, FileEntry[]> {
  const folders = new Map<string, FileEntry[]>([["", []]]);
  for (const file of files) {
    const folder = file.path.split("/").slice(0, -1).join("/");
    const others = folders.get(folder);
    if (others) others.push(file);
    else folders.set(folder, [file]);
  }
  return folders;
}
