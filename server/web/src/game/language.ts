/**
 * The language of a game, by the letters of its pieces.  Pure.
 *
 * The standard has English letters.  If all moves of a game are legal in English, it is in English;
 * otherwise it is in the language in which all are legal.  If several languages make different games
 * of it, none is chosen.  The command `analyse` has the same rule.
 */

import { normalizeMove, type Position } from "chessops/chess";
import type { Move } from "chessops/types";
import { makeUci } from "chessops/util";
import { findMove, type Letters, pieceLetters } from "./notation";
import type { ParsedMove } from "./parser";
import { afterNullMove, positionOf } from "./position";
import type { Steps } from "./steps";

const PIECES = "KQRBN";
const ENGLISH: Letters = lettersOf([...PIECES]);
// King, queen, rook, bishop and knight.
const LANGUAGES: readonly Letters[] = [
  "KDTLS", // German, Danish, Norwegian, Swedish, Croatian, Slovene, Serbian
  "KDTLP", // Dutch
  "RDTFC", // French
  "RDTAC", // Spanish, Catalan, Italian
  "RDTBC", // Portuguese, Galician
  "KHWGS", // Polish
  "KDVSJ", // Czech, Slovak
  "KVBFH", // Hungarian
  "RDTNC", // Romanian
  "KDTLR", // Finnish, Afrikaans
  "KDHBR", // Icelandic
  "KLVOR", // Estonian
  "KDTLZ", // Latvian
  "KVBRŽ", // Lithuanian
  "ŞVKFA", // Turkish
  "RMBGK", // Indonesian
  "VHXTM", // Vietnamese
  "TBCEM", // Welsh
  "RBCED", // Irish
  "EDGAZ", // Basque
  "RDTKĈ", // Esperanto
  ["Кр", "Ф", "Л", "С", "К"], // Russian
  ["Кр", "Ф", "Т", "С", "К"], // Ukrainian
  "ЦДТОК", // Bulgarian
  "КДТЛС", // Serbian, Macedonian
  "ΡΒΠΑΙ", // Greek
].map((each) => lettersOf([...each]));
// Plies by which an interpretation must be longer than any other if none covers the whole game.
const LEAD = 10;

function lettersOf(letters: readonly string[]): Letters {
  return Object.fromEntries(letters.map((letter, at) => [letter, PIECES[at] ?? ""]));
}

/** A legal move, and the position after it; the null move is null. */
interface PlayedMove {
  readonly move: Move | null;
  readonly uci: string;
  readonly position: Position;
}

/** A game as it is with some letters. */
export interface Interpretation {
  readonly moves: ReadonlyMap<ParsedMove, PlayedMove>;
  /** The words that are no legal moves, in the order of the game. */
  readonly unread: readonly string[];
  /** The main line in UCI. */
  readonly main: readonly string[];
  readonly isWhole: boolean;
}

/** Interpret a game in its language; return a word if its meaning is ambiguous. */
export function* interpretGame(root: ParsedMove, start: Position): Steps<Interpretation | string> {
  const english = yield* interpret(root, start, ENGLISH);
  if (!english.unread.length) return english;
  const used = new Set(
    movesOf(root).flatMap(({ written }) => (written ? pieceLetters(written) : [])),
  );
  const others: Interpretation[] = [];
  for (const letters of meaningsOf(used)) others.push(yield* interpret(root, start, letters));
  const isEnglish = [...used].every((letter) => letter in ENGLISH);
  const candidates = isEnglish ? [english, ...others] : others;
  for (const isGood of [
    (it: Interpretation) => !it.unread.length,
    (it: Interpretation) => it.isWhole,
  ]) {
    const good = candidates.filter(isGood);
    if (good.includes(english)) return english;
    if (good.length) return agreed(good, root);
  }
  return isEnglish || !others.length ? english : longest(others, root);
}

