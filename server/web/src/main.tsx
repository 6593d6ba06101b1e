import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./style/base.css";
import "./style/page.css";
import "./style/board.css";
import "./style/panels.css";
import "./style/report.css";
import "./style/play.css";
import "./style/setup.css";
import "./style/windows.css";
import "./style/narrow.css";
import { render } from "preact";
import { App } from "./app";
import { Page } from "./view/page";

const app = new App();
const place = document.getElementById("app");
if (place) render(<Page app={app} />, place);
void app.start();
