/** The window with the engine's options, made from its `option` lines, and the limit of a search. */

import { useSignal } from "@preact/signals";
import { HIDDEN_OPTIONS } from "../../analysis/options";
import type { App } from "../../app";
import { text } from "../../language/catalogue";
import type { LimitKind } from "../../uci/line";
import { isValidValue, type Option } from "../../uci/option";
import { Button, NumberInput, Row, Select, Wrong } from "../controls";
import { Window, type WindowProps } from "../dialog";

const FIRST = ["Threads", "Hash"];
const LIMITS: readonly [LimitKind, id: string, initial: number][] = [
  ["infinite", "options-until-stopped", 0],
  ["depth", "options-until-depth", 20],
  ["movetime", "options-until-seconds", 5000],
  ["nodes", "options-until-nodes", 1_000_000],
  ["mate", "options-until-mate", 5],
];

export function OptionsWindow({ app, close }: WindowProps) {
  const searcher = app.configured.value;
  const isMain = searcher === app.analysis.main;
  const all = searcher.options.offered.value.filter((option) => !HIDDEN_OPTIONS.has(option.name));
  const rank = (option: Option) => FIRST.indexOf(option.name) + 1 || 9;
  const options = [...all].sort((one, other) => rank(one) - rank(other));
  const hasControl = app.room.hasControl.value;
  const engine = searcher.engineName.value;
  const title = engine ? text("options-title", { engine }) : text("engine-options");
  return (
    <Window title={title} close={close}>
      <div class="stack">
        {!hasControl && <p class="hint">{text("options-no-control")}</p>}
        <fieldset class="plain" disabled={!hasControl}>
          <LimitRow app={app} />
        </fieldset>
        {isMain && <LinesRow app={app} />}
        <hr />
        <fieldset class="plain" disabled={!hasControl}>
          {options.map((option) => (
            <OptionRow key={option.name} app={app} option={option} />
          ))}
          {!options.length && <p class="hint">{text("options-none")}</p>}
          <div class="buttons">
            <Button onClick={() => searcher.options.reset()}>{text("options-reset")}</Button>
          </div>
        </fieldset>
      </div>
    </Window>
  );
}

function LinesRow({ app }: { app: App }) {
  const { main } = app.analysis;
  const lines = main.linesOf(app.settings.value.lines);
  return (
    <Row name={text("options-lines")}>
      <input
        type="range"
        min="1"
        max={main.mostLines}
        disabled={main.mostLines < 2}
        value={lines}
        onInput={(event) => app.changeSettings({ lines: +event.currentTarget.value })}
      />
      <output class="range-value">{lines}</output>
    </Row>
  );
}

function LimitRow({ app }: { app: App }) {
  const { limits } = app.settings.value;
  const unit = limits.kind === "movetime" ? 1000 : 1; // UCI has milliseconds
  return (
    <div class="row limit">
      <span id="limit-label">{text("options-until")}</span>
      <select
        aria-labelledby="limit-label"
        value={limits.kind}
        onChange={(event) => {
          const kind = event.currentTarget.value as LimitKind;
          const value = LIMITS.find(([each]) => each === kind)?.[2] ?? 0;
          app.changeSettings({ limits: { kind, value } });
        }}
      >
        {LIMITS.map(([kind, id]) => (
          <option key={kind} value={kind}>
            {text(id)}
          </option>
        ))}
      </select>
      {limits.kind !== "infinite" && (
        <NumberInput
          label={text("options-limit")}
          min={unit === 1 ? 1 : 0.1}
          step={unit === 1 ? "1" : "any"}
          value={limits.value / unit}
          set={(value) =>
            app.changeSettings({ limits: { kind: limits.kind, value: Math.round(value * unit) } })
          }
        />
      )}
    </div>
  );
}

function OptionRow({ app, option }: { app: App; option: Option }) {
  const wrong = useSignal("");
  const value = app.configured.value.options.value(option);
  const set = (typed: string) => {
    if (isValidValue(option, typed)) {
      wrong.value = "";
      app.configured.value.options.setValue(option.name, typed);
    } else {
      wrong.value =
        option.type === "spin" ? text("options-from-to", rangeOf(option)) : text("options-invalid");
    }
  };
  const isChanged = option.type !== "button" && value !== option.initial;
  return (
    <label class={`row ${isChanged ? "changed" : ""}`}>
      <span>
        {wordsOf(option.name).map((word, at) => [at > 0 && <wbr key={at} />, word])}
        {option.name === "Hash" && <span class="hint"> {text("options-mebibytes")}</span>}
      </span>
      <OptionField option={option} value={value} set={set} press={() => app.pressOption(option)} />
      <Wrong text={wrong.value} in="span" />
    </label>
  );
}

/** Return the range of an option, written as the engine reads it. */
function rangeOf({ min, max }: { min: number; max: number }) {
  return { min: String(min), max: String(max) };
}

/** Split a name like `SyzygyProbeDepth` where a line may break: before its capitals. */
function wordsOf(name: string): string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])/);
}

/** The field for an option; one that is a button is pressed. */
export function OptionField(props: {
  option: Option;
  value: string;
  set: (text: string) => void;
  press?: () => void;
}) {
  const { option, value, set } = props;
  switch (option.type) {
    case "check":
      return (
        <input
          type="checkbox"
          checked={value === "true"}
          onChange={(event) => set(String(event.currentTarget.checked))}
        />
      );
    case "spin":
      return (
        <input
          type="number"
          min={option.min}
          max={option.max}
          value={value}
          title={text("options-range", rangeOf(option))}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case "combo":
      return <Select value={value} options={option.vars.map((each) => [each, each])} set={set} />;
    case "string":
      return (
        <input type="text" value={value} onChange={(event) => set(event.currentTarget.value)} />
      );
    default:
      return <Button onClick={() => props.press?.()}>{option.name}</Button>;
  }
}
