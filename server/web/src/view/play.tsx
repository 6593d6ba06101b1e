/** The panel of a game against an engine: its state, what the user may do, the clocks. */

import { useSignal } from "@preact/signals";
import type { App } from "../app";
import { strengthText } from "../play/match";
import { Button, Icon } from "./controls";
import { ConnectionProblem } from "./messages";

export function PlayPanel({ app }: { app: App }) {
  const { play } = app;
  const terms = play.game.value;
  if (!terms) return null;
  const outcome = play.outcome.value;
  const isOurs = play.head.value?.turn === terms.color;
  const strength = strengthText(terms);
  return (
    <section class="engine play" aria-label="Game">
      <div class="engine-head">
        <div class="engine-what">
          <span class="engine-name">
            {play.opponentName.value}
            {strength && <span class="rating"> {strength}</span>}
          </span>
          <span class="status" role="status" data-testid="play-status">
            {outcome ? outcome.text : statusOf(app, isOurs)}
          </span>
        </div>
        {outcome && <output class="headline">{resultText(outcome.result)}</output>}
      </div>
      {play.isDrawOffered.value && !outcome && (
        <p class="offer" role="alert">
          The engine offers a draw.
        </p>
      )}
      {outcome ? <AfterGame app={app} /> : <DuringGame app={app} />}
      <ConnectionProblem
        connection={play.connection.value}
        blocked={play.blocked.value}
        connect={() => play.connect()}
        retry={() => play.retry()}
      />
    </section>
  );
}

function statusOf(app: App, isOurs: boolean): string {
  const connection = app.play.connection.value;
  if (connection.type === "lost")
    return "connection lost: reconnecting, the engine's clock is paused";
  if (connection.type === "stopped") return connection.problem.title;
  if (connection.type !== "open" || !app.play.isReady.value) return "connecting…";
  if (app.play.isSilent.value) return "the server does not answer: the engine's clock is paused";
  if (app.play.blocked.value) return "the engine may not think now: its clock is paused";
  if (app.play.waiting.value) return app.play.waiting.value;
  return isOurs ? "your move" : "the engine is thinking";
}

function DuringGame({ app }: { app: App }) {
  const { play } = app;
  const isResigning = useSignal(false);
  return (
    <div class="play-buttons">
      <Button disabled={!play.mayTakeBack} onClick={() => play.takeBack()}>
        <Icon name="undo" /> Take back
      </Button>
      <Button onClick={() => play.offerDraw()}>
        <Icon name="half" /> {play.isDrawOffered.value ? "Accept draw" : "Offer draw"}
      </Button>
      {isResigning.value ? (
        <>
          <Button look="danger" onClick={() => play.resign()}>
            Yes, resign
          </Button>
          <Button onClick={() => (isResigning.value = false)}>Play on</Button>
        </>
      ) : (
        <Button onClick={() => (isResigning.value = true)}>
          <Icon name="flag" /> Resign
        </Button>
      )}
    </div>
  );
}

function AfterGame({ app }: { app: App }) {
  const startAnother = () => {
    app.play.leaveGame();
    app.openDialog("play");
  };
  return (
    <div class="play-buttons">
      <Button look="primary" onClick={() => app.play.leaveGame()}>
        <Icon name="chart" /> Analyse
      </Button>
      <Button onClick={() => app.play.rematch()}>Rematch</Button>
      <Button onClick={startAnother}>New game</Button>
    </div>
  );
}

function resultText(result: string): string {
  return result === "1/2-1/2" ? "½–½" : result.replace("-", "–");
}
