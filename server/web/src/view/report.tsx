/** The report of a game: a graph of the chances, which also navigates, and a summary per side. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { mistakesOf } from "../analysis/practice";
import { type Coverage, coverageOf, disputedMoves, summarize } from "../analysis/review";
import { JUDGEMENTS, type Judgement, scoreText, winChance } from "../analysis/score";
import type { App } from "../app";
import { sideName } from "../game/position";
import { type GameNode, moveNumber } from "../game/tree";
import { text } from "../language/catalogue";
import { Button, Icon, Select } from "./controls";
import { Panel, rememberedFolding } from "./panel";
import { TimeGraph, useBars } from "./times";

const WIDTH = 600;
const HEIGHT = 120;
const COUNTS: readonly [Judgement, string][] = [
  ["inaccuracy", "report-inaccuracies"],
  ["mistake", "report-mistakes"],
  ["blunder", "report-blunders"],
];
const NEXT = {
  white: {
    inaccuracy: "report-next-inaccuracy-white",
    mistake: "report-next-mistake-white",
    blunder: "report-next-blunder-white",
  },
  black: {
    inaccuracy: "report-next-inaccuracy-black",
    mistake: "report-next-mistake-black",
    blunder: "report-next-blunder-black",
  },
} as const;
const TIMES = [100, 300, 1000, 3000, 10_000]; // ms
const PLACES: readonly [place: string, name: string][] = [
  ["server", "report-on-server"],
  ["tab", "report-in-tab"],
];

export function Report({ app }: { app: App }) {
  void app.study.version.value;
  const tree = app.study.tree.value;
  const bars = useBars(app);
  const progress = app.analysis.progress.value;
  const nodes = tree.mainline();
  if (nodes.length < 2) return null;
  const coverage = coverageOf(tree);
  const hasGraph = coverage.scored > 1 || progress;
  const hasBody = hasGraph || coverage.scored > 0 || bars.length > 0;
  return (
    <Panel
      title={text("report")}
      look="report"
      folding={hasBody ? rememberedFolding(app, "report") : undefined}
      actions={
        progress ? (
          <>
            <progress max={progress.total} value={progress.done} aria-label={text("report")} />
            <Button look="small" onClick={() => app.analysis.endReview()}>
              <Icon name="stop" /> {text("report-stop")}
            </Button>
          </>
        ) : (
          <StartButton app={app} isAnalysed={coverage.isReport} />
        )
      }
    >
      {hasGraph && <Graph app={app} nodes={nodes} />}
      {bars.length > 0 && <TimeGraph app={app} bars={bars} />}
      {coverage.isReport && !progress && <Summaries app={app} />}
      <Disputes app={app} />
      {!progress && <NotJudged coverage={coverage} />}
    </Panel>
  );
}

/** The moves that a second engine judges otherwise, and the way to the next of them. */
function Disputes({ app }: { app: App }) {
  void app.study.version.value;
  const tree = app.study.tree.value;
  const engine = tree.root.line().find(({ second }) => second)?.second?.engine;
  if (engine === undefined) return null;
  const moves = disputedMoves(tree);
  const { ply } = app.study.node.value;
  const next = moves.find((move) => move.ply > ply) ?? moves[0];
  return (
    <p class="disputes" data-testid="disputes">
      {text("report-disputes", { engine, count: moves.length })}
      {next && (
        <Button look="small" onClick={() => app.study.goTo(next)}>
          {text(moves.length === 1 ? "report-show-it" : "report-next")}
        </Button>
      )}
    </p>
  );
}

/** Words on a game with scores that make no report of it. */
function NotJudged({ coverage }: { coverage: Coverage }) {
  const { moves, judged, scored, isReport } = coverage;
  if (isReport || !scored) return null;
  const words = judged
    ? text("report-judged", { judged, moves })
    : text("report-scores-only", { scored, positions: moves + 1 });
  return (
    <p class="hint" data-testid="coverage">
      {words}
    </p>
  );
}

