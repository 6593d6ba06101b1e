/** The panel of the engine: choice, status, evaluation, lines and figures; the evaluation bar. */

import { scoreText, shortScore, winChance } from "../analysis/score";
import type { App } from "../app";
import { type Findings, tablebaseWinner } from "../engine/findings";
import { sanOf } from "../game/tree";
import type { Score } from "../uci/line";
import { IconButton, Select } from "./controls";
import { Lines } from "./lines";
import { NO_CONTROL } from "./room";

export function EnginePanel({ app }: { app: App }) {
  const score = boardScore(app);
  const result = finalResult(app);
  return (
    <section class="engine" aria-label="Engine">
      <div class="engine-head">
        <Switch app={app} />
        <output class="headline" data-testid="headline" aria-label="Evaluation">
          {result ?? (score ? scoreText(score) : "–")}
        </output>
        <div class="engine-what">
          <EngineChoice app={app} />
          <Status app={app} />
        </div>
        <ThreatButton app={app} />
        <IconButton
          icon="sliders"
          label="Engine options"
          onClick={() => app.openDialog("options")}
        />
      </div>
      {!result && <Tablebase app={app} />}
      {!result && <Lines app={app} />}
      <Figures app={app} />
    </section>
  );
}

function ThreatButton({ app }: { app: App }) {
  if (!app.mayShowThreat.value) return null;
  return (
    <IconButton
      icon="threat"
      label="Show threat (x)"
      pressed={app.analysis.threat.value !== null}
      onClick={() => app.toggleThreat()}
    />
  );
}

function Switch({ app }: { app: App }) {
  const isOn = app.analysis.running.value;
  const hasControl = app.room.hasControl.value;
  const title = isOn ? "Stop the engine (l)" : "Start the engine (l)";
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={isOn}
      aria-label="Engine"
      disabled={!hasControl}
      title={hasControl ? title : NO_CONTROL}
      onClick={() => app.analysis.toggleEngine()}
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
      label="Choose the engine"
      value={app.engineToConfirm.value ?? app.chosen.value}
      options={engines.map((each) => [each, each === app.chosen.value ? name : each])}
      set={(engine) => app.chooseEngine(engine)}
    />
  );
}

function Status({ app }: { app: App }) {
  const [text, tone = ""] = statusOf(app);
  return (
    <span class={`status ${tone}`} data-testid="status" title={text}>
      {text}
    </span>
  );
}

function statusOf(app: App): readonly [text: string, tone?: string] {
  const { analysis } = app;
  const connection = analysis.main.connection.value;
  const progress = analysis.progress.value;
  if (app.wantsToken.value) return ["not signed in", "bad"];
  if (connection.type === "stopped") return [connection.problem.title, "bad"];
  if (connection.type === "lost") return ["connection lost: reconnecting…", "bad"];
  if (connection.type !== "open") return ["connecting…"];
  if (analysis.main.blocked.value) return ["not searching", "bad"];
  if (analysis.main.waiting.value) return [analysis.main.waiting.value, "waits"];
  if (progress) return [`analysing the game: ${progress.done} of ${progress.total}`];
  if (!analysis.running.value) return ["stopped"];
  if (analysis.threat.value) return [`threat: ${depthText(analysis.main.findings.value, true)}`];
  return [depthText(analysis.main.findings.value, analysis.main.isSearching.value)];
}

function depthText(findings: Findings | null, isSearching: boolean): string {
  if (!findings) return isSearching ? "searching…" : "ready";
  const depth = `depth ${findings.depth}`;
  if (!findings.isOver) return depth;
  if (!isSearching) return `${depth}, done`;
  return findings.newerDepth ? `${depth}, now ${findings.newerDepth}` : `${depth}, from before`;
}

function Tablebase({ app }: { app: App }) {
  const findings = app.analysis.boardFindings;
  const winner = findings && tablebaseWinner(findings);
  if (!winner) return null;
  return (
    <p class="tablebase" data-testid="tablebase">
      Tablebase: <b>{winner} wins</b>
    </p>
  );
}

function Figures({ app }: { app: App }) {
  const findings = app.analysis.main.findings.value;
  const wdl = findings?.lines[0]?.wdl;
  return (
    <div class="figures">
      {wdl && <Chances wdl={wdl} />}
      {figuresOf(findings, app.analysis.main.roundTrip.value).map(([label, value, title]) => (
        <span class="figure" title={title} key={title}>
          {label && <span class="figure-label">{label}</span>} {value}
        </span>
      ))}
    </div>
  );
}

type Figure = readonly [label: string, value: string, title: string];

function figuresOf(findings: Findings | null, roundTrip: number | null): Figure[] {
  const figures: Figure[] = [];
  if (findings?.nodes) figures.push(["nodes", short(findings.nodes), "Positions searched"]);
  const isLive = findings && (!findings.isOver || findings.newerDepth !== undefined);
  if (isLive) {
    const { nps, hashfull, tbhits } = findings;
    figures.push(["", `${short(nps)}/s`, "Positions per second"]);
    if (hashfull !== null) {
      figures.push(["hash", percent(hashfull), "How full the engine's hash table is"]);
    }
    if (tbhits) figures.push(["tb", short(tbhits), "Positions found in tablebases"]);
  }
  if (roundTrip !== null) {
    const ms = roundTrip.toFixed(roundTrip < 10 ? 1 : 0);
    figures.push(["", `${ms} ms`, "Round-trip time to the server"]);
  }
  const current = isLive && findings.currmove && sanOf(findings.fen, findings.currmove);
  if (current) figures.push(["at", current, "Move being searched"]);
  return figures;
}

function Chances({ wdl }: { wdl: readonly [number, number, number] }) {
  const [win, draw, lose] = wdl.map(percent);
  const words = `White wins ${win}, draw ${draw}, Black wins ${lose}`;
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
      aria-label="Evaluation"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(chance)}
      aria-valuetext={score ? scoreText(score) : "unknown"}
      title={score ? `${scoreText(score)}: White's chances ${chance.toFixed(0)} %` : ""}
    >
      <div class="eval-white" style={{ transform: `scaleY(${chance / 100})` }} />
      <span class={`eval-text ${chance >= 50 ? "of-white" : "of-black"}`}>
        {score && !isOver ? shortScore(score) : ""}
      </span>
    </div>
  );
}
