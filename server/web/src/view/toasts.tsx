/** What is said for a while: over the page, or in the window over it. */

import type { App } from "../app";
import { IconButton } from "./icons";

export function Toasts({ app }: { app: App }) {
  return (
    <div class="toasts" role="status">
      {app.notes.toasts.value.map(({ id, problem }) => (
        <div class={`toast ${problem.tone}`} key={id}>
          <div>
            <b>{problem.title}</b>
            {problem.text && <p>{problem.text}</p>}
            {problem.hint && <p class="hint">{problem.hint}</p>}
          </div>
          <IconButton icon="close" label="Dismiss" onClick={() => app.notes.dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
