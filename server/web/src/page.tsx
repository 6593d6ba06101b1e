/** The page itself: its looks, its parts, and where it is put. */

import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./style/base.css";
import "./style/page.css";
import "./style/board.css";
import "./style/panels.css";
import "./style/report.css";
import "./style/book.css";
import "./style/play.css";
import "./style/setup.css";
import "./style/windows.css";
import "./style/narrow.css";
import { render } from "preact";
import { App } from "./app";
import type { Early } from "./early";
import { Page } from "./view/page";

/** Make what the page shows, which goes on with what has begun. */
export function begin(early: Early): App {
  const app = new App();
  void app.start(early);
  return app;
}

export function draw(app: App): void {
  const place = document.getElementById("app");
  if (place) render(<Page app={app} />, place);
}