/** Return the possible meanings of some letters, each one once. */
function meaningsOf(used: ReadonlySet<string>): Letters[] {
  const found = meaningsIn(used, [{ ...ENGLISH, P: "P" }, ...LANGUAGES]);
  return found.length
    ? found
    : meaningsIn(
        used,
        LANGUAGES.map((each) => ({ P: "P", ...each })),
      );
}

function meaningsIn(used: ReadonlySet<string>, languages: readonly Letters[]): Letters[] {
  const letters = [...used].sort();
  const found = new Map<string, Letters>();
  for (const each of languages) {
    if (letters.every((letter) => letter in each)) {
      const meaning = letters.map((letter) => [letter, each[letter] ?? ""]);
      found.set(JSON.stringify(meaning), Object.fromEntries(meaning));
    }
  }
  return [...found.values()];
}

/** Return the first of some interpretations if all agree; otherwise a word on which they do not. */
function agreed(candidates: readonly Interpretation[], root: ParsedMove): Interpretation | string {
  const [first, ...others] = candidates as [Interpretation, ...Interpretation[]];
  for (const other of others) {
    const line = movesOf(root).find(
      (each) => first.moves.get(each)?.uci !== other.moves.get(each)?.uci,
    );
    if (line?.written) return line.written.word;
  }
  return first;
}

/** Return the longest interpretation if it is much longer than different ones. */
function longest(candidates: readonly Interpretation[], root: ParsedMove): Interpretation | string {
  const [first, ...others] = [...candidates].sort((a, b) => b.main.length - a.main.length) as [
    Interpretation,
    ...Interpretation[],
  ];
  for (const other of others) {
    const isPrefix = other.main.every((move, at) => move === first.main[at]);
    if (!isPrefix && first.main.length < other.main.length + LEAD) {
      const word = agreed([first, other], root);
      if (typeof word === "string") return word;
    }
  }
  return first;
}

/** Return all moves of a game in order. */
function movesOf(root: ParsedMove): ParsedMove[] {
  const lines: ParsedMove[] = [];
  const stack = [root];
  for (let line = stack.pop(); line; line = stack.pop()) {
    if (line !== root) lines.push(line);
    stack.push(...[...line.children].reverse());
  }
  return lines;
}

/** Play the moves that are legal. */
function* interpret(root: ParsedMove, start: Position, letters: Letters): Steps<Interpretation> {
  const moves = new Map<ParsedMove, PlayedMove>();
  const bad = new Set<ParsedMove>();
  const main: string[] = [];
  const stack: [ParsedMove, Position, boolean][] = [[root, start, true]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [parent, position, isMain] = top;
    for (const line of parent.children) {
      if (line.insteadOf && !moves.has(line.insteadOf)) continue;
      const played = line.written && playMove(position, line.written, letters);
      if (!played) {
        bad.add(line);
        continue;
      }
      moves.set(line, played);
      const isFirst = isMain && line === parent.children[0];
      if (isFirst) main.push(played.uci);
      stack.push([line, played.position, isFirst]);
    }
    yield;
  }
  const unread = bad.size
    ? movesOf(root).flatMap((line) => (bad.has(line) ? (line.written?.word ?? "") : []))
    : [];
  return { moves, unread, main, isWhole: isWhole(root, moves) };
}

function isWhole(root: ParsedMove, moves: Interpretation["moves"]): boolean {
  let line = root;
  for (let next = line.children[0]; next && moves.has(next); next = line.children[0]) line = next;
  return line.children.length === 0;
}

function playMove(
  position: Position,
  written: NonNullable<ParsedMove["written"]>,
  letters: Letters,
): PlayedMove | null {
  if (written.san === "--") {
    const fen = afterNullMove(position);
    return fen ? { move: null, uci: "0000", position: positionOf(fen) } : null;
  }
  const found = findMove(written, position, letters);
  if (!found) return null;
  const move = normalizeMove(position, found);
  const after = position.clone();
  after.play(move);
  return { move, uci: makeUci(move), position: after };
}
