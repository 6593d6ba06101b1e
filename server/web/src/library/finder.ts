/** The search of the library: what is wanted, and the games that were found. */

import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { FileEntry } from "./database";
import { gamesWith, partsOf } from "./game_index";
import type { IndexStore } from "./index_store";
import {
  asksSomething,
  hasWords,
  isInFolder,
  isMatch,
  NO_QUERY,
  needsIndex,
  type Query,
} from "./query";

/** A game that was found. */
export interface Found {
  readonly file: FileEntry;
  readonly at: number;
  readonly title: string;
}

const DELAY = 150; // ms after the last change of the query

export class Finder {
  readonly query = signal<Query>(NO_QUERY);
  /** Null if nothing is searched, or not yet. */
  readonly found = signal<readonly Found[] | null>(null);
  /** Changes when more games have been indexed. */
  readonly indexed = signal(0);

  constructor(
    private readonly files: ReadonlySignal<readonly FileEntry[]>,
    private readonly index: Pick<IndexStore, "games" | "positions">,
    private readonly onError: (error: unknown) => void,
  ) {
    let former = NO_QUERY;
    effect(() => {
      const [query, list] = [this.query.value, this.files.value];
      if (needsIndex(query)) void this.indexed.value;
      if (query !== former) this.found.value = null; // It was found for another query.
      former = query;
      const ends = new AbortController();
      const timer = setTimeout(() => void this.search(query, list, ends.signal), DELAY);
      return () => {
        clearTimeout(timer);
        ends.abort();
      };
    });
  }

  change(query: Partial<Query>): void {
    this.query.value = { ...this.query.peek(), ...query };
  }

  private async search(query: Query, list: readonly FileEntry[], ended: AbortSignal) {
    if (!asksSomething(query)) return;
    try {
      const found = await findAll(list, query, this.index, ended);
      if (!ended.aborted) this.found.value = found;
    } catch (error) {
      if (ended.aborted) return;
      this.found.value = []; // The search is over.
      this.onError(error);
    }
  }
}

/** Find the games that a query asks for, as far as they are indexed if it needs that. */
export async function findAll(
  list: readonly FileEntry[],
  query: Query,
  index: Pick<IndexStore, "games" | "positions">,
  ended: AbortSignal,
): Promise<Found[]> {
  const isIndexed = needsIndex(query);
  const found: Found[] = [];
  for (const file of list.filter(({ path }) => isInFolder(path, query.folder))) {
    const numbers = isIndexed ? await findInFile(file, query, index, ended) : file.titles.keys();
    for (const at of numbers) {
      const title = file.titles[at] ?? "";
      if (hasWords(title, query.words)) found.push({ file, at, title });
    }
    if (ended.aborted) break;
  }
  return found;
}

async function findInFile(
  { id, titles }: FileEntry,
  query: Query,
  index: Pick<IndexStore, "games" | "positions">,
  ended: AbortSignal,
): Promise<number[]> {
  const found: number[] = [];
  const hasFields = needsIndex({ ...query, position: null });
  for (const first of partsOf(titles.length)) {
    if (ended.aborted) break;
    const positions = query.position && (await index.positions(id, first));
    const numbers = query.position && positions ? gamesWith(positions, query.position.key) : null;
    if (query.position && !numbers?.size) continue;
    if (numbers && !hasFields) {
      for (const number of numbers) found.push(first + number);
      continue;
    }
    const games = (await index.games(id, first)) ?? [];
    for (const [number, game] of games.entries()) {
      if ((!numbers || numbers.has(number)) && isMatch(game, query)) found.push(first + number);
    }
  }
  return found;
}
