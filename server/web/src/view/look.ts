/** What the settings say of language, look and sound, brought to the page. */

import { computed, effect } from "@preact/signals";
import type { App } from "../app";
import { language, speak, text } from "../language/catalogue";
import { chosenLanguage } from "../language/languages";
import { showPieces } from "../pieces/loader";

export function followSettings(app: App): void {
  const page = document.documentElement;
  effect(() => {
    const { theme, size, board, pieces, sounds } = app.settings.value;
    page.dataset.theme = theme;
    page.dataset.board = board;
    page.style.setProperty("--size", String(size));
    const onFailure = () => app.toasts.addNote(text("pieces-not-loaded"), text("try-again-later"));
    showPieces(pieces).catch(onFailure);
    if (sounds) void import("../sound/sounds").then((it) => it.listen(app));
  });
  effect(() => {
    page.lang = language.value;
    document.title = text("page-title");
  });
}

/** Speak the language that was chosen, now and when another one is; the promise is of now. */
export function followLanguage(app: App): Promise<void> {
  const chosen = computed(() => chosenLanguage(app.settings.value.language));
  let spoken = Promise.resolve();
  effect(() => {
    const onFailure = () => app.toasts.addNote(text("language-not-loaded"), text("try-again"));
    spoken = speak(chosen.value).catch(onFailure);
  });
  return spoken;
}
