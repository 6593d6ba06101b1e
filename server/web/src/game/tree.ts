/**
 * A game: its moves, with variations, comments and annotations.
 *
 * Each node has the FEN of the position after its move, so that it can be shown at once.  Comments
 * and headers are data, and are only shown as text.
 */

import type { Position } from "chessops/chess";
import { normalizeMove } from "chessops/chess";
import { chessgroundMove } from "chessops/compat";
import { makeSan, makeSanAndPlay, parseSan } from "chessops/san";
import type { Move, NormalMove } from "chessops/types";
import { makeUci, parseUci } from "chessops/util";
import type { Judgement } from "../analysis/score";
import type { EnginePosition, Score } from "../uci/line";
import { afterNullMove, checkedFen, fenOf, INITIAL_FEN, positionOf, type Said } from "./position";

/** The null move, by which annotators show threats, in UCI and in PGN. */
const NULL_MOVE = { uci: "0000", san: "--" };

const MOST_MOVES = 2000; // plies of one `position`; the server refuses more

/** The place of a game in a file of the library, and its text, as it was opened or saved there last. */
export interface Origin {
  readonly file: number;
  readonly at: number;
  readonly text: string;
}

/** The result of an analysis for a position. */
export interface Verdict {
  readonly score: Score;
  /** 0 where the game is over; null if the PGN does not say. */
  readonly depth: number | null;
  readonly best: string | null;
  /** The line that begins with the best move, as nodes have its moves. */
  readonly line?: readonly string[];
  /** Whether it is what a player noted in the game, which is no analysis of it. */
  readonly isRemark?: boolean;
}

/** The opinion of an engine beside the first one; it is not written to PGN. */
export interface SecondOpinion {
  readonly engine: string;
  readonly verdict: Verdict;
  readonly judgement: Judgement | null;
}

export class GameNode {
  readonly children: GameNode[] = [];
  comments: string[] = [];
  startingComments: string[] = [];
  nags: number[] = [];
  /** The result of a whole-game analysis for the position after the move. */
  verdict: Verdict | null = null;
  judgement: Judgement | null = null;
  second: SecondOpinion | null = null;

  constructor(
    readonly id: number,
    readonly parent: GameNode | null,
    readonly fen: string,
    readonly ply: number,
    /** The move in SAN; empty at the root. */
    readonly san: string,
    readonly uci: string,
    /** The squares of the move, as the board marks them. */
    readonly squares: readonly string[],
  ) {}

  get turn(): "white" | "black" {
    return this.fen.split(" ")[1] === "b" ? "black" : "white";
  }

