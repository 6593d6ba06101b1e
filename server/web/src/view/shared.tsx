/** What is said of a shared game that is on the board, and the ways on from there. */

import type { App } from "../app";
import { Button } from "./controls";
import { ProblemBox } from "./messages";

export function SharedPanel({ app }: { app: App }) {
  const { shared } = app;
  if (!shared.isShown.value) return null;
  const leave = () => {
    shared.leave();
    if (app.wantsToken.peek()) app.openDialog("signin");
  };
  const back = <Button onClick={leave}>To my own board</Button>;
  const problem = shared.problem.value;
  if (problem) return <ProblemBox problem={problem}>{back}</ProblemBox>;
  const game = shared.game.value;
  return (
    <section class="trouble note" aria-label="Shared game">
      <b>{game ? "A shared game" : "Fetching the shared game…"}</b>
      {game && (
        <>
          <p>You can look at it. To change it, make a copy: the original stays as it is.</p>
          <div class="buttons">
            <Button look="primary" onClick={() => shared.copy()}>
              Make a copy
            </Button>
            {back}
            {app.wantsToken.value && (
              <Button onClick={() => app.openDialog("signin")}>Sign in for the engine</Button>
            )}
          </div>
        </>
      )}
    </section>
  );
}
