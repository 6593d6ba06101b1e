/**
 * The notices of the server: what each code means for the search, and its words for people.
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

/** A problem in words for people. */
export interface Problem {
  readonly code: string;
  readonly title: string;
  /** The server's own sentence, or the page's where the server has none. */
  readonly text: string;
  /** What to do about it; may be empty. */
  readonly hint: string;
  readonly tone: "note" | "warning" | "error";
}

type Entry = readonly [title: string, hint: string, tone: Problem["tone"], effect?: NoticeEffect];

// An entry without an effect is news.
// biome-ignore format: a table
const ENTRIES: Readonly<Record<string, Entry>> = {
  unauthorized: ["Sign in", "Ask the operator of this server for a token.", "error", "over"],
  "too-many-tries": ["Too many wrong tokens", "Wait as long as stated, then try again.", "error", "over"],
  "token-in-url": ["The address contains a token", "Have it revoked: someone may have seen it.", "error", "over"],
  "wrong-host": ["Wrong server name", "Open the page under the server's own name.", "error", "over"],
  "wrong-origin": ["This page may not use the server", "Open the page from the server itself.", "error", "over"],
  "wrong-protocol": ["That port is for UCI over TCP", "Use the other port.", "error", "over"],
  "no-answer": ["The connection was lost", "The page keeps trying by itself.", "warning", "over"],
  "too-slow": ["The connection was too slow", "Try again.", "warning", "over"],
  "unknown-engine": ["No such engine", "Choose another engine.", "error", "over"],
  "engine-failed": ["The engine cannot be started", "Choose another engine, or ask the operator.", "error", "over"],
  "engine-away": ["The engine's machine is offline", "Waiting for it; you can choose another engine.", "warning", "no-engine"],
  "no-engine": ["The engine could not be started", "Trying another one.", "warning", "no-engine"],
  "engine-died": ["The engine failed and is being replaced", "", "warning", "cut"],
  "line-too-long": ["The game is too long to send", "Continue from a later position.", "error", "refused"],
  "not-a-line": ["The server could not read a message", "", "warning", "refused"],
  "unknown-command": ["Unknown command", "", "note"],
  "bad-command": ["The server could not use that command", "", "warning", "refused"],
  "command-refused": ["That command is not available here", "", "warning", "refused"],
  "file-refused": ["Server files are not available", "", "warning", "refused"],
  "unknown-option": ["The engine has no such option", "", "warning", "altered"],
  "option-refused": ["That option cannot be changed here", "", "warning", "altered"],
  "bad-value": ["Invalid option value", "The old value is kept.", "warning", "altered"],
  "option-clamped": ["The option value was reduced", "", "note", "altered"],
  "illegal-position": ["The server rejected this position", "Change the position.", "error", "refused"],
  "position-mended": ["The position was corrected", "", "note"],
  "position-too-long": ["The game has too many moves", "Continue from a later position.", "error", "refused"],
  "position-lost": ["The engine has lost the position", "Set it up again.", "warning", "refused"],
  "too-many-lines": ["Too many requests at once", "Wait a moment.", "warning", "refused"],
  gap: ["Some messages were lost meanwhile", "The search starts again.", "note", "cut"],
  "unknown-session": ["Connected again", "", "note", "over"],
  ended: ["The operator ended the session", "Ask the operator, or connect again.", "error", "over"],
  draining: ["The server is shutting down", "The page will reconnect by itself.", "warning", "over"],
  "unknown-room": ["There is no such room", "Ask for the link again.", "error", "over"],
  "room-full": ["Too many viewers", "Try again later.", "error", "over"],
  "room-closed": ["The room is closed", "", "note", "over"],
  "room-removed": ["The owner has removed you from the room", "", "note", "over"],
  "room-too-slow": ["Disconnected: the page fell behind", "Join the room again.", "warning", "over"],
  "room-read-only": ["Viewers cannot change the analysis", "", "note"],
  "room-handed-over": ["Someone else has control now", "", "note"],
  "room-refused": ["That is not possible in this room now", "", "warning"],
  "jobs-off": ["This server does not analyse games by itself", "Ask the operator.", "error", "refused"],
  "quota-jobs": ["You cannot store more analyses", "Delete one that you do not need.", "error", "refused"],
  "quota-stored": ["You cannot store more games", "Delete an analysis that you do not need.", "error", "refused"],
  "games-off": ["This server shares no games", "Ask its operator.", "error", "refused"],
  "quota-games": ["You cannot share more games", "Withdraw one that you do not need.", "error", "refused"],
  "quota-rooms": ["You cannot open more rooms", "Close one first.", "error"],
  cached: ["The position is known", "", "note"],
  waiting: ["Waiting for a free engine", "", "note", "no-engine"],
  "no-search": ["No engine searched this position", "Try again later.", "error", "put-off"],
  "queue-full": ["No engine is free, and the queue is full", "Try again later.", "error", "put-off"],
  "quota-sessions": ["You have too many boards open", "Close another board or program first.", "error", "put-off"],
  "quota-cpu": ["Your engine time for this hour is used up", "The message says when to try again.", "error", "put-off"],
  "quota-lines": ["Messages are sent too fast", "Nothing is lost.", "note"],
  "quota-search": ["The search reached its time limit", "Start it again if you like.", "note", "cut"],
  "quota-idle": ["Disconnected after inactivity", "Start the engine to reconnect.", "note", "over"],
  "too-many-connections": ["The server has too many connections", "Close other boards, or try again later.", "error", "put-off"],
  "too-many-starts": ["Engines were started too often", "Wait a moment.", "error", "put-off"],
  // The codes of the page itself.
  "taken-over": ["The analysis goes on in another window", "Reconnect to begin one here.", "warning"],
  unreachable: ["The server cannot be reached", "The page keeps trying by itself.", "error"],
  refused: ["The server did not let the board connect", "The page keeps trying by itself.", "error"],
  input: ["This could not be opened", "", "warning"],
};

