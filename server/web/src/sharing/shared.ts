/** The shared game that this page shows: it can be read and copied, and not be changed. */

import { batch, computed, signal } from "@preact/signals";
import { readGames } from "../game/pgn";
import { InputError } from "../game/position";
import type { Study } from "../game/study";
import { GameTree } from "../game/tree";
import { loadLater, text } from "../language/catalogue";
import { errorText } from "../language/problems";
import { problemIn } from "../service";
import { type Problem, problemOf } from "../uci/notice";
import { readSharedGame, type SharedGame, sharedIn } from "./client";

type Reader = (id: string) => Promise<SharedGame>;

export class Shared {
  /** The id in the address; null if this page shows a game of its own. */
  private readonly id = signal<string | null>(null);
  readonly game = signal<SharedGame | null>(null);
  /** The game on the board while it is the shared one. */
  private readonly tree = signal<GameTree | null>(null);
  readonly problem = signal<Problem | null>(null);
  /** Whether the shared game is on the board, or is to come there. */
  readonly isShown = computed(
    () => this.id.value !== null && this.study.tree.value === this.tree.value,
  );

  constructor(
    private readonly study: Pick<Study, "tree" | "node" | "load" | "restore">,
    private readonly read: Reader = readSharedGame,
  ) {}

  /** The address of the page while it shows a shared game; null otherwise. */
  get hash(): string | null {
    return this.isShown.peek() ? `game=${this.id.peek()}` : null;
  }

  /** Show the game that an address names; return whether it names one. */
  openAddress(hash: string): boolean {
    const id = sharedIn(hash);
    if (id === null) return false;
    this.show(id, null, new GameTree());
    void this.fetchGame(id);
    return true;
  }

  private async fetchGame(id: string): Promise<void> {
    try {
      const game = await this.read(id);
      if (this.isShown.peek() && this.id.peek() === id) this.show(id, game, treeOf(game.pgn));
    } catch (error) {
      await loadLater().catch(() => {}); // It has the words.
      if (this.id.peek() === id) this.problem.value = problemOfGame(error);
    }
  }

  private show(id: string, game: SharedGame | null, tree: GameTree): void {
    batch(() => {
      this.id.value = id;
      this.game.value = game;
      this.tree.value = tree;
      this.problem.value = null;
      this.study.load(tree);
    });
  }

  /** Continue with a copy that can be changed. */
  copy(): void {
    const game = this.game.peek();
    if (!game) return;
    const moves = this.study.node.peek().path();
    const tree = treeOf(game.pgn);
    const uci = moves.flatMap((node) => node.uci || []);
    this.close();
    this.study.load(tree, tree.playAll(tree.root, uci));
  }

  /** Return to the game that was on the board of this browser. */
  leave(): void {
    this.close();
    this.study.load(new GameTree());
    this.study.restore();
  }

  private close(): void {
    batch(() => {
      this.id.value = this.game.value = this.tree.value = this.problem.value = null;
    });
  }
}

function treeOf(pgn: string): GameTree {
  const [game] = readGames(pgn);
  if (!game) throw new InputError(text("no-game-found"));
  return game.open();
}

function problemOfGame(error: unknown): Problem {
  return error instanceof InputError ? problemOf("input", errorText(error)) : problemIn(error);
}
