/** What the user is told if the browser does not keep the game. */

import type { App } from "../app";
import { saveFile } from "../download";
import { Button } from "./controls";
import { ProblemBox } from "./messages";

const FULL = {
  title: "Your last changes are not saved",
  text: "This browser has no more room for what this page keeps.",
  hint: "Download the game before you close the page.",
};

/** The message of a storage that is full; it stays until the user or free room dismisses it. */
export function StorageProblem({ app }: { app: App }) {
  if (app.storage.value !== "full" || app.isStorageDismissed.value) return null;
  const save = () =>
    saveFile("game.pgn", new Blob([app.study.pgn()], { type: "application/x-chess-pgn" }));
  return (
    <ProblemBox problem={FULL}>
      <div class="buttons">
        <Button look="primary" onClick={save}>
          Download the game
        </Button>
        <Button onClick={() => (app.isStorageDismissed.value = true)}>Dismiss</Button>
      </div>
    </ProblemBox>
  );
}
