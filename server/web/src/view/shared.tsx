/** What is said of a shared game that is on the board, and the ways on from there. */

import type { App } from "../app";
import { text } from "../language/catalogue";
import { Button } from "./controls";
import { ProblemBox } from "./messages";

export function SharedPanel({ app }: { app: App }) {
  const { shared } = app;
  if (!shared.isShown.value) return null;
  const leave = () => {
    shared.leave();
    if (app.wantsToken.peek()) app.openDialog("signin");
  };
  const back = <Button onClick={leave}>{text("shared-own-board")}</Button>;
  const problem = shared.problem.value;
  if (problem) return <ProblemBox problem={problem}>{back}</ProblemBox>;
  const game = shared.game.value;
  return (
    <section class="trouble note" aria-label={text("shared")}>
      <b>{text(game ? "shared-game" : "shared-fetching")}</b>
      {game && (
        <>
          <p>{text("shared-text")}</p>
          <div class="buttons">
            <Button look="primary" onClick={() => shared.copy()}>
              {text("shared-copy")}
            </Button>
            {back}
            {app.wantsToken.value && (
              <Button onClick={() => app.openDialog("signin")}>{text("shared-sign-in")}</Button>
            )}
          </div>
        </>
      )}
    </section>
  );
}
