/**
 * The games of a PGN file: their texts, and each one as a tree of moves that are not checked.  Pure.
 *
 * A new game begins with tags after moves, with the number of the first move after others, or with
 * any text after a result and a blank line; other blank lines have no meaning.  A comment that is
 * not closed ends before the `[Event` of the next game.  The command `analyse` reads in the same way.
 */

import { withoutBraces } from "./annotation";
import { Lexer, type Token } from "./lexer";
import { isNoise, type MoveText, nagOfGlyph, parseMoveText, splitMoveNumber } from "./notation";
import type { Steps } from "./steps";

/** A move as it is written, or the beginning of a game, with its annotations and continuations. */
export interface ParsedMove {
  readonly written?: MoveText | undefined;
  /** The move to which it is an alternative. */
  readonly insteadOf?: ParsedMove | undefined;
  readonly children: ParsedMove[];
  readonly nags: number[];
  /** Comments before and after it. */
  readonly before: string[];
  readonly comments: string[];
}

/** The content of a game's text. */
export interface ParsedGame {
  readonly tags: ReadonlyMap<string, string>;
  readonly root: ParsedMove;
  readonly result: string | null;
  readonly firstNumber: number | null;
}

const MOST_NESTED = 10_000; // variations within each other; deeper ones are left out
const MOST_NAG = 255;
// Tags that are recognized in upper and lower case.
export const KNOWN_TAGS = ["Event", "White", "Black", "Result", "FEN", "SetUp", "Variant"];
const BOTH_LOST = /^0[-:]0$/; // PGN has no such result
const LONGEST_RESULT = 64; // characters
const EVENT = /^\[\s*Event\s+"/;
const FIRST = /^0*1\.?(?![.…\d])/; // the number before White's first move
const ENDS = /\r{0,2}\n|\r/;

/** Split a file into the texts of its games. */
export function* splitGames(file: string): Iterable<string> {
  const splitter = new GameSplitter();
  for (const line of file.split(ENDS)) yield* splitter.addLine(line);
  yield* splitter.finish();
}

/** Finds the ends of games. */
class GameSplitter {
  private readonly lexer = new Lexer();
  private lines: string[] = [];
  private part: "nothing" | "tags" | "moves" = "nothing";
  private isWithinComment = false; // from an earlier line
  private hasBlank = false;
  private hasEvent = false;
  private depth = 0;
  private words = 0; // of the main line
  private isFromOne = false;
  private isOver = false; // after a result
  private hasResult = false; // perhaps in a variation

  /** Add a line; return the games that have ended in it. */
  *addLine(line: string): Iterable<string> {
    if (!line.trim()) {
      this.hasBlank = true;
      if (this.part !== "nothing") this.lines.push(line);
      return;
    }
    const { lexer } = this;
    if (lexer.inComment && this.hasBlank && EVENT.test(line)) {
      lexer.inComment = false;
      yield this.end();
    }
    let from = 0;
    this.isWithinComment = lexer.inComment;
    for (const token of lexer.tokens(line)) {
      if (this.part !== "nothing" && this.endsBefore(token)) {
        this.lines.push(line.slice(from, token.start));
        yield this.end();
        from = token.start;
      }
      const isLineComment =
        token.kind === "comment" && line[token.start] !== "{" && !this.isWithinComment;
      if (this.part === "nothing" && isLineComment) from = token.end;
      else this.record(token);
      this.isWithinComment = false;
    }
    if (this.part !== "nothing") this.lines.push(line.slice(from));
  }

  *finish(): Iterable<string> {
    if (this.part !== "nothing") yield this.end();
  }

  private end(): string {
    const text = this.lines.join("\n");
    this.lines = [];
    this.part = "nothing";
    this.hasBlank = this.hasEvent = this.isFromOne = this.isOver = this.hasResult = false;
    this.depth = this.words = 0;
    return text;
  }

  /** Return whether the game has ended before a token. */
  private endsBefore({ kind, text }: Token): boolean {
    if (kind === "tag") {
      return this.part === "moves" || (text === "Event" && (this.hasBlank || this.hasEvent));
    }
    if (this.part === "tags" || kind === "result" || kind === "close" || kind === "brace") {
      return false;
    }
    if (this.isWithinComment) return false;
    if (this.isOver && this.hasBlank) return true;
    if (kind !== "word" || !FIRST.test(text)) return false;
    if (this.hasResult && this.hasBlank) return true;
    return this.isOver || (this.isFromOne && this.words > 1 && !this.depth);
  }

  /** Record what a token says about the state of the game. */
  private record({ kind, text }: Token): void {
    // A comment between tags ends them only after a blank line.
    const isBetweenTags = kind === "comment" && (this.isWithinComment || !this.hasBlank);
    if (isBetweenTags && this.part === "tags") return;
    this.hasBlank = false;
    if (kind === "tag") {
      if (this.part === "nothing") this.part = "tags";
      this.hasEvent ||= text === "Event";
      return;
    }
    this.part = "moves";
    if (kind === "open") this.depth++;
    else if (kind === "close") this.depth = Math.max(0, this.depth - 1);
    else if (kind === "result") {
      this.hasResult = true;
      this.isOver = !this.depth;
    } else if (kind === "word" && !this.depth) {
      this.isOver = false;
      if (!this.words && FIRST.test(text)) this.isFromOne = true;
      if (!/^\d+[.…]*$/.test(text)) this.words++;
    }
  }
}

/** Return a result as PGN has it; null if the text is none. */
export function resultIn(text: string): string | null {
  const said = text.trim();
  if (said.length > LONGEST_RESULT) return null;
  const plain = said
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s*([-:/])\s*/g, "$1");
  const half = "(?:1/2|½|0?[.,]5)";
  if (new RegExp(`^(?:${half}(?:[-:]${half})?|=|draws?|drawn|remis)$`).test(plain)) {
    return "1/2-1/2";
  }
  if (/^(?:1[-:]0f?|\+[-:/]-|white wins|white won|1)$/.test(plain)) return "1-0";
  if (/^(?:0[-:]1f?|-[-:/]\+|black wins|black won)$/.test(plain)) return "0-1";
  return plain === "*" ? "*" : null;
}

