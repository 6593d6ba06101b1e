/** The engine: which one, whether it searches, how deep it is, how fast. */

import type { Findings } from "../analysis/engine";
import { scoreText, winChance } from "../analysis/score";
import { tablebaseWinner } from "../analysis/tablebase";
import type { App } from "../app";
import { sanOf } from "../game/tree";
import { currentScore } from "./evalbar";
import { IconButton } from "./icons";
import { Lines } from "./lines";
import { NO_CONTROL } from "./room";

export function EnginePanel({ app }: { app: App }) {
  const score = currentScore(app);
  const result = resultOf(app);
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
          onClick={() => {
            app.dialog.value = "options";
          }}
        />
      </div>
      {!result && <Tablebase app={app} />}
      {!result && <Lines app={app} />}
      <Figures app={app} />
    </section>
  );
}

/** What would the other side do, if it were to move? */
function ThreatButton({ app }: { app: App }) {
  if (!app.mayAskThreat.value) return null;
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
  const on = app.analysis.running.value;
  const hasControl = app.gathering.room.hasControl.value;
  const title = on ? "Stop the engine (l)" : "Start the engine (l)";
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      aria-label="Engine"
      disabled={!hasControl}
      title={hasControl ? title : NO_CONTROL}
      onClick={() => app.analysis.toggle()}
    >
      <span class="knob" />
    </button>
  );
}

function EngineChoice({ app }: { app: App }) {
  const engines = app.server.value?.engines ?? [];
  const name = app.analysis.engineName.value || app.chosen.value || "…";
  const isVisitor = app.gathering.visited.value !== null; // who takes what the room has
  if (engines.length < 2 || isVisitor) return <span class="engine-name">{name}</span>;
  return (
    <select
      class="engine-name"
      aria-label="Choose the engine"
      value={app.asked.value ?? app.chosen.value}
      onChange={(event) => app.choose(event.currentTarget.value)}
    >
      {engines.map((each) => (
        <option key={each} value={each}>
          {each === app.chosen.value ? name : each}
        </option>
      ))}
    </select>
  );
}

/** One line that says what is going on. */
function Status({ app }: { app: App }) {
  const link = app.analysis.link.value;
  const progress = app.analysis.progress.value;
  let text = "";
  let tone = "";
  if (app.wantsToken.value) [text, tone] = ["not signed in", "bad"];
  else if (link.kind === "stopped") [text, tone] = [link.problem.title, "bad"];
  else if (link.kind === "lost") [text, tone] = ["connection lost: reconnecting…", "bad"];
  else if (link.kind !== "open") text = "connecting…";
  else if (app.analysis.blocked.value) [text, tone] = ["not searching", "bad"];
  else if (app.analysis.place.value) [text, tone] = [app.analysis.place.value, "waits"];
  else if (progress) text = `analysing the game: ${progress.done} of ${progress.total}`;
  else if (!app.analysis.running.value) text = "stopped";
  else if (app.analysis.threat.value) {
    text = `threat: ${depthText(app.analysis.findings.value, true)}`;
  } else text = depthText(app.analysis.findings.value, app.analysis.isSearching.value);
  return (
    <span class={`status ${tone}`} data-testid="status" title={text}>
      {text}
    </span>
  );
}

function depthText(findings: Findings | null, isSearching: boolean): string {
  if (!findings) return isSearching ? "searching…" : "ready";
  const depth = `depth ${findings.depth}`;
  if (!findings.isOver) return depth;
  if (!isSearching) return `${depth}, done`;
  return findings.behind ? `${depth}, now ${findings.behind}` : `${depth}, from before`;
}

function Tablebase({ app }: { app: App }) {
  const findings = app.analysis.own;
  const winner = findings && tablebaseWinner(findings);
  if (!winner) return null;
  return (
    <p class="tablebase" data-testid="tablebase">
      Tablebase: <b>{winner} wins</b>
    </p>
  );
}

function Figures({ app }: { app: App }) {
  const findings = app.analysis.findings.value;
  const best = findings?.lines[0];
  const rtt = app.analysis.roundTrip.value;
  const current = findings?.current && sanOf(findings.fen, findings.current);
  const isLive = findings && (!findings.isOver || findings.behind !== undefined);
  return (
    <div class="figures">
      {best?.wdl && <Chances wdl={best.wdl} />}
      {findings && findings.nodes > 0 && (
        <Figure label="nodes" value={short(findings.nodes)} title="Positions searched" />
      )}
      {isLive && <Figure value={`${short(findings.nps)}/s`} title="Positions per second" />}
      {isLive && findings.hashfull !== null && (
        <Figure
          label="hash"
          value={`${(findings.hashfull / 10).toFixed(0)} %`}
          title="How full the engine's hash table is"
        />
      )}
      {isLive && findings.tbhits > 0 && (
        <Figure label="tb" value={short(findings.tbhits)} title="Positions found in tablebases" />
      )}
      {rtt !== null && (
        <Figure
          value={`${rtt < 10 ? rtt.toFixed(1) : rtt.toFixed(0)} ms`}
          title="Round-trip time to the server"
        />
      )}
      {isLive && current && <Figure label="at" value={current} title="Move being searched" />}
    </div>
  );
}

function Figure(props: { label?: string; value: string; title: string }) {
  return (
    <span class="figure" title={props.title}>
      {props.label && <span class="figure-label">{props.label}</span>} {props.value}
    </span>
  );
}

function Chances({ wdl }: { wdl: readonly [number, number, number] }) {
  const [win, draw, lose] = wdl.map((each) => `${(each / 10).toFixed(0)} %`);
  return (
    <span
      class="chances"
      role="img"
      title={`White wins ${win}, draw ${draw}, Black wins ${lose}`}
      aria-label={`White wins ${win}, draw ${draw}, Black wins ${lose}`}
    >
      <i class="win" style={{ flexGrow: wdl[0] }} />
      <i class="draw" style={{ flexGrow: wdl[1] }} />
      <i class="lose" style={{ flexGrow: wdl[2] }} />
    </span>
  );
}

/** How the game has ended in the current position, if it has. */
function resultOf(app: App): string | null {
  const final = app.analysis.final.value;
  if (!final) return null;
  if (final.kind === "cp") return "½–½";
  return winChance(final) > 50 ? "1–0" : "0–1";
}

function short(number: number): string {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e4 ? `${(number / 1e3).toFixed(0)} k` : String(number);
}
