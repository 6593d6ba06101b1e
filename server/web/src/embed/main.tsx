import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "../style/base.css";
import "../style/board.css";
import "../style/boards.css";
import "../style/panels.css";
import "../style/embed.css";
import { render } from "preact";
import { EmbedPage } from "./page";
import { Reader } from "./reader";

const reader = new Reader();
const place = document.getElementById("app");
if (place) render(<EmbedPage reader={reader} />, place);
const open = () => void reader.open(location.hash);
addEventListener("hashchange", open);
open();
