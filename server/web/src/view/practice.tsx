/** The panel of practice with the mistakes of a game. */

import { missedBy } from "../analysis/missed";
import type { App } from "../app";
import { sideName } from "../game/position";
import { type GameNode, moveNumber, sanOf, sansOf } from "../game/tree";
import { Button, Icon } from "./controls";

const MOST_MOVES = 5; // of the answer to a wrong move
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
          <span class="status">{practice.foundCount.value} found so far</span>
        </div>
      </div>
      <p class={`verdict ${answer}`} role="status" data-testid="practice">
        {instruction(app)}
      </p>
      <div class="play-buttons">
        {answer === "wrong" && (
          <Button look="primary" onClick={() => practice.retry()}>
            Try again
          </Button>
        )}
        {(answer === "asked" || answer === "wrong") && (
          <Button onClick={() => practice.showMove()}>Show the move</Button>
        )}
        {!(isDone && isLast) && (
          <Button look={isDone ? "primary" : ""} onClick={() => practice.next()}>
            {isDone ? "Next" : "Skip"}
          </Button>
        )}
        <Button look={isDone && isLast ? "primary" : ""} onClick={() => practice.end()}>
          <Icon name="stop" /> {isDone && isLast ? "Done" : "End"}
        </Button>
      </div>
    </section>
  );
}

function instruction(app: App): string {
  const mistake = app.practice.mistake.value;
  const before = mistake?.parent;
  if (!mistake || !before) return "";
  const move = `${moveNumber(mistake.ply)} ${mistake.san}`;
  const played = app.practice.tried.value?.san ?? "";
  switch (app.practice.answer.value) {
    case "examined":
      return `Checking ${played}…`;
    case "right":
      return `${played} is good.`;
    case "wrong":
      return `${played} is not good enough${refutationText(app)}.`;
    case "shown":
      return `The engine prefers ${sanOf(before.fen, before.verdict?.best ?? "") ?? played}.${reason(mistake)}`;
    default: {
      const name = NAMES[mistake.judgement ?? "mistake"];
      return `${move} was ${name}. Find a better move for ${sideName(before.turn)}.`;
    }
  }
}

function reason(mistake: GameNode): string {
  const missed = missedBy(mistake);
  return missed ? ` ${missed}.` : "";
}

/** Return how the other side answers a wrong move: `: Black answers 6… Nxg5 7. d4`. */
function refutationText(app: App): string {
  const node = app.practice.tried.value;
  if (!node) return "";
  const sans = sansOf(node.fen, app.practice.refutation.value, MOST_MOVES);
  const words = sans.map((san, at) => {
    const ply = node.ply + 1 + at;
    return at === 0 || ply % 2 ? `${moveNumber(ply)}\u00a0${san}` : san; // on one line
  });
  return words.length ? `: ${sideName(node.turn)} answers ${words.join(" ")}` : "";
}
