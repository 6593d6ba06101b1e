/** The mistakes of a game, asked once more: what to do, and how it went. */

import type { App } from "../app";
import { moveNumber, sanOf } from "../game/tree";
import { Icon } from "./icons";

const NAMES = { inaccuracy: "an inaccuracy", mistake: "a mistake", blunder: "a blunder" } as const;

export function PracticePanel({ app }: { app: App }) {
  const { practice } = app;
  const mistake = practice.mistake.value;
  if (!mistake) return null;
  const answer = practice.answer.value;
  const isDone = answer === "right" || answer === "shown";
  const isLast = practice.number === practice.total;
  return (
    <section class="engine practice" aria-label="Practice">
      <div class="engine-head">
        <div class="engine-what">
          <b>
            Mistake {practice.number} of {practice.total}
          </b>
          <span class="status">{practice.found.value} found so far</span>
        </div>
      </div>
      <p class={`verdict ${answer}`} role="status" data-testid="practice">
        {wordsFor(app)}
      </p>
      <div class="play-buttons">
        {answer === "wrong" && (
          <button type="button" class="button primary" onClick={() => practice.again()}>
            Try again
          </button>
        )}
        {(answer === "asked" || answer === "wrong") && (
          <button type="button" class="button" onClick={() => practice.show()}>
            Show the move
          </button>
        )}
        {!(isDone && isLast) && (
          <button
            type="button"
            class={`button ${isDone ? "primary" : ""}`}
            onClick={() => practice.next()}
          >
            {isDone ? "Next" : "Skip"}
          </button>
        )}
        <button
          type="button"
          class={`button ${isDone && isLast ? "primary" : ""}`}
          onClick={() => practice.end()}
        >
          <Icon name="stop" /> {isDone && isLast ? "Done" : "End"}
        </button>
      </div>
    </section>
  );
}

function wordsFor(app: App): string {
  const mistake = app.practice.mistake.value;
  const before = mistake?.parent;
  if (!mistake || !before) return "";
  const move = `${moveNumber(mistake.ply)} ${mistake.san}`;
  const played = app.study.node.value.san;
  switch (app.practice.answer.value) {
    case "examined":
      return `Checking ${played}…`;
    case "right":
      return `${played} is good.`;
    case "wrong":
      return `${played} is not good enough.`;
    case "shown":
      return `The engine prefers ${sanOf(before.fen, before.verdict?.best ?? "") ?? played}.`;
    default: {
      const side = before.turn === "white" ? "White" : "Black";
      const name = NAMES[mistake.judgement ?? "mistake"];
      return `${move} was ${name}. Find a better move for ${side}.`;
    }
  }
}
