/** Games as PGN, in and out. */

import type { Position } from "chessops/chess";
import {
  ChildNode,
  isPawns,
  makeComment,
  makePgn,
  Node,
  type PgnNodeData,
  parseComment,
  parsePgn,
} from "chessops/pgn";
import { finalScore } from "../analysis/review";
import { loadPlayed } from "../settings";
import type { Score } from "../uci/line";
import { sortNags, writtenNags } from "./glyph";
import { readable, writtenMove } from "./movetext";
import { checkedFen, INITIAL_FEN, InputError, positionOf } from "./position";
import { BETTER } from "./remark";
import { type GameNode, GameTree, sansOf, type Verdict } from "./tree";

const MOST = 32_000_000; // characters that are read at once
const STANDARD = new Set(["", "standard", "chess", "normal", "from position", "fromposition"]);

/** A game of a file: its moves are looked at only when it is opened. */
export class PgnGame {
  private tree: GameTree | null = null;
  /** After it was opened: a move that ended its line, for it is not legal; null if all are. */
  unread: string | null = null;

  constructor(private readonly source: ReturnType<typeof parsePgn>[number]) {}

  get headers(): ReadonlyMap<string, string> {
    return this.source.headers;
  }

  get hasMoves(): boolean {
    return this.source.moves.children.length > 0;
  }

  /** The game itself, the same each time; fails if its variant or its position cannot be shown. */
  open(): GameTree {
    if (!this.tree) {
      this.tree = emptyOf(this.source);
      this.unread = graft(this.tree, this.source.moves);
      for (const node of this.tree.nodes()) {
        findEnd(node);
        sortNags(node);
      }
      for (const node of this.tree.nodes()) findBetter(node);
    }
    return this.tree;
  }

  /** The moves of the main line, as they are written; nobody has looked whether they are legal. */
  *sans(): Iterable<string> {
    for (const { san } of this.source.moves.mainline()) yield san;
  }

  /** The position in which it begins; null if its variant or its position cannot be shown. */
  start(): Position | null {
    try {
      const { chess960 } = variantOf(this.source.headers);
      return positionOf(checkedFen(this.source.headers.get("FEN") ?? INITIAL_FEN, chess960).fen);
    } catch (error) {
      if (error instanceof InputError) return null;
      throw error;
    }
  }

  is(tree: GameTree): boolean {
    return this.tree === tree;
  }
}

/** Read games; those without a move count only if there is nothing else. */
export function readGames(text: string): PgnGame[] {
  if (text.length > MOST) {
    throw new InputError(`this is too long: ${text.length} characters; the limit is ${MOST}`);
  }
  const games = parsePgn(readable(text)).map((game) => new PgnGame(game));
  const played = games.filter((game) => game.hasMoves);
  const found = played.length ? played : games.filter((game) => game.headers.has("FEN"));
  // One that cannot be shown is no reason to refuse the others; alone, it says why.
  const first = firstOf(found);
  const isEmpty = first && !first.open().root.children.length && !first.headers.has("FEN");
  if (isEmpty && first.unread) {
    throw new InputError(`“${first.unread}” is not a legal move${hintOn(first.unread)}`);
  }
  if (!first || (isEmpty && found.length === 1)) {
    throw new InputError("no game or position found");
  }
  return found;
}

/** What may have been meant by a move that is not legal, where a game has no other. */
function hintOn(san: string): string {
  const hasPiece = !/^[a-hO0]/.test(san);
  return hasPiece
    ? ": use K, Q, R, B and N for pieces"
    : " in the first position: its FEN is missing";
}

/** The first of some games that can be shown. */
export function firstOf(games: readonly PgnGame[]): PgnGame | undefined {
  return games.find((game) => game.start()) ?? games[0];
}

/** The games that this browser remembers; some may have been written by an older page. */
export function playedGames(): PgnGame[] {
  return loadPlayed().flatMap((pgn) => {
    try {
      return readGames(pgn);
    } catch {
      return [];
    }
  });
}

/** Whether it is Chess960; fails for a variant that cannot be shown. */
function variantOf(headers: ReadonlyMap<string, string>): { chess960: boolean } {
  const variant = (headers.get("Variant") ?? "").toLowerCase();
  const chess960 = /960|fischer|freestyle/.test(variant);
  if (!chess960 && !STANDARD.has(variant)) {
    throw new InputError(`the variant '${variant.slice(0, 30)}' is not supported yet`);
  }
  return { chess960 };
}

/** A game before its first move. */
function emptyOf(game: ReturnType<typeof parsePgn>[number]): GameTree {
  const { chess960 } = variantOf(game.headers);
  const tree = new GameTree(game.headers.get("FEN"), game.headers, chess960);
  tree.root.comments = game.comments ?? [];
  tree.root.verdict = verdictIn(tree.root.comments);
  return tree;
}

