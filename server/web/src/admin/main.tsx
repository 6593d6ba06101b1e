import "../style/base.css";
import "../style/page.css";
import "../style/windows.css";
import "../style/play.css";
import "../style/admin.css";
import { render } from "preact";
import { speak } from "../language/catalogue";
import { Operator } from "./operator";
import { AdminPage } from "./page";

await speak("en"); // The page itself has no texts of other languages.
const operator = new Operator();
const place = document.getElementById("app");
if (place) render(<AdminPage operator={operator} />, place);
operator.connect();
