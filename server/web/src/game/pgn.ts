/** Games as PGN, in and out. */

import type { Position } from "chessops/chess";
import {
  ChildNode,
  defaultHeaders,
  isPawns,
  makeComment,
  makePgn,
  Node,
  type PgnNodeData,
  parseComment,
} from "chessops/pgn";
import { finalScore } from "../analysis/review";
import { loadPlayed } from "../settings";
import type { Score } from "../uci/line";
import { SUGGESTION, splitNags, writtenNags } from "./annotation";
import { interpretGame, type Reading } from "./language";
import { type Line, type ParsedGame, parseGame, resultIn, splitGames } from "./parser";
import { checkedFen, fenOf, INITIAL_FEN, InputError, positionOf } from "./position";
import { type GameNode, GameTree, sansOf, type Verdict } from "./tree";

const MOST = 32_000_000; // characters that are read at once
const STANDARD = new Set(
  ["", "-", "?", "standard", "chess", "normal", "classical"].concat(
    "from position",
    "fromposition",
  ),
);

/** A game of a file: its moves are looked at only when it is opened. */
export class PgnGame {
  private tree: GameTree | null = null;
  private read: ParsedGame | null = null;
  readonly headers: ReadonlyMap<string, string>;
  readonly hasMoves: boolean;
  /** After it was opened: a move that ended its line, for it is not legal; null if all are. */
  unread: string | null = null;

  constructor(private readonly text: string) {
    const script = parseGame(text);
    this.headers = headersOf(script);
    this.hasMoves = script.root.children.some(isMove);
  }

  /** Read at need, and forgotten when it was opened: files have many games. */
  private get script(): ParsedGame {
    this.read ??= parseGame(this.text);
    return this.read;
  }

  /** The game itself, the same each time; fails if its variant or its position cannot be shown. */
  open(): GameTree {
    if (!this.tree) {
      const { root } = this.script;
      this.tree = emptyOf(this.headers, root, this.refusal());
      const reading = interpretGame(root, this.tree.root.position());
      this.unread = typeof reading === "string" ? reading : (reading.unread.at(-1) ?? null);
      if (typeof reading !== "string") graft(this.tree, root, reading);
      this.read = null;
      for (const node of this.tree.nodes()) {
        findEnd(node);
        splitNags(node);
      }
      for (const node of this.tree.nodes()) findBetter(node);
    }
    return this.tree;
  }

  /** The moves of the main line as PGN has them, as far as they are legal. */
  *sans(): Iterable<string> {
    const start = this.start();
    const reading = start && interpretGame(this.script.root, start);
    this.read = null;
    if (reading && typeof reading !== "string") yield* sansOf(fenOf(start), reading.main);
  }

  /** The position in which it begins; null if its variant or its position cannot be shown. */
  start(): Position | null {
    try {
      const { chess960 } = variantOf(this.headers);
      if (this.refusal()) return null;
      return positionOf(checkedFen(this.headers.get("FEN") ?? INITIAL_FEN, chess960).fen);
    } catch (error) {
      if (error instanceof InputError) return null;
      throw error;
    }
  }

  is(tree: GameTree): boolean {
    return this.tree === tree;
  }

  /** Why it does not begin as chess does, although it has no position; null if it may. */
  private refusal(): string | null {
    if (this.headers.has("FEN")) return null;
    if (this.headers.get("SetUp") === "1") return "the game has a tag SetUp, and no tag FEN";
    const { firstNumber } = this.script;
    return (firstNumber ?? 0) > 1
      ? `the game begins with move ${firstNumber}, and has no tag FEN`
      : null;
  }
}

/** Whether something is written like a move: a text that is no game has words, too. */
function isMove({ written }: Line): boolean {
  return written?.to !== undefined || written?.san !== undefined;
}

/** The tags of a game, in the words of the standard. */
function headersOf({ tags, result }: ParsedGame): ReadonlyMap<string, string> {
  const headers = new Map([...defaultHeaders(), ...tags]);
  const said = resultIn(headers.get("Result") ?? "");
  headers.set("Result", (said && said !== "*" ? said : result) ?? "*");
  return headers;
}

