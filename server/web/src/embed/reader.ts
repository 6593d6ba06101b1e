/** The shared game in a frame of another page: it can be read, and not be changed. */

import { batch, signal } from "@preact/signals";
import { opposite } from "chessops/util";
import { orientationOf } from "../game/headers";
import { readGames } from "../game/pgn";
import { InputError } from "../game/position";
import { type GameNode, GameTree } from "../game/tree";
import { text } from "../language/catalogue";
import { errorText, wordsOf } from "../language/problems";
import { ServiceError } from "../service";
import { readSharedGame, type SharedGame } from "../sharing/client";
import { type FrameTheme, readFrameAddress, type Side } from "../sharing/frame";
import { problemOf } from "../uci/notice";

/** Words on why there is no game. */
export interface Refusal {
  readonly title: string;
  readonly text: string;
}

export class Reader {
  /** Null until it has come. */
  readonly game = signal<SharedGame | null>(null);
  readonly refusal = signal<Refusal | null>(null);
  readonly tree = signal(new GameTree());
  readonly node = signal<GameNode>(this.tree.peek().root);
  readonly orientation = signal<Side>("white");
  readonly theme = signal<FrameTheme | null>(null);

  private opened = "";

  constructor(private readonly read: (id: string) => Promise<SharedGame> = readSharedGame) {}

  /** Show the game that an address names. */
  async open(hash: string): Promise<void> {
    const address = readFrameAddress(hash);
    this.opened = hash;
    batch(() => {
      this.game.value = null;
      this.refusal.value = address ? null : noAddress();
      this.theme.value = address?.theme ?? null;
    });
    if (!address) return;
    try {
      const game = await this.read(address.id);
      if (hash !== this.opened) return; // Another one was opened meanwhile.
      const tree = treeOf(game.pgn);
      batch(() => {
        this.game.value = game;
        this.tree.value = tree;
        this.node.value = tree.root;
        this.orientation.value = address.side ?? orientationOf(tree) ?? "white";
      });
    } catch (error) {
      if (hash === this.opened) this.refusal.value = refusalIn(error);
    }
  }

  goTo(node: GameNode): void {
    this.node.value = node;
  }

  /** Return whether there is a move in this direction. */
  mayStep(isForward: boolean): boolean {
    const { parent, children } = this.node.peek();
    return isForward ? children.length > 0 : parent !== null;
  }

  /** Go one move forwards, or back. */
  step(isForward: boolean): void {
    const { parent, children } = this.node.peek();
    this.goTo((isForward ? children[0] : parent) ?? this.node.peek());
  }

  goToStart(): void {
    this.goTo(this.tree.peek().root);
  }

  goToEnd(): void {
    this.goTo(this.node.peek().line().at(-1) ?? this.node.peek());
  }

  /** Go to the next or the previous variation at this move. */
  goSideways(by: 1 | -1): void {
    const node = this.node.peek();
    const siblings = node.parent?.children ?? [];
    this.goTo(siblings.at((siblings.indexOf(node) + by) % siblings.length) ?? node);
  }

  flip(): void {
    this.orientation.value = opposite(this.orientation.peek());
  }
}

function noAddress(): Refusal {
  return { title: text("embed-no-address"), text: text("embed-no-address-text") };
}

function treeOf(pgn: string): GameTree {
  const [game] = readGames(pgn);
  if (!game) throw new InputError(text("no-game-found"));
  return game.open();
}

function refusalIn(error: unknown): Refusal {
  const isKnown = error instanceof ServiceError || error instanceof InputError;
  if (!isKnown) throw error;
  const problem =
    error instanceof ServiceError ? error.problem : problemOf("input", errorText(error));
  const words = wordsOf(problem);
  return { title: words.title, text: [words.text, words.hint].filter(Boolean).join(" ") };
}
