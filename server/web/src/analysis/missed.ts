/**
 * What a mistake has missed, in one sentence, where the line of the analysis proves it.
 *
 * The engine says that a move is bad, and not why.  So nothing is guessed here: a mate stands at the
 * end of the line, a piece is off the board when the line's captures are over.
 */

import { attacks } from "chessops/attacks";
import { normalizeMove, type Position } from "chessops/chess";
import { makeSanAndPlay } from "chessops/san";
import type { Color, Role, Square } from "chessops/types";
import { opposite, parseUci } from "chessops/util";
import { positionOf } from "../game/position";
import { fenAfter, type GameNode, type Verdict } from "../game/tree";
import { languageTag, listText, text } from "../language/catalogue";
import type { Score } from "../uci/line";

const POINTS: Readonly<Record<Role, number>> = {
  pawn: 1,
  knight: 3,
  bishop: 3,
  rook: 5,
  queen: 9,
  king: 0, // It is never taken.
};
const ROLES = ["queen", "rook", "bishop", "knight", "pawn"] as const;
const FEWEST_POINTS = 2; // A pawn more is rarely the reason.
const MOST_CAPTURES = 6; // of an exchange that is counted to its end

/** A mistake: the position before it, the move, and the better line with the score of it. */
export interface Mistake {
  readonly fen: string;
  readonly played: string;
  readonly line: readonly string[];
  readonly score: Score;
}

/** A position of the line, with the move that led to it. */
interface Step {
  readonly san: string;
  readonly from: Square;
  readonly to: Square;
  readonly position: Position;
}

interface Known {
  readonly verdict: Verdict;
  readonly language: string;
  readonly said: string | null;
}

// A list of moves is drawn again after each change.
const known = new WeakMap<GameNode, Known>();

/** Return what a judged move of a game has missed; null if nothing can be proved. */
export function missedBy(node: GameNode): string | null {
  const { parent, judgement, uci } = node;
  const { verdict } = parent ?? {};
  if (!parent || !judgement || !verdict?.best || verdict.best === uci) return null;
  const former = known.get(node);
  const language = languageTag();
  if (former?.verdict === verdict && former.language === language) return former.said;
  const line = verdict.line ?? [verdict.best];
  const said = missedIn({ fen: parent.fen, played: uci, line, score: verdict.score });
  known.set(node, { verdict, language, said });
  return said;
}

/** Return what a mistake has missed; null if nothing can be proved. */
export function missedIn({ fen, played, line, score }: Mistake): string | null {
  const start = positionOf(fen);
  const steps = stepsOf(start, line);
  const [first] = steps;
  if (!first) return null;
  const sign = start.turn === "white" ? 1 : -1;
  if (score.kind === "mate") return score.value * sign > 0 ? mateIn(steps, score) : null;
  const settled = steps.slice(0, steps.findLastIndex((step) => isSettled(step, start.turn)) + 1);
  const end = settled.at(-1)?.position;
  if (!end) return null;
  const gain = lead(end, start.turn) - lead(start, start.turn);
  const left = lead(positionOf(fenAfter(fen, [played])), start.turn) - lead(start, start.turn);
  if (gain < FEWEST_POINTS || gain - left < FEWEST_POINTS) return null;
  return hanging(start, first) ?? fork(start, settled) ?? won(start, settled);
}

function stepsOf(start: Position, line: readonly string[]): Step[] {
  const steps: Step[] = [];
  const position = start.clone();
  for (const uci of line) {
    const move = parseUci(uci);
    if (!move || !("from" in move) || !position.isLegal(move)) break;
    const san = makeSanAndPlay(position, normalizeMove(position, move));
    steps.push({ san, from: move.from, to: move.to, position: position.clone() });
  }
  return steps;
}

/** The line mates, and in as many moves as the score says. */
function mateIn(steps: readonly Step[], { value }: Score): string | null {
  const moves = Math.ceil(steps.length / 2);
  const isMate = steps.length % 2 === 1 && steps.at(-1)?.position.isCheckmate();
  if (!isMate || moves !== Math.abs(value)) return null;
  return text("missed-mate", { moves, line: lineOf(steps) });
}

