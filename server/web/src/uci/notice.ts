/**
 * The notices of the server: what each code means for the search.  Their words for people are in
 * `language/problems.ts`.
 *
 * Tests compare the codes and their effects with the server's own table.
 */

/** The effect of a notice on the search that it is about, and so on the next `bestmove`. */
export type NoticeEffect =
  | "news" // none: it answers what was asked
  | "altered" // the same, with other options
  | "no-engine" // the search has to wait
  | "cut" // the move is an engine's, perhaps of a shorter search
  | "put-off" // the move is no answer; a later search would have one
  | "refused" // the move is no answer, or none comes
  | "over"; // the session ends

/** A problem, for `wordsOf` to put into words for people. */
export interface Problem {
  readonly code: string;
  /** Only of problems that have no words by their code. */
  readonly title?: string;
  /** The server's own sentence; empty where the page has one for the code, or none is needed. */
  readonly text: string;
  /** What to do about it, as the title. */
  readonly hint?: string;
  /** The part of a request that the server has not taken, and what it expects there. */
  readonly path?: string;
  readonly expected?: string;
  readonly tone: "note" | "warning" | "error";
}

type Entry = readonly [tone: Problem["tone"], effect?: NoticeEffect];

// An entry without an effect is news.
const ENTRIES: Readonly<Record<string, Entry>> = {
  unauthorized: ["error", "over"],
  "too-many-tries": ["error", "over"],
  "token-in-url": ["error", "over"],
  "wrong-host": ["error", "over"],
  "wrong-origin": ["error", "over"],
  "wrong-protocol": ["error", "over"],
  "no-answer": ["warning", "over"],
  "too-slow": ["warning", "over"],
  "unknown-engine": ["error", "over"],
  "engine-failed": ["error", "over"],
  "engine-away": ["warning", "no-engine"],
  "no-engine": ["warning", "no-engine"],
  "engine-died": ["warning", "cut"],
  "line-too-long": ["error", "refused"],
  "not-a-line": ["warning", "refused"],
  "unknown-command": ["note"],
  "bad-command": ["warning", "refused"],
  "command-refused": ["warning", "refused"],
  "file-refused": ["warning", "refused"],
  "unknown-option": ["warning", "altered"],
  "option-refused": ["warning", "altered"],
  "bad-value": ["warning", "altered"],
  "option-clamped": ["note", "altered"],
  "illegal-position": ["error", "refused"],
  "position-mended": ["note"],
  "position-too-long": ["error", "refused"],
  "position-lost": ["warning", "refused"],
  "too-many-lines": ["warning", "refused"],
  gap: ["note", "cut"],
  "unknown-session": ["note", "over"],
  ended: ["error", "over"],
  draining: ["warning", "over"],
  "unknown-room": ["error", "over"],
  "room-full": ["error", "over"],
  "room-closed": ["note", "over"],
  "room-removed": ["note", "over"],
  "room-too-slow": ["warning", "over"],
  "room-read-only": ["note"],
  "room-handed-over": ["note"],
  "room-refused": ["warning"],
  "jobs-off": ["error", "refused"],
  "quota-jobs": ["error", "refused"],
  "quota-stored": ["error", "refused"],
  "games-off": ["error", "refused"],
  "library-off": ["error", "refused"],
  "quota-library": ["error", "refused"],
  "projects-off": ["error", "refused"],
  "quota-projects": ["error", "refused"],
  "quota-games": ["error", "refused"],
  "quota-rooms": ["error"],
  cached: ["note"],
  waiting: ["note", "no-engine"],
  "no-search": ["error", "put-off"],
  "queue-full": ["error", "put-off"],
  "quota-sessions": ["error", "put-off"],
  "quota-cpu": ["error", "put-off"],
  "quota-lines": ["note"],
  "quota-search": ["note", "cut"],
  "quota-idle": ["note", "over"],
  "too-many-connections": ["error", "put-off"],
  "too-many-starts": ["error", "put-off"],
  // The codes of the page itself.
  "taken-over": ["warning"],
  unreachable: ["error"],
  refused: ["error"],
  input: ["warning"],
};

const UNKNOWN: Entry = ["note"];

/** The codes of all notices, each of which has words in the catalogue. */
export const CODES: readonly string[] = Object.keys(ENTRIES);

export function isKnown(code: string): boolean {
  return CODES.includes(code);
}

function entryOf(code: string): Entry {
  return isKnown(code) ? (ENTRIES[code] as Entry) : UNKNOWN;
}

// The server's sentences speak to programs, so the page has its own.
const RESAID: readonly string[] = ["unknown-session", "unknown-room"];

/** Return the problem behind a code of the server, with the sentence that came with it. */
export function problemOf(code: string, text: string): Problem {
  const [tone] = entryOf(code);
  return { code, text: RESAID.includes(code) ? "" : text, tone };
}

export function noticeEffect(code: string): NoticeEffect {
  return entryOf(code)[1] ?? "news";
}

// The notice code that stands for a WebSocket close code.
const CLOSES: Readonly<Record<number, string>> = {
  1008: "ended",
  1009: "line-too-long",
  1011: "engine-failed",
  1012: "draining",
  4001: "taken-over",
  4002: "quota-idle",
  4003: "room-closed",
};

/** Return the problem behind a close code; null if the connection may be resumed. */
export function problemOfClose(code: number, reason: string): Problem | null {
  const form = /^([a-z-]+): (.*)$/s.exec(reason);
  if (form?.[1] && isKnown(form[1])) return problemOf(form[1], form[2] ?? "");
  const close = CLOSES[code];
  return close ? problemOf(close, reason) : null;
}

export const UNREACHABLE = problemOf("unreachable", "");
export const REFUSED = problemOf("refused", "");
