/** The panel of the engine: choice, status, evaluation, lines and figures; the evaluation bar. */

import { scoreText, shortScore, winChance } from "../analysis/score";
import type { Searcher } from "../analysis/searcher";
import type { App } from "../app";
import { type Findings, tablebaseWinner } from "../engine/findings";
import { sanOf } from "../game/tree";
import { text } from "../language/catalogue";
import { wordsOf } from "../language/problems";
import type { Score } from "../uci/line";
import { IconButton, Select } from "./controls";
import { later } from "./later";
import { Lines } from "./lines";

const KeepButton = later(() => import("./keep_analysis").then((it) => it.KeepButton));

export function EnginePanel({ app }: { app: App }) {
  const score = boardScore(app);
  const result = finalResult(app);
  const { main } = app.analysis;
  return (
    <section class="engine" aria-label={text("engine")}>
      <div class="engine-head">
        <Switch app={app} />
        <output class="headline" data-testid="headline" aria-label={text("evaluation")}>
          {result ?? (score ? scoreText(score) : "–")}
        </output>
        <div class="engine-what">
          <EngineChoice app={app} />
          <Status app={app} />
        </div>
        <ThreatButton app={app} />
        <AddButton app={app} />
        {app.keepsProjects.value && <KeepButton app={app} />}
        <IconButton
          icon="sliders"
          label={text("engine-options")}
          onClick={() => app.openOptions(main)}
        />
      </div>
      {!result && <Tablebase app={app} />}
      {!result && (
        <Lines
          app={app}
          searcher={main}
          lines={app.settings.value.lines}
          isRunning={app.analysis.running.value}
        />
      )}
      <Figures searcher={main} hasShare={app.analysis.companions.list.value.length > 0} />
    </section>
  );
}

function ThreatButton({ app }: { app: App }) {
  if (!app.mayShowThreat.value) return null;
  return (
    <IconButton
      icon="threat"
      label={text("engine-show-threat")}
      pressed={app.analysis.threat.value !== null}
      onClick={() => app.toggleThreat()}
    />
  );
}

/** The way to one more engine, as long as there is one that is not at work. */
function AddButton({ app }: { app: App }) {
  const next = app.nextCompanion.value;
  if (next === null) return null;
  return (
    <IconButton
      icon="plus"
      label={text("engine-add")}
      onClick={() => app.analysis.companions.add(next)}
    />
  );
}

function Switch({ app }: { app: App }) {
  const hasControl = app.room.hasControl.value;
  const isOn = app.analysis.running.value;
  const title = isOn ? text("engine-stop") : text("engine-start");
  return (
    <EngineSwitch
      label={text("engine")}
      isOn={isOn}
      isDisabled={!hasControl}
      title={hasControl ? title : text("room-no-control")}
      toggle={() => app.analysis.toggleEngine()}
    />
  );
}

export function EngineSwitch(props: {
  label: string;
  isOn: boolean;
  isDisabled?: boolean;
  title: string;
  toggle: () => void;
}) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={props.isOn}
      aria-label={props.label}
      disabled={props.isDisabled ?? false}
      title={props.title}
      onClick={props.toggle}
    >
      <span class="knob" />
    </button>
  );
}

function EngineChoice({ app }: { app: App }) {
  const engines = app.server.value?.engines ?? [];
  const name = app.analysis.main.engineName.value || app.chosen.value || "…";
  const isViewer = app.room.watched.value !== null; // The room has the choice.
  if (engines.length < 2 || isViewer) return <span class="engine-name">{name}</span>;
  return (
    <Select
      class="engine-name"
      label={text("engine-choose")}
      value={app.engineToConfirm.value ?? app.chosen.value}
      options={engines.map((each) => [each, each === app.chosen.value ? name : each])}
      set={(engine) => app.chooseEngine(engine)}
    />
  );
}

function Status({ app }: { app: App }) {
  const [words, tone = ""] = statusOf(app);
  return (
    <span class={`status ${tone}`} data-testid="status" title={words}>
      {words}
    </span>
  );
}

type StatusText = readonly [text: string, tone?: string];

function statusOf(app: App): StatusText {
  const { main, progress, running, threat } = app.analysis;
  if (app.wantsToken.value) return [text("engine-not-signed-in"), "bad"];
  const trouble = troubleOf(main);
  if (trouble) return trouble;
  const { value } = progress;
  if (value) return [text("engine-analysing-game", { done: value.done, total: value.total })];
  if (!running.value) return [text("engine-stopped")];
  if (threat.value) return [text("engine-threat", { depth: depthText(main.findings.value, true) })];
  const { hasControl, board } = app.room;
  const isElsewhere = !hasControl.value && !board.isLive.value;
  if (isElsewhere && !main.findings.value) return [text("engine-at-live-position")];
  return [depthText(main.findings.value, main.isSearching.value)];
}

/** Return what keeps an engine from searching; null if nothing does. */
function troubleOf({ connection, blocked, waiting }: Searcher): StatusText | null {
  const { value } = connection;
  if (value.type === "stopped") return [wordsOf(value.problem).title, "bad"];
  if (value.type === "lost") return [text("engine-connection-lost"), "bad"];
  if (value.type !== "open") return [text("connecting")];
  if (blocked.value) return [text("engine-not-searching"), "bad"];
  return waiting.value ? [waiting.value, "waits"] : null;
}

export function SearcherStatus({ searcher, isOn }: { searcher: Searcher; isOn: boolean }) {
  const { findings, isSearching } = searcher;
  const depth = () => depthText(findings.value, isSearching.value);
  const [words, tone = ""] = troubleOf(searcher) ?? [isOn ? depth() : text("engine-stopped")];
  return (
    <span class={`status ${tone}`} title={words}>
      {words}
    </span>
  );
}

