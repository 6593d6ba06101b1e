/** Games as PGN: reading and writing. */

import type { Position } from "chessops/chess";
import {
  ChildNode,
  isPawns,
  makeComment,
  makePgn,
  Node,
  type PgnNodeData,
  parseComment,
} from "chessops/pgn";
import { parseUci } from "chessops/util";
import { endOfLine, finalScore, LONGEST_LINE } from "../analysis/review";
import { loadPlayed } from "../settings";
import type { Score } from "../uci/line";
import {
  isSuggestion,
  SUGGESTION,
  sentenceOn,
  splitNags,
  withoutCommands,
  withoutSentence,
  withPawns,
  writtenNags,
} from "./annotation";
import { nullIfInvalid } from "./fen";
import { writtenHeaders } from "./headers";
import { type Interpretation, interpretGame } from "./language";
import { type Description, describeGameInSteps, listGames } from "./listing";
import { type ParsedGame, type ParsedMove, parseGame } from "./parser";
import { afterNullMove, checkedFen, fenOf, INITIAL_FEN, InputError, positionOf } from "./position";
import { readRemark } from "./remark";
import { finish, type Steps } from "./steps";
import { type GameNode, GameTree, sansOf, uciOf, type Verdict } from "./tree";

const LONGEST_TEXT = 32_000_000; // characters
const STANDARD = new Set(
  ["", "-", "?", "standard", "chess", "normal", "classical"].concat(
    "from position",
    "fromposition",
  ),
);

// A game is described, and then opened.  Only one is kept, until it was opened: files have many games.
let parsed: { readonly text: string; readonly game: ParsedGame } | null = null;

/** Parse a game, unless it is the one that was parsed last. */
function* parseOnce(text: string): Steps<ParsedGame> {
  if (parsed?.text !== text) parsed = { text, game: yield* parseGame(text) };
  return parsed.game;
}

/** A game of a file; its moves are checked when it is opened. */
export class PgnGame {
  private tree: GameTree | null = null;
  private readonly tags: ReadonlyMap<string, string>;
  /** Whether it has moves, or tags: a position, or the text of a chapter, is a game without moves. */
  readonly isGame: boolean;
  /** After it was opened: a move that is not legal and ends its line; null if all are legal. */
  unread: string | null = null;

  constructor(
    private readonly text: string,
    { headers, isGame }: Description = finish(describeGameInSteps(text, parseOnce)),
  ) {
    this.tags = headers;
    this.isGame = isGame;
  }

  /** The tags; the user may have changed those of a game that was opened. */
  get headers(): ReadonlyMap<string, string> {
    return this.tree?.headers ?? this.tags;
  }

  private get content(): ParsedGame {
    return finish(parseOnce(this.text));
  }

  /** Return the game, the same one each time; fails if its variant or position is not supported. */
  open(): GameTree {
    return finish(this.openInSteps());
  }

  /** Open the game in steps. */
  *openInSteps(): Steps<GameTree> {
    if (this.tree) return this.tree;
    const { root } = yield* parseOnce(this.text);
    const tree = emptyOf(this.headers, root, this.refusal());
    const reading = yield* interpretGame(root, tree.root.position());
    this.unread = typeof reading === "string" ? reading : (reading.unread.at(-1) ?? null);
    if (typeof reading !== "string") yield* addMoves(tree, root, reading);
    parsed = null;
    for (const node of tree.nodes()) {
      findEnd(node);
      splitNags(node);
      yield;
    }
    for (const node of tree.nodes()) {
      findSuggestion(node);
      yield;
    }
    this.tree ??= tree;
    return this.tree;
  }

  /** Iterate over the moves of the main line in SAN, as far as they are legal. */
  *sans(): Iterable<string> {
    const start = this.start();
    const reading = start && finish(interpretGame(this.content.root, start));
    parsed = null;
    if (reading && typeof reading !== "string") yield* sansOf(fenOf(start), reading.main);
  }