/** Parse the text of one game. */
export function* parseGame(text: string): Steps<ParsedGame> {
  const parser = new GameParser();
  for (const token of joinInnerBraces(tokensIn(text))) {
    parser.addToken(token);
    yield;
  }
  parser.finish();
  return parser;
}

function* tokensIn(text: string): Iterable<[Token, string]> {
  const lexer = new Lexer();
  for (const line of text.split("\n")) {
    for (const token of lexer.tokens(line)) yield [token, line.slice(token.start, token.end)];
    if (lexer.inComment) {
      yield [{ kind: "comment", text: "\n", start: 0, end: 0, closed: false }, ""];
    }
  }
}

/**
 * Turn the rest of a comment like `{a {b} c}` into a comment.  By the standard, it ends at the first
 * closing brace; the rest is a comment only if there are nothing but words up to another brace.
 */
function* joinInnerBraces(tokens: Iterable<[Token, string]>): Iterable<Token> {
  let [isOpen, depth] = [false, 0];
  let held: [Token, string][] = [];
  for (const [token, written] of tokens) {
    const isInner = depth > 0 && !isOpen;
    if (isInner && token.kind === "brace") {
      const text = ["}", ...held.map(([, each]) => each)].join(" ");
      held = [];
      depth--;
      yield { kind: "comment", text, start: 0, end: 0, closed: true };
      continue;
    }
    if (isInner && ["word", "nag", "open", "close"].includes(token.kind)) {
      held.push([token, written]);
      continue;
    }
    for (const [each] of held) yield each;
    held = [];
    depth = isOpen ? depth : 0;
    if (token.kind === "comment") {
      depth += token.text.split("{").length - 1;
      isOpen = !token.closed;
    }
    yield token;
  }
  for (const [each] of held) yield each;
}

const newMove = (
  written?: MoveText,
  insteadOf?: ParsedMove,
  before: string[] = [],
): ParsedMove => ({
  written,
  insteadOf,
  children: [],
  nags: written?.nag ? [written.nag] : [],
  before,
  comments: [],
});

