/** The windows: import, share, settings, sign-in, how to connect, keys. */

import { useSignal } from "@preact/signals";
import type { App, Dialog } from "../app";
import type { GameTree } from "../game/tree";
import type { Theme } from "../settings";
import { Copyable, Window } from "./dialog";
import { OptionsWindow } from "./options";

export function Dialogs({ app }: { app: App }) {
  const open = app.dialog.value;
  const close = () => {
    app.dialog.value = null;
  };
  const windows: Record<Dialog, () => preact.JSX.Element> = {
    import: () => <ImportWindow app={app} close={close} />,
    share: () => <ShareWindow app={app} close={close} />,
    options: () => <OptionsWindow app={app} close={close} />,
    connect: () => <ConnectWindow app={app} close={close} />,
    signin: () => <SignInWindow app={app} close={close} />,
    help: () => <HelpWindow close={close} />,
    settings: () => <SettingsWindow app={app} close={close} />,
  };
  return open ? windows[open]() : null;
}

interface Props {
  readonly app: App;
  readonly close: () => void;
}

function ImportWindow({ app, close }: Props) {
  const text = useSignal("");
  const search = useSignal("");
  const take = (value: string) => app.take(value) && app.games.peek().length === 0 && close();
  const games = app.games.value.filter((game) =>
    titleOf(game).toLowerCase().includes(search.value),
  );
  return (
    <Window title="Open a game or a position" close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          take(text.value);
        }}
      >
        <textarea
          rows={7}
          aria-label="PGN or FEN"
          placeholder="Paste PGN (one game or many) or a FEN here; or drop a file anywhere on the page."
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <div class="buttons">
          <input
            type="file"
            aria-label="A file with games"
            accept=".pgn,.fen,.epd,.txt,text/plain"
            onChange={async (event) => {
              const file = event.currentTarget.files?.[0];
              if (file) take(await file.text());
            }}
          />
          <button
            type="button"
            class="button"
            onClick={() => {
              app.reset();
              close();
            }}
          >
            New game
          </button>
          <button type="submit" class="button primary" disabled={!text.value.trim()}>
            Open
          </button>
        </div>
      </form>
      {app.games.value.length > 1 && (
        <div class="stack">
          <input
            type="search"
            aria-label="Search the games"
            placeholder={`Search ${app.games.value.length} games`}
            onInput={(event) => {
              search.value = event.currentTarget.value.toLowerCase();
            }}
          />
          <ul class="games">
            {games.slice(0, 200).map((game) => (
              <li key={app.games.value.indexOf(game)}>
                <button
                  type="button"
                  onClick={() => {
                    app.load(game);
                    close();
                  }}
                >
                  {titleOf(game)}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Window>
  );
}

export function titleOf(game: GameTree): string {
  const [white, black, event, date, result] = ["White", "Black", "Event", "Date", "Result"].map(
    (key) => {
      const value = game.headers.get(key) ?? "";
      return /^[?.]*$/.test(value) ? "" : value.replaceAll(".??", "");
    },
  );
  const players = white || black ? `${white || "?"} – ${black || "?"}` : "";
  return [players, event, date, result === "*" ? "" : result].filter(Boolean).join(", ");
}

function ShareWindow({ app, close }: Props) {
  void app.version.value;
  const copied = () => app.note("Copied");
  const pgn = app.pgn();
  return (
    <Window title="Share" close={close} wide>
      <div class="stack">
        <Copyable label="Link to this position" text={app.address()} copied={copied} />
        <Copyable label="FEN" text={app.node.value.fen} copied={copied} />
        <Copyable label="PGN" text={pgn} rows={9} copied={copied} />
        <div class="buttons">
          <button type="button" class="button primary" onClick={() => download("game.pgn", pgn)}>
            Download the game
          </button>
        </div>
      </div>
    </Window>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function SettingsWindow({ app, close }: Props) {
  const settings = app.settings.value;
  return (
    <Window title="Settings" close={close}>
      <div class="stack">
        <label class="row">
          <span>Colours</span>
          <select
            value={settings.theme}
            onChange={(event) => app.change({ theme: event.currentTarget.value as Theme })}
          >
            <option value="system">as the system has them</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        <label class="row">
          <span>Size of the board</span>
          <input
            type="range"
            min="0.5"
            max="1"
            step="0.05"
            value={settings.size}
            onInput={(event) => app.change({ size: +event.currentTarget.value })}
          />
        </label>
        <Check app={app} name="arrows" label="Arrows for the best moves" />
        <Check app={app} name="bar" label="Bar with the evaluation" />
        <Check app={app} name="stopsWhenHidden" label="Stop the engine while this page is hidden" />
        {app.isSignedIn && (
          <button type="button" class="button" onClick={() => app.signOut()}>
            Sign out
          </button>
        )}
      </div>
    </Window>
  );
}

function Check(props: { app: App; name: "arrows" | "bar" | "stopsWhenHidden"; label: string }) {
  const { app, name, label } = props;
  return (
    <label class="row">
      <span>{label}</span>
      <input
        type="checkbox"
        checked={app.settings.value[name]}
        onChange={(event) => app.change({ [name]: event.currentTarget.checked })}
      />
    </label>
  );
}

function ConnectWindow({ app, close }: Props) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const url = `${scheme}://${location.host}/engines/${app.chosen.value}`;
  const token = app.server.value?.login ? " --token-file FILE" : "";
  const copied = () => app.note("Copied");
  const { terminal } = app.server.value ?? {};
  return (
    <Window title="Use these engines in a chess program" close={close} wide>
      <div class="stack">
        <p>
          Add a UCI engine with this command to any chess GUI. It behaves like an engine of your own
          machine.
        </p>
        <Copyable label="Chess GUI" text={`rookery-bridge${token} ${url}`} copied={copied} />
        <p>Your own program opens the WebSocket and speaks UCI: one line is one message.</p>
        <Copyable label="WebSocket" text={url} copied={copied} />
        {terminal && (
          <>
            <p>
              In a terminal, the same in plain lines; try <code>uci</code>, then{" "}
              <code>go depth 10</code>.
            </p>
            <Copyable label="Terminal" text={terminal} copied={copied} />
          </>
        )}
      </div>
    </Window>
  );
}

function SignInWindow({ app, close }: Props) {
  const token = useSignal("");
  const wrong = useSignal("");
  const isBusy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    wrong.value = (await app.signIn(token.value.trim())) ?? "";
    isBusy.value = false;
  };
  return (
    <Window title="Sign in" close={close}>
      <form class="stack" onSubmit={submit}>
        <p>This server wants a token; its operator gives them out. It is kept for this tab only.</p>
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            autoComplete="off"
            spellcheck={false}
            placeholder="rk_…"
            value={token.value}
            onInput={(event) => {
              token.value = event.currentTarget.value;
            }}
          />
        </label>
        {wrong.value && (
          <p class="wrong" role="alert">
            {wrong.value}
          </p>
        )}
        <div class="buttons">
          <button
            type="submit"
            class="button primary"
            disabled={!token.value.trim() || isBusy.value}
          >
            Sign in
          </button>
        </div>
      </form>
    </Window>
  );
}

const KEYS: readonly [string, string][] = [
  ["← →", "one move back, one forward"],
  ["↑ ↓", "the former, the next variation"],
  ["Home End", "the start, the end of the line"],
  ["Space", "play the engine's best move"],
  ["l", "start or stop the engine"],
  ["a", "arrows"],
  ["f", "turn the board"],
  ["Delete", "take the move and all after it away"],
  ["Ctrl+V", "open what was copied: PGN or FEN"],
  ["?", "this window"],
];

function HelpWindow({ close }: { close: () => void }) {
  return (
    <Window title="Keys" close={close}>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">Right mouse button: arrows and circles of your own.</p>
    </Window>
  );
}
