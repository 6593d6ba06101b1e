/**
 * The first script that is loaded, and a small one: it has the engine begin, and then the page.
 *
 * On a machine with few cores the page takes the thread for as long as the engine takes to
 * find something.  So what need not be drawn is done while the connection is being made, and
 * the engine is heard before the board is drawn: then it is drawn once, and not twice.  But
 * it is not waited for, if the server is far away.
 */

import { Early } from "./early";

const PATIENCE = 100; // ms; beside a server of the same machine or house it takes 5 to 50
const MORE = 25; // ms for the first line, once the engine searches; drawing takes as long

/** The page measures itself, and so wants its style sheet. */
function styled(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
  const missing = links.filter((link) => !link.sheet);
  return Promise.all(
    missing.map((link) => new Promise((resolve) => (link.onload = link.onerror = resolve))),
  );
}

function atMost(ms: number, promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms))]);
}

/** Let what has come meanwhile be heard first. */
function turn(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve));
}

const early = new Early();
const underway = atMost(PATIENCE, early.underway);
const [{ begin, draw }] = await Promise.all([import("./page"), styled()]);
await turn();
const app = begin(early);
await underway;
await atMost(MORE, early.answered);
await turn();
draw(app);