  /** Iterate over the positions of the main line, as far as it is legal: one object, which is changed. */
  *positions(): Iterable<Position> {
    let position = this.start();
    if (!position) return;
    const reading = finish(interpretGame(this.content.root, position));
    parsed = null;
    yield position;
    for (const uci of typeof reading === "string" ? [] : reading.main) {
      position = afterMove(position, uci);
      if (!position) return;
      yield position;
    }
  }

  /** Return the first position; null if the variant or the position is not supported. */
  start(): Position | null {
    if (this.tree) return this.tree.root.position();
    return nullIfInvalid(() => {
      const { chess960 } = variantOf(this.headers);
      if (this.refusal()) return null;
      return positionOf(checkedFen(this.headers.get("FEN") ?? INITIAL_FEN, chess960).fen);
    });
  }

  /** Write the game as it is by now, for an analysis from the start. */
  write(): string {
    return this.tree && this.unread === null ? writeUnjudgedGame(this.tree) : this.text;
  }

  /** Return the text as it was read. */
  get source(): string {
    return this.text;
  }

  is(tree: GameTree): boolean {
    return this.tree === tree;
  }

  /** Return why its first position is unknown; null if it is known. */
  private refusal(): InputError | null {
    if (this.headers.has("FEN")) return null;
    if (this.headers.get("SetUp") === "1") return new InputError("import-setup");
    const number = this.content.firstNumber ?? 0;
    return number > 1 ? new InputError("import-number", { number: String(number) }) : null;
  }
}

/** Play a move, or the null move; null if the latter is not possible. */
function afterMove(position: Position, uci: string): Position | null {
  const move = parseUci(uci);
  if (move) {
    position.play(move);
    return position;
  }
  const fen = afterNullMove(position);
  return fen === null ? null : positionOf(fen);
}

/** Read games. */
export function readGames(text: string): PgnGame[] {
  return finish(readGamesInSteps(text));
}

/** Read games in steps; the first that can be opened is opened. */
export function* readGamesInSteps(text: string): Steps<PgnGame[]> {
  if (text.length > LONGEST_TEXT) {
    throw new InputError("import-too-long", {
      length: String(text.length),
      limit: String(LONGEST_TEXT),
    });
  }
  const games: PgnGame[] = [];
  for (const each of listGames(text)) {
    games.push(new PgnGame(each, yield* describeGameInSteps(each, parseOnce)));
  }
  const first = firstOf(games.filter(({ isGame }) => isGame));
  if (first) yield* first.openInSteps();
  return chooseGames(games);
}

/** Return those of a file that are games; fails if there are none. */
export function chooseGames(all: readonly PgnGame[]): PgnGame[] {
  const found = all.filter(({ isGame }) => isGame);
  // A game that cannot be opened is an error only if it is alone.
  const first = firstOf(found);
  if (!first) throw new InputError("import-nothing");
  if (!first.open().root.children.length && first.unread && !first.headers.has("FEN")) {
    throw firstMoveError(first.unread);
  }
  return found;
}

/** Return what is wrong with the first move of a game, which is not legal. */
function firstMoveError(san: string): InputError {
  const hasPiece = !/^[a-hO0]/.test(san);
  return new InputError(hasPiece ? "import-letters" : "import-first-move", { move: san });
}

/** Return the first of some games that can be opened. */
export function firstOf(games: readonly PgnGame[]): PgnGame | undefined {
  return games.find((game) => game.start()) ?? games[0];
}

/** Read the games that this browser has stored; older pages may have written some. */
export function readPlayedGames(): PgnGame[] {
  return loadPlayed().flatMap((pgn) => {
    try {
      return readGames(pgn);
    } catch {
      return [];
    }
  });
}

/** Return whether a game is Chess960; fails for a variant that is not supported. */
function variantOf(headers: ReadonlyMap<string, string>): { chess960: boolean } {
  const variant = (headers.get("Variant") ?? "").trim().toLowerCase();
  const chess960 = /960|fischer|freestyle/.test(variant);
  if (!chess960 && !STANDARD.has(variant)) {
    throw new InputError("import-variant", { variant: variant.slice(0, 30) });
  }
  return { chess960 };
}

