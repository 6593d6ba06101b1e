/**
 * A game: its moves, with variations, comments and annotations.
 *
 * Nodes know the position after their move as a FEN, so that any of them can be shown at
 * once.  Text in it (comments, headers) is data and is only ever shown as text.
 */

import type { Position } from "chessops/chess";
import { normalizeMove } from "chessops/chess";
import { chessgroundMove } from "chessops/compat";
import { makeSan, makeSanAndPlay, parseSan } from "chessops/san";
import type { Move, NormalMove } from "chessops/types";
import { makeUci, parseUci } from "chessops/util";
import type { Judgement } from "../analysis/score";
import type { Words } from "../settings";
import type { Score } from "../uci/line";
import { checkedFen, fenOf, INITIAL_FEN, passed, positionOf } from "./position";

/** The null move of annotators, who show by it what is threatened: in UCI, and as PGN has it. */
const NULL = { uci: "0000", san: "--" };

export interface Verdict {
  readonly score: Score;
  /** 0 where the game is over; null if whoever wrote the game has not said. */
  readonly depth: number | null;
  readonly best: string | null;
}

export class GameNode {
  readonly children: GameNode[] = [];
  comments: string[] = [];
  startingComments: string[] = [];
  nags: number[] = [];
  /** What a whole-game analysis has found for the position after the move. */
  verdict: Verdict | null = null;
  judgement: Judgement | null = null;

