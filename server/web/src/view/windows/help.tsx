/** Windows that explain: the keys, and how other programs reach the same engines. */

import { text } from "../../language/catalogue";
import { Copyable, Window, type WindowProps } from "../dialog";

// Of this module, for the page would name others by other digests: up to 70 bytes of a first visit.
export { signIn } from "../../codes/sign_in";
export { CodeWindow } from "./code";

/** The keys, and the ids of what they do. */
const KEYS: readonly [keys: string, action: string][] = [
  ["← →", "help-moves"],
  ["↑ ↓", "help-variations"],
  ["Home End", "help-ends"],
  ["n p", "help-mistakes"],
  ["m", "help-type"],
  ["Space", "help-best"],
  ["l", "help-engine"],
  ["a", "help-arrows"],
  ["x", "help-threat"],
  ["g", "help-analyse"],
  ["c", "help-comment"],
  ["Shift+F10", "help-menu"],
  ["b", "help-explorer"],
  ["f", "help-flip"],
  ["v", "help-live"],
  ["Delete", "help-delete"],
  ["Ctrl+Z", "help-undo"],
  ["Ctrl+Shift+Z", "help-redo"],
  ["Ctrl+V", "help-paste"],
  ["?", "help-help"],
];

/** The ids of the keys that have names. */
const NAMES: Readonly<Record<string, string>> = {
  Home: "key-home",
  End: "key-end",
  Space: "key-space",
  Delete: "key-delete",
  "Shift+F10": "key-shift-f10",
  "Ctrl+Z": "key-ctrl-z",
  "Ctrl+Shift+Z": "key-ctrl-shift-z",
  "Ctrl+V": "key-ctrl-v",
};

function keyName(key: string): string {
  const id = NAMES[key];
  return id ? text(id) : key;
}

export function HelpWindow({ close }: WindowProps) {
  return (
    <Window title={text("help-title")} close={close}>
      <dl class="keys">
        {KEYS.map(([keys, action]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{keyName(key)}</kbd>
              ))}
            </dt>
            <dd>{text(action)}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">{text("help-drawing")}</p>
    </Window>
  );
}

export function ConnectWindow({ app, close }: WindowProps) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const url = `${scheme}://${location.host}/engines/${app.chosen.value}`;
  const token = app.server.value?.login ? " --token-file FILE" : "";
  const copied = () => app.toasts.addNote(text("copied"));
  const { terminal } = app.server.value ?? {};
  return (
    <Window title={text("connect-title")} close={close} wide>
      <div class="stack">
        <p>{text("connect-gui-hint")}</p>
        <Copyable
          label={text("connect-gui")}
          text={`rookery-bridge${token} ${url}`}
          copied={copied}
        />
        <p>{text("connect-socket-hint")}</p>
        <Copyable label="WebSocket" text={url} copied={copied} />
        {terminal && (
          <>
            <p>{withCode(text("connect-terminal-hint"))}</p>
            <Copyable label={text("connect-terminal")} text={terminal} copied={copied} />
          </>
        )}
      </div>
    </Window>
  );
}

/** Return a text with what is between ` in it as code. */
function withCode(words: string) {
  return words.split("`").map((part, at) => (at % 2 ? <code key={part}>{part}</code> : part));
}
