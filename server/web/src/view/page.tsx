/** The whole page: where things are. */

import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { scoreText } from "../analysis/score";
import type { App } from "../app";
import { inWords } from "../game/position";
import { clockAt } from "../game/remark";
import { type Color, clockText } from "../play/clock";
import { Board } from "./board";
import { BookPanel } from "./book";
import { Dialogs } from "./dialogs";
import { EnginePanel } from "./engine";
import { EvalBar } from "./evalbar";
import { Report } from "./graph";
import { Header } from "./header";
import { Trouble } from "./hint";
import { IconButton } from "./icons";
import { listen } from "./keys";
import { Moves } from "./moves";
import { ClockFace, PlayPanel } from "./play";
import { PracticePanel } from "./practice";
import { RoomPanel } from "./room";
import { SetupBoard } from "./setup/board";
import { SetupPanel } from "./setup/panel";
import { Toasts } from "./toasts";
import { TypedMove } from "./typed";

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
      {app.editor.position.value ? <SetupMain app={app} /> : <BoardMain app={app} />}
      <Spoken app={app} />
      <Dialogs app={app} />
    </>
  );
}

function BoardMain({ app }: { app: App }) {
  const isPlaying = app.isPlaying.value;
  const isPractising = app.practice.mistake.value !== null;
  const hasBar = app.settings.value.bar && !isPlaying && !isPractising;
  return (
    <main class={hasBar ? "with-bar" : ""}>
      <div class="board-column">
        <Player app={app} isTop />
        <div class="board-row">
          {hasBar && <EvalBar app={app} />}
          <Board app={app} />
        </div>
        <Player app={app} />
      </div>
      <div class="side-column">
        {isPractising && <PracticePanel app={app} />}
        {isPlaying && <PlayPanel app={app} />}
        {!isPlaying && !isPractising && <EnginePanel app={app} />}
        {!isPlaying && <Trouble app={app} />}
        <RoomPanel app={app} />
        {!isPlaying && !isPractising && <BookPanel app={app} />}
        {!isPractising && <Moves app={app} />}
        <Said app={app} />
        {!isPlaying && !isPractising && <Report app={app} />}
        <TypedMove app={app} />
        {!isPractising && <Controls app={app} />}
      </div>
    </main>
  );
}

function SetupMain({ app }: { app: App }) {
  return (
    <main class="setting-up">
      <div class="board-column">
        <SetupBoard app={app} />
      </div>
      <div class="side-column">
        <SetupPanel app={app} />
        <Said app={app} />
      </div>
    </main>
  );
}

/** What is said for a while takes its room from the list above it, and covers nothing below. */
function Said({ app }: { app: App }) {
  return app.dialog.value === null ? <Toasts app={app} /> : null;
}

function Player({ app, isTop }: { app: App; isTop?: boolean }) {
  const isWhite = (app.study.orientation.value === "white") !== Boolean(isTop);
  const { headers } = app.study.tree.value;
  const side = isWhite ? "White" : "Black";
  const name = headers.get(side) ?? "";
  void app.study.version.value;
  if (!name || name === "?") return null;
  const rating = headers.get(`${side}Elo`) ?? "";
  return (
    <p class={`player ${isTop ? "top" : "bottom"}`}>
      <i class={`side ${side.toLowerCase()}`} />
      <bdi class="player-name" title={name}>
        {name}
      </bdi>
      {/^\d+$/.test(rating) && <span class="rating">{rating}</span>}
      <ClockFace app={app} color={isWhite ? "white" : "black"} />
      <NotedClock app={app} color={isWhite ? "white" : "black"} />
    </p>
  );
}

/** What a clock showed at this move of a game that was played elsewhere. */
function NotedClock({ app, color }: { app: App; color: Color }) {
  if (app.isPlaying.value) return null;
  const node = app.study.node.value;
  const seconds = clockAt(node, color);
  if (seconds === null) return null;
  return (
    <time class="clock" data-testid={`noted-${color}`}>
      {clockText(1000 * seconds)}
    </time>
  );
}

function Controls({ app }: { app: App }) {
  const node = app.study.node.value;
  void app.study.version.value;
  const atStart = !node.parent;
  const atEnd = !node.children.length;
  const mayChange = !app.isPlaying.value && app.mover.value !== null;
  return (
    <nav class="controls" aria-label="Moves">
      <IconButton icon="flip" label="Flip board (f)" onClick={() => app.study.flip()} />
      {!app.isPlaying.value && (
        <IconButton
          icon="book"
          label="Opening explorer (b)"
          pressed={app.book.isOpen.value}
          onClick={() => app.book.toggle()}
        />
      )}
      <IconButton
        icon="first"
        label="Go to start (Home)"
        disabled={atStart}
        onClick={() => app.study.first()}
      />
      <IconButton
        icon="back"
        label="Previous move (←)"
        disabled={atStart}
        onClick={() => app.study.back()}
      />
      <IconButton
        icon="forward"
        label="Next move (→)"
        disabled={atEnd}
        onClick={() => app.study.forward()}
      />
      <IconButton
        icon="last"
        label="Go to end (End)"
        disabled={atEnd}
        onClick={() => app.study.last()}
      />
      {mayChange && (
        <>
          <IconButton
            icon="pen"
            label="Comment on this move (c)"
            onClick={() => {
              app.dialog.value = "comment";
            }}
          />
          <IconButton
            icon="up"
            label="Make this the main line"
            disabled={node.isMainline}
            onClick={() => app.study.promote(node)}
          />
          <IconButton
            icon="trash"
            label="Delete from here (Delete)"
            disabled={atStart}
            onClick={() => app.study.remove(node)}
          />
          <IconButton
            icon="undo"
            label="Undo (Ctrl+Z)"
            disabled={!app.study.undoable.value}
            onClick={() => app.study.undo()}
          />
          {app.study.redoable.value > 0 && (
            <IconButton icon="redo" label="Redo (Ctrl+Shift+Z)" onClick={() => app.study.redo()} />
          )}
        </>
      )}
    </nav>
  );
}

/** What who does not see the board hears of it. */
function Spoken({ app }: { app: App }) {
  const position = useComputed(() => inWords(app.study.node.value.position()));
  const node = app.study.node.value;
  const findings = app.analysis.findings.value;
  const isShown = findings?.fen === node.fen && !app.practice.mistake.value;
  const best = isShown ? findings?.lines[0] : undefined;
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