const UNKNOWN: Entry = ["Message from the server", "", "note"];

export function isKnown(code: string): boolean {
  return Object.hasOwn(ENTRIES, code);
}

function entryOf(code: string): Entry {
  return isKnown(code) ? (ENTRIES[code] as Entry) : UNKNOWN;
}

// Sentences of the server that speak to programs, in words for players.
const SENTENCES: Readonly<Record<string, string>> = {
  "unknown-session": "Nothing on the board is lost; the engine begins again.",
  "unknown-room": "It may have been closed.",
};

/** Return the words for a code of the server, with the sentence that came with it. */
export function problemOf(code: string, text: string): Problem {
  const [title, hint, tone] = entryOf(code);
  return { code, title, text: SENTENCES[code] ?? text, hint, tone };
}

export function noticeEffect(code: string): NoticeEffect {
  return entryOf(code)[3] ?? "news";
}

// The notice code that stands for a WebSocket close code, and a sentence if the server sent none.
const CLOSES: Readonly<Record<number, readonly [code: string, text: string]>> = {
  1008: ["ended", "the operator or a limit has ended it"],
  1009: ["line-too-long", "a line has at most 65536 bytes"],
  1011: ["engine-failed", "the engine is gone"],
  1012: ["draining", "the server is shutting down"],
  4001: ["taken-over", "another page has taken it over"],
  4002: ["quota-idle", "nothing was asked for some time"],
  4003: ["room-closed", "there is nothing to watch any more"],
};

/** Return the problem behind a close code; null if the connection may be resumed. */
export function problemOfClose(code: number, reason: string): Problem | null {
  const form = /^([a-z-]+): (.*)$/s.exec(reason);
  if (form?.[1] && isKnown(form[1])) return problemOf(form[1], form[2] ?? "");
  const close = CLOSES[code];
  return close ? problemOf(close[0], reason || close[1]) : null;
}

export const UNREACHABLE = problemOf("unreachable", "no connection could be opened");
export const REFUSED = problemOf("refused", "it answered, but did not say why");
