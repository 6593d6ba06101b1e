/** What keeps the engine from going on, and the one thing to do about it. */

import type { ComponentChildren } from "preact";
import type { App } from "../app";
import type { LinkState } from "../link/link";
import type { Problem } from "../link/problem";

/** Rooms to which nobody comes back. */
const GONE: readonly string[] = ["room-closed", "unknown-room"];

export function Trouble({ app }: { app: App }) {
  if (app.wantsToken.value) return app.dialog.value === "signin" ? null : <SignIn app={app} />;
  const link = app.analysis.link.value;
  if (link.kind === "stopped" && GONE.includes(link.problem.code)) {
    return (
      <Said problem={link.problem}>
        <button type="button" class="button primary" onClick={() => app.gathering.leave()}>
          Continue alone
        </button>
      </Said>
    );
  }
  return (
    <Problems
      link={link}
      problem={app.analysis.blocked.value}
      connect={() => app.analysis.connect()}
      retry={() => app.analysis.retry()}
    />
  );
}

/** Whose window for a token was closed finds it here again. */
function SignIn({ app }: { app: App }) {
  const link = app.analysis.link.value;
  const said = link.kind === "stopped" ? link.problem.text : "";
  return (
    <section class="trouble" role="alert">
      <b>This server requires a token</b>
      {said && <p>{said}</p>}
      <p class="hint">Ask its operator for one.</p>
      <button
        type="button"
        class="button primary"
        onClick={() => {
          app.dialog.value = "signin";
        }}
      >
        Sign in
      </button>
    </section>
  );
}

/** A problem in words, with the button that helps. */
function Said({ problem, children }: { problem: Problem; children?: ComponentChildren }) {
  return (
    <section class={`trouble ${problem.tone}`} role="alert">
      <b>{problem.title}</b>
      {problem.text && <p>{problem.text}</p>}
      {problem.hint && <p class="hint">{problem.hint}</p>}
      {children}
    </section>
  );
}

/** A connection that is down, or else what the server refuses on a good one. */
export function Problems(props: {
  link: LinkState;
  problem: Problem | null;
  connect: () => void;
  retry?: () => void;
}) {
  const { link } = props;
  const isDown = link.kind === "stopped" || link.kind === "lost";
  const problem = isDown ? link.problem : props.problem;
  if (!problem) return null;
  return (
    <Said problem={problem}>
      {link.kind === "stopped" && (
        <button type="button" class="button primary" onClick={props.connect}>
          Reconnect
        </button>
      )}
      {!isDown && props.retry && (
        <button type="button" class="button primary" onClick={props.retry}>
          Try again
        </button>
      )}
    </Said>
  );
}
