/** The window in which a game against an engine is agreed. */

import type { Color } from "chessops/types";
import { INITIAL_FEN } from "../../game/position";
import { text } from "../../language/catalogue";
import { strengthsOf, type Terms } from "../../play/match";
import type { PlayChoice } from "../../settings";
import { Button, CheckRow, NumberInput, Row, SelectRow } from "../controls";
import { Window, type WindowProps } from "../dialog";

const COLORS = [
  ["white", "white"],
  ["black", "black"],
  ["random", "play-random"],
] as const;
// Minutes, and seconds per move.
const CLOCKS = ["1+0", "3+2", "5+3", "10+5", "15+10", "30+20"];
const NO_CLOCK = "0+0";
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
    <Window title={text("play-title")} close={close}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          start(false);
        }}
      >
        <SelectRow
          name={text("engine")}
          value={app.chosen.value}
          options={engines.map((each) => [each, each])}
          set={(engine) => app.chooseEngine(engine)}
        />
        <SelectRow
          name={text("play-colour")}
          value={choice.color}
          options={COLORS.map(([color, id]) => [color, text(id)] as const)}
          set={(color) => change({ color: color as PlayChoice["color"] })}
        />
        <ClockRows choice={choice} change={change} />
        <StrengthRows app={app} choice={choice} change={change} />
        <CheckRow
          name={text("play-ponders")}
          checked={choice.ponders}
          set={(ponders) => change({ ponders })}
        />
        <div class="buttons">
          {(node.parent !== null || !app.study.tree.value.isStandard) && (
            <Button disabled={!isKnown} onClick={() => start(true)}>
              {text("play-from-here")}
            </Button>
          )}
          <button type="submit" class="button primary" disabled={!isKnown}>
            {text("play")}
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

/** Return the name of a clock like `3+2`. */
function clockName(clock: string): string {
  const [minutes = "", seconds = ""] = clock.split("+");
  return seconds === "0"
    ? text("play-minutes", { minutes })
    : text("play-minutes-and-seconds", { minutes, seconds });
}

function ClockRows({ choice, change }: RowProps) {
  const clock = `${choice.minutes}+${choice.increment}`;
  const isListed = clock === NO_CLOCK || CLOCKS.includes(clock);
  const clocks: [string, string][] = CLOCKS.map((each) => [each, clockName(each)]);
  clocks.push([NO_CLOCK, text("play-no-clock")], ["own", text("play-own-clock")]);
  const choose = (value: string) => {
    const [minutes = 5, increment = 0] = value === "own" ? [20, 0] : value.split("+").map(Number);
    change({ minutes, increment });
  };
  return (
    <>
      <SelectRow
        name={text("play-clock")}
        value={isListed ? clock : "own"}
        options={clocks}
        set={choose}
      />
      {!isListed && (
        <div class="row">
          <span>{text("play-clock-fields")}</span>
          <span class="pair">
            <NumberInput
              label={text("play-clock-minutes")}
              min={0.1}
              max={MOST_MINUTES}
              step="any"
              value={choice.minutes}
              set={(minutes) => change({ minutes })}
            />
            <NumberInput
              label={text("play-clock-seconds")}
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
  const kinds: [PlayChoice["strength"], string][] = [["full", text("play-full-strength")]];
  if (offered.has("elo")) kinds.push(["elo", text("play-by-rating")]);
  if (offered.has("skill")) kinds.push(["skill", text("play-by-level")]);
  return (
    <>
      <SelectRow
        name={text("play-strength")}
        value={kind}
        options={kinds}
        set={(strength) => change({ strength: strength as PlayChoice["strength"] })}
      />
      {range && (
        <Row name={text(kind === "elo" ? "rating" : "play-level")}>
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
          {text(app.analysis.main.engineName.value ? "play-no-levels" : "play-levels-unknown")}
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
