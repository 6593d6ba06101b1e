/**
 * The session and the search that begin while the rest of the page is still being loaded.
 *
 * A small script without the rules of chess.  The position is known without them: it is the first
 * of all, or was on the board when this browser was here last.  For a link with moves, at least
 * the engine is there.  The page takes the session over, and may request another search.
 */

import { EngineSession } from "./engine/session";
import { applySettings } from "./engine/setup";
import { fetchServer, initialEngine, type Preconnection, type ServerInfo } from "./server";
import { loadGame, loadSettings, loadToken, saveHandover, takeHandover } from "./settings";
import { type EnginePosition, limitWords, START } from "./uci/line";

export class Startup {
  /** The server's description; null until it is there, and if the server does not answer. */
  server: ServerInfo | null = null;
  private session: EngineSession | null = null;
  private findings: Promise<void> | undefined;
  /** Ends when the server has answered, or could not be reached. */
  readonly described: Promise<void>;
  /** Ends when the engine has the search, or there is none to request yet. */
  readonly requested: Promise<void>;
  /** Ends when the engine has found something; at once if there is nothing to find. */
  readonly found: Promise<void>;
  private readonly leaving = new AbortController();

  constructor() {
    const preconnection = window.preconnection ?? null;
    window.preconnection = null;
    let started: Promise<void> | undefined;
    this.described = (async () => {
      const description = preconnection ?? (await this.fetchDescription());
      if (description && !this.leaving.signal.aborted) started = this.beginSession(description);
    })();
    this.requested = this.described.then(() => started);
    this.found = this.described.then(() => this.findings);
    // The page may be left before it is complete.
    addEventListener("pagehide", () => this.closeSession(), { signal: this.leaving.signal });
  }

  /** Return the session for the page to continue with; null if none has begun. */
  takeSession(): EngineSession | null {
    this.leaving.abort();
    const { session } = this;
    this.session = null;
    return session;
  }

  private closeSession(): void {
    const { session } = this;
    const handover = session?.setup.handover;
    if (session && handover) saveHandover(session.handOver(handover.room));
    else session?.close();
  }

  private async fetchDescription(): Promise<Preconnection | null> {
    try {
      return { server: await fetchServer(), socket: null };
    } catch {
      return null; // The page fetches it again, and reports the failure.
    }
  }

  /** Begin a session; the result ends when the engine has been told everything. */
  private beginSession({ server, socket }: Preconnection): Promise<void> | undefined {
    this.server = server;
    const [settings, token] = [loadSettings(), loadToken()];
    const engine = initialEngine(server, token);
    if (!engine) return undefined;
    const setup = { purpose: "analysis", handover: takeHandover(engine) } as const;
    const session = new EngineSession(engine, token, setup);
    this.session = session;
    const position = positionAt(location.hash.slice(1));
    const isSeen = !document.hidden || !settings.stopsWhenHidden;
    session.update((conversation) => {
      applySettings(conversation, engine, settings);
      if (!settings.running || !isSeen || !position) return;
      conversation.requestSearch({ ...position, limits: limitWords(settings.limits) });
      this.findings = session.until(() => Boolean(conversation.findings?.lines.length));
    });
    const started = session.until(({ type }) => type === "started");
    session.open(socket);
    return started;
  }
}

/** Return the position of an address, as far as it is known without the rules. */
function positionAt(address: string): EnginePosition | null {
  const saved = loadGame();
  if (!address && !saved) return START;
  return !address || address === saved?.address ? (saved?.position ?? null) : null;
}
