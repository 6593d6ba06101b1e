/** What a server says of itself before anything else. */

export interface ServerInfo {
  readonly engines: readonly string[];
  /** Whether it wants a token. */
  readonly login: boolean;
  /** The command for plain lines; null if it has none. */
  readonly terminal: string | null;
}

/**
 * Ask; it fails where there is no server, or one that is not ready.
 *
 * Who shows a token is told of engines, too, of machines that have joined the server.
 */
export async function askServer(token: string | null = null): Promise<ServerInfo> {
  // Without a token the page has asked for it already, while it was loading; the server lets
  // nobody keep it.
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  const answer = await fetch("/engines", { headers });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as ServerInfo;
}

/** The engine to take: the one of last time, or the server's default. */
export function chosenOf(server: ServerInfo | null, wanted: string): string {
  const engines = server?.engines ?? [];
  return engines.includes(wanted) ? wanted : (engines[0] ?? "");
}
