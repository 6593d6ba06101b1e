/** The fields of a project: its name, its engines, how it grows, and when it ends. */

import { useSignal } from "@preact/signals";
import { languageTag, text } from "../../language/catalogue";
import {
  type BudgetDraft,
  type Draft,
  EFFORTS,
  type Effort,
  type EngineDraft,
  enginesWith,
  fieldOf,
  type OptionValues,
  type Purpose,
  purposeOf,
  type SideDraft,
  withPurpose,
} from "../../projects/draft";
import { type EngineOffer, settableOptions } from "../../projects/engine_offer";
import type { Problem } from "../../uci/notice";
import type { Option } from "../../uci/option";
import { Row, SelectRow, Wrong } from "../controls";
import { OptionField } from "./options";

const OWN = "own";
const PURPOSES: readonly (readonly [Purpose, id: string])[] = [
  ["understand", "projects-for-understanding"],
  ["white", "projects-for-white"],
  ["black", "projects-for-black"],
];
const EFFORT_NAMES: readonly (readonly [Effort, id: string])[] = [
  ["quick", "projects-quick"],
  ["normal", "projects-normal"],
  ["deep", "projects-deep"],
];
const BUDGET: readonly (readonly [keyof BudgetDraft, field: string, id: string])[] = [
  ["positions", "positions", "projects-until-positions"],
  ["nodes", "budget-nodes", "projects-until-nodes"],
  ["hours", "hours", "projects-until-hours"],
  ["until", "until", "projects-until-date"],
  ["stable", "stable", "projects-until-stable"],
];
const WIDTHS: readonly (readonly [width: number, id: string])[] = [
  [10, "projects-narrow"],
  [16, "projects-rather-narrow"],
  [25, "projects-balanced"],
  [40, "projects-rather-wide"],
  [60, "projects-wide"],
];
const LIMITS = ["1", "2", "3", "4", "6"]; // moves of a side that are followed

interface FormProps {
  readonly draft: Draft;
  readonly problem: Problem | null;
  readonly change: (part: Partial<Draft>) => void;
}

/** What the server says about a field, in a row of it. */
export function FieldProblem({ field, problem }: { field: string; problem: Problem | null }) {
  if (!problem || fieldOf(problem.path) !== field) return null;
  const { text: sentence, expected } = problem;
  const wanted = expected ? text("projects-expected", { expected }) : "";
  // A sentence that begins with the place says nothing that the field and its bounds do not.
  const isPlain = wanted && /^[$?]/.test(sentence);
  return <Wrong text={isPlain ? wanted : [sentence, wanted].join(" ")} in="span" />;
}

function isWrong(problem: Problem | null, ...fields: string[]): boolean {
  return fields.includes(fieldOf(problem?.path) ?? "");
}

/** A field for a number, or for a date. */
export function NumberRow(props: {
  name: string;
  field: string;
  value: string;
  problem: Problem | null;
  set: (value: string) => void;
  type?: "number" | "datetime-local";
  placeholder?: string;
}) {
  const { name, field, value, problem, set, placeholder } = props;
  const shared = {
    autoComplete: "off",
    placeholder,
    "aria-invalid": isWrong(problem, field),
    value,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
      set(event.currentTarget.value),
  } as const;
  return (
    <Row name={name}>
      {props.type === "datetime-local" ? (
        <input type="datetime-local" {...shared} />
      ) : (
        <input type="number" step="any" {...shared} />
      )}
      <FieldProblem field={field} problem={problem} />
    </Row>
  );
}

/** The name, with an example. */
export function NameRow({ draft, problem, change, example }: FormProps & { example?: string }) {
  return (
    <label class="field">
      <span>{text("projects-name")}</span>
      <input
        type="text"
        autoComplete="off"
        placeholder={example}
        aria-invalid={isWrong(problem, "name")}
        value={draft.name}
        onInput={(event) => change({ name: event.currentTarget.value })}
      />
      <FieldProblem field="name" problem={problem} />
    </label>
  );
}

