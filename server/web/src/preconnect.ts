/**
 * The inline script of the page: it opens the WebSocket of the session that the page will have.
 *
 * The build writes it into the page itself, and the server writes its description (`ServerInfo`)
 * beside it.  So the handshake goes on while the other scripts are on their way.  Nothing is sent:
 * `startup.ts` takes the connection over, and fetches the description where it is missing.
 */

import { chosenLanguage, type Language } from "./language/languages";
import { initialEngine, openEngineSocket, type Preconnection, type ServerInfo } from "./server";
import { loadSettings, loadToken } from "./settings";

/** Connect; null if the engine that is wanted is not known here: it may be of a joined machine. */
function preconnect(description: string): Preconnection | null {
  const server = JSON.parse(description) as ServerInfo;
  const wanted = loadSettings().engine;
  if (wanted && !server.engines.includes(wanted)) return null;
  const token = loadToken();
  const engine = initialEngine(server, token);
  return { server, socket: engine ? openEngineSocket(engine, token) : null };
}

/** Load the texts of the language that the page will speak, given the file of each language. */
function preloadTexts(files: string): void {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = (JSON.parse(files) as Record<Language, string>)[
    chosenLanguage(loadSettings().language)
  ];
  document.head.append(link);
}

/** Return what the build or the server has written into the page; nothing without them. */
function written(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name=rookery-${name}]`)?.content;
}

const [description, texts] = [written("server"), written("texts")];
if (description) window.preconnection = preconnect(description);
if (texts) preloadTexts(texts);
