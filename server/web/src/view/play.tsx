/** The panel of a game against an engine: its state, what the user may do, the clocks. */

import { useSignal } from "@preact/signals";
import type { App } from "../app";
import { text } from "../language/catalogue";
import { wordsOf } from "../language/problems";
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
    <section class="engine play" aria-label={text("game")}>
      <div class="engine-head">
        <div class="engine-what">
          <span class="engine-name">
            {play.opponentName.value}
            {strength && <span class="rating"> {strength}</span>}
          </span>
          <span class="status" role="status" data-testid="play-status">
            {outcome ? text(outcome.text) : statusOf(app, isOurs)}
          </span>
        </div>
        {outcome && <output class="headline">{resultText(outcome.result)}</output>}
      </div>
      {play.isDrawOffered.value && !outcome && (
        <p class="offer" role="alert">
          {text("play-offers-draw")}
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
  if (connection.type === "lost") return text("play-connection-lost");
  if (connection.type === "stopped") return wordsOf(connection.problem).title;
  if (connection.type !== "open" || !app.play.isReady.value) return text("connecting");
  if (app.play.isSilent.value) return text("play-silent");
  if (app.play.blocked.value) return text("play-blocked");
  if (app.play.waiting.value) return app.play.waiting.value;
  return text(isOurs ? "play-your-move" : "play-thinking");
}

function DuringGame({ app }: { app: App }) {
  const { play } = app;
  const isResigning = useSignal(false);
  return (
    <div class="play-buttons">
      <Button disabled={!play.mayTakeBack} onClick={() => play.takeBack()}>
        <Icon name="undo" /> {text("play-take-back")}
      </Button>
      <Button onClick={() => play.offerDraw()}>
        <Icon name="half" />{" "}
        {text(play.isDrawOffered.value ? "play-accept-draw" : "play-offer-draw")}
      </Button>
      {isResigning.value ? (
        <>
          <Button look="danger" onClick={() => play.resign()}>
            {text("play-yes-resign")}
          </Button>
          <Button onClick={() => (isResigning.value = false)}>{text("play-on")}</Button>
        </>
      ) : (
        <Button onClick={() => (isResigning.value = true)}>
          <Icon name="flag" /> {text("play-resign")}
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
        <Icon name="chart" /> {text("analyse")}
      </Button>
      <Button onClick={() => app.play.rematch()}>{text("play-rematch")}</Button>
      <Button onClick={startAnother}>{text("new-game")}</Button>
    </div>
  );
}

function resultText(result: string): string {
  return result === "1/2-1/2" ? "½–½" : result.replace("-", "–");
}
