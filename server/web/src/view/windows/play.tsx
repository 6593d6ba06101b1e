/** What is agreed before a game against an engine. */

import { INITIAL_FEN } from "../../game/position";
import type { Color } from "../../play/clock";
import { strengthsOf, type Terms } from "../../play/terms";
import type { PlayChoice } from "../../settings";
import { Window } from "../dialog";
import type { Props } from "./props";

const CLOCKS: readonly [number, number, string][] = [
  [1, 0, "1 min"],
  [3, 2, "3 min + 2 s"],
  [5, 3, "5 min + 3 s"],
  [10, 5, "10 min + 5 s"],
  [15, 10, "15 min + 10 s"],
  [30, 20, "30 min + 20 s"],
  [0, 0, "No clock"],
];

export function PlayWindow({ app, close }: Props) {
  const choice = app.settings.value.play;
  const change = (part: Partial<PlayChoice>) => app.change({ play: { ...choice, ...part } });
  const node = app.study.node.value;
  // Before that, nobody knows how weak it can be.
  const isKnown = app.analysis.engineName.value !== "";
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
        <EngineRow app={app} />
        <label class="row">
          <span>Your colour</span>
          <select
            value={choice.color}
            onChange={(event) => change({ color: event.currentTarget.value as Color | "random" })}
          >
            <option value="white">White</option>
            <option value="black">Black</option>
            <option value="random">Random</option>
          </select>
        </label>
        <ClockRow choice={choice} change={change} />
        <StrengthRows app={app} choice={choice} change={change} />
        <label class="row">
          <span>Engine thinks on your time</span>
          <input
            type="checkbox"
            checked={choice.ponders}
            onChange={(event) => change({ ponders: event.currentTarget.checked })}
          />
        </label>
        <div class="buttons">
          {(node.parent !== null || !app.study.tree.value.isStandard) && (
            <button type="button" class="button" disabled={!isKnown} onClick={() => start(true)}>
              Play from this position
            </button>
          )}
          <button type="submit" class="button primary" disabled={!isKnown}>
            Play
          </button>
        </div>
      </form>
    </Window>
  );
}

function EngineRow({ app }: Pick<Props, "app">) {
  const engines = app.server.value?.engines ?? [];
  return (
    <label class="row">
      <span>Engine</span>
      <select value={app.chosen.value} onChange={(event) => app.choose(event.currentTarget.value)}>
        {engines.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Choosing {
  readonly choice: PlayChoice;
  readonly change: (part: Partial<PlayChoice>) => void;
}

function ClockRow({ choice, change }: Choosing) {
  const isListed = CLOCKS.some(
    ([minutes, increment]) => minutes === choice.minutes && increment === choice.increment,
  );
  return (
    <>
      <label class="row">
        <span>Clock</span>
        <select
          value={isListed ? `${choice.minutes}+${choice.increment}` : "own"}
          onChange={(event) => {
            const [minutes, increment] = event.currentTarget.value.split("+").map(Number);
            const own = event.currentTarget.value === "own";
            change(
              own
                ? { minutes: 20, increment: 0 }
                : { minutes: minutes ?? 5, increment: increment ?? 0 },
            );
          }}
        >
          {CLOCKS.map(([minutes, increment, name]) => (
            <option key={name} value={`${minutes}+${increment}`}>
              {name}
            </option>
          ))}
          <option value="own">Custom</option>
        </select>
      </label>
      {!isListed && (
        <div class="row">
          <span>Minutes + seconds per move</span>
          <span class="pair">
            <input
              type="number"
              aria-label="Minutes"
              min="0.1"
              max="300"
              step="any"
              value={choice.minutes}
              onChange={(event) => {
                const minutes = event.currentTarget.valueAsNumber;
                if (minutes > 0) change({ minutes: Math.min(300, minutes) });
              }}
            />
            <input
              type="number"
              aria-label="Seconds per move"
              min="0"
              max="300"
              value={choice.increment}
              onChange={(event) => {
                const increment = event.currentTarget.valueAsNumber;
                if (increment >= 0) change({ increment: Math.min(300, increment) });
              }}
            />
          </span>
        </div>
      )}
    </>
  );
}

function StrengthRows({ app, choice, change }: Pick<Props, "app"> & Choosing) {
  const offered = strengthsOf(app.analysis.choices.options.value);
  const kind = offered.has(choice.strength as "elo" | "skill") ? choice.strength : "full";
  const range = kind === "full" ? undefined : offered.get(kind);
  const value = kind === "elo" ? choice.elo : choice.skill;
  return (
    <>
      <label class="row">
        <span>Strength</span>
        <select
          value={kind}
          onChange={(event) =>
            change({ strength: event.currentTarget.value as PlayChoice["strength"] })
          }
        >
          <option value="full">Full strength</option>
          {offered.has("elo") && <option value="elo">By rating (Elo)</option>}
          {offered.has("skill") && <option value="skill">By level</option>}
        </select>
      </label>
      {range && (
        <label class="row">
          <span>{kind === "elo" ? "Rating" : "Level"}</span>
          <input
            type="range"
            min={range[0]}
            max={range[1]}
            step={kind === "elo" ? 50 : 1}
            value={value}
            onInput={(event) => {
              const number = +event.currentTarget.value;
              change(kind === "elo" ? { elo: number } : { skill: number });
            }}
          />
          <output class="range-value">{Math.max(range[0], Math.min(range[1], value))}</output>
        </label>
      )}
      {!offered.size && (
        <p class="hint" role="status">
          {app.analysis.engineName.value
            ? "This engine has no weaker levels."
            : "The engine has not listed its levels yet."}
        </p>
      )}
    </>
  );
}

function termsOf(app: Props["app"], fromHere: boolean): Terms {
  const choice = app.settings.peek().play;
  const offered = strengthsOf(app.analysis.choices.options.peek());
  const kind = offered.has(choice.strength as "elo" | "skill") ? choice.strength : "full";
  const [least, most] = (kind !== "full" && offered.get(kind)) || [0, 0];
  const wanted = kind === "elo" ? choice.elo : choice.skill;
  const byLot: Color = Math.random() < 0.5 ? "white" : "black";
  return {
    engine: app.chosen.peek(),
    color: choice.color === "random" ? byLot : choice.color,
    base: choice.minutes ? choice.minutes * 60_000 : null,
    increment: choice.minutes ? choice.increment * 1000 : 0,
    strength: { kind, value: Math.max(least, Math.min(most, wanted)) },
    ponders: choice.ponders,
    fen: fromHere ? app.study.node.peek().fen : INITIAL_FEN,
    chess960: fromHere && app.study.tree.peek().chess960,
  };
}
