/** The window in which a game against an engine is agreed. */

import type { Color } from "chessops/types";
import { INITIAL_FEN } from "../../game/position";
import { strengthsOf, type Terms } from "../../play/match";
import type { PlayChoice } from "../../settings";
import { Button, CheckRow, NumberInput, Row, SelectRow } from "../controls";
import { Window, type WindowProps } from "../dialog";

const COLORS = [
  ["white", "White"],
  ["black", "Black"],
  ["random", "Random"],
] as const;
const CLOCKS = [
  ["1+0", "1 min"],
  ["3+2", "3 min + 2 s"],
  ["5+3", "5 min + 3 s"],
  ["10+5", "10 min + 5 s"],
  ["15+10", "15 min + 10 s"],
  ["30+20", "30 min + 20 s"],
  ["0+0", "No clock"],
  ["own", "Custom"],
] as const;
const MOST_MINUTES = 300;
const MOST_INCREMENT = 300; // s

export function PlayWindow({ app, close }: WindowProps) {
  const choice = app.settings.value.play;
  const change = (part: Partial<PlayChoice>) => {
    app.changeSettings({ play: { ...choice, ...part } });
  };
  const node = app.study.node.value;
  const engines = app.server.value?.engines ?? [];
  // The engine has to list its levels first.
  const isKnown = app.analysis.main.engineName.value !== "";
  const start = (fromHere: boolean) => {
    app.play.start(termsOf(app, fromHere));
    close();
  };
  return (
    <Window title="Play against an engine" close={close}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          start(false);
        }}
      >
        <SelectRow
          name="Engine"
          value={app.chosen.value}
          options={engines.map((each) => [each, each])}
          set={(engine) => app.chooseEngine(engine)}
        />
        <SelectRow
          name="Your colour"
          value={choice.color}
          options={COLORS}
          set={(color) => change({ color: color as PlayChoice["color"] })}
        />
        <ClockRows choice={choice} change={change} />
        <StrengthRows app={app} choice={choice} change={change} />
        <CheckRow
          name="Engine thinks on your time"
          checked={choice.ponders}
          set={(ponders) => change({ ponders })}
        />
        <div class="buttons">
          {(node.parent !== null || !app.study.tree.value.isStandard) && (
            <Button disabled={!isKnown} onClick={() => start(true)}>
              Play from this position
            </Button>
          )}
          <button type="submit" class="button primary" disabled={!isKnown}>
            Play
          </button>
        </div>
      </form>
    </Window>
  );
}

interface RowProps {
  readonly choice: PlayChoice;
  readonly change: (part: Partial<PlayChoice>) => void;
}

function ClockRows({ choice, change }: RowProps) {
  const clock = `${choice.minutes}+${choice.increment}`;
  const isListed = CLOCKS.some(([each]) => each === clock);
  const choose = (value: string) => {
    const [minutes = 5, increment = 0] = value === "own" ? [20, 0] : value.split("+").map(Number);
    change({ minutes, increment });
  };
  return (
    <>
      <SelectRow name="Clock" value={isListed ? clock : "own"} options={CLOCKS} set={choose} />
      {!isListed && (
        <div class="row">
          <span>Minutes + seconds per move</span>
          <span class="pair">
            <NumberInput
              label="Minutes"
              min={0.1}
              max={MOST_MINUTES}
              step="any"
              value={choice.minutes}
              set={(minutes) => change({ minutes })}
            />
            <NumberInput
              label="Seconds per move"
              min={0}
              max={MOST_INCREMENT}
              value={choice.increment}
              set={(increment) => change({ increment })}
            />
          </span>
        </div>
      )}
    </>
  );
}

/** Return the kind of strength that is chosen and that the engine has, its range and its value. */
function strengthFor(app: WindowProps["app"], choice: PlayChoice) {
  const offered = strengthsOf(app.analysis.main.options.offered.value);
  const { strength } = choice;
  const range = strength === "full" ? undefined : offered.get(strength);
  if (strength === "full" || !range) return { offered, kind: "full" as const, value: 0 };
  const value = Math.max(range[0], Math.min(range[1], choice[strength]));
  return { offered, kind: strength, range, value };
}

function StrengthRows({ app, choice, change }: Pick<WindowProps, "app"> & RowProps) {
  const { offered, kind, range, value } = strengthFor(app, choice);
  const kinds: [PlayChoice["strength"], string][] = [["full", "Full strength"]];
  if (offered.has("elo")) kinds.push(["elo", "By rating (Elo)"]);
  if (offered.has("skill")) kinds.push(["skill", "By level"]);
  return (
    <>
      <SelectRow
        name="Strength"
        value={kind}
        options={kinds}
        set={(strength) => change({ strength: strength as PlayChoice["strength"] })}
      />
      {range && (
        <Row name={kind === "elo" ? "Rating" : "Level"}>
          <input
            type="range"
            min={range[0]}
            max={range[1]}
            step={kind === "elo" ? 50 : 1}
            value={value}
            onInput={(event) => change({ [kind]: +event.currentTarget.value })}
          />
          <output class="range-value">{value}</output>
        </Row>
      )}
      {!offered.size && (
        <p class="hint" role="status">
          {app.analysis.main.engineName.value
            ? "This engine has no weaker levels."
            : "The engine has not listed its levels yet."}
        </p>
      )}
    </>
  );
}

function termsOf(app: WindowProps["app"], fromHere: boolean): Terms {
  const choice = app.settings.peek().play;
  const { kind, value } = strengthFor(app, choice);
  const randomColor: Color = Math.random() < 0.5 ? "white" : "black";
  return {
    engine: app.chosen.peek(),
    color: choice.color === "random" ? randomColor : choice.color,
    base: choice.minutes ? choice.minutes * 60_000 : null,
    increment: choice.minutes ? choice.increment * 1000 : 0,
    strength: { kind, value },
    ponders: choice.ponders,
    fen: fromHere ? app.study.node.peek().fen : INITIAL_FEN,
    chess960: fromHere && app.study.tree.peek().chess960,
  };
}
