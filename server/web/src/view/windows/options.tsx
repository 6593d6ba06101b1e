/** The engine's options as a form, made from its own `option` lines; and when a search ends. */

import { useSignal } from "@preact/signals";
import { OURS } from "../../analysis/choices";
import type { App } from "../../app";
import type { LimitKind } from "../../uci/limits";
import { canBe, type Option } from "../../uci/option";
import { Window } from "../dialog";
import { NO_CONTROL } from "../room";

const FIRST = ["Threads", "Hash"];
const LIMITS: readonly [LimitKind, string, number][] = [
  ["infinite", "stopped", 0],
  ["depth", "depth", 20],
  ["movetime", "milliseconds", 5000],
  ["nodes", "nodes", 1_000_000],
  ["mate", "mate in moves", 5],
];

export function OptionsWindow({ app, close }: { app: App; close: () => void }) {
  const all = app.analysis.choices.options.value.filter((option) => !OURS.has(option.name));
  const rank = (option: Option) => FIRST.indexOf(option.name) + 1 || 9;
  const options = [...all].sort((one, other) => rank(one) - rank(other));
  const hasControl = app.gathering.room.hasControl.value;
  return (
    <Window title={`${app.analysis.engineName.value || "Engine"} options`} close={close}>
      <div class="stack">
        {!hasControl && <p class="hint">{NO_CONTROL}: only the number of lines shown is yours.</p>}
        <fieldset class="plain" disabled={!hasControl}>
          <LimitRow app={app} />
        </fieldset>
        <label class="row">
          <span>Lines</span>
          <input
            type="range"
            min="1"
            max={app.analysis.mostLines}
            disabled={app.analysis.mostLines < 2}
            value={app.analysis.lines}
            onInput={(event) => app.change({ lines: +event.currentTarget.value })}
          />
          <output class="range-value">{app.analysis.lines}</output>
        </label>
        <hr />
        <fieldset class="plain" disabled={!hasControl}>
          {options.map((option) => (
            <OptionRow key={option.name} app={app} option={option} />
          ))}
          {!options.length && <p class="hint">The engine has not listed its options yet.</p>}
          <div class="buttons">
            <button type="button" class="button" onClick={() => app.analysis.choices.reset()}>
              Reset to defaults
            </button>
          </div>
        </fieldset>
      </div>
    </Window>
  );
}

function LimitRow({ app }: { app: App }) {
  const { limits } = app.settings.value;
  return (
    <div class="row">
      <span id="limit-label">Search until</span>
      <select
        aria-labelledby="limit-label"
        value={limits.kind}
        onChange={(event) => {
          const kind = event.currentTarget.value as LimitKind;
          const value = LIMITS.find(([each]) => each === kind)?.[2] ?? 0;
          app.change({ limits: { kind, value } });
        }}
      >
        {LIMITS.map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </select>
      {limits.kind !== "infinite" && (
        <input
          type="number"
          min="1"
          aria-label="Limit"
          value={limits.value}
          onChange={(event) => {
            const value = Math.round(event.currentTarget.valueAsNumber);
            if (value > 0) app.change({ limits: { kind: limits.kind, value } });
          }}
        />
      )}
    </div>
  );
}

function OptionRow({ app, option }: { app: App; option: Option }) {
  const wrong = useSignal("");
  const value = app.analysis.choices.value(option);
  const set = (text: string) => {
    if (canBe(option, text)) {
      wrong.value = "";
      app.analysis.choices.set(option.name, text);
    } else {
      wrong.value =
        option.type === "spin" ? `from ${option.min} to ${option.max}` : "invalid value";
    }
  };
  const isChanged = option.type !== "button" && value !== option.initial;
  return (
    <label class={`row ${isChanged ? "changed" : ""}`}>
      <span>
        {wordsIn(option.name).map((word, at) => [at > 0 && <wbr key={at} />, word])}
        {option.name === "Hash" && <span class="hint"> MiB</span>}
      </span>
      <OptionField option={option} value={value} set={set} press={() => app.press(option)} />
      {wrong.value && (
        <span class="wrong" role="alert">
          {wrong.value}
        </span>
      )}
    </label>
  );
}

/** Where a name may be broken, as `SyzygyProbeDepth` is: before its capitals. */
function wordsIn(name: string): string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])/);
}

function OptionField(props: {
  option: Option;
  value: string;
  set: (text: string) => void;
  press: () => void;
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
          title={`${option.min} to ${option.max}`}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case "combo":
      return (
        <select value={value} onChange={(event) => set(event.currentTarget.value)}>
          {option.vars.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      );
    case "string":
      return (
        <input type="text" value={value} onChange={(event) => set(event.currentTarget.value)} />
      );
    default:
      return (
        <button type="button" class="button" onClick={props.press}>
          {option.name}
        </button>
      );
  }
}
