/**
 * The first module that is loaded: it has the engine begin, and then the page.
 *
 * On a machine with few cores the page takes the thread for as long as the engine takes to find
 * something.  So what need not be drawn is done while the connection is being made, and the
 * board is drawn after the engine's first lines: once, and not twice.  A server that is far away
 * is not waited for.
 */

import { Startup } from "./startup";

const REQUEST_TIMEOUT = 100; // ms; a server on the same machine or network takes 5 to 50
const FINDINGS_TIMEOUT = 25; // ms for the first line of a search; drawing takes as long

/** Wait for the style sheets: the page measures itself. */
function loadStyles(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
  const missing = links.filter((link) => !link.sheet);
  return Promise.all(
    missing.map((link) => new Promise((resolve) => (link.onload = link.onerror = resolve))),
  );
}

async function loadPage() {
  const page = await import("./page");
  await page.loadTexts();
  return page;
}

function waitAtMost(ms: number, promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms))]);
}

/** Let the events that have come meanwhile be handled first. */
function handleEvents(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve));
}

const startup = new Startup();
const requested = waitAtMost(REQUEST_TIMEOUT, startup.requested);
const [{ startApp, drawPage }] = await Promise.all([loadPage(), loadStyles()]);
await handleEvents();
const app = startApp(startup);
await requested;
await waitAtMost(FINDINGS_TIMEOUT, startup.found);
await handleEvents();
drawPage(app);
