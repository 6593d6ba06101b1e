/** The engines beside the first one: a panel each, with lines, a switch and where it disagrees. */

import { type Companion, disagreement } from "../analysis/companions";
import { scoreText } from "../analysis/score";
import type { App } from "../app";
import type { Findings } from "../engine/findings";
import { sanOf } from "../game/tree";
import { text } from "../language/catalogue";
import { IconButton, Select } from "./controls";
import { EngineSwitch, Figures, SearcherStatus } from "./engine";
import { Lines } from "./lines";

const LINES = [1, 2, 3, 5, 10];

export function CompanionPanels({ app }: { app: App }) {
  if (app.wantsToken.value) return null;
  return (
    <>
      {app.analysis.companions.list.value.map((companion, at) => (
        <CompanionPanel key={at} app={app} companion={companion} />
      ))}
    </>
  );
}

function CompanionPanel({ app, companion }: { app: App; companion: Companion }) {
  const { companions } = app.analysis;
  const { searcher, choice } = companion;
  const { engine, lines, isRunning } = choice.value;
  const isOver = app.analysis.finalScore.value !== null;
  return (
    <section class="engine companion" aria-label={text("companion", { engine })}>
      <div class="engine-head">
        <EngineSwitch
          label={text("companion-engine", { engine })}
          isOn={isRunning}
          title={isRunning ? text("companion-stop") : text("companion-start")}
          toggle={() => companions.change(companion, { isRunning: !isRunning })}
        />
        <Headline app={app} companion={companion} />
        <div class="engine-what">
          <Select
            class="engine-name"
            label={text("companion-choose")}
            value={engine}
            options={(app.server.value?.engines ?? [engine]).map((each) => [
              each,
              each === engine ? searcher.engineName.value || each : each,
            ])}
            set={(other) => companions.change(companion, { engine: other })}
          />
          <SearcherStatus searcher={searcher} isOn={isRunning} />
        </div>
        <Select
          class="line-count"
          label={text("companion-lines", { engine })}
          value={String(lines)}
          options={LINES.map((count) => [String(count), `×${count}`])}
          set={(count) => companions.change(companion, { lines: Number(count) })}
        />
        <IconButton
          icon="sliders"
          label={text("companion-options", { engine })}
          onClick={() => app.openOptions(searcher)}
        />
        <IconButton
          icon="close"
          label={text("companion-remove", { engine })}
          onClick={() => companions.remove(companion)}
        />
      </div>
      {!isOver && (
        <Lines app={app} searcher={searcher} lines={lines} isRunning={isRunning} of={engine} />
      )}
      <Figures searcher={searcher} hasShare />
    </section>
  );
}

/** The score, marked where the engine disagrees with the first one. */
function Headline({ app, companion }: { app: App; companion: Companion }) {
  const { main, shownKey } = app.analysis;
  const { findings } = companion.searcher;
  const own = findings.value?.key === shownKey.value ? findings.value : null;
  const difference = disagreement(own, main.findings.value);
  const words = difference && own ? disagreementText(own, main.findings.value) : undefined;
  return (
    <span class="headline" title={words} data-testid="opinion">
      {own?.lines[0] ? scoreText(own.lines[0].score) : "–"}
      {difference && (
        <span class="difference">
          ≠<span class="unseen"> {words}</span>
        </span>
      )}
    </span>
  );
}

function disagreementText(own: Findings, other: Findings | null): string {
  const [mine, theirs] = [own, other].map((findings) => {
    const [line] = findings?.lines ?? [];
    const move = line?.pv[0] ?? "";
    return line
      ? `${sanOf(own.fen, move) ?? move} (${scoreText(line.score)})`
      : text("companion-finds-nothing");
  });
  return text("companion-disagrees", { mine: mine ?? "", theirs: theirs ?? "" });
}
