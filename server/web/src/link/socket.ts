/** The WebSocket to an engine: where it is, and how a token is shown. */

export function pathOf(engine: string): string {
  return `/engines/${encodeURIComponent(engine)}`;
}

/** Connect.  A browser sends no header with a WebSocket, so the token is a subprotocol. */
export function socketTo(engine: string, token: string | null): WebSocket {
  const url = new URL(pathOf(engine), location.href);
  url.protocol = url.protocol.replace("http", "ws");
  return new WebSocket(url, token ? ["uci", `rookery.token.${token}`] : ["uci"]);
}
