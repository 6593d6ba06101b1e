/** What each position of the game was worth, as a graph that is also a navigator. */

import { useSignal } from "@preact/signals";
import { mistakesOf } from "../analysis/practice";
import { summarize } from "../analysis/review";
import { type Judgement, scoreText, winChance } from "../analysis/score";
import type { App } from "../app";
import { type GameNode, moveNumber } from "../game/tree";
import { Icon } from "./icons";
import { NO_CONTROL } from "./room";

const WIDTH = 600;
const HEIGHT = 120;
const NAMES: readonly [Judgement, string][] = [
  ["inaccuracy", "inaccuracies"],
  ["mistake", "mistakes"],
  ["blunder", "blunders"],
];

export function Report({ app }: { app: App }) {
  void app.study.version.value;
  const tree = app.study.tree.value;
  const progress = app.analysis.progress.value;
  const nodes = tree.mainline();
  if (nodes.length < 2) return null;
  const isAnalysed = nodes.some((node) => node.verdict);
  return (
    <section class="report" aria-label="Game analysis">
      {(isAnalysed || progress) && <Graph app={app} nodes={nodes} />}
      <div class="report-row">
        {progress ? (
          <>
            <progress max={progress.total} value={progress.done} aria-label="Game analysis" />
            <button type="button" class="button" onClick={() => app.analysis.endReview()}>
              <Icon name="stop" /> Stop
            </button>
          </>
        ) : (
          <>
            {isAnalysed && <Summaries app={app} />}
            <Start app={app} again={isAnalysed} />
          </>
        )}
      </div>
    </section>
  );
}

function Start({ app, again }: { app: App; again: boolean }) {
  const ms = app.settings.value.reviewMs;
  const mayStart = app.gathering.room.hasControl.value;
  return (
    <span class="start-review">
      <button
        type="button"
        class={`button ${again ? "" : "primary"}`}
        disabled={!mayStart}
        title={mayStart ? undefined : NO_CONTROL}
        onClick={() => app.analysis.startReview()}
      >
        <Icon name="chart" /> {again ? "Analyse again" : "Analyse the game"}
      </button>
      <select
        aria-label="Time per move"
        value={String(ms)}
        disabled={!mayStart}
        onChange={(event) => app.change({ reviewMs: +event.currentTarget.value })}
      >
        <option value="100">0.1 s/move</option>
        <option value="300">0.3 s/move</option>
        <option value="1000">1 s/move</option>
        <option value="3000">3 s/move</option>
        <option value="10000">10 s/move</option>
      </select>
    </span>
  );
}

function Summaries({ app }: { app: App }) {
  const tree = app.study.tree.value;
  const hasControl = app.gathering.room.hasControl.value;
  return (
    <div class="summaries">
      {(["white", "black"] as const).map((color) => {
        const { accuracy, counts } = summarize(tree, color);
        const name = tree.headers.get(color === "white" ? "White" : "Black") ?? "";
        return (
          <div class="summary" key={color}>
            <b class={`side ${color}`}>
              {name && name !== "?" ? name : color === "white" ? "White" : "Black"}
            </b>
            {accuracy !== null && <span class="accuracy">{accuracy.toFixed(0)} % accuracy</span>}
            {NAMES.map(([judgement, plural]) => (
              <button
                type="button"
                key={judgement}
                class={`count ${judgement}`}
                disabled={!counts[judgement]}
                title={`${color === "white" ? "White" : "Black"}'s next ${judgement}`}
                onClick={() => goToNext(app, color, judgement)}
              >
                {counts[judgement]} {counts[judgement] === 1 ? judgement : plural}
              </button>
            ))}
            {mistakesOf(tree, color).length > 0 && (
              <button
                type="button"
                class="button small"
                disabled={!hasControl}
                title={
                  hasControl
                    ? `Learn from ${color === "white" ? "White" : "Black"}'s mistakes`
                    : NO_CONTROL
                }
                onClick={() => app.practice.start(color)}
              >
                Practise
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}

function goToNext(app: App, color: "white" | "black", judgement: Judgement): void {
  const found = app.study.tree
    .peek()
    .root.line()
    .filter((node) => node.judgement === judgement && node.parent?.turn === color);
  const here = app.study.node.peek();
  const next = found.find((node) => node.ply > here.ply) ?? found[0];
  if (next) app.study.go(next);
}

function Graph({ app, nodes }: { app: App; nodes: readonly GameNode[] }) {
  const hovered = useSignal<GameNode | null>(null);
  const xOf = (at: number) => (nodes.length < 2 ? 0 : (at / (nodes.length - 1)) * WIDTH);
  const known = nodes.flatMap((node, at) =>
    node.verdict
      ? [{ node, x: xOf(at), y: HEIGHT * (1 - winChance(node.verdict.score) / 100) }]
      : [],
  );
  const top = known.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" L");
  const start = known[0]?.x ?? 0;
  const end = known[known.length - 1]?.x ?? 0;
  const area = top && `M${start.toFixed(1)},${HEIGHT} L${top} L${end.toFixed(1)},${HEIGHT} Z`;
  const at = nodes.indexOf(app.study.node.value);
  const shown = hovered.value;
  const nodeAt = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - left) / width));
    return nodes[Math.round(share * (nodes.length - 1))] ?? null;
  };
  const visit = (event: PointerEvent) => {
    const node = nodeAt(event);
    if (node) app.study.go(node);
  };
  return (
    <div class="graph">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Chances during the game; use the move list to navigate"
        onPointerDown={visit}
        onPointerMove={(event) => {
          hovered.value = nodeAt(event);
          if (event.buttons === 1) visit(event);
        }}
        onPointerLeave={() => {
          hovered.value = null;
        }}
      >
        <rect class="graph-black" x={start} width={end - start} height={HEIGHT} />
        <path class="graph-white" d={area} />
        <line class="graph-middle" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {at >= 0 && <line class="graph-here" x1={xOf(at)} x2={xOf(at)} y1="0" y2={HEIGHT} />}
      </svg>
      {known.map(({ node, x, y }) =>
        node.judgement ? (
          <i
            key={node.id}
            class={`dot ${node.judgement}`}
            style={{ left: `${(x / WIDTH) * 100}%`, top: `${(y / HEIGHT) * 100}%` }}
          />
        ) : null,
      )}
      {shown && <span class="graph-label">{labelOf(shown)}</span>}
    </div>
  );
}

function labelOf(node: GameNode): string {
  const move = node.parent ? `${moveNumber(node.ply)} ${node.san}` : "start";
  const score = node.verdict ? `  ${scoreText(node.verdict.score)}` : "";
  return `${move}${score}${node.judgement ? `  ${node.judgement}` : ""}`;
}
