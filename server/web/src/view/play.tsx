/** A game against an engine: whose turn it is, what players may do, how it has ended. */

import { useSignal } from "@preact/signals";
import type { App } from "../app";
import { type Color, clockText } from "../play/clock";
import { strengthText } from "../play/terms";
import { Problems } from "./hint";
import { Icon } from "./icons";

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
      {play.offered.value && !outcome && (
        <p class="offer" role="alert">
          The engine offers a draw.
        </p>
      )}
      {outcome ? <AfterGame app={app} /> : <DuringGame app={app} />}
      <Problems
        link={play.link.value}
        problem={play.blocked.value}
        connect={() => play.connect()}
        retry={() => play.retry()}
      />
    </section>
  );
}

function statusOf(app: App, isOurs: boolean): string {
  const link = app.play.link.value;
  if (link.kind === "lost") return "connection lost: reconnecting, the engine's clock is paused";
  if (link.kind === "stopped") return link.problem.title;
  if (link.kind !== "open" || !app.play.isReady.value) return "connecting…";
  if (app.play.isSilent.value) return "the server does not answer: the engine's clock is paused";
  if (app.play.blocked.value) return "the engine may not think now: its clock is paused";
  if (app.play.place.value) return app.play.place.value;
  return isOurs ? "your move" : "the engine is thinking";
}

function DuringGame({ app }: { app: App }) {
  const { play } = app;
  const asks = useSignal(false);
  return (
    <div class="play-buttons">
      <button
        type="button"
        class="button"
        disabled={!play.mayTakeBack}
        onClick={() => play.takeBack()}
      >
        <Icon name="undo" /> Take back
      </button>
      <button type="button" class="button" onClick={() => play.offerDraw()}>
        <Icon name="half" /> {play.offered.value ? "Accept draw" : "Offer draw"}
      </button>
      {asks.value ? (
        <>
          <button type="button" class="button danger" onClick={() => play.resign()}>
            Yes, resign
          </button>
          <button
            type="button"
            class="button"
            onClick={() => {
              asks.value = false;
            }}
          >
            Play on
          </button>
        </>
      ) : (
        <button
          type="button"
          class="button"
          onClick={() => {
            asks.value = true;
          }}
        >
          <Icon name="flag" /> Resign
        </button>
      )}
    </div>
  );
}

function AfterGame({ app }: { app: App }) {
  return (
    <div class="play-buttons">
      <button type="button" class="button primary" onClick={() => app.play.leave()}>
        <Icon name="chart" /> Analyse
      </button>
      <button type="button" class="button" onClick={() => app.play.rematch()}>
        Rematch
      </button>
      <button
        type="button"
        class="button"
        onClick={() => {
          app.play.leave();
          app.dialog.value = "play";
        }}
      >
        New game
      </button>
    </div>
  );
}

/** The clock of one side; nothing in a game without. */
export function ClockFace({ app, color }: { app: App; color: Color }) {
  const times = app.play.times.value;
  if (!app.play.game.value || !times) return null;
  const isTurn = app.play.head.value?.turn === color && !app.play.outcome.value;
  const left = times[color];
  const tone = `${isTurn && app.play.isTimed.value ? "runs" : ""} ${left < 20_000 ? "short" : ""}`;
  return (
    <time class={`clock ${tone}`} data-testid={`clock-${color}`}>
      {clockText(left)}
    </time>
  );
}

function resultText(result: string): string {
  return result === "1/2-1/2" ? "½–½" : result.replace("-", "–");
}
