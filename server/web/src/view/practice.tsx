/** The panel of practice with the mistakes of a game. */

import { missedBy } from "../analysis/missed";
import type { App } from "../app";
import { type GameNode, moveNumber, sanOf, sansOf } from "../game/tree";
import { text } from "../language/catalogue";
import { Button, Icon } from "./controls";

const MOST_MOVES = 5; // of the answer to a wrong move
const QUESTIONS = {
  white: {
    inaccuracy: "practice-inaccuracy-white",
    mistake: "practice-mistake-white",
    blunder: "practice-blunder-white",
  },
  black: {
    inaccuracy: "practice-inaccuracy-black",
    mistake: "practice-mistake-black",
    blunder: "practice-blunder-black",
  },
} as const;

export function PracticePanel({ app }: { app: App }) {
  const { practice } = app;
  const mistake = practice.mistake.value;
  if (!mistake) return null;
  const answer = practice.answer.value;
  const isDone = answer === "right" || answer === "shown";
  const isLast = practice.number === practice.total;
  return (
    <section class="engine practice" aria-label={text("practice")}>
      <div class="engine-head">
        <div class="engine-what">
          <b>{text("practice-number", { number: practice.number, total: practice.total })}</b>
          <span class="status">{text("practice-found", { count: practice.foundCount.value })}</span>
        </div>
      </div>
      <p class={`verdict ${answer}`} role="status" data-testid="practice">
        {instruction(app)}
      </p>
      <div class="play-buttons">
        {answer === "wrong" && (
          <Button look="primary" onClick={() => practice.retry()}>
            {text("retry")}
          </Button>
        )}
        {(answer === "asked" || answer === "wrong") && (
          <Button onClick={() => practice.showMove()}>{text("practice-show")}</Button>
        )}
        {!(isDone && isLast) && (
          <Button look={isDone ? "primary" : ""} onClick={() => practice.next()}>
            {text(isDone ? "practice-next" : "practice-skip")}
          </Button>
        )}
        <Button look={isDone && isLast ? "primary" : ""} onClick={() => practice.end()}>
          <Icon name="stop" /> {text(isDone && isLast ? "practice-done" : "practice-end")}
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
      return text("practice-checking", { move: played });
    case "right":
      return text("practice-good", { move: played });
    case "wrong":
      return refutationText(app, played);
    case "shown":
      return withReason(
        text("practice-engine-prefers", {
          move: sanOf(before.fen, before.verdict?.best ?? "") ?? played,
        }),
        mistake,
      );
    default:
      return text(QUESTIONS[before.turn][mistake.judgement ?? "mistake"], { move });
  }
}

function withReason(said: string, mistake: GameNode): string {
  const missed = missedBy(mistake);
  return missed ? `${said} ${missed}` : said; // two sentences
}

/** Return how the other side answers a wrong move: `Black answers 6… Nxg5 7. d4`. */
function refutationText(app: App, move: string): string {
  const node = app.practice.tried.value;
  if (!node) return "";
  const sans = sansOf(node.fen, app.practice.refutation.value, MOST_MOVES);
  const words = sans.map((san, at) => {
    const ply = node.ply + 1 + at;
    return at === 0 || ply % 2 ? `${moveNumber(ply)}\u00a0${san}` : san; // on one line
  });
  if (!words.length) return text("practice-not-good-enough", { move });
  const id = node.turn === "white" ? "practice-refuted-by-white" : "practice-refuted-by-black";
  return text(id, { move, answer: words.join(" ") });
}
