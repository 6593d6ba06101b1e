/**
 * Tokens of PGN, however files write them.  Pure.
 *
 * Comments, tags and moves are told apart by their form alone.  The command `analyse` reads in the
 * same way.
 */

type Kind = "tag" | "comment" | "nag" | "open" | "close" | "result" | "word" | "brace";

/** A token, with its start and its end in the line. */
export interface Token {
  readonly kind: Kind;
  /** Of a tag, its name. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of a tag. */
  readonly value?: string;
  /** Of a comment: false if more of it follows. */
  readonly closed?: boolean;
}

const DASH = "-\u2010-\u2015\u2212";
const TAG =
  /\[\s*([\p{L}\p{N}][\p{L}\p{N}_]*(?:[^\s\p{L}\p{N}_"[\](){}][\p{L}\p{N}_]*)*)(?:\s*(?:[=:]\s*)?(["“”„«])|\s+('))/uy;
// Without quotes only known tags: there may be brackets among the moves, too.
const LOOSE_TAG =
  /\[\s*(Event|Site|Date|Round|White|Black|Result|WhiteElo|BlackElo|ECO|[Ff][Ee][Nn]|SetUp|Variant|EventDate|PlyCount|TimeControl|Annotator|Opening)(?:\s([^"[\]]*))?\]/y;
const BRACKET = /\[([^\]]*)\]/y;
const HALF = "(?:1/2|½|0?[.,]5)";
const RESULT = new RegExp(
  `(?:1\\s?[${DASH}:]\\s?0|0\\s?[${DASH}:]\\s?1|${HALF}(?:[${DASH}:]${HALF})?)(?![\\p{L}\\p{N}_/${DASH}:])|\\*`,
  "uy",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: DOS files end with one
const SPACE = /[\s\x00\x1a\x1c-\x1f\x85\u200b\ufeff"\]]+/y;
const WORD =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  /[^\s\x00\x1a\x1c-\x1f\x85(){}[\];$"*]+(?:(?<=[18])\((?:\p{L}|[♔-♟])[\ufe0e\ufe0f]?\)[^\s(){}]*)?/uy;
const NAG = /\$(\d*)/y;
const MOST_ENDS = 16; // possible ends of a tag that are tried

/** Reads tokens line by line. */
export class Lexer {
  private line = "";
  inComment = false;

  *tokens(line: string): Iterable<Token> {
    this.line = line;
    if (!this.inComment && line.startsWith("%")) return;
    for (let at = 0; at < line.length; ) {
      if (!this.inComment) at = matchAt(SPACE, line, at)?.end ?? at;
      if (at === line.length) return;
      const token = this.inComment ? this.comment(at, at) : this.token(at);
      at = token.end;
      yield token;
    }
  }

  private comment(start: number, from: number): Token {
    const close = this.line.indexOf("}", from);
    this.inComment = close < 0;
    const end = close < 0 ? this.line.length : close;
    const text = this.line.slice(from, end);
    return { kind: "comment", text, start, end: close < 0 ? end : end + 1, closed: close >= 0 };
  }

  /** Read the token at an index, which is no blank. */
  private token(start: number): Token {
    const { line } = this;
    const one = (kind: Kind): Token => ({ kind, text: line[start] ?? "", start, end: start + 1 });
    switch (line[start]) {
      case "{":
        return this.comment(start, start + 1);
      case "}":
        return one("brace");
      case "(":
        return one("open");
      case ")":
        return one("close");
      case ";":
        return this.restOfLine(start);
      case "[":
        return this.bracket(start);
    }
    const nag = matchAt(NAG, line, start);
    if (nag) return { kind: "nag", text: nag.found[1] ?? "", start, end: nag.end };
    const result = matchAt(RESULT, line, start);
    if (result) return { kind: "result", text: result.found[0], start, end: result.end };
    const end = matchAt(WORD, line, start)?.end ?? start + 1;
    return { kind: "word", text: line.slice(start, end), start, end };
  }

  private restOfLine(start: number): Token {
    const { line } = this;
    const text = line.slice(start + 1).trim();
    return { kind: "comment", text, start, end: line.length, closed: true };
  }

  /** Read a tag; other text in brackets is a comment. */
  private bracket(start: number): Token {
    const { line } = this;
    const head = matchAt(TAG, line, start);
    if (head) {
      const [, text = "", double, single] = head.found;
      const [value, end] = valueIn(line, head.end, double ?? single ?? "");
      return { kind: "tag", text, start, end, value };
    }
    const loose = matchAt(LOOSE_TAG, line, start);
    if (loose) {
      const [, text = "", value = ""] = loose.found;
      return { kind: "tag", text, start, end: loose.end, value: value.trim() };
    }
    const found = matchAt(BRACKET, line, start);
    if (!found) return this.restOfLine(start);
    const [whole, inner = ""] = found.found;
    const text = inner.startsWith("%") ? whole : inner;
    return { kind: "comment", text, start, end: found.end, closed: true };
  }
}

function matchAt(pattern: RegExp, line: string, at: number) {
  pattern.lastIndex = at;
  const found = pattern.exec(line);
  return found && { found, end: at + found[0].length };
}

/**
 * Return the value of a tag, and its end.  The closing quote may be missing, and there may be more
 * quotes in the value; one after a backslash ends it only if there is no other.
 */
function valueIn(line: string, start: number, quote: string): [string, number] {
  const quotes = quote === '"' ? '"' : quote === "'" ? "'" : "[\"”“»']";
  const ends = new RegExp(`${quotes}\\s*(\\]|$)`, "g");
  ends.lastIndex = start;
  let first: RegExpExecArray | null = null;
  for (let left = MOST_ENDS; left > 0; left--) {
    const found = ends.exec(line);
    if (!found) break;
    first ??= found;
    let at = found.index;
    while (at > start && line[at - 1] === "\\") at--;
    if ((found.index - at) % 2 === 0) {
      first = found;
      break;
    }
  }
  if (!first) {
    const close = line.indexOf("]", start);
    const end = close < 0 ? line.length : close;
    return [line.slice(start, end).trim(), Math.min(end + 1, line.length)];
  }
  const value = line.slice(start, first.index).replace(/\\(["\\])/g, "$1");
  return [value, first.index + first[0].length];
}
