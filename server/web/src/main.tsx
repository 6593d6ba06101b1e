import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./style.css";
import { render } from "preact";
import { App } from "./app";
import { Page } from "./view/page";

const app = new App();
const place = document.getElementById("app");
if (place) render(<Page app={app} />, place);
void app.start();
