/** What a player means by a line that is no PGN: a FEN, moves, a line of UCI, an address.  Pure. */

import { fromAddress, type Linked } from "./address";
import { looksLikeFen } from "./fen";
import { InputError } from "./position";
import { GameTree } from "./tree";

const ADDRESS = /^https?:\/\/\S+$/;
const MOVES = /^(?:(?:\d+\.+\s*)?[a-h][1-8][a-h][1-8][qrbn]?(?:[\s,]+|$))+$/i;
const FEN_IN_ADDRESS = /(?<=[/=])(?:[1-8pnbrqk]+\/){7}[1-8pnbrqk]+(?:[ _+][wb](?:[ _+][-\w]+)*)?/i;

/** The game of a line, and where in it; null if the text is something else.  Fails in words. */
export function pastedIn(text: string): Linked | null {
  if (/[\r\n]/.test(text)) return null;
  if (ADDRESS.test(text)) return linkedIn(text);
  const said = text.replace(/^position\s+/i, "").replace(/^(?:fen|epd)\b[\s:=]*/i, "");
  const [start = "", moves = ""] = said.split(/\s+moves\b\s*/, 2);
  if (MOVES.test(said)) return gameOf(undefined, said);
  if (/^startpos$/i.test(start)) return gameOf(undefined, moves);
  return looksLikeFen(start) ? gameOf(start, moves) : null;
}

function gameOf(fen: string | undefined, text: string, chess960 = false): Linked {
  const tree = new GameTree(fen, [], chess960);
  const moves =
    text
      .toLowerCase()
      .replace(/\b\d+\.+/g, " ")
      .match(/[^\s,]+/g) ?? [];
  const node = tree.playAll(tree.root, moves);
  return { tree, node, isWhole: node.path().length > moves.length };
}

/** An address of this page, or of another that has a FEN in it. */
function linkedIn(address: string): Linked {
  const hash = /#.*\b(?:fen|moves)=.*$/.exec(address)?.[0];
  const linked = hash && fromAddress(hash);
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
