/** The whole page: where things are, keys, and what is dropped or pasted on it. */

import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { scoreText } from "../analysis/score";
import type { App, Dialog } from "../app";
import { inWords } from "../game/position";
import { Board } from "./board";
import { Dialogs, titleOf } from "./dialogs";
import { EnginePanel } from "./engine";
import { EvalBar } from "./evalbar";
import { Report } from "./graph";
import { Trouble } from "./hint";
import { IconButton, type IconName } from "./icons";
import { Moves } from "./moves";

export function Page({ app }: { app: App }) {
  useEffect(() => listen(app), [app]);
  useSignalEffect(() => {
    const { theme, size } = app.settings.value;
    document.documentElement.dataset.theme = theme;
    document.documentElement.style.setProperty("--size", String(size));
  });
  return (
    <>
      <Header app={app} />
      <main class={app.settings.value.bar ? "with-bar" : ""}>
        <div class="board-column">
          <Player app={app} isTop />
          <div class="board-row">
            {app.settings.value.bar && <EvalBar app={app} />}
            <Board app={app} />
          </div>
          <Player app={app} />
        </div>
        <div class="side-column">
          <EnginePanel app={app} />
          <Trouble app={app} />
          <Moves app={app} />
          <Report app={app} />
          <Controls app={app} />
        </div>
      </main>
      <Spoken app={app} />
      <Toasts app={app} />
      <Dialogs app={app} />
    </>
  );
}

function Header({ app }: { app: App }) {
  const open = (dialog: Dialog) => () => {
    app.dialog.value = dialog;
  };
  const buttons: [IconName, string, () => void][] = [
    ["open", "Open a game or a position", open("import")],
    ["share", "Share or save", open("share")],
    ["plug", "Connect a chess program", open("connect")],
    ["gear", "Settings", open("settings")],
    ["help", "Keys", open("help")],
  ];
  return (
    <header class="top">
      <h1>
        <img src="/rook.svg" alt="" width="24" height="24" /> Rookery
      </h1>
      <GameTitle app={app} />
      <nav aria-label="Page">
        {buttons.map(([icon, label, onClick]) => (
          <IconButton key={icon} icon={icon} label={label} onClick={onClick} />
        ))}
      </nav>
    </header>
  );
}

function GameTitle({ app }: { app: App }) {
  const title = titleOf(app.tree.value);
  return <p class="game-title">{title || "Analysis board"}</p>;
}

function Player({ app, isTop }: { app: App; isTop?: boolean }) {
  const isWhite = (app.orientation.value === "white") !== Boolean(isTop);
  const { headers } = app.tree.value;
  const side = isWhite ? "White" : "Black";
  const name = headers.get(side) ?? "";
  if (!name || name === "?") return null;
  const rating = headers.get(`${side}Elo`) ?? "";
  return (
    <p class={`player ${isTop ? "top" : "bottom"}`}>
      <i class={`side ${side.toLowerCase()}`} /> {name}{" "}
      {/^\d+$/.test(rating) && <span class="rating">{rating}</span>}
    </p>
  );
}

function Controls({ app }: { app: App }) {
  const node = app.node.value;
  void app.version.value;
  const atStart = !node.parent;
  const atEnd = !node.children.length;
  return (
    <nav class="controls" aria-label="Moves">
      <IconButton icon="flip" label="Turn the board (f)" onClick={() => app.flip()} />
      <IconButton
        icon="first"
        label="To the start (Home)"
        disabled={atStart}
        onClick={() => app.first()}
      />
      <IconButton
        icon="back"
        label="One move back (←)"
        disabled={atStart}
        onClick={() => app.back()}
      />
      <IconButton
        icon="forward"
        label="One move forward (→)"
        disabled={atEnd}
        onClick={() => app.forward()}
      />
      <IconButton
        icon="last"
        label="To the end (End)"
        disabled={atEnd}
        onClick={() => app.last()}
      />
      <IconButton
        icon="up"
        label="Make this line the main line"
        disabled={node.isMainline}
        onClick={() => app.promote(node)}
      />
      <IconButton
        icon="trash"
        label="Take this move and all after it away (Delete)"
        disabled={atStart}
        onClick={() => app.remove(node)}
      />
    </nav>
  );
}

/** What who does not see the board hears of it. */
function Spoken({ app }: { app: App }) {
  const position = useComputed(() => inWords(app.node.value.position()));
  const node = app.node.value;
  const findings = app.findings.value;
  const best = findings?.fen === node.fen ? findings.lines[0] : undefined;
  const isRound = best && best.depth % 5 === 0;
  return (
    <section class="unseen" aria-label="In words">
      <p aria-live="polite">{node.san ? `${Math.ceil(node.ply / 2)}, ${node.san}` : "Start"}</p>
      <p aria-live="polite">{isRound ? `${scoreText(best.score)} at depth ${best.depth}` : ""}</p>
      <h2>Position</h2>
      <p data-testid="position">{position}</p>
    </section>
  );
}

function Toasts({ app }: { app: App }) {
  return (
    <div class="toasts" role="status">
      {app.toasts.value.map(({ id, problem }) => (
        <div class={`toast ${problem.tone}`} key={id}>
          <div>
            <b>{problem.title}</b>
            {problem.text && <p>{problem.text}</p>}
            {problem.hint && <p class="hint">{problem.hint}</p>}
          </div>
          <IconButton icon="close" label="Dismiss" onClick={() => app.dismiss(id)} />
        </div>
      ))}
    </div>
  );
}

function listen(app: App): () => void {
  const isTyping = (event: Event) =>
    event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
  const ends = new AbortController();
  const options = { signal: ends.signal };
  document.addEventListener(
    "keydown",
    (event) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = KEYS[event.key];
      if (!act) return;
      if (event.key === " " && event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      act(app);
    },
    options,
  );
  document.addEventListener(
    "paste",
    (event) => {
      if (!isTyping(event)) app.take(event.clipboardData?.getData("text/plain") ?? "");
    },
    options,
  );
  document.addEventListener("dragover", (event) => event.preventDefault(), options);
  document.addEventListener(
    "drop",
    async (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      app.take(file ? await file.text() : (event.dataTransfer?.getData("text/plain") ?? ""));
      if (app.games.peek().length) app.dialog.value = "import";
    },
    options,
  );
  return () => ends.abort();
}

const KEYS: Readonly<Record<string, (app: App) => void>> = {
  ArrowLeft: (app) => app.back(),
  ArrowRight: (app) => app.forward(),
  ArrowUp: (app) => app.sideways(-1),
  ArrowDown: (app) => app.sideways(1),
  Home: (app) => app.first(),
  End: (app) => app.last(),
  Delete: (app) => app.remove(app.node.peek()),
  " ": (app) => app.playBest(),
  a: (app) => app.change({ arrows: !app.settings.peek().arrows }),
  f: (app) => app.flip(),
  l: (app) => app.toggleEngine(),
  "?": (app) => {
    app.dialog.value = "help";
  },
};
