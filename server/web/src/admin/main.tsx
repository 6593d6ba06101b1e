import "../style/base.css";
import "../style/page.css";
import "../style/windows.css";
import "../style/play.css";
import "../style/admin.css";
import { render } from "preact";
import { Operator } from "./operator";
import { AdminPage } from "./page";

const operator = new Operator();
const place = document.getElementById("app");
if (place) render(<AdminPage operator={operator} />, place);
operator.connect();
