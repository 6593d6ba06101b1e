/** Steps through a game by the mouse wheel. */

const STEP = 60; // px; wheels send 100 and more for a notch, touch pads a few at a time
const LINE = 40; // px, for browsers that count lines

/**
 * Call `step` for each notch of the wheel over an element, forwards or back; the result stops that.
 * With Ctrl (or two fingers) the wheel zooms, and where it `isFree` it scrolls the page.
 */
export function stepByWheel(
  element: HTMLElement,
  step: (isForward: boolean) => void,
  isFree: (isForward: boolean) => boolean,
): () => void {
  let total = 0;
  const onWheel = (event: WheelEvent) => {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (event.ctrlKey || isSideways || isFree(event.deltaY > 0)) return;
    event.preventDefault();
    const isInPixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
    const pixels = event.deltaY * (isInPixels ? 1 : LINE);
    total = total * pixels < 0 ? pixels : total + pixels;
    if (Math.abs(total) < STEP) return;
    step(total > 0);
    total = 0; // A notch is one step, however long it is.
  };
  element.addEventListener("wheel", onWheel, { passive: false });
  return () => element.removeEventListener("wheel", onWheel);
}
