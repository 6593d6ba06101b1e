/** The results of a game in words, and the question for the result of a game without one. */

import { useRef } from "preact/hooks";
import type { App } from "../app";
import { resultOf } from "../game/headers";
import { text } from "../language/catalogue";
import { SelectRow } from "./controls";

/** The results, and the ids of their names. */
export const RESULTS: readonly (readonly [result: string, id: string])[] = [
  ["*", "result-not-finished"],
  ["1-0", "result-white-won"],
  ["0-1", "result-black-won"],
  ["1/2-1/2", "result-draw"],
];
const SHOWN: Readonly<Record<string, string>> = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" };

/** Return a result as it is shown; nothing for a game that is not finished. */
export function resultText(result: string): string {
  return SHOWN[result] ?? "";
}

/** A row for the result, where a game with moves is to be saved without one. */
export function ResultQuestion({ app }: { app: App }) {
  void app.study.version.value;
  const tree = app.study.tree.value;
  const result = resultOf(tree);
  const { current: isOpen } = useRef(result === "*" && tree.root.children.length > 0);
  if (!isOpen || !app.mayChange.value) return null;
  return (
    <SelectRow
      name={text("result-question")}
      value={result}
      options={RESULTS.map(([value, id]) => [value, text(id)])}
      set={(value) => app.study.setHeaders(new Map([...tree.headers, ["Result", value]]))}
    />
  );
}