function StartButton({ app, isAnalysed }: { app: App; isAnalysed: boolean }) {
  const isForAll = useSignal(false);
  const mayStart = app.room.hasControl.value;
  const onServer = app.reviewer.reviewsOnServer.value;
  const count = app.study.games.value.length;
  const areAll = onServer && count > 1 && isForAll.value;
  const start = () => (areAll ? void app.reviewer.startJob(true) : app.reviewer.analyseGame());
  useEffect(() => void app.jobs.probe(), [app]);
  return (
    <span class="start-review">
      <Button
        look={isAnalysed ? "" : "primary"}
        disabled={!mayStart || app.jobs.isPosting.value}
        title={mayStart ? undefined : text("room-no-control")}
        onClick={start}
      >
        <Icon name="chart" /> {buttonText(isAnalysed, areAll)}
      </Button>
      <Select
        label={text("report-time-per-move")}
        value={String(app.settings.value.reviewMs)}
        disabled={!mayStart}
        options={TIMES.map((ms) => [String(ms), text("report-seconds", { seconds: ms / 1000 })])}
        set={(ms) => app.changeSettings({ reviewMs: +ms })}
      />
      {app.jobs.isOffered.value && (
        <Select
          label={text("report-where")}
          value={onServer ? "server" : "tab"}
          disabled={!mayStart}
          options={PLACES.map(([place, id]) => [place, text(id)])}
          set={(place) => app.changeSettings({ reviewPlace: place === "tab" ? "tab" : "server" })}
        />
      )}
      {onServer && count > 1 && (
        <Select
          label={text("report-games")}
          value={isForAll.value ? "all" : "one"}
          disabled={!mayStart}
          options={[
            ["one", text("report-this-game")],
            ["all", text("report-all-games", { count })],
          ]}
          set={(games) => (isForAll.value = games === "all")}
        />
      )}
    </span>
  );
}

function buttonText(isAnalysed: boolean, areAll: boolean): string {
  if (areAll) return text("report-analyse-games");
  return text(isAnalysed ? "report-again" : "report-analyse");
}

function Summaries({ app }: { app: App }) {
  return (
    <div class="summaries">
      <SideSummary app={app} color="white" />
      <SideSummary app={app} color="black" />
    </div>
  );
}

function SideSummary({ app, color }: { app: App; color: "white" | "black" }) {
  const tree = app.study.tree.value;
  const hasControl = app.room.hasControl.value;
  const { accuracy, counts } = summarize(tree, color);
  const side = sideName(color);
  const name = tree.headers.get(side);
  return (
    <div class="summary">
      <b class={`side ${color}`}>{name && name !== "?" ? name : text(color)}</b>
      {accuracy !== null && (
        <span class="accuracy">{text("report-accuracy", { percent: accuracy.toFixed(0) })}</span>
      )}
      {COUNTS.map(([judgement, id]) => (
        <button
          type="button"
          key={judgement}
          class={`count ${judgement}`}
          disabled={!counts[judgement]}
          title={text(NEXT[color][judgement])}
          onClick={() => goToNext(app, color, judgement)}
        >
          {text(id, { count: counts[judgement] })}
        </button>
      ))}
      {mistakesOf(tree, color).length > 0 && (
        <Button
          look="small"
          disabled={!hasControl}
          title={
            hasControl
              ? text(color === "white" ? "report-learn-white" : "report-learn-black")
              : text("room-no-control")
          }
          onClick={() => app.practice.start(color)}
        >
          {text("report-practise")}
        </Button>
      )}
    </div>
  );
}

function goToNext(app: App, color: "white" | "black", judgement: Judgement): void {
  const line = app.study.tree.peek().root.line();
  const found = line.filter((each) => each.judgement === judgement && each.parent?.turn === color);
  const { ply } = app.study.node.peek();
  const next = found.find((node) => node.ply > ply) ?? found[0];
  if (next) app.study.goTo(next);
}

function Graph({ app, nodes }: { app: App; nodes: readonly GameNode[] }) {
  const hovered = useSignal<GameNode | null>(null);
  const xOf = (at: number) => (at / (nodes.length - 1)) * WIDTH;
  const known = nodes.flatMap((node, at) =>
    node.verdict
      ? [{ node, x: xOf(at), y: HEIGHT * (1 - winChance(node.verdict.score) / 100) }]
      : [],
  );
  const top = known.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" L");
  const start = known[0]?.x ?? 0;
  const end = known.at(-1)?.x ?? 0;
  const area = top && `M${start.toFixed(1)},${HEIGHT} L${top} L${end.toFixed(1)},${HEIGHT} Z`;
  const at = nodes.indexOf(app.study.node.value);
  const nodeAt = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - left) / width));
    return nodes[Math.round(share * (nodes.length - 1))] ?? null;
  };
  const goToPointer = (event: PointerEvent) => {
    const node = nodeAt(event);
    if (node) app.study.goTo(node);
  };
  return (
    <div class="graph">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text("report-graph")}
        onPointerDown={goToPointer}
        onPointerMove={(event) => {
          hovered.value = nodeAt(event);
          if (event.buttons === 1) goToPointer(event);
        }}
        onPointerLeave={() => (hovered.value = null)}
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
      {hovered.value && <span class="graph-label">{labelOf(hovered.value)}</span>}
    </div>
  );
}

function labelOf(node: GameNode): string {
  const move = node.parent ? `${moveNumber(node.ply)} ${node.san}` : text("report-start");
  const score = node.verdict ? `  ${scoreText(node.verdict.score)}` : "";
  return `${move}${score}${node.judgement ? `  ${text(JUDGEMENTS[node.judgement])}` : ""}`;
}
