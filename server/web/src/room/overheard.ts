/** What another tells the engine, as positions and searches.  Pure. */

import type { Wish } from "../analysis/engine";
import { type GameNode, GameTree, wordsOf } from "../game/tree";
import { INFINITE } from "../uci/limits";

export type Said =
  | { readonly kind: "option"; readonly name: string; readonly value: string }
  | {
      readonly kind: "position";
      readonly tree: GameTree;
      readonly node: GameNode;
      /** Whether no game that is known goes on with it. */
      readonly isNew: boolean;
    }
  | { readonly kind: "go"; readonly wish: Wish };

const OPTION = /^setoption name (.+?)(?: value (.*))?$/;
const POSITION = /^position (?:startpos|fen (.+?))(?: moves (.*))?$/;

// After these words, none of UCI's, only the engine knows which position it has.
const MOVING = /^(?:flip|bench)\b/;

const MOST = 20; // games to which one may come back

export class Overheard {
  private games: readonly GameTree[] = []; // the newest first
  private tree = new GameTree();
  private node: GameNode = this.tree.root;
  private isKnown = true; // the position that the engine has
  private chess960: boolean | null = null; // null: nobody has said, so it is as the game has it

  /**
   * Read a line; null if there is nothing in it to show.  `board` is the game on the board here,
   * if what is told may go on in it.
   */
  hear(line: string, board: GameTree | null = null): Said | null {
    const option = OPTION.exec(line);
    if (option) {
      const [, name = "", value = ""] = option;
      if (name === "UCI_Chess960") this.chess960 = value === "true";
      return { kind: "option", name, value };
    }
    const position = POSITION.exec(line);
    if (position) return this.place(position[1], position[2]?.split(" ") ?? [], board);
    if (MOVING.test(line)) this.isKnown = false;
    if (!this.isKnown || !/^go\b/.test(line)) return null;
    return { kind: "go", wish: { ...wordsOf(this.tree, this.node), limits: INFINITE } };
  }

  /** The engine is told things now that are not overheard. */
  miss(): void {
    this.chess960 = null;
  }

  /**
   * A game goes on that has this first position, or comes by it: so all that is in it stays, and
   * moves that are new there are added.
   */
  private place(fen: string | undefined, moves: readonly string[], board: GameTree | null): Said {
    this.isKnown = true;
    const other = new GameTree(fen, [], this.chess960 ?? false);
    const games = [...new Set([...(board ? [board] : []), ...this.games])];
    const fits = (tree: GameTree) => this.chess960 === null || tree.chess960 === other.chess960;
    const known = games.find((tree) => fits(tree) && placeIn(tree, other.root.fen));
    this.tree = known ?? other;
    this.games = [...new Set([this.tree, ...games])].slice(0, MOST);
    const start = placeIn(this.tree, other.root.fen) ?? this.tree.root;
    this.node = this.tree.playAll(start, moves);
    return { kind: "position", tree: this.tree, node: this.node, isNew: !known };
  }
}

/** Where in a game a position is; undefined if nowhere. */
function placeIn(tree: GameTree, fen: string): GameNode | undefined {
  for (const node of tree.nodes()) if (node.fen === fen) return node;
  return undefined;
}
