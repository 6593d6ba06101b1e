/** What tests begin with: the page speaks English. */

import { loadLater, speak } from "./catalogue";

await speak("en");
await loadLater();
