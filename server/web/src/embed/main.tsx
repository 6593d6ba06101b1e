import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "../style/base.css";
import "../style/board.css";
import "../style/boards.css";
import "../style/panels.css";
import "../style/embed.css";
import { render } from "preact";
import { language, loadLater, speak } from "../language/catalogue";
import { languageFor } from "../language/languages";
import { EmbedPage } from "./page";
import { Reader } from "./reader";

/** Show the page in the browser's language, whose texts are in this script: it requests no file. */
async function start(): Promise<void> {
  await speak(languageFor(navigator.languages));
  await loadLater();
  document.documentElement.lang = language.value;
  const reader = new Reader();
  const place = document.getElementById("app");
  if (place) render(<EmbedPage reader={reader} />, place);
  const open = () => void reader.open(location.hash);
  addEventListener("hashchange", open);
  open();
}

void start();
