/** What tests expect of errors. */

import { errorText } from "../language/problems";

/** Return the words of the error with which a function fails; `no error` if it does not. */
export function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return errorText(error);
  }
  return "no error";
}
