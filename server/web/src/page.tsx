/** The page itself: style sheets, app and view. */

import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./style/base.css";
import "./style/page.css";
import "./style/board.css";
import "./style/boards.css";
import "./style/panels.css";
import "./style/report.css";
import "./style/jobs.css";
import "./style/book.css";
import "./style/play.css";
import "./style/setup.css";
import "./style/game.css";
import "./style/windows.css";
import "./style/library.css";
import "./style/narrow.css";
import { render } from "preact";
import { App } from "./app";
import { language, speak } from "./language/catalogue";
import { chosenLanguage, FALLBACK } from "./language/languages";
import { loadSettings } from "./settings";
import type { Startup } from "./startup";
import { followLanguage, followSettings } from "./view/look";
import { Page } from "./view/page";

/** Load the texts of the language that was chosen; English ones if it cannot be had now. */
export function loadTexts(): Promise<void> {
  return speak(chosenLanguage(loadSettings().language)).catch(() => speak(FALLBACK));
}

/** Make the app, which continues with the session that has begun. */
export function startApp(startup: Startup): App {
  const app = new App();
  followSettings(app);
  void app.start(startup);
  return app;
}

export async function drawPage(app: App): Promise<void> {
  await followLanguage(app);
  const place = document.getElementById("app");
  if (place) render(<SpokenPage app={app} />, place);
}

/** The page, drawn anew in another language. */
function SpokenPage({ app }: { app: App }) {
  return <Page key={language.value} app={app} />;
}