/** Builds a game from tokens. */
class GameParser implements ParsedGame {
  readonly tags = new Map<string, string>();
  readonly root = newMove();
  result: string | null = null;
  firstNumber: number | null = null;
  private at: ParsedMove = this.root;
  private readonly parents = new Map<ParsedMove, ParsedMove>();
  private readonly stack: ParsedMove[] = []; // the moves with open variations
  private insteadOf: ParsedMove | undefined; // before the first move of a variation
  private before: string[] = [];
  private comment: string | null = null; // that is open
  private skipped = 0; // open variations that are left out
  private isOver = false;

  addToken(token: Token): void {
    const { kind, text } = token;
    if (kind === "tag") this.addTag(text, token.value ?? "");
    else if (kind === "comment") this.addComment(token);
    else if (kind === "open" || kind === "close") this.addBracket(kind);
    else if (this.skipped) return;
    else if (kind === "nag") this.addNag(text ? Number(text.slice(0, 4)) : MOST_NAG + 1);
    else if (kind === "result") this.addResult(text);
    else if (kind === "word") this.addWord(text);
  }

  finish(): void {
    if (this.comment !== null)
      this.addComment({ kind: "comment", text: "", start: 0, end: 0, closed: true });
    this.readDoubleLoss();
  }

  /** Read a `0-0` after the moves as a result if the tag says that both sides have lost. */
  private readDoubleLoss(): void {
    if (this.result !== null || !BOTH_LOST.test((this.tags.get("Result") ?? "").trim())) return;
    let [parent, last] = [this.root, this.root];
    for (let next = last.children[0]; next; next = last.children[0]) [parent, last] = [last, next];
    if (!BOTH_LOST.test(last.written?.word ?? "")) return;
    parent.children.shift();
    parent.comments.push(...last.comments);
  }

  /** Add a tag, with a name and a value that other programs can read. */
  private addTag(name: string, value: string): void {
    const plain = name
      .normalize("NFKD")
      .replace(/\W/g, "_")
      .replace(/^_+|(?<!_)_+$/g, "");
    const known = KNOWN_TAGS.find((each) => each.toLowerCase() === plain.toLowerCase());
    if (plain)
      this.tags.set(known ?? plain.slice(0, 255), value.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " "));
  }

  private addComment({ text, closed }: Token): void {
    this.comment = (this.comment ?? "") + text;
    if (!closed) return;
    const comment = withoutBraces(this.comment).trim();
    this.comment = null;
    if (comment && !this.skipped) (this.insteadOf ? this.before : this.at.comments).push(comment);
  }

  private addBracket(kind: "open" | "close"): void {
    const { at, stack } = this;
    if (this.skipped) this.skipped += kind === "open" ? 1 : -1;
    else if (kind === "open") {
      const parent = this.parents.get(at);
      if (!parent || this.insteadOf || stack.length >= MOST_NESTED) {
        this.skipped = 1;
        return;
      }
      stack.push(at);
      this.insteadOf = at;
      this.at = parent;
    } else {
      this.at = stack.pop() ?? at;
      if (this.at === at && !this.insteadOf) return;
      this.at.comments.push(...this.before); // of a variation without a move
      this.insteadOf = undefined;
      this.before = [];
    }
  }

  private addResult(text: string): void {
    if (this.stack.length || this.isOver) return;
    this.result = resultIn(text);
    this.isOver = true;
  }

  private addNag(nag: number): void {
    if (nag <= MOST_NAG && this.at !== this.root && !this.insteadOf) {
      this.at.nags.push(nag);
    }
  }

  private addWord(text: string): void {
    const [number, rest] = splitMoveNumber(text);
    if (number !== null && !this.root.children.length) this.firstNumber ??= number;
    const word = number === null ? text : rest.replace(/^[.…]+/, "");
    const nag = nagOfGlyph(word);
    if (nag) this.addNag(nag);
    else if (!word || isNoise(word) || (this.isOver && !this.stack.length)) return;
    else if (!this.stack.length && !/^\d/.test(word) && resultIn(word)) this.addResult(word);
    else this.addMove(parseMoveText(word));
  }

  private addMove(written: MoveText): void {
    const line = newMove(written, this.insteadOf, this.before);
    this.parents.set(line, this.at);
    this.at.children.push(line);
    this.at = line;
    this.insteadOf = undefined;
    this.before = [];
  }
}
