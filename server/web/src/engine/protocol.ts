/**
 * The server's lines around UCI, as docs/protocol.md has them: which session a connection is for,
 * and what has to be sent again when it is resumed.  Pure: the caller sends.
 */

import type { Notice } from "../uci/line";
import { type Problem, problemOf, problemOfClose, REFUSED } from "../uci/notice";

const SESSION = /^rookery session (\S+) heard (\d+)(?: grace (\d+))?/;
const HEARD = /^rookery heard (\d+)/;
const WATCHING = "rookery room watching ";

/** The reaction to a line of the server. */
interface Reception {
  /** The line is UCI, and not for the page itself. */
  readonly isUci: boolean;
  /** Lines to send again now. */
  readonly resend: readonly string[];
  /** The line answers `pingLine`. */
  readonly isPong: boolean;
}

/** The lines that the server wants besides UCI. */
export interface SessionProtocol {
  /** Whether there is a session to resume. */
  readonly canResume: boolean;
  /** Return the first line of a connection. */
  openingLine(): string;
  /** Forget the session. */
  reset(): void;
  /** Record a line of the page; return whether it may be sent now. */
  record(line: string): boolean;
  /** Return a line that the server answers. */
  pingLine(): string;
  receive(line: string): Reception;
}

/** The state of a session with which another page can resume it. */
export interface ResumeState {
  readonly pass: string;
  readonly heardByUs: number;
  readonly heardByServer: number;
  /** Lines that the server may not have received. */
  readonly unheard: readonly string[];
}

/** A session that outlives its connections: both sides count the lines that they have received. */
export class ResumableSession implements SessionProtocol {
  private pass: string | null = null;
  private heardByUs = 0;
  private heardByServer = 0;
  private unheard: string[] = [];
  private isAnswered = false;

  /** Resume the session of another page, or begin a new one. */
  constructor(former: ResumeState | null = null) {
    if (!former) return;
    this.pass = former.pass;
    this.heardByUs = former.heardByUs;
    this.heardByServer = former.heardByServer;
    this.unheard = [...former.unheard];
  }

  /** The state for another page; null if there is nothing to resume. */
  get resumeState(): ResumeState | null {
    const { pass, heardByUs, heardByServer, unheard } = this;
    return pass === null ? null : { pass, heardByUs, heardByServer, unheard };
  }

  get canResume(): boolean {
    return this.pass !== null;
  }

  openingLine(): string {
    // Lines to a session that is resumed wait for its answer, which says what to send again.
    this.isAnswered = this.pass === null;
    if (this.pass === null) return "rookery session new";
    return `rookery session ${this.pass} heard ${this.heardByUs}`;
  }

  reset(): void {
    this.pass = null;
    this.heardByUs = this.heardByServer = 0;
    this.unheard = [];
    this.isAnswered = false;
  }

  record(line: string): boolean {
    this.unheard.push(line);
    return this.isAnswered;
  }

  pingLine(): string {
    return `rookery heard ${this.heardByUs}`;
  }

  receive(line: string): Reception {
    if (!line.startsWith("rookery ")) {
      if (!line.startsWith("info ")) this.heardByUs++;
      return { isUci: true, resend: [], isPong: false };
    }
    const session = SESSION.exec(line);
    if (session) {
      const isResumed = this.pass !== null;
      this.pass = session[1] ?? null;
      this.recordHeard(Number(session[2]));
      this.isAnswered = true;
      return { isUci: false, resend: isResumed ? [...this.unheard] : [], isPong: false };
    }
    const heard = HEARD.exec(line);
    if (heard) this.recordHeard(Number(heard[1]));
    return { isUci: false, resend: [], isPong: heard !== null };
  }

  private recordHeard(count: number): void {
    this.unheard.splice(0, Math.max(0, count - this.heardByServer));
    this.heardByServer = Math.max(count, this.heardByServer);
  }
}

/** A connection that watches the session of another page: the server describes it anew each time. */
export class RoomConnection implements SessionProtocol {
  readonly canResume = false;
  private isAdmitted = false;

  constructor(private readonly room: string) {}

  openingLine(): string {
    this.isAdmitted = false;
    return `rookery room watch ${this.room}`;
  }

  reset(): void {}

  record(): boolean {
    return this.isAdmitted;
  }

  pingLine(): string {
    return "rookery room list";
  }

  receive(line: string): Reception {
    this.isAdmitted = true;
    const isUci = !line.startsWith("rookery ");
    return { isUci, resend: [], isPong: line.startsWith(WATCHING) };
  }
}

/** The reaction to a connection that the server or the network has closed. */
type CloseReaction =
  /** Connect again, to the same session. */
  | { readonly type: "resume" }
  /** Connect again, to a new session, after so many seconds at least. */
  | { readonly type: "restart"; readonly seconds: number; readonly problem: Problem | null }
  /** Do not connect again: only the user may try. */
  | { readonly type: "stop"; readonly problem: Problem };

const RESUMABLE = [1001, 1005, 1006];
const UNKNOWN_SESSION = 4000;
const RESTARTING = 1012;

export function closeReaction(code: number, reason: string, notice: Notice | null): CloseReaction {
  if (code === UNKNOWN_SESSION) return { type: "restart", seconds: 0, problem: null };
  if (RESUMABLE.includes(code)) return { type: "resume" };
  // The reason is the sentence of the notice before it, perhaps cut short.
  const isNoticed = notice && reason && notice.text.startsWith(reason);
  const problem = isNoticed ? problemOf(notice.code, notice.text) : problemOfClose(code, reason);
  if (code === RESTARTING) return { type: "restart", seconds: 2, problem };
  return { type: "stop", problem: problem ?? { ...REFUSED, text: reason } };
}
