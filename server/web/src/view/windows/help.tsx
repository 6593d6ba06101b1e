/** Windows that explain: the keys, and how other programs reach the same engines. */

import { Copyable, Window, type WindowProps } from "../dialog";

const KEYS: readonly [string, string][] = [
  ["← →", "previous, next move; also the mouse wheel over the board"],
  ["↑ ↓", "previous, next variation"],
  ["Home End", "start, end of the line"],
  ["n p", "next, previous mistake of a game that is analysed"],
  ["m", "type a move"],
  ["Space", "play the engine's best move"],
  ["l", "start or stop the engine"],
  ["a", "show or hide arrows"],
  ["x", "show the threat"],
  ["g", "analyse the game"],
  ["c", "comment on the move"],
  ["Shift+F10", "menu of the move, in the list of moves (Tab leads there)"],
  ["b", "opening explorer: what was played here"],
  ["f", "flip the board"],
  ["v", "in a room: back to the live position"],
  ["Delete", "delete the move and all after it"],
  ["Ctrl+Z", "undo the last change"],
  ["Ctrl+Shift+Z", "redo what was undone"],
  ["Ctrl+V", "paste a PGN or FEN"],
  ["?", "show these shortcuts"],
];

export function HelpWindow({ close }: WindowProps) {
  return (
    <Window title="Keyboard shortcuts" close={close}>
      <dl class="keys">
        {KEYS.map(([keys, action]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        Draw arrows and circles with the right mouse button; Shift, Alt or both give other colours.
        They stay with the position and in the PGN. Draw one again to remove it, or click an empty
        square to remove all.
      </p>
    </Window>
  );
}

export function ConnectWindow({ app, close }: WindowProps) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const url = `${scheme}://${location.host}/engines/${app.chosen.value}`;
  const token = app.server.value?.login ? " --token-file FILE" : "";
  const copied = () => app.toasts.addNote("Copied");
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
