/** Games and positions from a line that is no PGN: an address, a FEN, moves in UCI.  Pure. */

import { hasOperations } from "./epd";
import { InputError, looksLikeFen, readFen } from "./fen";
import { type GameNode, GameTree, typedMove } from "./tree";

/** Return the part of an address after `#` that leads to a node. */
export function addressOf(tree: GameTree, node: GameNode): string {
  const parts: string[] = [];
  if (!tree.isStandard) {
    // In Chess960 it names the rooks by their files, so that it is read as Chess960 again.
    parts.push(`fen=${readFen(tree.root.fen, tree.chess960).fen.replaceAll(" ", "_")}`);
  }
  const moves = node.path().slice(1);
  if (moves.length) parts.push(`moves=${moves.map((each) => each.uci).join(".")}`);
  return parts.join("&");
}

/** A game, and the position in it to show. */
export interface ImportedGame {
  readonly tree: GameTree;
  readonly node: GameNode;
  /** The first move that is not legal, before which the game ends; null if all are. */
  readonly illegal: string | null;
}

/** Read the game of an address; null if it has none.  Fails if its position cannot be read. */
export function readAddress(hash: string): ImportedGame | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const fen = fields.get("fen");
  const moves = fields.get("moves")?.split(".").filter(Boolean) ?? [];
  if (!fen && !moves.length) return null;
  const tree = new GameTree(fen?.replaceAll("_", " ") || undefined);
  return importedGame(tree, moves);
}

function importedGame(tree: GameTree, moves: readonly string[]): ImportedGame {
  const node = tree.playAll(tree.root, moves);
  return { tree, node, illegal: moves[node.path().length - 1] ?? null };
}

const ADDRESS =
  /^(?:https?:\/\/\S+|\S*#(?:fen|moves)=\S+|(?:localhost|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,})(?::\d+)?\/\S*)$/i;
const MOVES = /^(?:(?:\d+\.+\s*)?[a-h][1-8][a-h][1-8][qrbn]?(?:[\s,]+|$))+$/i;
const FEN_IN_ADDRESS = /(?<=[/=])(?:[1-8pnbrqk]+\/){7}[1-8pnbrqk]+(?:[ _+][wb](?:[ _+][-\w]+)*)?/i;
const VARIANT_IN_ADDRESS =
  /\/(antichess|atomic|crazyhouse|horde|kingOfTheHill|racingKings|threeCheck)\b/i;
const WITH_UNDERSCORES = /^[\w/]+\/[\w/]+_[wb]_\S+$/; // a FEN as addresses have it
const SANS_IN_ADDRESS = /\/analysis\/pgn\/([^?#]+)/; // of Lichess
const IS_TURNED = /[?&](?:color=black|flip=true)\b/;
const COMMANDS = /^(?:uci|ucinewgame|isready|setoption|position|go)\b/; // first words of UCI

/** Read a line with a position, moves or an address; null if the text is something else. */
export function readPasted(text: string): ImportedGame | null {
  const line = unquoted(positionLine(text) ?? text);
  const chess960 = /\bname UCI_Chess960 value true\b/i.test(text);
  if (/[\r\n]/.test(line)) return null;
  if (ADDRESS.test(line)) return readLink(line);
  if (MOVES.test(line)) return gameOf(undefined, line);
  const [, word, rest = ""] = /^(position|fen|epd)\b[\s:=]*(.*)$/i.exec(line) ?? [];
  const bare = unquoted(word ? rest.replace(/^(?:fen|epd)\b[\s:=]*/i, "") : line);
  const said = WITH_UNDERSCORES.test(bare) ? bare.replaceAll("_", " ") : bare;
  const [start = "", moves = ""] = said.split(/\bmoves\b/, 2).map((each) => each.trim());
  if (/^startpos$/i.test(start)) return gameOf(undefined, moves);
  if (word && MOVES.test(said)) return gameOf(undefined, said);
  if (hasOperations(start)) return null; // It becomes a game with comments.
  if (looksLikeFen(start) || /^(?:fen|epd)$/i.test(word ?? "")) {
    return gameOf(start, moves, chess960);
  }
  if (!word) return null;
  throw new InputError("import-position", { said: said.slice(0, 30) });
}

function unquoted(text: string): string {
  return /^["'“‘«`<](.*)["'”’»`>][;,]?$/s.exec(text)?.[1]?.trim() ?? text;
}

/** Return the last `position` of some lines of UCI; null if the text is something else. */
function positionLine(text: string): string | null {
  if (!COMMANDS.test(text)) return null;
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.findLast((line) => line.startsWith("position ")) ?? null;
}

function gameOf(fen: string | undefined, text: string, chess960 = false): ImportedGame {
  const moves = text
    .toLowerCase()
    .replace(/\b\d+\.+/g, " ")
    .match(/[^\s,]+/g);
  return importedGame(new GameTree(fen, [], chess960), moves ?? []);
}

/** Read an address of this page, or of another one with a FEN in it. */
function readLink(address: string): ImportedGame {
  const hash = /#.*\b(?:fen|moves)=.*$/.exec(address)?.[0];
  const linked = hash && readAddress(hash);
  if (linked) return linked;
  const text = decoded(address);
  const variant = VARIANT_IN_ADDRESS.exec(text)?.[1];
  if (variant) throw new InputError("import-variant", { variant });
  const sans = SANS_IN_ADDRESS.exec(text)?.[1];
  if (sans) return gameOfSans(sans.split(/[_+\s]+/));
  const fen = FEN_IN_ADDRESS.exec(text)?.[0];
  if (fen) {
    const game = gameOf(fen.replace(/[_+]/g, " "), "", /960/.test(address));
    if (IS_TURNED.test(text)) game.tree.headers.set("Orientation", "black");
    return game;
  }
  throw new InputError("import-address");
}

function gameOfSans(words: readonly string[]): ImportedGame {
  const tree = new GameTree();
  let node = tree.root;
  for (const word of words) {
    const san = word.replace(/^\d+\.+/, "");
    if (!san) continue;
    const move = typedMove(node.fen, san);
    const next = move && tree.play(node, move);
    if (!next) return { tree, node, illegal: san };
    node = next;
  }
  return { tree, node, illegal: null };
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
