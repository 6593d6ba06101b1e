/**
 * Games as they are written: their texts in a file, and a tree of words that nobody has played.
 *
 * A new game begins with tags behind moves, with the first move's number behind others, or with
 * whatever stands behind a result and a blank line; blank lines elsewhere mean nothing.  A comment
 * that nobody has closed ends where the next game has its `[Event`.  The command `analyse` reads
 * in the same way (`rookery_analysis/pgn_splitter.py`, `pgn_tree.py`).  Pure.
 */

import { withoutBraces } from "./annotation";
import { Lexer, type Token } from "./lexer";
import { isNoise, type MoveText, nagOfGlyph, parseMoveText, splitMoveNumber } from "./notation";

/** A move as it is written, or the beginning of a game; what follows it, and what is said. */
export interface Line {
  readonly written?: MoveText;
  /** The move to which it is a variation. */
  readonly insteadOf?: Line | undefined;
  readonly children: Line[];
  readonly nags: number[];
  /** Comments before and behind it. */
  readonly before: string[];
  readonly comments: string[];
}

/** What stands in a game's text. */
export interface ParsedGame {
  readonly tags: ReadonlyMap<string, string>;
  readonly root: Line;
  readonly result: string | null;
  readonly firstNumber: number | null;
}

const MOST_NESTED = 10_000; // variations within each other: more are left out
const MOST_NAG = 255;
// Tags that say what game it is, however their names are written.
const USUAL = ["Event", "White", "Black", "Result", "FEN", "SetUp", "Variant"];
const BOTH_LOST = /^0[-:]0$/; // which PGN has no result for
const LONGEST_RESULT = 64; // characters
const EVENT = /^\[\s*Event\s+"/;
const FIRST = /^0*1\.?(?![.…\d])/; // the number before White's first move
const ENDS = /\r{0,2}\n|\r/;

/** The texts of the games of a file. */
export function* splitGames(file: string): Iterable<string> {
  const splitter = new Splitter();
  for (const line of file.split(ENDS)) yield* splitter.take(line);
  yield* splitter.finish();
}

/** Tells games apart. */
class Splitter {
  private readonly lexer = new Lexer();
  private kept: string[] = [];
  private part: "nothing" | "tags" | "moves" = "nothing";
  private isWithin = false; // a comment that has begun in an earlier line
  private hasBlank = false;
  private hasEvent = false;
  private depth = 0;
  private words = 0; // of the main line
  private isFromOne = false;
  private isOver = false; // a result has been read,
  private hasResult = false; // or one in a variation

  /** Take the next line; the games that have ended in it. */
  *take(line: string): Iterable<string> {
    if (!line.trim()) {
      this.hasBlank = true;
      if (this.part !== "nothing") this.kept.push(line);
      return;
    }
    const { lexer } = this;
    if (lexer.inComment && this.hasBlank && EVENT.test(line)) {
      lexer.inComment = false;
      yield this.end();
    }
    let from = 0;
    this.isWithin = lexer.inComment;
    for (const token of lexer.take(line)) {
      if (this.part !== "nothing" && this.endsBefore(token)) {
        this.kept.push(line.slice(from, token.start));
        yield this.end();
        from = token.start;
      }
      const isRemark = token.kind === "comment" && line[token.start] !== "{" && !this.isWithin;
      if (this.part === "nothing" && isRemark) from = token.end;
      else this.follow(token);
      this.isWithin = false;
    }
    if (this.part !== "nothing") this.kept.push(line.slice(from));
  }

  *finish(): Iterable<string> {
    if (this.part !== "nothing") yield this.end();
  }

  private end(): string {
    const text = this.kept.join("\n");
    this.kept = [];
    this.part = "nothing";
    this.hasBlank = this.hasEvent = this.isFromOne = this.isOver = this.hasResult = false;
    this.depth = this.words = 0;
    return text;
  }

  /** Whether the game has ended before a token. */
  private endsBefore({ kind, text }: Token): boolean {
    if (kind === "tag") {
      return this.part === "moves" || (text === "Event" && (this.hasBlank || this.hasEvent));
    }
    if (this.part === "tags" || kind === "result" || kind === "close" || kind === "brace") {
      return false;
    }
    if (this.isWithin) return false;
    if (this.isOver && this.hasBlank) return true;
    if (kind !== "word" || !FIRST.test(text)) return false;
    if (this.hasResult && this.hasBlank) return true;
    return this.isOver || (this.isFromOne && this.words > 1 && !this.depth);
  }

  /** Note what a token says of where in the game we are. */
  private follow({ kind, text }: Token): void {
    // A comment between tags, before which no line is blank, does not end them.
    const isRemark = kind === "comment" && (this.isWithin || !this.hasBlank);
    if (isRemark && this.part === "tags") return;
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

/** A result as PGN has it; null for what is none. */
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

/** Read a game's text. */
export function parseGame(text: string): ParsedGame {
  const reader = new Reader();
  for (const [token] of withoutInnerBraces(tokensIn(text))) reader.take(token);
  reader.finish();
  return reader;
}

function* tokensIn(text: string): Iterable<[Token, string]> {
  const lexer = new Lexer();
  for (const line of text.split("\n")) {
    for (const token of lexer.take(line)) yield [token, line.slice(token.start, token.end)];
    if (lexer.inComment) {
      yield [{ kind: "comment", text: "\n", start: 0, end: 0, closed: false }, ""];
    }
  }
}

/**
 * Tokens, with what is between the braces of `{a {b} c}` as comments.  By the standard the
 * comment ends at the first brace that closes; what follows is one only if another brace closes
 * it before anything else than words comes.
 */
function* withoutInnerBraces(tokens: Iterable<[Token, string]>): Iterable<[Token]> {
  let [isOpen, depth] = [false, 0];
  let held: [Token, string][] = [];
  for (const [token, written] of tokens) {
    const isInner = depth > 0 && !isOpen;
    if (isInner && token.kind === "brace") {
      const text = ["}", ...held.map(([, each]) => each)].join(" ");
      held = [];
      depth--;
      yield [{ kind: "comment", text, start: 0, end: 0, closed: true }];
      continue;
    }
    if (isInner && ["word", "nag", "open", "close"].includes(token.kind)) {
      held.push([token, written]);
      continue;
    }
    for (const [each] of held) yield [each];
    held = [];
    depth = isOpen ? depth : 0;
    if (token.kind === "comment") {
      depth += token.text.split("{").length - 1;
      isOpen = !token.closed;
    }
    yield [token];
  }
  for (const [each] of held) yield [each];
}

const newLine = (written?: MoveText, insteadOf?: Line, before: string[] = []): Line => ({
  ...(written && { written }),
  insteadOf,
  children: [],
  nags: written?.nag ? [written.nag] : [],
  before,
  comments: [],
});

/** Builds a script of tokens. */
class Reader implements ParsedGame {
  readonly tags = new Map<string, string>();
  readonly root = newLine();
  result: string | null = null;
  firstNumber: number | null = null;
  private at: Line = this.root;
  private readonly parents = new Map<Line, Line>();
  private readonly stack: Line[] = []; // the moves to come back to
  private insteadOf: Line | undefined; // until the first move of a variation
  private before: string[] = [];
  private said: string | null = null; // of the comment that is open
  private skipped = 0; // variations that are open and left out
  private isOver = false;

  take(token: Token): void {
    const { kind, text } = token;
    if (kind === "tag") this.takeTag(text, token.value ?? "");
    else if (kind === "comment") this.takeComment(token);
    else if (kind === "open" || kind === "close") this.takeBracket(kind);
    else if (this.skipped) return;
    else if (kind === "nag") this.addNag(text ? Number(text.slice(0, 4)) : MOST_NAG + 1);
    else if (kind === "result") this.takeResult(text);
    else if (kind === "word") this.takeWord(text);
  }

  finish(): void {
    if (this.said !== null)
      this.takeComment({ kind: "comment", text: "", start: 0, end: 0, closed: true });
    this.takeDoubleLoss();
  }

  /** Take a `0-0` behind the moves for a result, where the tag says that both have lost. */
  private takeDoubleLoss(): void {
    if (this.result !== null || !BOTH_LOST.test((this.tags.get("Result") ?? "").trim())) return;
    let [parent, last] = [this.root, this.root];
    for (let next = last.children[0]; next; next = last.children[0]) [parent, last] = [last, next];
    if (!BOTH_LOST.test(last.written?.word ?? "")) return;
    parent.children.shift();
    parent.comments.push(...last.comments);
  }

  /** Take a tag, by a name and with a value that other programs can read. */
  private takeTag(name: string, value: string): void {
    const plain = name
      .normalize("NFKD")
      .replace(/\W/g, "_")
      .replace(/^_+|(?<!_)_+$/g, "");
    const usual = USUAL.find((each) => each.toLowerCase() === plain.toLowerCase());
    if (plain)
      this.tags.set(usual ?? plain.slice(0, 255), value.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " "));
  }

  private takeComment({ text, closed }: Token): void {
    this.said = (this.said ?? "") + text;
    if (!closed) return;
    const said = withoutBraces(this.said).trim();
    this.said = null;
    if (said && !this.skipped) (this.insteadOf ? this.before : this.at.comments).push(said);
  }

  private takeBracket(kind: "open" | "close"): void {
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

  private takeResult(text: string): void {
    if (this.stack.length || this.isOver) return;
    this.result = resultIn(text);
    this.isOver = true;
  }

  private addNag(nag: number): void {
    if (nag <= MOST_NAG && this.at !== this.root && !this.insteadOf) {
      this.at.nags.push(nag);
    }
  }

  private takeWord(text: string): void {
    const [number, rest] = splitMoveNumber(text);
    if (number !== null && !this.root.children.length) this.firstNumber ??= number;
    const word = number === null ? text : rest.replace(/^[.…]+/, "");
    const nag = nagOfGlyph(word);
    if (nag) this.addNag(nag);
    else if (!word || isNoise(word) || (this.isOver && !this.stack.length)) return;
    else if (!this.stack.length && !/^\d/.test(word) && resultIn(word)) this.takeResult(word);
    else this.play(parseMoveText(word));
  }

  private play(written: MoveText): void {
    const line = newLine(written, this.insteadOf, this.before);
    this.parents.set(line, this.at);
    this.at.children.push(line);
    this.at = line;
    this.insteadOf = undefined;
    this.before = [];
  }
}
