/**
 * Long work in steps: in one task, or in several ones between which the page answers its user.
 *
 * It is a generator that yields where it may pause.
 */

export type Steps<T> = Generator<void, T, void>;

const LONGEST_TASK = 30; // ms; two frames

/** Do work at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Do work in several tasks, the first of which is this one; null if it was cancelled before its end. */
export async function finishInTasks<T>(steps: Steps<T>, cancelled: AbortSignal): Promise<T | null> {
  while (!cancelled.aborted) {
    const end = performance.now() + LONGEST_TASK;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < end);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return null;
}
