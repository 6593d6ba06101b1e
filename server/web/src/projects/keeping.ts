/** A project of what is on the board: the position, the engine in use and its settings.  Pure. */

import { HIDDEN_OPTIONS, WITHOUT_EFFECT } from "../analysis/options";
import { writeUnjudgedGame } from "../game/pgn";
import { enginePosition, type GameNode, GameTree, lineText } from "../game/tree";
import { type ProjectRequest, USUAL_RULES, USUAL_SIDE } from "./project";

/** What is in use for the analysis of the board. */
export interface Analysed {
  readonly tree: GameTree;
  readonly node: GameNode;
  readonly engine: string;
  /** The options that the user has chosen for the engine. */
  readonly options: Readonly<Record<string, string>>;
  /** The lines that are shown. */
  readonly lines: number;
  /** The name of the opening; null if it has none. */
  readonly opening: string | null;
}

const MOST_MOVES = 2000; // of a skeleton; the server reads some more
const MOST_LINES = 20;
const MOST_LETTERS = 100; // of a name

/** Return the request for a project that goes on with an analysis. */
export function requestFor({ tree, node, ...used }: Analysed): ProjectRequest {
  const { start, moves, chess960 } = enginePosition(tree, node);
  const options = Object.entries(used.options).filter(
    ([name]) => !HIDDEN_OPTIONS.has(name) && !WITHOUT_EFFECT.has(name),
  );
  const side = { ...USUAL_SIDE, lines: Math.min(MOST_LINES, Math.max(2, used.lines)) };
  return {
    name: nameFor(node, used.opening),
    position: { ...(start === "startpos" ? {} : { fen: start }), moves },
    variant: chess960 ? "chess960" : "standard",
    engines: [{ name: used.engine, options: Object.fromEntries(options) }],
    settings: { ...USUAL_RULES, white: side, black: side },
    // What the user has looked at already is searched first.
    ...(hasSkeleton(node) ? { pgn: continuationOf(node, chess960) } : {}),
  };
}

function nameFor(node: GameNode, opening: string | null): string {
  const moves = lineText(node);
  const last =
    moves.length > 40 ? `…${moves.slice(moves.lastIndexOf(" ", moves.length - 30))}` : moves;
  const name = opening ? `${opening}${last ? `: ${last}` : ""}` : last;
  return name.slice(0, MOST_LETTERS);
}

/** Return whether there are moves behind a node that a server reads: without null moves. */
function hasSkeleton(node: GameNode): boolean {
  const waiting = [...node.children];
  let count = 0;
  for (let each = waiting.pop(); each; each = waiting.pop()) {
    if (each.san === "--" || ++count > MOST_MOVES) return false;
    waiting.push(...each.children);
  }
  return count > 0;
}

/** Write the moves behind a node, as a game that begins there. */
function continuationOf(node: GameNode, chess960: boolean): string {
  const game = new GameTree(node.fen, [], chess960);
  for (const each of node.children) game.merge(game.playAll(game.root, [each.uci]), each);
  return writeUnjudgedGame(game);
}
