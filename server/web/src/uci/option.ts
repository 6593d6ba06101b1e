/** The options of an engine: `option` lines to values, and values to `setoption`. */

export type Option =
  | { readonly type: "check"; readonly name: string; readonly initial: string }
  | {
      readonly type: "spin";
      readonly name: string;
      readonly initial: string;
      readonly min: number;
      readonly max: number;
    }
  | {
      readonly type: "combo";
      readonly name: string;
      readonly initial: string;
      readonly vars: readonly string[];
    }
  | { readonly type: "string"; readonly name: string; readonly initial: string }
  | { readonly type: "button"; readonly name: string; readonly initial: string };

const FORM = /^option\s+name\s+(.+?)\s+type\s+(check|spin|combo|string|button)\b(.*)$/;

/** Read an `option` line; null if it is none that can be shown. */
export function parseOption(line: string): Option | null {
  const form = FORM.exec(line.trim());
  if (!form) return null;
  const [, name = "", type, rest = ""] = form;
  const parts = fieldsOf(rest);
  const initial = parts.find(([key]) => key === "default")?.[1] ?? "";
  const numberAt = (key: string) => Number(parts.find(([each]) => each === key)?.[1]);
  switch (type) {
    case "spin": {
      const [min, max] = [numberAt("min"), numberAt("max")];
      if (!Number.isFinite(min) || !Number.isFinite(max)) return null;
      return { type, name, initial, min, max };
    }
    case "combo": {
      const vars = parts.filter(([key]) => key === "var").map(([, value]) => value);
      return { type, name, initial, vars };
    }
    case "check":
    case "button":
      return { type, name, initial };
    default:
      return { type: "string", name, initial: initial === "<empty>" ? "" : initial };
  }
}

/** Say whether the option can have a value; what cannot be is not sent. */
export function canBe(option: Option, value: string): boolean {
  switch (option.type) {
    case "check":
      return value === "true" || value === "false";
    case "spin": {
      const number = Number(value);
      return /^-?\d+$/.test(value) && number >= option.min && number <= option.max;
    }
    case "combo":
      return option.vars.includes(value);
    default:
      return [...value].every((char) => char >= " ");
  }
}

export function setOption(name: string, value?: string): string {
  if (value === undefined) return `setoption name ${name}`;
  return `setoption name ${name} value ${value === "" ? "<empty>" : value}`;
}

/** Split what follows the type at its keywords: values may have spaces. */
function fieldsOf(text: string): [string, string][] {
  const pieces = ` ${text.trim()}`.split(/\s(default|min|max|var)(?=\s|$)/).slice(1);
  const result: [string, string][] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    result.push([pieces[at] ?? "", (pieces[at + 1] ?? "").trim()]);
  }
  return result;
}
