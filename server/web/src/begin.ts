/** What a visit begins with, before there is a page: decided by the first script and by the second. */

import { chosenOf, type ServerInfo } from "./link/server";
import { isRoom, loadMatch, loadSettings } from "./settings";

/** What the first script leaves for the second. */
export interface Begun {
  readonly server: ServerInfo;
  readonly socket: WebSocket | null;
}

declare global {
  interface Window {
    /** Null once somebody has taken it. */
    begun?: Begun | null;
  }
}

/** The engine with which a session begins at once; empty if none is to be begun. */
export function engineToBegin(server: ServerInfo, token: string | null): string {
  const isOther = (server.login && !token) || isRoom(location.hash) || loadMatch() !== null;
  return isOther ? "" : chosenOf(server, loadSettings().engine);
}
