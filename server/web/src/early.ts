/**
 * What begins while the rest of the page is still being loaded: the session with the
 * engine, and the search for the position that the page will show.
 *
 * A script of its own, small and without the rules of chess.  The position is known without
 * them: it is the first of all, or was on the board when this browser was here last.  Where it
 * is not known (a link with moves), the engine is at least there.  The page takes over what
 * has begun; should it want something else, it says so to the engine, as always.
 */

import { Session } from "./analysis/session";
import { type Begun, engineToBegin } from "./begin";
import { askServer, type ServerInfo } from "./link/server";
import {
  loadGame,
  loadSettings,
  loadToken,
  START,
  saveBaton,
  takeBaton,
  type Words,
} from "./settings";

export class Early {
  /** What the server has said of itself; null until it has, and if it does not answer. */
  server: ServerInfo | null = null;
  private session: Session | null = null;
  private found: Promise<void> | undefined;
  /** Ends when the server has answered, or could not be asked. */
  readonly asked: Promise<void>;
  /** Ends when the engine has been told what to search, or is not to be told yet. */
  readonly underway: Promise<void>;
  /** Ends when the engine has found something; at once if there is nothing to find. */
  readonly answered: Promise<void>;
  private readonly ends = new AbortController();

  constructor() {
    const begun = window.begun ?? null;
    window.begun = null;
    this.asked = begun ? Promise.resolve(this.begin(begun)) : this.ask();
    this.underway = this.asked.then(() => this.session?.opened);
    this.answered = this.asked.then(() => this.found);
    // Left before the page was there to say good-bye.
    addEventListener("pagehide", () => this.leave(), { signal: this.ends.signal });
  }

  /** Take the session over; null if none has begun. */
  take(): Session | null {
    this.ends.abort();
    const { session } = this;
    this.session = null;
    return session;
  }

  private leave(): void {
    const { session } = this;
    if (session?.baton) saveBaton(session.leave(session.baton.room));
    else session?.close();
  }

  private async ask(): Promise<void> {
    try {
      const server = await askServer();
      if (!this.ends.signal.aborted) this.begin({ server, socket: null });
    } catch {
      // The page asks again, and says so.
    }
  }

  private begin({ server, socket }: Begun): void {
    this.server = server;
    const [settings, token] = [loadSettings(), loadToken()];
    const name = engineToBegin(server, token);
    if (!name) return;
    this.session = new Session(name, token, null, takeBaton(name));
    this.session.prepare(settings);
    const words = wordsOf(location.hash.slice(1));
    const isSeen = !document.hidden || !settings.stopsWhenHidden;
    if (settings.running && isSeen && words) {
      this.session.engine.want({ ...words, limits: settings.limits });
      this.found = this.session.found;
    }
    this.session.open(socket);
  }
}

/** The position that an address leads to, if that is known without the rules. */
function wordsOf(address: string): Words | null {
  const saved = loadGame();
  if (!address && !saved) return START;
  return !address || address === saved?.address ? (saved?.words ?? null) : null;
}
