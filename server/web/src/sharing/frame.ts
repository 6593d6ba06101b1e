/** The address of a shared game in a frame on another page, and the HTML for it.  Pure. */

export type Side = "white" | "black";
export type FrameTheme = "light" | "dark";

/** The address of a frame after `#`: `ID`, `ID,dark`, `ID,dark,black`. */
export interface FrameAddress {
  readonly id: string;
  /** Null is that of the page around it, or of the system. */
  readonly theme: FrameTheme | null;
  /** The side at the bottom; null is as the game has it. */
  readonly side: Side | null;
}

/** The sizes to choose from, in px. */
export const SIZES = [
  [600, 400],
  [320, 400],
  [900, 600],
] as const;

const ID = /^[\w-]{1,100}$/;

/** Read the address of a frame; null if it names no game.  Words that are not known say nothing. */
export function readFrameAddress(hash: string): FrameAddress | null {
  const [id = "", ...words] = hash.replace(/^#/, "").split(",");
  const has = (word: string) => words.includes(word);
  return ID.test(id)
    ? {
        id,
        theme: has("dark") ? "dark" : has("light") ? "light" : null,
        side: has("black") ? "black" : has("white") ? "white" : null,
      }
    : null;
}

/** Return the HTML that shows a shared game of this server on another page. */
export function frameCode(
  origin: string,
  id: string,
  title: string,
  [width, height]: readonly [width: number, height: number],
): string {
  const src = `${origin}/embed#${id}`;
  return `<iframe src="${src}" title="${escaped(title)}" width="${width}" height="${height}" style="border: 0; max-width: 100%" loading="lazy"></iframe>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
