/** The layout of the page, and its windows. */

import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { scoreText } from "../analysis/score";
import type { App, Dialog } from "../app";
import { describePosition } from "../game/words";
import { text } from "../language/catalogue";
import { Board } from "./board";
import { hasOneColumn } from "./columns";
import { IconButton, type IconName } from "./controls";
import { WindowExtra, type WindowProps } from "./dialog";
import { EnginePanel, EvaluationBar } from "./engine";
import { Header } from "./header";
import { addInputListeners, TypedMove } from "./keyboard";
import { later, loadViews } from "./later";
import { AnalysisProblem, ToastList } from "./messages";
import { Moves } from "./moves";
import { Player } from "./player";
import { SharedPanel } from "./shared";
import { SignInWindow } from "./windows/signin";

const LATER_DELAY = 2000; // ms after which views are loaded that nobody has opened yet
const CompanionPanels = later(() => import("./companion").then((it) => it.CompanionPanels));
const ExplorerPanel = later(() => import("./explorer").then((it) => it.ExplorerPanel));
const ProjectPanel = later(() => import("./project").then((it) => it.ProjectPanel));
const PlayPanel = later(() => import("./play").then((it) => it.PlayPanel));
const PracticePanel = later(() => import("./practice").then((it) => it.PracticePanel));
const Report = later(() => import("./report").then((it) => it.Report));
const RoomPanel = later(() => import("./room").then((it) => it.RoomPanel));
const SetupBoard = later(() => import("./setup").then((it) => it.SetupBoard));
const SetupPanel = later(() => import("./setup").then((it) => it.SetupPanel));
const StorageProblem = later(() => import("./storage").then((it) => it.StorageProblem));
const TablebasePanel = later(() => import("./tablebase").then((it) => it.TablebasePanel));
const WINDOWS: Readonly<Record<Dialog, (props: WindowProps) => preact.JSX.Element | null>> = {
  code: later(() => import("./windows/help").then((it) => it.CodeWindow)),
  import: later(() => import("./windows/import").then((it) => it.ImportWindow)),
  share: later(() => import("./windows/share").then((it) => it.ShareWindow)),
  options: later(() => import("./windows/options").then((it) => it.OptionsWindow)),
  comment: later(() => import("./windows/comment").then((it) => it.CommentWindow)),
  headers: later(() => import("./windows/headers").then((it) => it.HeadersWindow)),
  connect: later(() => import("./windows/help").then((it) => it.ConnectWindow)),
  signin: SignInWindow,
  help: later(() => import("./windows/help").then((it) => it.HelpWindow)),
  settings: later(() => import("./windows/settings").then((it) => it.SettingsWindow)),
  play: later(() => import("./windows/play").then((it) => it.PlayWindow)),
  room: later(() => import("./room").then((it) => it.RoomWindow)),
  projects: later(() => import("./windows/projects").then((it) => it.ProjectsWindow)),
  jobs: later(() => import("./windows/jobs").then((it) => it.JobsWindow)),
};

export function Page({ app }: { app: App }) {
  // Before anything is seen: whoever sees the page may press a key.
  useLayoutEffect(() => addInputListeners(app), [app]);
  useEffect(() => {
    const timer = setTimeout(loadViews, LATER_DELAY);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Header app={app} />
      {app.editor.position.value ? <SetupMain app={app} /> : <BoardMain app={app} />}
      <ScreenReaderText app={app} />
      <OpenWindow app={app} />
    </>
  );
}

function BoardMain({ app }: { app: App }) {
  const isPlaying = app.isPlaying.value;
  const isPractising = app.practice.mistake.value !== null;
  // Without a token there is no engine, and the game can be read.
  const isReading = app.shared.isShown.value && app.wantsToken.value;
  const hasEngine = !isPlaying && !isPractising && !isReading;
  const isFull = app.storage.value === "full" && !app.isStorageDismissed.value;
  const hasBar = app.settings.value.bar && hasEngine;
  return (
    <main class={hasBar ? "with-bar" : ""}>
      <div class="board-column">
        <Player app={app} isTop />
        <div class="board-row">
          {hasBar && <EvaluationBar app={app} />}
          <Board app={app} />
        </div>
        <Player app={app} />
      </div>
      <div class="side-column">
        {!isPlaying && !isPractising && hasOneColumn.value && <OpenProject app={app} />}
        {isPractising && <PracticePanel app={app} />}
        {isPlaying && <PlayPanel app={app} />}
        <SharedPanel app={app} />
        {hasEngine && <EnginePanel app={app} />}
        {!isPlaying && !isReading && <AnalysisProblem app={app} />}
        {isFull && <StorageProblem app={app} />}
        {app.room.name.value !== null && <RoomPanel app={app} />}
        {!isPractising && <Moves app={app} />}
        <PageToasts app={app} />
        {!isPlaying && !isPractising && <Panels app={app} />}
        <TypedMove app={app} />
        {!isPractising && <Controls app={app} />}
      </div>
    </main>
  );
}

/** What there is to say about the game and the position: a list of panels, each of which folds. */
function Panels({ app }: { app: App }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and all in it may be disabled
    <div class="panels" tabIndex={0}>
      {app.analysis.companions.list.value.length > 0 && <CompanionPanels app={app} />}
      {app.tablebaseFen.value !== null && <TablebasePanel app={app} />}
      {app.explorer.isOpen.value && <ExplorerPanel app={app} />}
      {!hasOneColumn.value && <OpenProject app={app} />}
      <ReportOfMoves app={app} />
    </div>
  );
}

