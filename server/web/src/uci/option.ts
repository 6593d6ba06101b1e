/** Options of an engine: `option` lines to values, and values to `setoption`. */

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

// Two steps, each linear in the length of the line: an engine may send a long one.
const NAME = /^option\s+name\s/;
const TYPE = /\stype\s+(check|spin|combo|string|button)\b/;

/** Read an `option` line; null if the page cannot show the option. */
export function parseOption(line: string): Option | null {
  const after = line.trim().replace(NAME, "");
  const form = TYPE.exec(after);
  const name = after.slice(0, form?.index).trim();
  if (!form || !name || after === line.trim()) return null;
  const type = form[1];
  const parts = fieldsOf(after.slice(form.index + form[0].length));
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

/** Return whether the option can have the value. */
export function isValidValue(option: Option, value: string): boolean {
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

/** Split the text after the type at its keywords; values may contain spaces. */
function fieldsOf(text: string): [string, string][] {
  const pieces = ` ${text.trim()}`.split(/\s(default|min|max|var)(?=\s|$)/).slice(1);
  const result: [string, string][] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    result.push([pieces[at] ?? "", (pieces[at + 1] ?? "").trim()]);
  }
  return result;
}