  get isCheck(): boolean {
    return /[+#]$/.test(this.san);
  }

  position(): Position {
    return positionOf(this.fen);
  }

  /** Return the nodes from the root to this one. */
  path(): GameNode[] {
    const nodes: GameNode[] = [];
    for (let node: GameNode | null = this; node; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** The last position of the game on the way to this one: a move that is only tried is no part of it. */
  get inGame(): GameNode {
    for (const node of this.path()) {
      if (node.parent && !node.parent.children.includes(node)) return node.parent;
    }
    return this;
  }

  /** Return the main continuation. */
  line(): GameNode[] {
    const nodes: GameNode[] = [];
    for (let node = this.children[0]; node; node = node.children[0]) nodes.push(node);
    return nodes;
  }

  /** Whether variations begin on the way to this node, or in its main continuation. */
  get hasOtherLines(): boolean {
    return [...this.path(), ...this.line()].some(({ children }) => children.length > 1);
  }

  get isMainline(): boolean {
    return this.path().every((node) => !node.parent || node.parent.children[0] === node);
  }
}

export class GameTree {
  readonly root: GameNode;
  headers: Map<string, string>;
  readonly chess960: boolean;
  /** A remark on how the first position was read; may be empty. */
  readonly note: Said | null;
  /** Null if the game is in no file. */
  origin: Origin | null = null;
  private count = 0;

  constructor(
    fen: string = INITIAL_FEN,
    headers: Iterable<[string, string]> = [],
    chess960 = false,
  ) {
    const reading = checkedFen(fen, chess960);
    const position = positionOf(reading.fen);
    this.headers = new Map(headers);
    this.chess960 = reading.chess960;
    this.note = reading.note;
    const ply = 2 * (position.fullmoves - 1) + (position.turn === "black" ? 1 : 0);
    this.root = new GameNode(this.count++, null, fenOf(position), ply, "", "", []);
  }

  /** Whether the game begins with the standard position. */
  get isStandard(): boolean {
    return this.root.fen === INITIAL_FEN;
  }

  /** Whether the game is empty: no move, no comment, no tag that says something. */
  get isUntouched(): boolean {
    const { children, comments } = this.root;
    const isUnnamed = [...this.headers.values()].every((value) => /^[?.*]*$/.test(value));
    return this.isStandard && !children.length && !comments.length && isUnnamed;
  }

  /** Play a move, or find it unless it is to be `separate`; null if it is not legal. */
  play(node: GameNode, move: Move, separate = false): GameNode | null {
    const position = node.position();
    if (!position.isLegal(move)) return null;
    return this.add(node, position, normalizeMove(position, move), separate);
  }

  /**
   * Add a legal move, as nodes have it, or find it unless it is to be `separate`.  The position is
   * that before the move, and is changed.
   */
  add(node: GameNode, position: Position, move: Move, separate = false): GameNode {
    const uci = makeUci(move);
    const known = node.children.find((child) => child.uci === uci);
    if (known && !separate) return known;
    const squares = chessgroundMove(shownMove(position, move));
    const san = makeSanAndPlay(position, move);
    const child = new GameNode(
      this.count++,
      node,
      fenOf(position),
      node.ply + 1,
      san,
      uci,
      squares,
    );
    node.children.push(child);
    return child;
  }

  /** Return the node of a move that does not become part of the game; null if it is not legal. */
  tryMove(node: GameNode, move: Move): GameNode | null {
    const known = [...node.children];
    const child = this.play(node, move);
    if (child && !known.includes(child)) this.remove(child);
    return child;
  }

  /** Play a null move, or find it; null if the other side could take the king. */
  playNullMove(node: GameNode, separate = false): GameNode | null {
    const known = separate ? undefined : node.children.find((child) => child.uci === NULL_MOVE.uci);
    const fen = known ? null : afterNullMove(node.position());
    if (known || !fen) return known ?? null;
    const child = new GameNode(
      this.count++,
      node,
      fen,
      node.ply + 1,
      NULL_MOVE.san,
      NULL_MOVE.uci,
      [],
    );
    node.children.push(child);
    return child;
  }

  /** Play moves in UCI, up to the first that is not legal; return the last node. */
  playAll(node: GameNode, moves: readonly string[]): GameNode {
    let at = node;
    for (const [ply, uci] of moves.entries()) {
      const move = parseUci(uci);
      const known = at.children.find((each) => each.uci === uci && leadsTo(each, moves[ply + 1]));
      const next =
        known ?? (uci === NULL_MOVE.uci ? this.playNullMove(at) : move && this.play(at, move));
      if (!next) break;
      at = next;
    }
    return at;
  }

  /** Remove a move and all after it; return the node before. */
  remove(node: GameNode): GameNode {
    const { parent } = node;
    if (!parent) return node;
    parent.children.splice(parent.children.indexOf(node), 1);
    return parent;
  }

  /** Add the continuations and annotations of another node with the same move. */
  merge(node: GameNode, other: GameNode): void {
    const stack: [GameNode, GameNode][] = [[node, other]];
    for (let top = stack.pop(); top; top = stack.pop()) {
      const [to, from] = top;
      to.comments = [...new Set([...to.comments, ...from.comments])];
      to.startingComments = [...new Set([...to.startingComments, ...from.startingComments])];
      to.nags = [...new Set([...to.nags, ...from.nags])];
      to.verdict ??= from.verdict;
      to.judgement ??= from.judgement;
      for (const each of from.children) stack.push([this.playAll(to, [each.uci]), each]);
    }
  }

  /**
   * Make a variation the main line, up to the root, and return a function that undoes this but
   * keeps moves that were played since.  The comment before the variation moves to the move before.
   * With a path of fewer moves only those become the first of their alternatives.
   */
  promote(node: GameNode, path: readonly GameNode[] = node.path()): () => void {
    const undos = node.path().map(snapshotOf);
    for (const each of path) {
      const siblings = each.parent?.children;
      if (!siblings || siblings[0] === each) continue;
      siblings.splice(siblings.indexOf(each), 1);
      siblings.unshift(each);
      each.parent?.comments.push(...each.startingComments.splice(0));
    }
    return () => {
      for (const undo of undos) undo();
    };
  }

  /**
   * Make the line to a node and its main continuation the whole game; return a function that undoes
   * this, and joins what was played again since.
   */
  removeOthers(node: GameNode): () => void {
    const undoPromotion = this.promote(node);
    const line = [...node.path(), ...node.line()];
    const removed = line.map(({ children }) => children.splice(1));
    return () => {
      for (const [at, { children }] of line.entries()) {
        for (const other of removed[at] ?? []) {
          const again = children.find(({ uci }) => uci === other.uci);
          if (again) {
            this.remove(again);
            this.merge(other, again);
          }
          children.push(other);
        }
      }
      undoPromotion();
    };
  }

  mainline(): GameNode[] {
    return [this.root, ...this.root.line()];
  }

  /** Iterate over all nodes, the root first. */
  *nodes(): Iterable<GameNode> {
    const stack = [this.root];
    for (let node = stack.pop(); node; node = stack.pop()) {
      yield node;
      stack.push(...node.children);
    }
  }
}

/** Return whether a move was played from a node: one of two nodes with the same move may have it. */
function leadsTo(node: GameNode, uci: string | undefined): boolean {
  return uci === undefined || node.children.some((each) => each.uci === uci);
}

/** Return a function that restores the order of the moves after a node, and its comments. */
function snapshotOf(node: GameNode): () => void {
  const [children, comments, beginning] = [
    [...node.children],
    [...node.comments],
    [...node.startingComments],
  ];
  return () => {
    const later = node.children.filter((each) => !children.includes(each));
    node.children.splice(0, node.children.length, ...children, ...later);
    [node.comments, node.startingComments] = [comments, beginning];
  };
}

/**
 * Return a position for an engine.
 *
 * Engines know no null move: the moves begin after the last.  If there are more than the server takes, they
 * begin after the last capture or pawn move, before which no position can come again.
 */
export function enginePosition(tree: GameTree, node: GameNode): EnginePosition {
  const path = node.path();
  const last = path.length - 1;
  const isNull = ({ uci }: GameNode) => uci === NULL_MOVE.uci;
  let at = Math.max(0, path.findLastIndex(isNull));
  if (last - at > MOST_MOVES) {
    const reversible = Number(node.fen.split(" ")[4]);
    at = Math.max(at, last - Math.min(reversible, MOST_MOVES));
  }
  const start = path[at] as GameNode;
  return {
    fen: node.fen,
    key: findingsKey(tree, node),
    turn: node.turn,
    start: start === tree.root && tree.isStandard ? "startpos" : start.fen,
    moves: path.slice(at + 1).map((each) => each.uci),
    chess960: tree.chess960,
  };
}

/**
 * Return the name under which findings for a position are kept.
 *
 * A FEN does not show that a position will be a draw when it comes once more.  So those that have
 * come twice since the last capture or pawn move belong to the name, as in the server's cache.
 */
export function findingsKey({ chess960 }: GameTree, node: GameNode): string {
  const counts = new Map<string, number>();
  let left = Number(node.fen.split(" ")[4]);
  for (let at: GameNode | null = node; at && left >= 0; at = at.parent, left--) {
    const position = at.fen.split(" ", 4).join(" ");
    counts.set(position, (counts.get(position) ?? 0) + 1);
    if (at.uci === NULL_MOVE.uci) break; // Engines are not told what was before.
  }
  const repeated = [...counts].filter(([, count]) => count > 1).map(([position]) => position);
  return [node.fen, ...(chess960 ? ["Chess960"] : []), ...repeated.sort()].join("; ");
}

/** Return moves in SAN, up to the first that is not legal. */
export function sansOf(fen: string, moves: readonly string[], most = moves.length): string[] {
  const position = positionOf(fen);
  const result: string[] = [];
  for (const uci of moves.slice(0, most)) {
    const move = parseUci(uci);
    if (!move || !position.isLegal(move)) break;
    result.push(makeSanAndPlay(position, normalizeMove(position, move)));
  }
  return result;
}

/** Read a move that was typed, in SAN or UCI; null if it is not legal. */
export function typedMove(fen: string, text: string): Move | null {
  const position = positionOf(fen);
  const written = text.trim().replace(/^[0oO]-[0oO](-[0oO])?/, (it) => it.replace(/[0o]/g, "O"));
  const capital = written.charAt(0).toUpperCase() + written.slice(1);
  // `bc4` is a bishop's move where no pawn has one.
  const sans = [written, capital].map((san) => parseSan(position, san));
  const move = sans.find(Boolean) ?? parseUci(written.toLowerCase());
  return move && position.isLegal(move) ? move : null;
}

/** Return a move as the nodes have it, with castling as king takes rook; null if it is not legal. */
export function normalUci(fen: string, uci: string): string | null {
  const position = positionOf(fen);
  const move = parseUci(uci);
  return move && position.isLegal(move) ? makeUci(normalizeMove(position, move)) : null;
}

/** Return moves as the nodes have them, up to the first that is not legal. */
export function normalLine(fen: string, moves: readonly string[]): string[] {
  const position = positionOf(fen);
  const result: string[] = [];
  for (const uci of moves) {
    const move = parseUci(uci);
    if (!move || !position.isLegal(move)) break;
    const normal = normalizeMove(position, move);
    result.push(makeUci(normal));
    position.play(normal);
  }
  return result;
}

export function sanOf(fen: string, uci: string): string | null {
  const position = positionOf(fen);
  const move = parseUci(uci);
  return move && position.isLegal(move) ? makeSan(position, normalizeMove(position, move)) : null;
}

/** Return a move in UCI that is written in SAN; null if it is not legal. */
export function uciOf(fen: string, san: string): string | null {
  const position = positionOf(fen);
  const move = parseSan(position, san);
  return move ? makeUci(normalizeMove(position, move)) : null;
}

/** Return the position after some moves. */
export function fenAfter(fen: string, moves: readonly string[]): string {
  const position = positionOf(fen);
  for (const uci of moves) {
    const move = parseUci(uci);
    if (!move || !position.isLegal(move)) break;
    position.play(normalizeMove(position, move));
  }
  return fenOf(position);
}

/** Return the moves from the first position to a node: `1. e4 e5 2. Nf3`. */
export function lineText(node: GameNode): string {
  const moves = node.path().slice(1);
  return moves
    .map(({ ply, san }, at) => {
      if (ply % 2 === 0 && at > 0) return san;
      return `${Math.ceil(ply / 2)}${ply % 2 ? "." : "..."} ${san}`;
    })
    .join(" ");
}

/** Return the number before a move: `3.` or `3…`. */
export function moveNumber(ply: number): string {
  return `${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"}`;
}

/** Turn castling into the king's own move, as the board shows it in standard chess. */
function shownMove(position: Position, move: Move): Move {
  if (!("from" in move)) return move;
  const normal: NormalMove = move;
  const king = position.board.get(normal.from);
  const target = position.board.get(normal.to);
  const castles = king?.role === "king" && target?.color === king.color;
  if (!castles || (normal.from & 7) !== 4) return move;
  const file = normal.to > normal.from ? 6 : 2;
  return { from: normal.from, to: (normal.from & ~7) | file };
}

/** Return the title of a game, opened or not, by its headers. */
export function titleOf(game: { readonly headers: ReadonlyMap<string, string> }): string {
  const [white, black, event, date, result] = ["White", "Black", "Event", "Date", "Result"].map(
    (key) => {
      const value = game.headers.get(key) ?? "";
      return /^[?.]*$/.test(value) ? "" : value.replaceAll(".??", "");
    },
  );
  const players = white || black ? `${white || "?"} – ${black || "?"}` : "";
  return [players, event, date, result === "*" ? "" : result].filter(Boolean).join(", ");
}
