/**
 * Why something does not go on, in words for people.  Every code of the server's is here;
 * a test compares the table with the server's own list.
 */

export interface Problem {
  readonly code: string;
  readonly title: string;
  /** The server's own sentence, or ours where it has none. */
  readonly text: string;
  /** What to do about it; may be empty. */
  readonly hint: string;
  readonly tone: "note" | "warning" | "error";
}

type Entry = readonly [title: string, hint: string, tone: Problem["tone"]];

const ENTRIES: Readonly<Record<string, Entry>> = {
  unauthorized: ["Sign in", "Ask the operator of this server for a token.", "error"],
  "too-many-tries": [
    "Too many wrong tokens",
    "Wait as long as it says, then try once more.",
    "error",
  ],
  "token-in-url": [
    "A token was in the address",
    "Have that token revoked; it may have been seen.",
    "error",
  ],
  "wrong-host": [
    "The server is not called so",
    "Open the page under the server's own name.",
    "error",
  ],
  "wrong-origin": [
    "This page may not use the server",
    "Open the page from the server itself.",
    "error",
  ],
  "wrong-protocol": ["That port is for plain lines", "Use the other port.", "error"],
  "too-slow": ["The connection was too slow", "Try again.", "warning"],
  "unknown-engine": ["No such engine", "Choose another engine.", "error"],
  "engine-failed": [
    "The engine cannot be started",
    "Choose another engine, or ask the operator.",
    "error",
  ],
  "engine-away": [
    "The engine's machine is not there",
    "It is waited for; or choose another engine.",
    "warning",
  ],
  "no-engine": ["The engine could not be started", "Another is tried.", "warning"],
  "engine-died": ["The engine ended, and another takes its place", "", "warning"],
  "line-too-long": ["The game is too long for one line", "Go on from a later position.", "error"],
  "not-a-line": ["The server could not read what was sent", "", "warning"],
  "unknown-command": ["The server does not know a command", "", "note"],
  "bad-command": ["The server could not use a command", "", "warning"],
  "command-refused": ["That command is not offered here", "", "warning"],
  "file-refused": ["Files of the server are not offered", "", "warning"],
  "unknown-option": ["The engine has no such option", "", "warning"],
  "option-refused": ["That option is the operator's", "", "warning"],
  "bad-value": ["The option cannot have that value", "It keeps the one it had.", "warning"],
  "option-clamped": ["Less was granted than asked for", "", "note"],
  "illegal-position": ["The server refuses this position", "Change the position.", "error"],
  "position-too-long": ["The game has too many moves", "Go on from a later position.", "error"],
  "too-many-lines": ["The server has too much to do for you", "Wait for a moment.", "warning"],
  gap: ["Some of what was said meanwhile is lost", "The search begins anew.", "note"],
  "unknown-session": ["The session was over", "A new one begins.", "note"],
  ended: ["The operator has ended the session", "Ask the operator, or connect again.", "error"],
  draining: ["The server is shutting down", "The page connects again by itself.", "warning"],
  "unknown-room": ["There is no such room", "Ask for its link once more.", "error"],
  "room-full": ["As many watch as may", "Try again in a while.", "error"],
  "room-closed": ["The room is closed", "", "note"],
  "room-too-slow": ["The room was left: too little was read", "Come in again.", "warning"],
  "room-read-only": ["Who watches cannot change the analysis", "", "note"],
  "room-handed-over": ["Another one speaks with the engine now", "", "note"],
  "room-refused": ["That cannot be done in this room now", "", "warning"],
  "quota-rooms": ["You have as many rooms as you may", "Close one first.", "error"],
  cached: ["The position is known", "", "note"],
  waiting: ["Waiting for a free engine", "", "note"],
  "no-search": ["No engine has searched this", "Try again in a while.", "error"],
  "queue-full": ["No engine is free, and the queue is full", "Try again in a while.", "error"],
  "quota-sessions": [
    "You have as many sessions as you may",
    "Close another board or program first.",
    "error",
  ],
  "quota-cpu": [
    "Your engine time of this hour is used up",
    "The message says when to try again.",
    "error",
  ],
  "quota-lines": ["More was sent than is taken at once", "Nothing is lost.", "note"],
  "quota-search": ["No search may take longer here", "Start it again if you like.", "note"],
  "quota-idle": ["Nothing was asked for too long", "Start the engine to connect again.", "note"],
  "too-many-connections": [
    "The server has too many connections",
    "Close other boards, or try later.",
    "error",
  ],
  "too-many-starts": ["Engines were started too often", "Wait for a moment.", "error"],
  // These are the page's own.
  "taken-over": [
    "The session goes on elsewhere",
    "Connect again for a session of this page's own.",
    "warning",
  ],
  unreachable: ["The server cannot be reached", "The page tries again by itself.", "error"],
  refused: ["The server did not open a session", "The page tries again by itself.", "error"],
  input: ["This cannot be used", "", "warning"],
};

const UNKNOWN: Entry = ["The server says", "", "note"];

/** The words for a code of the server's, with the sentence that came with it. */
export function problemOf(code: string, text: string): Problem {
  const [title, hint, tone] = isKnown(code) ? (ENTRIES[code] as Entry) : UNKNOWN;
  return { code, title, text, hint, tone };
}

export function isKnown(code: string): boolean {
  return Object.hasOwn(ENTRIES, code);
}

// What each code is taken for with which a WebSocket is closed, and a sentence if it has none.
const CLOSES: Readonly<Record<number, readonly [code: string, text: string]>> = {
  1008: ["ended", "the session may not go on"],
  1009: ["line-too-long", "a line has at most 65536 bytes"],
  1011: ["engine-failed", "the engine is gone"],
  1012: ["draining", "the server is shutting down"],
  4001: ["taken-over", "another connection has taken it over"],
  4002: ["quota-idle", "the session has ended"],
  4003: ["room-closed", "there is nothing to watch any more"],
};

/** Why a connection ended, where a close code is all there is. */
export function problemOfClose(code: number, reason: string): Problem | null {
  const form = /^([a-z-]+): (.*)$/s.exec(reason);
  if (form?.[1] && isKnown(form[1])) return problemOf(form[1], form[2] ?? "");
  const close = CLOSES[code];
  return close ? problemOf(close[0], reason || close[1]) : null;
}

export const UNREACHABLE = problemOf("unreachable", "no connection to it could be opened");
export const REFUSED = problemOf("refused", "it answers, but does not say why");
