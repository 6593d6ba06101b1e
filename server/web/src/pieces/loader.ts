/** The pieces on the boards; a set is loaded when it is chosen. */

import type { PiecesId } from "../settings";

const LOADERS = {
  classic: async () => null, // It comes with the style sheet of the page.
  flat: async () => (await import("./flat")).set,
  signs: async () => (await import("./signs")).set,
} as const;

let shown: PiecesId = "classic";
let sheet: CSSStyleSheet | null = null;

/** Show all boards with these pieces. */
export async function showPieces(id: PiecesId): Promise<void> {
  if (id === shown) return;
  shown = id;
  const set = await LOADERS[id]();
  if (id !== shown) return; // Another one has been chosen meanwhile.
  sheet ??= addSheet();
  sheet.replaceSync(set?.rules() ?? "");
}

function addSheet(): CSSStyleSheet {
  const added = new CSSStyleSheet();
  document.adoptedStyleSheets.push(added);
  return added;
}
