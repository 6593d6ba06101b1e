/** Large files of games, read by a worker. */

import type { Description } from "../game/listing";
import { chooseGames, PgnGame } from "../game/pgn";
import { InputError } from "../game/position";
import { titleOf } from "../game/tree";
import { text } from "../language/catalogue";
import type { ReadTitles } from "./sync";

export interface ReadGame {
  readonly text: string;
  readonly description: Description;
}

/** A file to read, in an encoding or else in the likely one. */
export interface ReaderOrder {
  readonly file: Blob;
  readonly coding: string | null;
}

/** A message of the worker; the games of each are new. */
export type ReaderMessage =
  | { readonly type: "progress"; readonly games: readonly ReadGame[]; readonly share: number }
  | { readonly type: "end"; readonly coding: string | null };

/** The state of reading: the number of games so far, and the share of the file from 0 to 1. */
export interface Progress {
  readonly count: number;
  readonly share: number;
}

/** The games of a file, and the 8-bit encoding that was guessed, if it is in one. */
export interface FileGames {
  readonly games: readonly PgnGame[];
  readonly coding: string | null;
}

const LARGEST = 128 << 20; // bytes; the page keeps the text of each game

/** Read the games of a file; null if that was cancelled.  Fails if there are none. */
export function readLargeFile(
  file: Blob,
  onProgress: (progress: Progress) => void,
  cancelled: AbortSignal,
  coding: string | null = null,
): Promise<FileGames | null> {
  if (file.size > LARGEST) {
    const [size, limit] = [file.size, LARGEST].map((bytes) => Math.ceil(bytes / (1 << 20)));
    throw new InputError(text("library-too-large", { size: String(size), limit: String(limit) }));
  }
  const worker = new Worker(new URL("./reader.worker.ts", import.meta.url), { type: "module" });
  const games: PgnGame[] = [];
  const result = new Promise<FileGames | null>((resolve, reject) => {
    cancelled.addEventListener("abort", () => resolve(null));
    worker.addEventListener("error", () => reject(new InputError(text("library-unreadable"))));
    worker.addEventListener("message", ({ data }: MessageEvent<ReaderMessage>) => {
      if (data.type === "end") {
        resolve({ games, coding: data.coding });
        return;
      }
      for (const each of data.games) games.push(new PgnGame(each.text, each.description));
      onProgress({ count: games.length, share: data.share });
    });
    const order: ReaderOrder = { file, coding };
    worker.postMessage(order);
  });
  return result
    .then((read) => read && { ...read, games: chooseGames(read.games) })
    .finally(() => worker.terminate());
}

/** Read the titles of a file's games, which may have none, and its encoding. */
export async function readTitles(file: Blob, known: string | null): Promise<ReadTitles> {
  try {
    const read = await readLargeFile(file, () => {}, new AbortController().signal, known);
    return { titles: read?.games.map(titleOf) ?? [], coding: read?.coding ?? null };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { titles: [], coding: known };
  }
}
