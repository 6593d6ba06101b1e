/** Messages: what keeps the engine from going on, with the button that helps, and toasts. */

import type { ComponentChildren } from "preact";
import type { App } from "../app";
import type { ConnectionState } from "../engine/session";
import { text } from "../language/catalogue";
import { wordsOf } from "../language/problems";
import type { Problem } from "../uci/notice";
import { Button, IconButton } from "./controls";

const ROOM_GONE: readonly string[] = ["room-closed", "room-removed", "unknown-room"];

/** The problem of the analysis, if it has one. */
export function AnalysisProblem({ app }: { app: App }) {
  if (app.wantsToken.value) return app.dialog.value === "signin" ? null : <SignInHint app={app} />;
  const connection = app.analysis.main.connection.value;
  if (connection.type === "stopped" && ROOM_GONE.includes(connection.problem.code)) {
    return (
      <ProblemBox problem={connection.problem}>
        <Button look="primary" onClick={() => app.room.stopWatching()}>
          {text("continue-alone")}
        </Button>
      </ProblemBox>
    );
  }
  return (
    <ConnectionProblem
      connection={connection}
      blocked={app.analysis.main.blocked.value}
      connect={() => app.analysis.connect()}
      retry={() => app.analysis.main.retry()}
    />
  );
}

/** The way back to the sign-in window, for users who have closed it. */
function SignInHint({ app }: { app: App }) {
  const connection = app.analysis.main.connection.value;
  const problem = {
    title: text("token-required"),
    text: connection.type === "stopped" ? connection.problem.text : "",
    hint: text("token-ask"),
  };
  return (
    <ProblemBox problem={problem}>
      <Button look="primary" onClick={() => app.openDialog("signin")}>
        {text("sign-in")}
      </Button>
    </ProblemBox>
  );
}

export function ProblemBox(props: {
  problem: Partial<Problem> & Pick<Problem, "text">;
  children?: ComponentChildren;
}) {
  const { title, hint, text: details } = wordsOf(props.problem);
  return (
    <section class={`trouble ${props.problem.tone ?? ""}`} role="alert">
      <b>{title}</b>
      {details && <p>{details}</p>}
      {hint && <p class="hint">{hint}</p>}
      {props.children}
    </section>
  );
}

/** A connection that is down, or else what the server refuses on a good one. */
export function ConnectionProblem(props: {
  connection: ConnectionState;
  blocked: Problem | null;
  connect: () => void;
  retry: () => void;
}) {
  const { connection } = props;
  const isDown = connection.type === "stopped" || connection.type === "lost";
  const problem = isDown ? connection.problem : props.blocked;
  if (!problem) return null;
  return (
    <ProblemBox problem={problem}>
      {connection.type === "stopped" && (
        <Button look="primary" onClick={props.connect}>
          {text("reconnect")}
        </Button>
      )}
      {!isDown && (
        <Button look="primary" onClick={props.retry}>
          {text("retry")}
        </Button>
      )}
    </ProblemBox>
  );
}

/** The messages that are shown for a while: over the page, or in the window over it. */
export function ToastList({ app }: { app: App }) {
  return (
    <div class="toasts" role="status">
      {app.toasts.shown.value.map(({ id, problem }) => (
        <Toast problem={problem} dismiss={() => app.toasts.dismiss(id)} key={id} />
      ))}
    </div>
  );
}

function Toast({ problem, dismiss }: { problem: Problem; dismiss: () => void }) {
  const { title, hint, text: details } = wordsOf(problem);
  return (
    <div class={`toast ${problem.tone}`}>
      <div>
        <b>{title}</b>
        {details && <p>{details}</p>}
        {hint && <p class="hint">{hint}</p>}
      </div>
      <IconButton icon="close" label={text("dismiss")} onClick={dismiss} />
    </div>
  );
}
