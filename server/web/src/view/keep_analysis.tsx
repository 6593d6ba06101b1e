/** The button that makes a project of the analysis on the board. */

import { useSignal } from "@preact/signals";
import type { App } from "../app";
import { text } from "../language/catalogue";
import { projectsOf } from "../projects/projects";
import styles from "../style/keep_analysis.css?inline";
import { addStyles } from "./late_style";

addStyles(styles);

const BOOKMARK = "M6 3h12v18l-6-4.500L6 21zm2 2v12l4-3 4 3V5zm3 1h2v2h2v2h-2v2h-2v-2H9V8h2z";

export function KeepButton({ app }: { app: App }) {
  const isBusy = useSignal(false);
  const isOver = app.analysis.finalScore.value !== null;
  if (isOver || app.wantsToken.value || app.room.watched.value !== null) return null;
  const keep = async () => {
    isBusy.value = true;
    await projectsOf(app)
      .keepAnalysis()
      .finally(() => (isBusy.value = false));
  };
  return (
    <button
      type="button"
      class="icon-button keep-analysis"
      title={text("project-keep")}
      aria-label={text("project-keep")}
      disabled={isBusy.value}
      onClick={keep}
    >
      <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path d={BOOKMARK} fill="currentColor" fill-rule="evenodd" />
      </svg>
    </button>
  );
}
