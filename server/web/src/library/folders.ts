/** The files of the library by their folders.  Pure. */

import type { FileEntry } from "./database";

/** The file for games that are saved in no other one. */
export const OWN_FILE = "My games.pgn";

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
