/** Controls of all views: buttons, icons, rows of forms. */

import type { ComponentChildren } from "preact";

// Plain paths, so that nothing has to be loaded.
const PATHS = {
  first: "M6 5h2.500v14H6zM19 5v14L9.500 12z",
  back: "M16 5v14L7 12z",
  forward: "M8 5v14l9-7z",
  last: "M15.500 5H18v14h-2.500zM5 5v14l9.500-7z",
  flip: "M7 4 3 8h3v9h2V8h3zM17 20l4-4h-3V7h-2v9h-3z",
  gear: "M12 8.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zm8.500 5.200v-3.400l-2.300-.5-.8-1.900 1.300-2-2.400-2.400-2 1.300-1.900-.8-.6-2.300H10.200L9.600 4l-1.900.8-2-1.300-2.400 2.400 1.300 2-.8 1.900-2.300.5v3.400l2.300.5.8 1.900-1.300 2 2.400 2.400 2-1.300 1.900.8.6 2.300h3.600l.6-2.300 1.900-.8 2 1.300 2.400-2.400-1.300-2 .8-1.900z",
  share:
    "M18 15.500a3 3 0 0 0-2.200 1L9 12.700v-1.400l6.800-3.800A3 3 0 1 0 15 5.500l.1.600-6.800 3.800a3 3 0 1 0 0 4.200l6.800 3.800-.1.600a3 3 0 1 0 3-3z",
  open: "M4 5h6l2 2h8v12H4zm2 4v8h12V9z",
  book: "M5 4h5.500A2.500 2.500 0 0 1 12 4.500 2.500 2.500 0 0 1 13.500 4H21v14h-7.500L12 19.500 10.500 18H3V4zm0 2v10h6V6.500L10.500 6zm14 0h-5.500l-.5.500V16h6z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm-1 13h2v2h-2zm1-10a4 4 0 0 1 4 4c0 2-3 2.300-3 4.500h-2c0-3.200 3-3.500 3-4.500a2 2 0 0 0-4 0H8a4 4 0 0 1 4-4z",
  plug: "M8 3h2v5h4V3h2v5h2v4a6 6 0 0 1-5 5.900V21h-2v-3.100A6 6 0 0 1 6 12V8h2z",
  close:
    "m6.400 5 5.600 5.600L17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400-5.600-5.600L6.400 19 5 17.600l5.600-5.600L5 6.400z",
  chart: "M4 4h2v14h14v2H4zm4 10 4-5 3 3 4-6 1.600 1-5.400 8-3.100-3-2.600 3.300z",
  stop: "M7 7h10v10H7z",
  play: "M12 2.500a3.500 3.500 0 0 1 2.300 6.100l1.700.9-1 1.700h-1l.9 5.300H9.100l.9-5.300H9L8 9.500l1.700-.9A3.500 3.500 0 0 1 12 2.500zM7.500 17.500h9l1 4H6.500z",
  hand: "M8 12V5.500a1.500 1.500 0 0 1 3 0V11h.5V3.500a1.500 1.500 0 0 1 3 0V11h.5V5a1.500 1.500 0 0 1 3 0v9a7 7 0 0 1-7 7c-2.500 0-4-1-5.200-3L3.600 14.200a1.500 1.500 0 0 1 2.500-1.600z",
  redo: "M15 5v4h-5a5.500 5.500 0 0 0 0 11h6v-2h-6a3.500 3.500 0 0 1 0-7h5v4l6-5z",
  undo: "M9 5v4h5a5.500 5.500 0 0 1 0 11H8v-2h6a3.500 3.500 0 0 0 0-7H9v4L3 10z",
  half: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z",
  flag: "M6 3h2v1h11l-3 4 3 4H8v9H6z",
  pieces: "M3 3h8v8H3zm10 10h8v8h-8zM13 3h8v8h-8zm2 2v4h4V5zM3 13h8v8H3zm2 2v4h4v-4z",
  live: "M12 9.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zM7.100 5.700l1.400 1.400a7 7 0 0 0 0 9.800l-1.400 1.400a9 9 0 0 1 0-12.600zm9.800 0a9 9 0 0 1 0 12.600l-1.400-1.400a7 7 0 0 0 0-9.800z",
  unfold: "m6 8.600 6 6 6-6 1.400 1.400L12 17.400 4.600 10z",
  fold: "m6 15.400 6-6 6 6 1.400-1.400L12 6.600 4.600 14z",
  threat:
    "M11 2h2v3.100a7 7 0 0 1 5.900 5.900H22v2h-3.100a7 7 0 0 1-5.900 5.900V22h-2v-3.100A7 7 0 0 1 5.100 13H2v-2h3.100A7 7 0 0 1 11 5.100zm1 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  tree: "M9 3h6v5h-2v2.500h6V16h2v5h-6v-5h2v-3.500h-4V16h2v5H9v-5h2v-3.500H7V16h2v5H3v-5h2v-5.500h6V8H9z",
  trash: "M9 4h6l1 2h4v2H4V6h4zM6 9h12l-1 11H7z",
  pen: "m14.500 4.500 5 5L9 20H4v-5zm0 2.800L6 15.800V18h2.200l8.500-8.500z",
  up: "m12 6 7 8h-4v5H9v-5H5z",
  sliders:
    "M4 6h8v2H4zm12 0h4v2h-4zm-3-1h2v4h-2zM4 11h2v2H4zm6 0h10v2H10zm-3-1h2v4H7zM4 16h9v2H4zm13 0h3v2h-3zm-3-1h2v4h-2z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={PATHS[name]} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}

export function IconButton(props: {
  icon: IconName;
  label: string;
  onClick: () => void;
  disabled?: boolean;
  pressed?: boolean;
}) {
  return (
    <button
      type="button"
      class="icon-button"
      title={props.label}
      aria-label={props.label}
      aria-pressed={props.pressed}
      disabled={props.disabled ?? false}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** A button with text; `look` adds classes: `primary`, `small`, `danger`. */
export function Button(props: {
  onClick: () => void;
  look?: string;
  label?: string | undefined;
  title?: string | undefined;
  disabled?: boolean;
  children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class={`button ${props.look ?? ""}`}
      aria-label={props.label}
      title={props.title}
      disabled={props.disabled ?? false}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}

/** A row of a form: a name, and a control. */
export function Row(props: { name: string; children: ComponentChildren }) {
  return (
    <label class="row">
      <span>{props.name}</span>
      {props.children}
    </label>
  );
}

export function CheckRow(props: { name: string; checked: boolean; set: (value: boolean) => void }) {
  return (
    <Row name={props.name}>
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
    </Row>
  );
}

/** A row with a list to choose from: pairs of value and name. */
export function SelectRow(props: {
  name: string;
  value: string;
  options: readonly (readonly [value: string, name: string])[];
  set: (value: string) => void;
}) {
  return (
    <Row name={props.name}>
      <Select {...props} />
    </Row>
  );
}

export function Select(props: {
  value: string;
  options: readonly (readonly [value: string, name: string])[];
  set: (value: string) => void;
  class?: string;
  label?: string;
  disabled?: boolean;
}) {
  return (
    <select
      class={props.class}
      aria-label={props.label}
      disabled={props.disabled ?? false}
      value={props.value}
      onChange={(event) => props.set(event.currentTarget.value)}
    >
      {props.options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A number to type; `set` gets none below the minimum, and at most the maximum. */
export function NumberInput(props: {
  label: string;
  value: number;
  min: number;
  max?: number;
  step?: string;
  set: (value: number) => void;
}) {
  const { min, max = Number.POSITIVE_INFINITY } = props;
  return (
    <input
      type="number"
      aria-label={props.label}
      min={min}
      max={props.max}
      step={props.step}
      value={props.value}
      onChange={(event) => {
        const value = event.currentTarget.valueAsNumber;
        if (value >= min) props.set(Math.min(max, value));
      }}
    />
  );
}

/** The error of an input, in a paragraph or a label; nothing if the text is empty. */
export function Wrong({ text, in: Element = "p" }: { text: string; in?: "p" | "span" }) {
  if (!text) return null;
  return (
    <Element class="wrong" role="alert">
      {text}
    </Element>
  );
}
