/**
 * What a notice of the server's says of the search that it is about, and so of the next
 * `bestmove`.  A test compares the table with the server's own.
 */

/** As `Meaning` in the server's wire.py has them. */
export type Meaning =
  | "news" // nothing: it is the answer to what was asked
  | "altered" // the same, by other options
  | "no-engine" // it has to wait
  | "cut" // it is an engine's, perhaps by less of a search
  | "put-off" // it is no answer; asked again later, it would be
  | "refused" // it is no answer, or none comes
  | "over"; // the session ends

// Those that are not here are news.
const CODES: Readonly<Record<Exclude<Meaning, "news">, readonly string[]>> = {
  altered: ["unknown-option", "option-refused", "bad-value", "option-clamped"],
  "no-engine": ["no-engine", "engine-away", "waiting"],
  cut: ["engine-died", "gap", "quota-search"],
  "put-off": [
    "queue-full",
    "no-search",
    "quota-sessions",
    "quota-cpu",
    "too-many-connections",
    "too-many-starts",
  ],
  refused: [
    "line-too-long",
    "not-a-line",
    "bad-command",
    "command-refused",
    "file-refused",
    "illegal-position",
    "position-too-long",
    "position-lost",
    "too-many-lines",
  ],
  over: [
    "unauthorized",
    "too-many-tries",
    "token-in-url",
    "wrong-host",
    "wrong-origin",
    "wrong-protocol",
    "too-slow",
    "no-answer",
    "unknown-engine",
    "engine-failed",
    "unknown-session",
    "ended",
    "draining",
    "quota-idle",
    "unknown-room",
    "room-full",
    "room-closed",
    "room-too-slow",
  ],
};

const MEANINGS = new Map(
  Object.entries(CODES).flatMap(([meaning, codes]) =>
    codes.map((code) => [code, meaning as Meaning] as const),
  ),
);

export function meaningOf(code: string): Meaning {
  return MEANINGS.get(code) ?? "news";
}
