/** The server as the page knows it before a session: its engines, their addresses, a WebSocket. */

import { loadMatch, loadSettings } from "./settings";

export interface ServerInfo {
  readonly engines: readonly string[];
  /** Whether the server wants a token. */
  readonly login: boolean;
  /** The command for plain lines; null if it has none. */
  readonly terminal: string | null;
  /** The men of a position that its tablebases may have; 0 without tablebases. */
  readonly tablebase?: number;
  /** The name of the games of its explorer; null without any. */
  readonly explorer?: string | null;
}

/** What the inline script leaves for the first module. */
export interface Preconnection {
  readonly server: ServerInfo;
  readonly socket: WebSocket | null;
}

declare global {
  interface Window {
    /** Null once it was taken over. */
    preconnection?: Preconnection | null;
  }
}

/**
 * Fetch the server's description; fails where no server is ready.  With a token, it names the
 * engines of joined machines, too.
 */
export async function fetchServer(token: string | null = null): Promise<ServerInfo> {
  // Without a token the page has requested it already while it was loading: no caching is allowed.
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  const answer = await fetch("/engines", { headers });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as ServerInfo;
}

/** Return the engine of last time if the server has it, or else the server's default. */
export function chosenEngine(server: ServerInfo | null, wanted: string): string {
  const engines = server?.engines ?? [];
  return engines.includes(wanted) ? wanted : (engines[0] ?? "");
}

/** Return the engine with which a session begins as the page loads; empty if none is to begin. */
export function initialEngine(server: ServerInfo, token: string | null): string {
  const needsToken = server.login && !token;
  const isViewer = location.hash.startsWith("#room=");
  if (needsToken || isViewer || loadMatch() !== null) return "";
  return chosenEngine(server, loadSettings().engine);
}

export function pathOf(engine: string): string {
  return `/engines/${encodeURIComponent(engine)}`;
}

/** Open a WebSocket.  Browsers send no header with it, so the token is a subprotocol. */
export function openWebSocket(path: string, subprotocol: string, token: string | null): WebSocket {
  const url = new URL(path, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const protocols = token ? [subprotocol, `rookery.token.${token}`] : [subprotocol];
  return new WebSocket(url, protocols);
}

export function openEngineSocket(engine: string, token: string | null): WebSocket {
  return openWebSocket(pathOf(engine), "uci", token);
}
