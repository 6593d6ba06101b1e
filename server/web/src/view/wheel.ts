/**
 * The mouse wheel over the board: a step through the game for each notch.
 *
 * Where the page itself is longer than the window the wheel moves the page, as everywhere; and
 * with Ctrl, which is also how a touch pad says that two fingers are spread, it makes it larger.
 */

import type { App } from "../app";

const NOTCH = 60; // px; wheels send 100 and more for each, touch pads a few at a time
const LINE = 40; // px, for browsers that count lines

function isPageLonger(): boolean {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight > clientHeight + 1; // Browsers round each of them.
}

/** Step through the game with the wheel over an element; the result ends it. */
export function stepByWheel(app: App, element: HTMLElement): () => void {
  let total = 0;
  const onWheel = (event: WheelEvent) => {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (event.ctrlKey || isSideways || app.practice.mistake.peek() || isPageLonger()) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE);
    total = total * pixels < 0 ? pixels : total + pixels;
    if (Math.abs(total) < NOTCH) return;
    if (total > 0) app.study.forward();
    else app.study.back();
    total = 0; // A notch is one step, however long it is.
  };
  element.addEventListener("wheel", onWheel, { passive: false });
  return () => element.removeEventListener("wheel", onWheel);
}
