/**
 * The opening explorer as the page has it: of the games of a file, or else of those that were
 * played here.  They are read when somebody wants to see them, a few at a time, so that the
 * page goes on meanwhile.
 */

import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { type PgnGame, playedGames } from "../game/pgn";
import { Explorer } from "./explorer";

/** What has been read of some games. */
export interface Reading {
  readonly explorer: Explorer;
  readonly games: readonly PgnGame[];
  /** How many of them have been read. */
  readonly read: number;
  /** Whether they were played here, against engines. */
  readonly isOwn: boolean;
}

const SLICE = 8; // ms at once

export class Book {
  readonly isOpen = signal(false);
  /** Null as long as nothing has been read. */
  readonly reading = signal<Reading | null>(null);

  /** `file` are the games of the file that is open. */
  constructor(file: ReadonlySignal<readonly PgnGame[]>) {
    effect(() => {
      const games = file.value;
      const ends = new AbortController();
      if (this.isOpen.value) void this.read(games, ends.signal);
      return () => ends.abort();
    });
  }

  toggle(): void {
    this.isOpen.value = !this.isOpen.peek();
  }

  private async read(file: readonly PgnGame[], ended: AbortSignal): Promise<void> {
    const isOwn = file.length === 0;
    const games = isOwn ? playedGames() : file;
    const former = this.reading.peek();
    if (!isOwn && former?.games === games && former.read === games.length) return;
    const explorer = new Explorer();
    let read = 0;
    do {
      const end = performance.now() + SLICE;
      while (read < games.length && performance.now() < end) add(explorer, games[read++]);
      this.reading.value = { explorer, games, read, isOwn };
      await new Promise((resolve) => setTimeout(resolve));
    } while (read < games.length && !ended.aborted);
  }
}

/** A game that cannot be opened keeps its number, and has no moves. */
function add(explorer: Explorer, game: PgnGame | undefined): void {
  const start = game?.start();
  if (game && start) explorer.add(start, game.sans(), game.headers.get("Result"));
  else explorer.skip();
}
