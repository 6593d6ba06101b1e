/** The report of a game: a graph of the chances, which also navigates, and a summary per side. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { mistakesOf } from "../analysis/practice";
import { type Coverage, coverageOf, disputedMoves, summarize } from "../analysis/review";
import { type Judgement, scoreText, winChance } from "../analysis/score";
import type { App } from "../app";
import { sideName } from "../game/position";
import { type GameNode, moveNumber } from "../game/tree";
import { NO_CONTROL } from "../room/people";
import { Button, Icon, Select } from "./controls";
import { Panel, rememberedFolding } from "./panel";
import { TimeGraph, useBars } from "./times";

const WIDTH = 600;
const HEIGHT = 120;
const NAMES: readonly [Judgement, string][] = [
  ["inaccuracy", "inaccuracies"],
  ["mistake", "mistakes"],
  ["blunder", "blunders"],
];
const TIMES: readonly [ms: string, name: string][] = [
  ["100", "0.1 s/move"],
  ["300", "0.3 s/move"],
  ["1000", "1 s/move"],
  ["3000", "3 s/move"],
  ["10000", "10 s/move"],
];

const PLACES: readonly [place: string, name: string][] = [
  ["server", "on the server"],
  ["tab", "in this tab"],
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
      title="Game analysis"
      look="report"
      folding={hasBody ? rememberedFolding(app, "report") : undefined}
      actions={
        progress ? (
          <>
            <progress max={progress.total} value={progress.done} aria-label="Game analysis" />
            <Button look="small" onClick={() => app.analysis.endReview()}>
              <Icon name="stop" /> Stop
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
      {`${engine} judges ${moves.length || "no"} ${moves.length === 1 ? "move" : "moves"} otherwise.`}
      {next && (
        <Button look="small" onClick={() => app.study.goTo(next)}>
          {moves.length === 1 ? "Show it" : "Next"}
        </Button>
      )}
    </p>
  );
}

/** Words on a game with scores that make no report of it. */
function NotJudged({ coverage }: { coverage: Coverage }) {
  const { moves, judged, scored, isReport } = coverage;
  if (isReport || !scored) return null;
  const text = judged
    ? `${judged} of ${moves} moves ${judged === 1 ? "is" : "are"} judged.`
    : `Scores at ${scored} of ${moves + 1} positions; no move is judged.`;
  return (
    <p class="hint" data-testid="coverage">
      {text}
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
        title={mayStart ? undefined : NO_CONTROL}
        onClick={start}
      >
        <Icon name="chart" /> {buttonText(isAnalysed, areAll)}
      </Button>
      <Select
        label="Time per move"
        value={String(app.settings.value.reviewMs)}
        disabled={!mayStart}
        options={TIMES}
        set={(ms) => app.changeSettings({ reviewMs: +ms })}
      />
      {app.jobs.isOffered.value && (
        <Select
          label="Where to analyse"
          value={onServer ? "server" : "tab"}
          disabled={!mayStart}
          options={PLACES}
          set={(place) => app.changeSettings({ reviewPlace: place === "tab" ? "tab" : "server" })}
        />
      )}
      {onServer && count > 1 && (
        <Select
          label="Games to analyse"
          value={isForAll.value ? "all" : "one"}
          disabled={!mayStart}
          options={[
            ["one", "this game"],
            ["all", `all ${count} games`],
          ]}
          set={(games) => (isForAll.value = games === "all")}
        />
      )}
    </span>
  );
}

function buttonText(isAnalysed: boolean, areAll: boolean): string {
  if (areAll) return "Analyse the games";
  return isAnalysed ? "Analyse again" : "Analyse the game";
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
      <b class={`side ${color}`}>{name && name !== "?" ? name : side}</b>
      {accuracy !== null && <span class="accuracy">{accuracy.toFixed(0)} % accuracy</span>}
      {NAMES.map(([judgement, plural]) => (
        <button
          type="button"
          key={judgement}
          class={`count ${judgement}`}
          disabled={!counts[judgement]}
          title={`${side}'s next ${judgement}`}
          onClick={() => goToNext(app, color, judgement)}
        >
          {counts[judgement]} {counts[judgement] === 1 ? judgement : plural}
        </button>
      ))}
      {mistakesOf(tree, color).length > 0 && (
        <Button
          look="small"
          disabled={!hasControl}
          title={hasControl ? `Learn from ${side}'s mistakes` : NO_CONTROL}
          onClick={() => app.practice.start(color)}
        >
          Practise
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
        aria-label="Chances during the game; use the move list to navigate"
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
  const move = node.parent ? `${moveNumber(node.ply)} ${node.san}` : "start";
  const score = node.verdict ? `  ${scoreText(node.verdict.score)}` : "";
  return `${move}${score}${node.judgement ? `  ${node.judgement}` : ""}`;
}
