/**
 * The very first script: it opens the WebSocket of the session that the page will have.
 *
 * The build writes it into the page itself, and the server writes beside it what it is
 * (`ServerInfo`).  So the handshake goes on while the scripts are still on their way.  Nothing is
 * said: `early.ts` takes the connection over, and asks where the server has written nothing.
 */

import { type Begun, engineToBegin } from "./begin";
import type { ServerInfo } from "./link/server";
import { socketTo } from "./link/socket";
import { loadSettings, loadToken } from "./settings";

/** Null if what is wanted is not known here: an engine, perhaps, of a machine that has joined. */
function begin(written: string): Begun | null {
  const server = JSON.parse(written) as ServerInfo;
  const wanted = loadSettings().engine;
  if (wanted && !server.engines.includes(wanted)) return null;
  const token = loadToken();
  const name = engineToBegin(server, token);
  return { server, socket: name ? socketTo(name, token) : null };
}

const written = document.querySelector<HTMLMetaElement>("meta[name=rookery-server]")?.content;
if (written) window.begun = begin(written);
