/** What a server says of itself before anything else. */

export interface ServerInfo {
  readonly engines: readonly string[];
  /** Whether it wants a token. */
  readonly login: boolean;
  /** The command for plain lines; null if it has none. */
  readonly terminal: string | null;
}

/** Ask; it fails where there is no server, or one that is not ready. */
export async function askServer(): Promise<ServerInfo> {
  // The page has asked for it already, while it was loading; the server lets nobody keep it.
  const answer = await fetch("/engines");
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as ServerInfo;
}

/** The engine to take: the one of last time, or the server's default. */
export function chosenOf(server: ServerInfo | null, wanted: string): string {
  const engines = server?.engines ?? [];
  return engines.includes(wanted) ? wanted : (engines[0] ?? "");
}
