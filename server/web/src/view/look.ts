/** What the settings say of look and sound, brought to the page. */

import { effect } from "@preact/signals";
import type { App } from "../app";
import { showPieces } from "../pieces/loader";

export function followSettings(app: App): void {
  const page = document.documentElement;
  effect(() => {
    const { theme, size, board, pieces, sounds } = app.settings.value;
    page.dataset.theme = theme;
    page.dataset.board = board;
    page.style.setProperty("--size", String(size));
    const onFailure = () =>
      app.toasts.addNote("The pieces could not be loaded", "Try again later.");
    showPieces(pieces).catch(onFailure);
    if (sounds) void import("../sound/sounds").then((it) => it.listen(app));
  });
}