/** Make a game without moves. */
function emptyOf(
  headers: ReadonlyMap<string, string>,
  root: ParsedMove,
  refusal: InputError | null,
): GameTree {
  const { chess960 } = variantOf(headers);
  if (refusal) throw refusal;
  const tree = new GameTree(headers.get("FEN"), headers, chess960);
  tree.root.comments = root.comments.map(withPawns);
  tree.root.verdict = verdictIn(tree.root);
  return tree;
}

/** Recognize the move that an analysis has suggested instead of one that it judged. */
function findSuggestion(node: GameNode): void {
  const [played, ...others] = node.children;
  if (!node.verdict || !played?.judgement) return;
  const suggested = others.find(({ comments }) => comments.includes(SUGGESTION))?.uci;
  const best = suggested ?? uciOf(node.fen, sentenceOn(played)?.better ?? "");
  if (!best) return;
  const line = others.find((each) => each.uci === best && isSuggestion(each));
  const moves = line && [line, ...line.line()].slice(0, LONGEST_LINE).map(({ uci }) => uci);
  node.verdict = { ...node.verdict, best, ...(moves && { line: moves }) };
  for (const each of others) {
    // In a variation of the user's, it is only a mark of what the analysis has found.
    const isMarked = each.uci === best && !isSuggestion(each);
    if (isMarked) each.comments = each.comments.filter((comment) => comment !== SUGGESTION);
  }
}

/** Score the last position if the game is over there, which PGN does not say. */
function findEnd(node: GameNode): void {
  if (node.children.length || node.verdict || !node.parent?.verdict) return;
  const score = finalScore(node);
  if (score) node.verdict = { score, depth: 0, best: null };
}

/** Add the moves of an interpretation, with their annotations. */
function* addMoves(tree: GameTree, root: ParsedMove, { moves }: Interpretation): Steps<void> {
  const start = tree.root.position();
  const stack: [GameNode, ParsedMove][] = [[tree.root, root]];
  const ended = new Set<GameNode>(); // ends of lines, which no variation makes longer
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, line] = top;
    const before = moves.get(line)?.position ?? start;
    const next: typeof stack = [];
    for (const each of line.children) {
      const played = moves.get(each);
      if (!played) continue;
      const add = (separate: boolean) =>
        played.move
          ? tree.add(node, before.clone(), played.move, separate)
          : tree.playNullMove(node, separate);
      const goesOn = each.children.some((after) => moves.has(after));
      let child = add(false);
      if (child && goesOn && ended.has(child)) child = add(true);
      if (!child) continue;
      if (!goesOn && !child.children.length) ended.add(child);
      // The same move may be there twice, with annotations on each.
      child.comments.push(...each.comments.map(withPawns));
      child.startingComments.push(...each.before);
      child.nags.push(...each.nags.filter((nag) => !child.nags.includes(nag)));
      child.verdict ??= verdictIn(child);
      next.unshift([child, each]);
    }
    // The main line first, before a variation that repeats one of its moves.
    stack.push(...next);
    yield;
  }
}

/** Read the result of an analysis from comments (`[%eval 0.31,18]`), or an engine's remark. */
function verdictIn({ comments, turn }: GameNode): Verdict | null {
  for (const comment of comments) {
    const { evaluation } = parseComment(comment);
    if (!evaluation) continue;
    const score: Score = isPawns(evaluation)
      ? { kind: "cp", value: Math.round(evaluation.pawns * 100) }
      : { kind: "mate", value: evaluation.mate };
    return { score, depth: evaluation.depth ?? null, best: null };
  }
  for (const comment of comments) {
    const remark = readRemark(withoutCommands(comment));
    const score = remark?.whiteScore ?? scoreFor(remark?.score, turn);
    if (remark && score) return { score, depth: remark.depth, best: null, isRemark: true };
  }
  return null;
}

/** Turn a score of the side that has moved into White's. */
function scoreFor(score: Score | null | undefined, turn: "white" | "black"): Score | null {
  return score && turn === "white" ? { ...score, value: -score.value || 0 } : (score ?? null);
}

/**
 * Write a game for other programs.  pgn-extract refuses null moves in the main line: it ends before
 * one, and continues in a variation that repeats the last move.  The command `analyse` writes in the
 * same way.
 */
