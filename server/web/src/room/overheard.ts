/** What another tells the engine, as positions and searches.  Pure. */

import type { Wish } from "../analysis/engine";
import { type GameNode, GameTree, wordsOf } from "../game/tree";
import { INFINITE } from "../uci/limits";

export type Said =
  | { readonly kind: "option"; readonly name: string; readonly value: string }
  | { readonly kind: "position"; readonly tree: GameTree; readonly node: GameNode }
  | { readonly kind: "go"; readonly wish: Wish };

const OPTION = /^setoption name (.+?)(?: value (.*))?$/;
const POSITION = /^position (?:startpos|fen (.+?))(?: moves (.*))?$/;

export class Overheard {
  private tree = new GameTree();
  private node: GameNode = this.tree.root;
  private chess960 = false;

  /** Read a line; null if there is nothing in it to show. */
  hear(line: string): Said | null {
    const option = OPTION.exec(line);
    if (option) {
      const [, name = "", value = ""] = option;
      if (name === "UCI_Chess960") this.chess960 = value === "true";
      return { kind: "option", name, value };
    }
    const position = POSITION.exec(line);
    if (position) return this.place(position[1], position[2]?.split(" ") ?? []);
    if (!/^go\b/.test(line)) return null;
    return { kind: "go", wish: { ...wordsOf(this.tree, this.node), limits: INFINITE } };
  }

  /** The same game goes on if it begins the same: so variations stay. */
  private place(fen: string | undefined, moves: readonly string[]): Said {
    const tree = new GameTree(fen, [], this.chess960);
    if (tree.root.fen !== this.tree.root.fen || tree.chess960 !== this.tree.chess960) {
      this.tree = tree;
    }
    this.node = this.tree.playAll(this.tree.root, moves);
    return { kind: "position", tree: this.tree, node: this.node };
  }
}
