/** How other programs reach the same engines. */

import { Copyable, Window } from "../dialog";
import type { Props } from "./props";

export function ConnectWindow({ app, close }: Props) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const url = `${scheme}://${location.host}/engines/${app.chosen.value}`;
  const token = app.server.value?.login ? " --token-file FILE" : "";
  const copied = () => app.notes.say("Copied");
  const { terminal } = app.server.value ?? {};
  return (
    <Window title="Use these engines in a chess program" close={close} wide>
      <div class="stack">
        <p>Add a UCI engine with this command to any chess GUI. It behaves like a local engine.</p>
        <Copyable label="Chess GUI" text={`rookery-bridge${token} ${url}`} copied={copied} />
        <p>Your own program opens the WebSocket and speaks UCI, one line per message.</p>
        <Copyable label="WebSocket" text={url} copied={copied} />
        {terminal && (
          <>
            <p>
              In a terminal, type UCI as plain lines: try <code>uci</code>, then{" "}
              <code>go depth 10</code>.
            </p>
            <Copyable label="Terminal" text={terminal} copied={copied} />
          </>
        )}
      </div>
    </Window>
  );
}