/** Know again the better move that an analysis has written beside one that it judged. */
function findBetter(node: GameNode): void {
  const better = node.children.slice(1).find(({ comments }) => comments.includes(BETTER));
  if (node.verdict && better && node.children[0]?.judgement) {
    node.verdict = { ...node.verdict, best: better.uci };
  }
}

/** Know again what the last position is worth if the game is over there: nobody writes that down. */
function findEnd(node: GameNode): void {
  if (node.children.length || node.verdict || !node.parent?.verdict) return;
  const score = finalScore(node);
  if (score) node.verdict = { score, depth: 0, best: null };
}

/** Play all moves, with what is said of them; returns the last that is not legal, if there is one. */
function graft(tree: GameTree, moves: Node<PgnNodeData>): string | null {
  let unread: string | null = null;
  const stack: [GameNode, Node<PgnNodeData>][] = [[tree.root, moves]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, source] = top;
    for (const each of source.children) {
      const child = tree.playSan(node, each.data.san);
      if (!child) {
        unread = writtenMove(each.data.san, each.data.comments);
        continue;
      }
      // The same move may be there twice, with something said of each.
      child.comments.push(...(each.data.comments ?? []));
      child.startingComments.push(...(each.data.startingComments ?? []));
      child.nags.push(...(each.data.nags ?? []).filter((nag) => !child.nags.includes(nag)));
      child.verdict ??= verdictIn(child.comments);
      stack.push([child, each]);
    }
  }
  return unread;
}

/** What an analysis has written into a comment (`[%eval 0.31,18]`). */
function verdictIn(comments: readonly string[]): Verdict | null {
  for (const comment of comments) {
    const { evaluation } = parseComment(comment);
    if (!evaluation) continue;
    const score: Score = isPawns(evaluation)
      ? { kind: "cp", value: Math.round(evaluation.pawns * 100) }
      : { kind: "mate", value: evaluation.mate };
    return { score, depth: evaluation.depth ?? null, best: null };
  }
  return null;
}

/** Write a game, with what an analysis has found: `[%eval]`, glyphs, and better moves. */
export function writeGame(tree: GameTree): string {
  const headers = new Map(tree.headers);
  headers.set("Result", headers.get("Result") ?? "*");
  if (!tree.isStandard) {
    headers.set("SetUp", "1");
    headers.set("FEN", tree.root.fen);
  }
  if (tree.chess960) headers.set("Variant", "Chess960");
  const { root } = tree;
  const comments = isWritten(root.verdict) ? withEval(root) : root.comments;
  return makePgn({ headers, comments, moves: copy(tree) });
}

function copy(tree: GameTree): Node<PgnNodeData> {
  const root = new Node<PgnNodeData>();
  const stack: [GameNode, Node<PgnNodeData>][] = [[tree.root, root]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, target] = top;
    node.children.forEach((child, at) => {
      const written = new ChildNode(dataOf(child));
      target.children.push(written);
      stack.push([child, written]);
      if (at === 0) addBetter(child, target);
    });
  }
  return root;
}

function dataOf(node: GameNode): PgnNodeData {
  const nags = writtenNags(node);
  const comments = isWritten(node.verdict) ? withEval(node) : node.comments;
  return { san: node.san, nags, comments, startingComments: node.startingComments };
}

/** Whether an evaluation is the engine's: of a game that is over there is none. */
function isWritten(verdict: Verdict | null): boolean {
  return verdict !== null && verdict.depth !== 0;
}

/** Its comments with what an analysis has found, in place of what an earlier one had written. */
function withEval({ verdict, comments }: GameNode): string[] {
  const { score, depth } = verdict as Verdict;
  const evaluation = score.kind === "cp" ? { pawns: score.value / 100 } : { mate: score.value };
  const deep = depth === null ? evaluation : { ...evaluation, depth };
  const all = comments.length ? [...comments] : [""];
  const at = Math.max(
    0,
    all.findIndex((each) => parseComment(each).evaluation),
  );
  all[at] = makeComment({ ...parseComment(all[at] ?? ""), evaluation: deep }).trim();
  return all;
}

/** Beside a move that was judged, the one that would have been better. */
function addBetter(child: GameNode, target: Node<PgnNodeData>): void {
  const best = child.parent?.verdict?.best;
  if (!child.judgement || !best || best === child.uci || !child.parent) return;
  const [san] = sansOf(child.parent.fen, [best]);
  const isThere = child.parent.children.some((sibling) => sibling.san === san);
  if (!san || isThere) return;
  target.children.push(new ChildNode<PgnNodeData>({ san, comments: [BETTER] }));
}