function depthText(findings: Findings | null, isSearching: boolean): string {
  if (!findings) return isSearching ? text("engine-searching") : text("engine-ready");
  const depth = String(findings.depth);
  if (!findings.isOver) return text("engine-depth", { depth });
  if (!isSearching) return text("engine-depth-done", { depth });
  if (!findings.newerDepth) return text("engine-depth-saved", { depth });
  return text("engine-depth-saved-searching", { depth, newer: String(findings.newerDepth) });
}

function Tablebase({ app }: { app: App }) {
  const findings = app.analysis.boardFindings;
  const winner = findings && tablebaseWinner(findings);
  if (!winner) return null;
  return (
    <p class="tablebase" data-testid="tablebase">
      {text(winner === "White" ? "engine-tablebase-white" : "engine-tablebase-black")}
    </p>
  );
}

/** `hasShare`: other engines are at work, so that its share of the threads is of interest. */
export function Figures({ searcher, hasShare }: { searcher: Searcher; hasShare: boolean }) {
  const findings = searcher.findings.value;
  const share = hasShare ? threadsOf(searcher) : null;
  const wdl = findings?.lines[0]?.wdl;
  return (
    <div class="figures">
      {wdl && <Chances wdl={wdl} />}
      {share && <ThreadsShare {...share} />}
      {figuresOf(findings, searcher.roundTrip.value).map(([label, value, title]) => (
        <span class="figure" title={title} key={title}>
          {label && <span class="figure-label">{label}</span>} {value}
        </span>
      ))}
    </div>
  );
}

function ThreadsShare({ own, most }: { own: number; most: number }) {
  return (
    <span class="figure" title={text("engine-threads-title", { most })}>
      <span class="figure-label">{text("engine-threads")}</span>{" "}
      {text("engine-share", { own, most })}
    </span>
  );
}

/** Return the threads that an engine has, and may have; null if it has no choice. */
function threadsOf({ options }: Searcher): { own: number; most: number } | null {
  const option = options.offered.value.find(({ name }) => name === "Threads");
  if (option?.type !== "spin" || option.max < 2) return null;
  return { own: Number(options.value(option)), most: option.max };
}

type Figure = readonly [label: string, value: string, title: string];

function figuresOf(findings: Findings | null, roundTrip: number | null): Figure[] {
  const figures: Figure[] = [];
  if (findings?.nodes)
    figures.push([text("engine-nodes"), short(findings.nodes), text("engine-nodes-title")]);
  const isLive = findings && (!findings.isOver || findings.newerDepth !== undefined);
  if (isLive) {
    const { nps, hashfull, tbhits } = findings;
    figures.push(["", text("engine-speed", { speed: short(nps) }), text("engine-speed-title")]);
    if (hashfull !== null) {
      figures.push([text("engine-hash"), percent(hashfull), text("engine-hash-title")]);
    }
    if (tbhits) figures.push([text("engine-tb"), short(tbhits), text("engine-tb-title")]);
  }
  if (roundTrip !== null) {
    const ms = roundTrip.toFixed(roundTrip < 10 ? 1 : 0);
    figures.push(["", `${ms} ms`, text("engine-round-trip-title")]);
  }
  const current = isLive && findings.currmove && sanOf(findings.fen, findings.currmove);
  if (current) figures.push([text("engine-at"), current, text("engine-at-title")]);
  return figures;
}

function Chances({ wdl }: { wdl: readonly [number, number, number] }) {
  const [win = "", draw = "", lose = ""] = wdl.map(percent);
  const words = text("engine-chances", { win, draw, lose });
  return (
    <span class="chances" role="img" title={words} aria-label={words}>
      <i class="win" style={{ flexGrow: wdl[0] }} />
      <i class="draw" style={{ flexGrow: wdl[1] }} />
      <i class="lose" style={{ flexGrow: wdl[2] }} />
    </span>
  );
}

/** Return the result if the game is over in the position on the board. */
function finalResult(app: App): string | null {
  const score = app.analysis.finalScore.value;
  if (!score) return null;
  if (score.kind === "cp") return "½–½";
  return winChance(score) > 50 ? "1–0" : "0–1";
}

function percent(thousandths: number): string {
  return `${(thousandths / 10).toFixed(0)} %`;
}

function short(number: number): string {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e4 ? `${(number / 1e3).toFixed(0)} k` : String(number);
}

/** Return the score on the board: of a game that is over, of the search, or of a review. */
function boardScore(app: App): Score | null {
  const node = app.study.node.value;
  const { boardFindings, finalScore } = app.analysis;
  const line = boardFindings?.lines[0];
  if (finalScore.value) return finalScore.value;
  if (line && boardFindings.key === app.analysis.boardKey.value) return line.score;
  void app.study.version.value;
  return node.verdict?.score ?? null;
}

/** The bar beside the board: White's chance to win. */
export function EvaluationBar({ app }: { app: App }) {
  const score = boardScore(app);
  const chance = score ? winChance(score) : 50;
  const isOver = app.analysis.finalScore.value !== null;
  const isFlipped = app.study.orientation.value === "black";
  return (
    <div
      class={`eval-bar ${isFlipped ? "flipped" : ""}`}
      role="meter"
      aria-label={text("evaluation")}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(chance)}
      aria-valuetext={score ? scoreText(score) : text("evaluation-unknown")}
      title={
        score
          ? text("evaluation-chances", { score: scoreText(score), chance: chance.toFixed(0) })
          : ""
      }
    >
      <div class="eval-white" style={{ transform: `scaleY(${chance / 100})` }} />
      <span class={`eval-text ${chance >= 50 ? "of-white" : "of-black"}`}>
        {score && !isOver ? shortScore(score) : ""}
      </span>
    </div>
  );
}
