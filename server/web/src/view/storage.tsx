/** What the user is told if the browser does not keep the game. */

import type { App } from "../app";
import { saveFile } from "../download";
import { text } from "../language/catalogue";
import { Button } from "./controls";
import { ProblemBox } from "./messages";

/** The message of a storage that is full; it stays until the user or free room dismisses it. */
export function StorageProblem({ app }: { app: App }) {
  const save = () =>
    saveFile("game.pgn", new Blob([app.study.pgn()], { type: "application/x-chess-pgn" }));
  const problem = {
    title: text("storage-full"),
    text: text("storage-full-text"),
    hint: text("storage-full-hint"),
  };
  return (
    <ProblemBox problem={problem}>
      <div class="buttons">
        <Button look="primary" onClick={save}>
          {text("download-game")}
        </Button>
        <Button onClick={() => (app.isStorageDismissed.value = true)}>{text("dismiss")}</Button>
      </div>
    </ProblemBox>
  );
}
