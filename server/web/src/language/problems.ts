/** What cannot be done, in words for people: problems with the server, and errors of an input. */

import { InputError } from "../game/fen";
import type { Problem } from "../uci/notice";
import { text } from "./catalogue";

/** The ids of a title, of what to do, and of a sentence where the server has sent none. */
type Entry = readonly [title: string, hint?: string, said?: string];

// biome-ignore format: a table
const ENTRIES: Readonly<Record<string, Entry>> = {
  unauthorized: ["sign-in", "notice-unauthorized-hint"],
  "too-many-tries": ["notice-too-many-tries", "notice-too-many-tries-hint"],
  "token-in-url": ["notice-token-in-url", "notice-token-in-url-hint"],
  "wrong-host": ["notice-wrong-host", "notice-wrong-host-hint"],
  "wrong-origin": ["notice-wrong-origin", "notice-wrong-origin-hint"],
  "wrong-protocol": ["notice-wrong-protocol", "notice-wrong-protocol-hint"],
  "no-answer": ["notice-no-answer", "notice-keeps-trying"],
  "too-slow": ["notice-too-slow", "try-again"],
  "unknown-engine": ["notice-unknown-engine", "notice-choose-engine"],
  "engine-failed": ["notice-engine-failed", "notice-engine-failed-hint", "notice-engine-failed-text"],
  "engine-away": ["notice-engine-away", "notice-engine-away-hint"],
  "no-engine": ["notice-no-engine", "notice-no-engine-hint"],
  "engine-died": ["notice-engine-died"],
  "line-too-long": ["notice-line-too-long", "notice-later-position", "notice-line-too-long-text"],
  "not-a-line": ["notice-not-a-line"],
  "unknown-command": ["notice-unknown-command"],
  "bad-command": ["notice-bad-command"],
  "command-refused": ["notice-command-refused"],
  "file-refused": ["notice-file-refused"],
  "unknown-option": ["notice-unknown-option"],
  "option-refused": ["notice-option-refused"],
  "bad-value": ["notice-bad-value", "notice-bad-value-hint"],
  "option-clamped": ["notice-option-clamped"],
  "illegal-position": ["notice-illegal-position", "notice-illegal-position-hint"],
  "position-mended": ["notice-position-mended"],
  "position-too-long": ["notice-position-too-long", "notice-later-position"],
  "position-lost": ["notice-position-lost", "notice-position-lost-hint"],
  "too-many-lines": ["notice-too-many-lines", "notice-wait-a-moment"],
  gap: ["notice-gap", "notice-gap-hint"],
  "unknown-session": ["notice-unknown-session", "", "notice-unknown-session-text"],
  ended: ["notice-ended", "notice-ended-hint", "notice-ended-text"],
  draining: ["notice-draining", "notice-draining-hint", "notice-draining-text"],
  "unknown-room": ["notice-unknown-room", "notice-unknown-room-hint", "notice-unknown-room-text"],
  "room-full": ["notice-room-full", "try-again-later"],
  "room-closed": ["notice-room-closed", "", "notice-room-closed-text"],
  "room-removed": ["notice-room-removed"],
  "room-too-slow": ["notice-room-too-slow", "notice-room-too-slow-hint"],
  "room-read-only": ["notice-room-read-only"],
  "room-handed-over": ["notice-room-handed-over"],
  "room-refused": ["notice-room-refused"],
  "jobs-off": ["notice-jobs-off", "notice-ask-operator"],
  "quota-jobs": ["notice-quota-jobs", "notice-quota-jobs-hint"],
  "quota-stored": ["notice-quota-stored", "notice-quota-stored-hint"],
  "games-off": ["notice-games-off", "notice-games-off-hint"],
  "library-off": ["notice-library-off", "notice-library-off-hint"],
  "quota-library": ["notice-quota-library", "notice-quota-library-hint"],
  "quota-games": ["notice-quota-games", "notice-quota-games-hint"],
  "quota-rooms": ["notice-quota-rooms", "notice-quota-rooms-hint"],
  cached: ["notice-cached"],
  waiting: ["notice-waiting"],
  "no-search": ["notice-no-search", "try-again-later"],
  "queue-full": ["notice-queue-full", "try-again-later"],
  "quota-sessions": ["notice-quota-sessions", "notice-quota-sessions-hint"],
  "quota-cpu": ["notice-quota-cpu", "notice-quota-cpu-hint"],
  "quota-lines": ["notice-quota-lines", "notice-quota-lines-hint"],
  "quota-search": ["notice-quota-search", "notice-quota-search-hint"],
  "quota-idle": ["notice-quota-idle", "notice-quota-idle-hint", "notice-quota-idle-text"],
  "too-many-connections": ["notice-too-many-connections", "notice-too-many-connections-hint"],
  "too-many-starts": ["notice-too-many-starts", "notice-wait-a-moment"],
  "taken-over": ["notice-taken-over", "notice-taken-over-hint", "notice-taken-over-text"],
  unreachable: ["notice-unreachable", "notice-keeps-trying", "notice-unreachable-text"],
  refused: ["notice-refused", "notice-keeps-trying", "notice-refused-text"],
  input: ["notice-input"],
};

const UNKNOWN: Entry = ["notice-unknown"];

interface Words {
  readonly title: string;
  readonly text: string;
  readonly hint: string;
}

/** Return the words of a problem; its text and what to do may be empty. */
export function wordsOf(problem: Partial<Problem> & Pick<Problem, "text">): Words {
  const { code = "" } = problem;
  const [title, hint = "", said = ""] = Object.hasOwn(ENTRIES, code)
    ? (ENTRIES[code] as Entry)
    : UNKNOWN;
  return {
    title: problem.title ?? text(title),
    text: problem.text || (said && text(said)),
    hint: problem.hint ?? (hint && text(hint)),
  };
}

/** Return the words of an error that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof InputError ? text(error.message, error.variables) : String(error);
}