// --- engines

/** What searches, how the tree grows, and when it ends. */
export function RulesRows({ offers, ...props }: FormProps & { offers: readonly EngineOffer[] }) {
  return (
    <>
      <EngineRows {...props} offers={offers} />
      <GrowthRows {...props} />
      <BudgetRows {...props} />
    </>
  );
}

/** The engines that search, one or more, and their options. */
function EngineRows(props: FormProps & { offers: readonly EngineOffer[] }) {
  const { draft, problem, change, offers } = props;
  const engines = enginesWith(draft.engines, offers);
  const edit = (at: number, part: Partial<EngineDraft>) =>
    change({ engines: engines.map((each, place) => (place === at ? { ...each, ...part } : each)) });
  return (
    <fieldset class="project-part">
      <legend>{text("projects-engines")}</legend>
      {engines.map(({ name, options, isChosen }, at) => {
        const count = engines.slice(0, at).filter((each) => each.name === name).length;
        const title = count ? `${name} (${count + 1})` : name;
        // That of a machine that is away, or that the operator has removed, has none.
        const offered = offers.find((each) => each.name === name)?.options ?? [];
        return (
          <div key={title}>
            <label class="check">
              <input
                type="checkbox"
                checked={isChosen}
                onChange={() => edit(at, { isChosen: !isChosen })}
              />
              <span>{title}</span>
            </label>
            {isChosen && (
              <EngineOptions
                offer={{ name: title, options: offered }}
                values={options}
                set={(values) => edit(at, { options: values })}
              />
            )}
          </div>
        );
      })}
      <FieldProblem field="engines" problem={problem} />
    </fieldset>
  );
}

function EngineOptions(props: {
  offer: EngineOffer;
  values: OptionValues;
  set: (values: OptionValues) => void;
}) {
  const { offer, values, set } = props;
  const options = settableOptions(offer);
  if (!options.length) return null;
  const setOne = (option: Option, value: string) => {
    const { [option.name]: _, ...others } = values;
    set(value === option.initial ? others : { ...others, [option.name]: value });
  };
  const count = Object.keys(values).length;
  return (
    <details class="project-options">
      <summary>{text("projects-options-of", { engine: offer.name, count })}</summary>
      <div class="stack">
        {options.map((option) => (
          <Row key={option.name} name={option.name}>
            <OptionField
              option={option}
              value={values[option.name] ?? option.initial}
              set={(value) => setOne(option, value)}
            />
          </Row>
        ))}
      </div>
    </details>
  );
}

// --- how it grows

function GrowthRows(props: FormProps) {
  const { draft, problem, change } = props;
  const purpose = purposeOf(draft);
  return (
    <fieldset class="project-part">
      <legend>{text("projects-growth")}</legend>
      <SelectRow
        name={text("projects-for")}
        value={purpose ?? OWN}
        options={withOwn(
          PURPOSES.map(([each, id]) => [each, text(id)] as const),
          purpose === null,
        )}
        set={(value) => value !== OWN && change(withPurpose(draft, value as Purpose))}
      />
      <EffortRow {...props} />
      <NumberRow
        name={text("projects-seconds")}
        field="seconds"
        placeholder={text("projects-no-limit")}
        value={draft.seconds}
        problem={problem}
        set={(seconds) => change({ seconds })}
      />
      {draft.white.width === draft.black.width && (
        <WidthRow
          name={text("projects-width")}
          width={draft.white.width}
          set={(width) =>
            change({ white: { ...draft.white, width }, black: { ...draft.black, width } })
          }
        />
      )}
      <p class="hint">{text("projects-width-hint")}</p>
      <FieldProblem field="sides" problem={problem} />
      <details open={isWrong(problem, "white", "black", "sides")}>
        <summary>{text("projects-each-side")}</summary>
        <div class="stack">
          <SideRows {...props} side="white" />
          <SideRows {...props} side="black" />
        </div>
      </details>
    </fieldset>
  );
}

