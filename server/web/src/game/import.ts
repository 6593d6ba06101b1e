/** Games and positions from text that is no PGN: addresses, FEN, EPD, moves in UCI.  Pure. */

import { InputError, looksLikeFen, normalizeFen, nullIfInvalid, readFen } from "./fen";
import { type GameNode, GameTree } from "./tree";

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
  /** Whether all its moves are legal; otherwise it ends before the first one that is not. */
  readonly isWhole: boolean;
}

/** Read the game of an address; null if it has none.  Fails if its position cannot be read. */
export function readAddress(hash: string): ImportedGame | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const fen = fields.get("fen");
  const moves = fields.get("moves")?.split(".") ?? [];
  if (!fen && !moves.length) return null;
  const tree = new GameTree(fen?.replaceAll("_", " ") || undefined);
  const node = tree.playAll(tree.root, moves);
  return { tree, node, isWhole: node.path().length > moves.length };
}

const ADDRESS = /^https?:\/\/\S+$/;
const MOVES = /^(?:(?:\d+\.+\s*)?[a-h][1-8][a-h][1-8][qrbn]?(?:[\s,]+|$))+$/i;
const FEN_IN_ADDRESS = /(?<=[/=])(?:[1-8pnbrqk]+\/){7}[1-8pnbrqk]+(?:[ _+][wb](?:[ _+][-\w]+)*)?/i;

/** Read a line with a position, moves or an address; null if the text is something else. */
export function readPasted(text: string): ImportedGame | null {
  if (/[\r\n]/.test(text)) return null;
  if (ADDRESS.test(text)) return readLink(text);
  const said = text.replace(/^position\s+/i, "").replace(/^(?:fen|epd)\b[\s:=]*/i, "");
  const [start = "", moves = ""] = said.split(/\s+moves\b\s*/, 2);
  if (MOVES.test(said)) return gameOf(undefined, said);
  if (/^startpos$/i.test(start)) return gameOf(undefined, moves);
  return looksLikeFen(start) ? gameOf(start, moves) : null;
}

function gameOf(fen: string | undefined, text: string, chess960 = false): ImportedGame {
  const tree = new GameTree(fen, [], chess960);
  const moves =
    text
      .toLowerCase()
      .replace(/\b\d+\.+/g, " ")
      .match(/[^\s,]+/g) ?? [];
  const node = tree.playAll(tree.root, moves);
  return { tree, node, isWhole: node.path().length > moves.length };
}

/** Read an address of this page, or of another one with a FEN in it. */
function readLink(address: string): ImportedGame {
  const hash = /#.*\b(?:fen|moves)=.*$/.exec(address)?.[0];
  const linked = hash && readAddress(hash);
  if (linked) return linked;
  const fen = FEN_IN_ADDRESS.exec(decoded(address))?.[0];
  if (fen) return gameOf(fen.replace(/[_+]/g, " "), "", /960/.test(address));
  throw new InputError("this is a web address: copy the PGN or the FEN from that page");
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Read the FEN of a line, without EPD's operations (`bm Nf3; id "1";`); null if there is none. */
export function readFenLine(line: string): string | null {
  return looksLikeFen(line) ? nullIfInvalid(() => normalizeFen(line).fen) : null;
}

/** Turn positions, one a line (FEN or EPD), into PGN; null if the text is something else. */
export function readPositions(text: string): string | null {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim());
  const games = lines.map((line) => {
    const id = /\bid +"([^"\\]*)"/.exec(line)?.[1];
    const fen = readFenLine(line);
    return fen && `[Event "${id ?? ""}"]\n[FEN "${fen}"]\n\n*\n`;
  });
  return lines.length > 1 && games.every(Boolean) ? games.join("\n") : null;
}