/** Read games; those without a move count only if there is nothing else. */
export function readGames(text: string): PgnGame[] {
  if (text.length > MOST) {
    throw new InputError(`this is too long: ${text.length} characters; the limit is ${MOST}`);
  }
  const games = [...splitGames(text)].map((game) => new PgnGame(game));
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
export function readPlayedGames(): PgnGame[] {
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
  const variant = (headers.get("Variant") ?? "").trim().toLowerCase();
  const chess960 = /960|fischer|freestyle/.test(variant);
  if (!chess960 && !STANDARD.has(variant)) {
    throw new InputError(`the variant '${variant.slice(0, 30)}' is not supported yet`);
  }
  return { chess960 };
}

/** A game before its first move. */
function emptyOf(
  headers: ReadonlyMap<string, string>,
  root: Line,
  refusal: string | null,
): GameTree {
  const { chess960 } = variantOf(headers);
  if (refusal) throw new InputError(refusal);
  const tree = new GameTree(headers.get("FEN"), headers, chess960);
  tree.root.comments = [...root.comments];
  tree.root.verdict = verdictIn(tree.root.comments);
  return tree;
}

/** Know again the better move that an analysis has written beside one that it judged. */
function findBetter(node: GameNode): void {
  const better = node.children.slice(1).find(({ comments }) => comments.includes(SUGGESTION));
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

/** Play the moves of a reading, with what is said of them. */
function graft(tree: GameTree, root: Line, { moves }: Reading): void {
  const stack: [GameNode, Line][] = [[tree.root, root]];
  const ended = new Set<GameNode>(); // at which a line ends: a variation does not make it longer
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, line] = top;
    const next: typeof stack = [];
    for (const each of line.children) {
      const move = moves.get(each);
      if (move === undefined) continue;
      const goesOn = each.children.some((after) => moves.has(after));
      let child = move ? tree.play(node, move) : tree.playNullMove(node);
      if (child && goesOn && ended.has(child)) {
        child = move ? tree.play(node, move, true) : tree.playNullMove(node, true);
      }
      if (!child) continue;
      if (!goesOn && !child.children.length) ended.add(child);
      // The same move may be there twice, with something said of each.
      child.comments.push(...each.comments);
      child.startingComments.push(...each.before);
      child.nags.push(...each.nags.filter((nag) => !child.nags.includes(nag)));
      child.verdict ??= verdictIn(child.comments);
      next.unshift([child, each]);
    }
    // The main line first: where a variation repeats a move of it, what follows there is first.
    stack.push(...next);
  }
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

/**
 * Write a game for other programs.  pgn-extract refuses games with a null move in the main line:
 * such a one ends before it, and goes on in a variation that repeats the last move.  The command
 * `analyse` writes in the same way (`rookery_analysis/annotation.py`).
 */
export function writeSharedGame(tree: GameTree): string {
  let root = tree.root;
  for (let next = root.children[0]; next?.uci === "0000"; next = root.children[0]) {
    if (root.children.length > 1) break; // The others begin in this position.
    root = next;
  }
  const moves = copy(root);
  moveNull(moves);
  return written(tree, root, moves);
}

function moveNull(root: Node<PgnNodeData>): void {
  let parent = root;
  for (let last = root.children[0]; last; last = last.children[0]) {
    if (last.children[0]?.data.san === "--") {
      const again = new ChildNode<PgnNodeData>({ san: last.data.san });
      again.children = last.children;
      last.children = [];
      parent.children.splice(1, 0, again);
      return;
    }
    parent = last;
  }
}

/** Write a game, with what an analysis has found: `[%eval]`, glyphs, and better moves. */
export function writeGame(tree: GameTree): string {
  return written(tree, tree.root, copy(tree.root));
}

/** A game that begins at a node, which is the first but for null moves. */
function written(tree: GameTree, root: GameNode, moves: Node<PgnNodeData>): string {
  const headers = new Map(tree.headers);
  headers.set("Result", headers.get("Result") ?? "*");
  if (root.fen !== INITIAL_FEN) {
    headers.set("SetUp", "1");
    headers.set("FEN", root.fen);
  }
  if (tree.chess960) headers.set("Variant", "Chess960");
  const before = root
    .path()
    .slice(0, -1)
    .flatMap(({ comments }) => comments);
  const comments = isWritten(root.verdict) ? withEval(root) : root.comments;
  return makePgn({ headers, comments: [...before, ...comments], moves });
}

function copy(first: GameNode): Node<PgnNodeData> {
  const root = new Node<PgnNodeData>();
  const stack: [GameNode, Node<PgnNodeData>][] = [[first, root]];
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
  target.children.push(new ChildNode<PgnNodeData>({ san, comments: [SUGGESTION] }));
}
