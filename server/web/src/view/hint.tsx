/** What keeps the engine from going on, and the one thing to do about it. */

import type { App } from "../app";

export function Trouble({ app }: { app: App }) {
  const link = app.link.value;
  const isDown = link.kind === "stopped" || link.kind === "lost";
  const problem = isDown ? link.problem : app.blocked.value;
  if (!problem) return null;
  return (
    <section class={`trouble ${problem.tone}`} role="alert">
      <b>{problem.title}</b>
      {problem.text && <p>{problem.text}</p>}
      {problem.hint && <p class="hint">{problem.hint}</p>}
      {link.kind === "stopped" && (
        <button type="button" class="button primary" onClick={() => app.connect()}>
          Connect again
        </button>
      )}
      {!isDown && (
        <button type="button" class="button primary" onClick={() => app.retry()}>
          Try again
        </button>
      )}
    </section>
  );
}
