/** The button that makes a project of the analysis on the board. */

import { useSignal } from "@preact/signals";
import type { App } from "../app";
import { text } from "../language/catalogue";
import { projectsOf } from "../projects/projects";
import { IconButton } from "./controls";

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
    <IconButton icon="tree" label={text("project-keep")} disabled={isBusy.value} onClick={keep} />
  );
}