  constructor(
    readonly id: number,
    readonly parent: GameNode | null,
    readonly fen: string,
    readonly ply: number,
    /** How the move is written; empty at the root. */
    readonly san: string,
    readonly uci: string,
    /** The squares that the move went from and to, as the board shows them. */
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

  /** The nodes from the root to this one. */
  path(): GameNode[] {
    const nodes: GameNode[] = [];
    for (let node: GameNode | null = this; node; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** The moves that follow if each time the first is taken. */
  line(): GameNode[] {
    const nodes: GameNode[] = [];
    for (let node = this.children[0]; node; node = node.children[0]) nodes.push(node);
    return nodes;
  }

  get isMainline(): boolean {
    return this.path().every((node) => !node.parent || node.parent.children[0] === node);
  }
}

export class GameTree {
  readonly root: GameNode;
  readonly headers: Map<string, string>;
  readonly chess960: boolean;
  /** What a player should hear of how its first position was read; empty if there is nothing. */
  readonly note: string;
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

  /** Whether the game begins as chess does. */
  get isStandard(): boolean {
    return this.root.fen === INITIAL_FEN;
  }

  /** Whether there is nothing in it that anybody has made. */
  get isUntouched(): boolean {
    const { children, comments } = this.root;
    return this.isStandard && !children.length && !comments.length;
  }

  /** Play a move from a node, or find it there unless it is to be `apart`; null if it is not legal. */
  play(node: GameNode, move: Move, apart = false): GameNode | null {
    const position = node.position();
    if (!position.isLegal(move)) return null;
    const normal = normalizeMove(position, move);
    const uci = makeUci(normal);
    const known = node.children.find((child) => child.uci === uci);
    if (known && !apart) return known;
    const squares = chessgroundMove(shownMove(position, normal));
    const san = makeSanAndPlay(position, normal);
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

  /** Have the other side move, or find that there; null where it could take the king. */
  pass(node: GameNode, apart = false): GameNode | null {
    const known = apart ? undefined : node.children.find((child) => child.uci === NULL.uci);
    const fen = known ? null : passed(node.position());
    if (known || !fen) return known ?? null;
    const child = new GameNode(this.count++, node, fen, node.ply + 1, NULL.san, NULL.uci, []);
    node.children.push(child);
    return child;
  }

  /** The same for a move in SAN, or the null move. */
  playSan(node: GameNode, san: string): GameNode | null {
    if (san === NULL.san) return this.pass(node);
    const move = parseSan(node.position(), san);
    return (move && this.play(node, move)) ?? null;
  }

  /** The same for moves in UCI; stops at the first that is not legal. */
  playAll(node: GameNode, moves: readonly string[]): GameNode {
    let at = node;
    for (const [ply, uci] of moves.entries()) {
      const move = parseUci(uci);
      const known = at.children.find((each) => each.uci === uci && leadsTo(each, moves[ply + 1]));
      const next = known ?? (uci === NULL.uci ? this.pass(at) : move && this.play(at, move));
      if (!next) break;
      at = next;
    }
    return at;
  }

  /** Take a move and all after it away; returns where that leaves us. */
  remove(node: GameNode): GameNode {
    const { parent } = node;
    if (!parent) return node;
    parent.children.splice(parent.children.indexOf(node), 1);
    return parent;
  }

  /** Add what follows another node of the same move, and what is said there. */
  join(node: GameNode, other: GameNode): void {
    const stack: [GameNode, GameNode][] = [[node, other]];
    for (let top = stack.pop(); top; top = stack.pop()) {
      const [to, from] = top;
      to.comments = [...new Set([...to.comments, ...from.comments])];
      to.nags = [...new Set([...to.nags, ...from.nags])];
      to.verdict ??= from.verdict;
      to.judgement ??= from.judgement;
      for (const each of from.children) stack.push([this.playAll(to, [each.uci]), each]);
    }
  }

  /**
   * Make a variation the main line, up to the root.  What was said before its first move is said
   * of the move before: only a variation has a beginning.  The result puts all of it back, behind
   * which moves stay that have been played since.
   */
  promote(node: GameNode): () => void {
    const path = node.path();
    const undos = path.map(orderOf);
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

  mainline(): GameNode[] {
    return [this.root, ...this.root.line()];
  }

  /** Every node, the root first. */
  *nodes(): Iterable<GameNode> {
    const stack = [this.root];
    for (let node = stack.pop(); node; node = stack.pop()) {
      yield node;
      stack.push(...node.children);
    }
  }
}

/** Whether a move has been played from a node: of the same move twice, one may have it. */
function leadsTo(node: GameNode, uci: string | undefined): boolean {
  return uci === undefined || node.children.some((each) => each.uci === uci);
}

/** How to have the order of the moves after a node again, and what is said at this one. */
function orderOf(node: GameNode): () => void {
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

/** A position as an engine hears it, which knows of no null move: the game begins behind the last. */
export function wordsOf(tree: GameTree, node: GameNode): Words {
  const path = node.path();
  const at = Math.max(
    0,
    path.findLastIndex(({ uci }) => uci === NULL.uci),
  );
  const start = path[at] as GameNode;
  return {
    fen: node.fen,
    turn: node.turn,
    start: start === tree.root && tree.isStandard ? "startpos" : start.fen,
    moves: path.slice(at + 1).map((each) => each.uci),
    chess960: tree.chess960,
  };
}

/** How moves of a variation are written: `null` where one is not legal. */
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

/** A move as people write it, in SAN or UCI; null if it is not legal. */
export function typedMove(fen: string, text: string): Move | null {
  const position = positionOf(fen);
  const written = text.trim().replace(/^[0oO]-[0oO](-[0oO])?/, (it) => it.replace(/[0o]/g, "O"));
  const capital = written.charAt(0).toUpperCase() + written.slice(1);
  // `bc4` is a bishop's where no pawn can go there.
  const sans = [written, capital].map((san) => parseSan(position, san));
  const move = sans.find(Boolean) ?? parseUci(written.toLowerCase());
  return move && position.isLegal(move) ? move : null;
}

/** A move as the nodes have it, with castling as the king takes its rook; null if it is not legal. */
export function normalUci(fen: string, uci: string): string | null {
  const position = positionOf(fen);
  const move = parseUci(uci);
  return move && position.isLegal(move) ? makeUci(normalizeMove(position, move)) : null;
}

export function sanOf(fen: string, uci: string): string | null {
  const position = positionOf(fen);
  const move = parseUci(uci);
  return move && position.isLegal(move) ? makeSan(position, normalizeMove(position, move)) : null;
}

/** The position after some moves of a variation. */
export function fenAfter(fen: string, moves: readonly string[]): string {
  const position = positionOf(fen);
  for (const uci of moves) {
    const move = parseUci(uci);
    if (!move || !position.isLegal(move)) break;
    position.play(normalizeMove(position, move));
  }
  return fenOf(position);
}

/** The number before a move: `3.` or `3…`. */
export function moveNumber(ply: number): string {
  return `${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"}`;
}

/** Castling as the king's own move, where that is how it is shown. */
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
