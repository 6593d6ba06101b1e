/** The number of columns of the page, for views whose place in the document follows from it. */

import { signal } from "@preact/signals";

// As in `narrow.css`.
const narrow = matchMedia(
  "(max-width: 43.6875em), (max-width: 56.25em) and (min-height: 31.3125em)",
);

/** Whether all stands below the board, as on a phone. */
export const hasOneColumn = signal(narrow.matches);
narrow.addEventListener("change", () => (hasOneColumn.value = narrow.matches));
