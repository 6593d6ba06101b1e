/**
 * The first script, and a small one: it has the engine begin, and then the page.
 *
 * On a machine with few cores the page takes the thread for as long as the engine takes to
 * find something.  So the engine is asked first; but a board is not waited for, if the server
 * is far away.
 */

import { Early } from "./early";

const PATIENCE = 100; // ms; beside a server of the same machine or house it takes 5 to 50

/** The page measures itself, and so wants its style sheet. */
function styled(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
  const missing = links.filter((link) => !link.sheet);
  return Promise.all(
    missing.map((link) => new Promise((resolve) => (link.onload = link.onerror = resolve))),
  );
}

const early = new Early();
const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
await Promise.race([early.underway, patience]);
await styled();
const { open } = await import("./page");
// What has come meanwhile is heard before the page is drawn.
await new Promise((resolve) => setTimeout(resolve));
open(early);