/** The project that is open: in one column directly below the board, or else among the panels. */
function OpenProject({ app }: { app: App }) {
  return app.project.value === null ? null : <ProjectPanel app={app} />;
}

/** The report, once there is a move: a first visit does without it. */
function ReportOfMoves({ app }: { app: App }) {
  void app.study.version.value;
  return app.study.tree.value.root.children.length ? <Report app={app} /> : null;
}

function SetupMain({ app }: { app: App }) {
  return (
    <main class="setting-up">
      <div class="board-column">
        <SetupBoard app={app} close={() => app.editor.cancel()} />
      </div>
      <div class="side-column">
        <SetupPanel app={app} />
        <PageToasts app={app} />
      </div>
    </main>
  );
}

/** The toasts take their space from the list above them, and cover nothing. */
function PageToasts({ app }: { app: App }) {
  return app.dialog.value === null ? <ToastList app={app} /> : null;
}

function OpenWindow({ app }: { app: App }) {
  const dialog = app.dialog.value;
  if (!dialog) return null;
  const Opened = WINDOWS[dialog];
  // A window that has opened another one reports its own end late: the other one stays.
  const close = () => {
    if (app.dialog.peek() === dialog) app.dialog.value = null;
  };
  return (
    <WindowExtra.Provider value={<ToastList app={app} />}>
      <Opened app={app} close={close} />
    </WindowExtra.Provider>
  );
}

type Control = readonly [IconName, label: string, isDisabled: boolean, onClick: () => void];

function Controls({ app }: { app: App }) {
  const { study } = app;
  const node = study.node.value;
  void study.version.value;
  const [atStart, atEnd] = [!node.parent, !node.children.length];
  const steps: Control[] = [
    ["first", "moves-to-start", atStart, () => study.goToStart()],
    ["back", "moves-back", atStart, () => study.goBack()],
    ["forward", "moves-forward", atEnd, () => study.goForward()],
    ["last", "moves-to-end", atEnd, () => study.goToEnd()],
  ];
  const changes: Control[] = [
    ["pen", "moves-comment", false, () => app.openDialog("comment")],
    ["up", "moves-promote", node.isMainline, () => study.promote(node)],
    ["trash", "moves-delete", atStart, () => study.remove(node)],
    ["undo", "moves-undo", !study.undoable.value, () => study.undo()],
  ];
  if (study.redoable.value > 0) {
    changes.push(["redo", "moves-redo", false, () => study.redo()]);
  }
  const isMovable = !app.isPlaying.value && app.movableSide.value !== null;
  const mayChange = isMovable && app.room.mayChange.value;
  return (
    <nav class="controls" aria-label={text("page-moves")}>
      <IconButton icon="flip" label={text("page-flip")} onClick={() => study.flip()} />
      {!app.isPlaying.value && (
        <IconButton
          icon="book"
          label={text("page-explorer")}
          pressed={app.explorer.isOpen.value}
          onClick={() => app.explorer.toggle()}
        />
      )}
      {[...steps, ...(mayChange ? changes : [])].map(([icon, label, disabled, onClick]) => (
        <IconButton
          key={icon}
          icon={icon}
          label={text(label)}
          disabled={disabled}
          onClick={onClick}
        />
      ))}
    </nav>
  );
}

/** The position and the moves in words, for screen readers. */
function ScreenReaderText({ app }: { app: App }) {
  const position = useComputed(() => describePosition(app.study.node.value.position()));
  const node = app.study.node.value;
  const findings = app.analysis.main.findings.value;
  const isShown = findings?.key === app.analysis.boardKey.value && !app.practice.mistake.value;
  const best = isShown ? findings?.lines[0] : undefined;
  const isRound = best && best.depth % 5 === 0;
  return (
    <section class="unseen" aria-label={text("page-in-words")}>
      <p aria-live="polite">
        {node.san ? `${Math.ceil(node.ply / 2)}, ${node.san}` : text("page-start")}
      </p>
      <p aria-live="polite">
        {isRound
          ? text("page-best-at-depth", { score: scoreText(best.score), depth: String(best.depth) })
          : ""}
      </p>
      <h2>{text("page-position")}</h2>
      <p data-testid="position">{position}</p>
    </section>
  );
}