function withOwn(
  options: readonly (readonly [string, string])[],
  hasOwn: boolean,
): readonly (readonly [string, string])[] {
  return hasOwn ? [...options, [OWN, text("projects-own-choice")]] : options;
}

function EffortRow({ draft, problem, change }: FormProps) {
  const isOwn = useSignal(!Object.values(EFFORTS).some((each) => String(each) === draft.nodes));
  const effort = EFFORT_NAMES.find(([each]) => String(EFFORTS[each]) === draft.nodes)?.[0];
  const choose = (value: string) => {
    isOwn.value = value === OWN;
    if (value !== OWN) change({ nodes: String(EFFORTS[value as Effort]) });
  };
  const options = EFFORT_NAMES.map(([each, id]) => {
    const nodes = EFFORTS[each].toLocaleString(languageTag());
    return [each, text(id, { nodes })] as const;
  });
  return (
    <>
      <SelectRow
        name={text("projects-effort")}
        value={isOwn.value || !effort ? OWN : effort}
        options={[...options, [OWN, text("projects-own-nodes")]]}
        set={choose}
      />
      {(isOwn.value || !effort || isWrong(problem, "nodes")) && (
        <NumberRow
          name={text("projects-nodes")}
          field="nodes"
          value={draft.nodes}
          problem={problem}
          set={(nodes) => change({ nodes })}
        />
      )}
    </>
  );
}

function WidthRow(props: { name: string; width: number; set: (width: number) => void }) {
  const { name, width, set } = props;
  const options = WIDTHS.map(([each, id]) => [String(each), text(id)] as const);
  const isKnown = options.some(([size]) => size === String(width));
  const own = [String(width), text("projects-own-width", { width })] as const;
  return (
    <SelectRow
      name={name}
      value={String(width)}
      options={isKnown ? options : [...options, own]}
      set={(value) => set(Number(value))}
    />
  );
}

function SideRows(props: FormProps & { side: "white" | "black" }) {
  const { draft, problem, change, side } = props;
  const rules = draft[side];
  const set = (part: Partial<SideDraft>) => change({ [side]: { ...rules, ...part } });
  const limits: readonly (readonly [string, string])[] = [
    ["", text("projects-all-moves")],
    ...LIMITS.map((each) => [each, text("projects-best-moves", { count: Number(each) })] as const),
  ];
  const isKnown = limits.some(([each]) => each === rules.limit);
  return (
    <fieldset class="project-side">
      <legend>
        {text(side === "white" ? "projects-white-to-move" : "projects-black-to-move")}
      </legend>
      <SelectRow
        name={text("projects-follow")}
        value={rules.limit}
        options={isKnown ? limits : [...limits, [rules.limit, rules.limit]]}
        set={(limit) => set({ limit })}
      />
      <WidthRow name={text("projects-width")} width={rules.width} set={(width) => set({ width })} />
      <NumberRow
        name={text("projects-lines")}
        field={side}
        value={rules.lines}
        problem={problem}
        set={(lines) => set({ lines })}
      />
    </fieldset>
  );
}

// --- when it ends

function BudgetRows({ draft, problem, change }: FormProps) {
  return (
    <fieldset class="project-part">
      <legend>{text("projects-end")}</legend>
      <p class="hint">{text("projects-end-hint")}</p>
      {BUDGET.map(([key, field, id]) => (
        <NumberRow
          key={key}
          name={text(id)}
          field={field}
          type={key === "until" ? "datetime-local" : "number"}
          placeholder={text("projects-no-limit")}
          value={draft.budget[key]}
          problem={problem}
          set={(value) => change({ budget: { ...draft.budget, [key]: value } })}
        />
      ))}
    </fieldset>
  );
}
