/** What cannot be done, in words for people: problems with the server, and errors of an input. */

import { InputError } from "../game/fen";
import type { Problem } from "../uci/notice";
import { text, textIfAny } from "./catalogue";

interface Words {
  readonly title: string;
  readonly text: string;
  readonly hint: string;
}

/**
 * Return the words of a problem; its text and what to do may be empty.
 *
 * The catalogue has them by its code: `notice-CODE`, `notice-CODE-hint`, and `notice-CODE-text` for
 * a problem with which no sentence came.
 */
export function wordsOf(problem: Partial<Problem> & Pick<Problem, "text">): Words {
  const { code = "" } = problem;
  return {
    title: problem.title ?? textIfAny(`notice-${code}`) ?? text("notice-unknown"),
    text: problem.text || (textIfAny(`notice-${code}-text`) ?? ""),
    hint: problem.hint ?? textIfAny(`notice-${code}-hint`) ?? "",
  };
}

/** Return the words of an error that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof InputError ? text(error.message, error.variables) : String(error);
}
