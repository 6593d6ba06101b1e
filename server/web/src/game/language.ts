/**
 * Languages in whose letters moves are written, and which of them a game is in.
 *
 * The standard has English letters.  A game whose every move is legal in English is in English;
 * any other is in the language in which every move is legal.  If there are several, and the
 * moves would be different ones, nobody knows which game it is.  The command `analyse` has the
 * same (`rookery_analysis/notation.py`, `game.py`).  Pure.
 */

import { normalizeMove, type Position } from "chessops/chess";
import type { Move } from "chessops/types";
import { makeUci } from "chessops/util";
import { type Letters, moveOf, pieceLetters } from "./notation";
import type { Line } from "./parser";
import { afterNullMove, positionOf } from "./position";

const PIECES = "KQRBN";
const ENGLISH: Letters = lettersOf([...PIECES]);
/** King, queen, rook, bishop and knight. */
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
// Half-moves by which a reading must be longer than any other if none reads the whole game.
const LEAD = 10;

function lettersOf(letters: readonly string[]): Letters {
  return Object.fromEntries(letters.map((letter, at) => [letter, PIECES[at] ?? ""]));
}

/** A game read with some letters. */
export interface Reading {
  /** The moves that are legal; the null move is null. */
  readonly moves: ReadonlyMap<Line, Move | null>;
  /** The words that are not, in the order of the game. */
  readonly unread: readonly string[];
  /** The main line in UCI. */
  readonly main: readonly string[];
  readonly isWhole: boolean;
}

/** The reading in the game's language; a word if nobody knows what that means. */
export function interpretGame(root: Line, start: Position): Reading | string {
  const english = play(root, start, ENGLISH);
  if (!english.unread.length) return english;
  const used = new Set(
    linesOf(root).flatMap(({ written }) => (written ? pieceLetters(written) : [])),
  );
  const others = candidates(used).map((letters) => play(root, start, letters));
  const isEnglish = [...used].every((letter) => letter in ENGLISH);
  const readings = isEnglish ? [english, ...others] : others;
  for (const isGood of [(it: Reading) => !it.unread.length, (it: Reading) => it.isWhole]) {
    const good = readings.filter(isGood);
    if (good.includes(english)) return english;
    if (good.length) return only(good, root);
  }
  return isEnglish || !others.length ? english : longest(others, root);
}

/** What some letters may mean, each meaning once. */
function candidates(used: ReadonlySet<string>): Letters[] {
  const found = thoseWith(used, [{ ...ENGLISH, P: "P" }, ...LANGUAGES]);
  return found.length
    ? found
    : thoseWith(
        used,
        LANGUAGES.map((each) => ({ P: "P", ...each })),
      );
}

function thoseWith(used: ReadonlySet<string>, languages: readonly Letters[]): Letters[] {
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

/** The first of some readings that are to be the same; a word that has two meanings if not. */
function only(readings: readonly Reading[], root: Line): Reading | string {
  const [first, ...others] = readings as [Reading, ...Reading[]];
  for (const other of others) {
    const line = linesOf(root).find(
      (each) => !isSame(first.moves.get(each), other.moves.get(each)),
    );
    if (line?.written) return line.written.word;
  }
  return first;
}

/** The reading that gets far further than others, if it is not the same as they. */
function longest(readings: readonly Reading[], root: Line): Reading | string {
  const [first, ...others] = [...readings].sort((a, b) => b.main.length - a.main.length) as [
    Reading,
    ...Reading[],
  ];
  for (const other of others) {
    const isPrefix = other.main.every((move, at) => move === first.main[at]);
    if (!isPrefix && first.main.length < other.main.length + LEAD) {
      const word = only([first, other], root);
      if (typeof word === "string") return word;
    }
  }
  return first;
}

function isSame(one: Move | null | undefined, other: Move | null | undefined): boolean {
  if (!one || !other) return one === other;
  return makeUci(one) === makeUci(other);
}

/** All moves of a game, each behind the one before it. */
function linesOf(root: Line): Line[] {
  const lines: Line[] = [];
  const stack = [root];
  for (let line = stack.pop(); line; line = stack.pop()) {
    if (line !== root) lines.push(line);
    stack.push(...[...line.children].reverse());
  }
  return lines;
}

/** Play what is legal. */
function play(root: Line, start: Position, letters: Letters): Reading {
  const moves = new Map<Line, Move | null>();
  const bad = new Set<Line>();
  const main: string[] = [];
  const stack: [Line, Position, boolean][] = [[root, start, true]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [parent, position, isMain] = top;
    for (const line of parent.children) {
      if (line.insteadOf && !moves.has(line.insteadOf)) continue;
      const played = line.written && step(position, line.written, letters);
      if (!played) {
        bad.add(line);
        continue;
      }
      moves.set(line, played.move);
      const isFirst = isMain && line === parent.children[0];
      if (isFirst) main.push(played.uci);
      stack.push([line, played.position, isFirst]);
    }
  }
  const unread = bad.size
    ? linesOf(root).flatMap((line) => (bad.has(line) ? (line.written?.word ?? "") : []))
    : [];
  return { moves, unread, main, isWhole: isWhole(root, moves) };
}

function isWhole(root: Line, moves: ReadonlyMap<Line, Move | null>): boolean {
  let line = root;
  for (let next = line.children[0]; next && moves.has(next); next = line.children[0]) line = next;
  return line.children.length === 0;
}

function step(position: Position, written: NonNullable<Line["written"]>, letters: Letters) {
  if (written.san === "--") {
    const fen = afterNullMove(position);
    return fen ? { move: null, uci: "0000", position: positionOf(fen) } : null;
  }
  const found = moveOf(written, position, letters);
  if (!found || !position.isLegal(found)) return null;
  const move = normalizeMove(position, found);
  const after = position.clone();
  after.play(move);
  return { move, uci: makeUci(move), position: after };
}
