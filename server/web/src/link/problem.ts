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
};

/** The words for a code of the server's, with the sentence that came with it. */
export function problemOf(code: string, text: string): Problem {
  const [title, hint, tone] = ENTRIES[code] ?? ["The server says", "", "note"];
  return { code, title, text, hint, tone };
}

export function isKnown(code: string): boolean {
  return code in ENTRIES;
}

/** Why a connection ended, where a close code is all there is. */
export function problemOfClose(code: number, reason: string): Problem | null {
  const form = /^([a-z-]+): (.*)$/s.exec(reason);
  if (form?.[1] && isKnown(form[1])) return problemOf(form[1], form[2] ?? "");
  switch (code) {
    case 1008:
      return problemOf("ended", reason || "the session may not go on");
    case 1009:
      return problemOf("line-too-long", reason);
    case 1011:
      return problemOf("engine-failed", reason || "the engine is gone");
    case 1012:
      return problemOf("draining", reason);
    case 4001:
      return {
        code: "taken-over",
        title: "The session goes on elsewhere",
        text: reason || "another connection has taken it over",
        hint: "Connect again for a session of this page's own.",
        tone: "warning",
      };
    case 4003:
      return problemOf("room-closed", reason);
    case 4002:
      return problemOf("quota-idle", reason);
    default:
      return null;
  }
}

export const UNREACHABLE: Problem = {
  code: "unreachable",
  title: "The server cannot be reached",
  text: "no connection to it could be opened",
  hint: "The page tries again by itself.",
  tone: "error",
};

export const REFUSED: Problem = {
  code: "refused",
  title: "The server did not open a session",
  text: "it answers, but has refused the connection: you may have as many sessions as you may",
  hint: "The page tries again by itself.",
  tone: "error",
};
