/** The results of a game in words, and the question for the result of a game without one. */

import { useRef } from "preact/hooks";
import type { App } from "../app";
import { resultOf } from "../game/headers";
import { SelectRow } from "./controls";

export const RESULTS: readonly (readonly [result: string, name: string])[] = [
  ["*", "Not finished"],
  ["1-0", "1–0 White won"],
  ["0-1", "0–1 Black won"],
  ["1/2-1/2", "½–½ Draw"],
];

/** Return a result as it is shown; nothing for a game that is not finished. */
export function resultText(result: string): string {
  return (
    RESULTS.slice(1)
      .find(([each]) => each === result)?.[1]
      .split(" ")[0] ?? ""
  );
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
      name="How did the game end?"
      value={result}
      options={RESULTS}
      set={(value) => app.study.setHeaders(new Map([...tree.headers, ["Result", value]]))}
    />
  );
}