export function writeSharedGame(tree: GameTree): string {
  let root = tree.root;
  for (let next = root.children[0]; next?.uci === "0000"; next = root.children[0]) {
    if (root.children.length > 1) break; // Variations begin in this position.
    root = next;
  }
  const moves = pgnNodes(root);
  moveNullMove(moves);
  return formatGame(tree, root, moves);
}

function moveNullMove(root: Node<PgnNodeData>): void {
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

/** Write a game with the results of an analysis: `[%eval]`, glyphs, and better moves. */
export function writeGame(tree: GameTree): string {
  return formatGame(tree, tree.root, pgnNodes(tree.root));
}

/** Write the part of a game that begins with a move, as a game with that first position. */
export function writeGameFrom(tree: GameTree, node: GameNode): string {
  if (!node.parent) return writeSharedGame(tree);
  const part = new GameTree(node.parent.fen, tree.headers, tree.chess960);
  part.merge(part.playAll(part.root, [node.uci]), node);
  return writeSharedGame(part);
}

/** Write a game without the judgements and the better moves of an analysis. */
export function writeUnjudgedGame(tree: GameTree): string {
  return formatGame(tree, tree.root, pgnNodes(tree.root, false));
}

/** Format a game that begins at a node, which is the first one after null moves. */
function formatGame(tree: GameTree, root: GameNode, moves: Node<PgnNodeData>): string {
  const headers = writtenHeaders(tree);
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

function pgnNodes(first: GameNode, isJudged = true): Node<PgnNodeData> {
  const root = new Node<PgnNodeData>();
  const stack: [GameNode, Node<PgnNodeData>][] = [[first, root]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, target] = top;
    node.children.forEach((child, at) => {
      if (!isJudged && isSuggestion(child)) return;
      const written = new ChildNode(dataOf(child, isJudged));
      target.children.push(written);
      stack.push([child, written]);
      if (at === 0 && isJudged) addSuggestion(child, target);
    });
  }
  return root;
}

function dataOf(node: GameNode, isJudged: boolean): PgnNodeData {
  const nags = isJudged ? writtenNags(node) : node.nags;
  const all = isWritten(node.verdict) ? withEval(node) : node.comments;
  const said = isJudged ? all : withoutSentence(all);
  const isMarked = isJudged && isBetter(node) && !said.includes(SUGGESTION);
  const comments = isMarked ? [...said, SUGGESTION] : said;
  return { san: node.san, nags, comments, startingComments: node.startingComments };
}

/** Return whether a verdict is written as `[%eval]`: not the end of a game, nor read from a remark. */
function isWritten(verdict: Verdict | null): boolean {
  return verdict !== null && verdict.depth !== 0 && !verdict.isRemark;
}

/** Return the comments on a move with its evaluation, which replaces a former one. */
function withEval({ verdict, comments }: Pick<GameNode, "verdict" | "comments">): string[] {
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

/** Return whether a variation begins with the move that an analysis likes better than the game's. */
function isBetter({ parent, uci }: GameNode): boolean {
  const [played] = parent?.children ?? [];
  return Boolean(played?.judgement && played.uci !== uci && parent?.verdict?.best === uci);
}

/** Add the line that would have been better than a judged move, with its score at its end. */
function addSuggestion(child: GameNode, target: Node<PgnNodeData>): void {
  const best = child.parent?.verdict?.best;
  if (!child.judgement || !best || best === child.uci || !child.parent) return;
  const { verdict, fen, turn } = child.parent;
  const [san, ...rest] = sansOf(fen, verdict?.line ?? [best]);
  const isThere = child.parent.children.some((sibling) => sibling.san === san);
  if (!san || isThere) return;
  let last = new ChildNode<PgnNodeData>({ san, comments: [SUGGESTION] });
  target.children.push(last);
  for (const [at, next] of rest.entries()) {
    const isEnd = at === rest.length - 1;
    const end = isEnd && verdict ? endOfLine(verdict, turn, rest.length + 1, next) : null;
    const comments = end ? withEval({ verdict: end, comments: [] }) : [];
    const node = new ChildNode<PgnNodeData>({ san: next, comments });
    last.children.push(node);
    last = node;
  }
}