/** The first move takes a piece that nothing protects. */
function hanging(start: Position, { san, to, position }: Step): string | null {
  const taken = start.board.get(to);
  if (!taken || taken.color === start.turn || taken.role === "pawn") return null;
  if (defenders(position, to, taken.color)) return null;
  return text("missed-hanging", { role: taken.role, move: san });
}

/** The first move attacks two pieces, and takes one of them later. */
function fork(start: Position, steps: readonly Step[]): string | null {
  const [first, ...rest] = steps as [Step, ...Step[]];
  const { board } = first.position;
  const piece = board.get(first.to);
  if (!piece || piece.color !== start.turn) return null;
  const other = opposite(start.turn);
  const targets = [...attacks(piece, first.to, board.occupied)].filter((square) => {
    const role = board.get(square)?.color === other ? board.getRole(square) : undefined;
    if (!role || role === "pawn") return false;
    const isWorthMore = role === "king" || POINTS[role] > POINTS[piece.role];
    return isWorthMore || !defenders(first.position, square, other);
  });
  const isTaken = rest.some(({ from, to }, at) => {
    return at % 2 === 1 && from === first.to && targets.includes(to);
  });
  if (targets.length < 2 || !isTaken) return null;
  const roles = targets.map((square) => board.getRole(square) as Role);
  const order: readonly Role[] = ["king", ...ROLES];
  const names = roles.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const pair = `${names[0]}-${names[1]}`;
  return text("missed-fork", { move: first.san, pair, line: lineOf(steps) });
}

/** The line wins more than it gives. */
function won(start: Position, steps: readonly Step[]): string | null {
  const end = (steps.at(-1) as Step).position;
  if (steps.some(({ san }) => san.includes("="))) return null; // The count has no words for it.
  const changes = (color: Color) =>
    ROLES.map(
      (role) => start.board.pieces(color, role).size() - end.board.pieces(color, role).size(),
    );
  const [mine, theirs] = [changes(start.turn), changes(opposite(start.turn))];
  const net = ROLES.map((role, at) => [role, (theirs[at] ?? 0) - (mine[at] ?? 0)] as const);
  const gained = net.filter(([, count]) => count > 0);
  const given = net.filter(([, count]) => count < 0);
  return text(given.length ? "missed-win-for" : "missed-win", {
    move: steps[0]?.san ?? "",
    gained: listOf("missed-gained", gained),
    given: listOf("missed-given", given),
    line: lineOf(steps),
  });
}

/** Return a list of pieces by the text for each; in some languages they have another form here. */
function listOf(id: string, counts: readonly (readonly [Role, number])[]): string {
  return listText(counts.map(([role, count]) => text(id, { role, count: Math.abs(count) })));
}

function lineOf(steps: readonly Step[]): string {
  return steps.map(({ san }) => san).join(" ");
}

/** Return whether the other side can take nothing back with profit. */
function isSettled({ position }: Step, color: Color): boolean {
  if (position.turn === color) return true;
  return bestExchange(position, MOST_CAPTURES) === 0;
}

/** Return the points that the side to move wins by captures on one square, if it need not take. */
function bestExchange(position: Position, depth: number, on: Square | null = null): number {
  let best = 0;
  if (depth === 0) return best;
  const enemies = position.board[opposite(position.turn)];
  for (const [from, targets] of position.allDests()) {
    for (const to of targets.intersect(enemies)) {
      if (on !== null && on !== to) continue;
      const taken = position.board.getRole(to) as Role;
      const after = position.clone();
      after.play({ from, to, ...promotionOf(position, from, to) });
      best = Math.max(best, POINTS[taken] - bestExchange(after, depth - 1, to));
    }
  }
  return best;
}

function promotionOf({ board }: Position, from: Square, to: Square): { promotion?: Role } {
  const isLast = to < 8 || to >= 56;
  return isLast && board.getRole(from) === "pawn" ? { promotion: "queen" } : {};
}

function defenders(position: Position, square: Square, color: Color): boolean {
  const { board } = position;
  const pieces = [...board[color]].filter((from) => from !== square);
  return pieces.some((from) => {
    const piece = board.get(from);
    return piece && attacks(piece, from, board.occupied).has(square);
  });
}

function lead({ board }: Position, color: Color): number {
  const count = (side: Color) =>
    ROLES.reduce((sum, role) => sum + POINTS[role] * board.pieces(side, role).size(), 0);
  return count(color) - count(opposite(color));
}
