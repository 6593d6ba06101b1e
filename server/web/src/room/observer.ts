/** Positions and searches, from the commands of another page that directs the engine.  Pure. */

import type { SearchRequest } from "../engine/conversation";
import { enginePosition, type GameNode, GameTree } from "../game/tree";

export type ObservedCommand =
  | { readonly type: "option"; readonly name: string; readonly value: string }
  | {
      readonly type: "position";
      readonly tree: GameTree;
      readonly node: GameNode;
      /** Whether it continues none of the games that are known. */
      readonly isNew: boolean;
    }
  | { readonly type: "go"; readonly request: SearchRequest };

const OPTION = /^setoption name (.+?)(?: value (.*))?$/;
const POSITION = /^position (?:startpos|fen (.+?))(?: moves (.*))?$/;
// After these commands, which are not UCI, only the engine knows its position.
const MOVING = /^(?:flip|bench)\b/;
const MOST_GAMES = 20; // that are recognized again

export class CommandObserver {
  private games: readonly GameTree[] = []; // the newest first
  private tree = new GameTree();
  private node: GameNode = this.tree.root;
  private isPositionKnown = true;
  /** Null if it was not observed: the game decides. */
  private chess960: boolean | null = null;

  /**
   * Read a command; null if it shows nothing.  `board` is the game on the board, if the command may
   * continue it.
   */
  observe(line: string, board: GameTree | null = null): ObservedCommand | null {
    const option = OPTION.exec(line);
    if (option) {
      const [, name = "", value = ""] = option;
      if (name === "UCI_Chess960") this.chess960 = value === "true";
      return { type: "option", name, value };
    }
    const position = POSITION.exec(line);
    if (position) return this.findPosition(position[1], position[2]?.split(" ") ?? [], board);
    if (MOVING.test(line)) this.isPositionKnown = false;
    if (!this.isPositionKnown || !/^go\b/.test(line)) return null;
    return { type: "go", request: { ...enginePosition(this.tree, this.node), limits: "infinite" } };
  }

  /** Forget the option: the engine now gets commands that are not observed. */
  forgetChess960(): void {
    this.chess960 = null;
  }

  /**
   * Find a game with this first position, where it begins or later: all that is in the game stays,
   * and new moves are added.
   */
  private findPosition(
    fen: string | undefined,
    moves: readonly string[],
    board: GameTree | null,
  ): ObservedCommand {
    this.isPositionKnown = true;
    const other = new GameTree(fen, [], this.chess960 ?? false);
    const games = [...new Set([...(board ? [board] : []), ...this.games])];
    const fits = (tree: GameTree) => this.chess960 === null || tree.chess960 === other.chess960;
    const known = games.find((tree) => fits(tree) && nodeAt(tree, other.root.fen));
    this.tree = known ?? other;
    this.games = [...new Set([this.tree, ...games])].slice(0, MOST_GAMES);
    const start = nodeAt(this.tree, other.root.fen) ?? this.tree.root;
    this.node = this.tree.playAll(start, moves);
    return { type: "position", tree: this.tree, node: this.node, isNew: !known };
  }
}

function nodeAt(tree: GameTree, fen: string): GameNode | undefined {
  for (const node of tree.nodes()) if (node.fen === fen) return node;
  return undefined;
}
