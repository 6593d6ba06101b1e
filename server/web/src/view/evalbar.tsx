/** The bar beside the board: White's chance to win. */

import { scoreText, shortScore, winChance } from "../analysis/score";
import type { App } from "../app";
import type { Score } from "../uci/line";

/** What the current position is worth, by the end of the game, the search, or an analysis. */
export function currentScore(app: App): Score | null {
  const node = app.study.node.value;
  const { own } = app.analysis;
  const line = own?.lines[0];
  if (app.analysis.final.value) return app.analysis.final.value;
  if (line && own.fen === node.fen) return line.score;
  void app.study.version.value;
  return node.verdict?.score ?? null;
}

export function EvalBar({ app }: { app: App }) {
  const score = currentScore(app);
  const chance = score ? winChance(score) : 50;
  const isOver = app.analysis.final.value !== null;
  const text = score && !isOver ? shortScore(score) : "";
  const isFlipped = app.study.orientation.value === "black";
  return (
    <div
      class={`eval-bar ${isFlipped ? "flipped" : ""}`}
      role="meter"
      aria-label="Evaluation"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(chance)}
      aria-valuetext={score ? scoreText(score) : "unknown"}
      title={score ? `${scoreText(score)}: White's chances ${chance.toFixed(0)} %` : ""}
    >
      <div class="eval-white" style={{ transform: `scaleY(${chance / 100})` }} />
      <span class={`eval-text ${chance >= 50 ? "of-white" : "of-black"}`}>{text}</span>
    </div>
  );
}
