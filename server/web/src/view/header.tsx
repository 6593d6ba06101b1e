/** The head of the page: the title of the game, and buttons that open windows. */

import type { App, Dialog } from "../app";
import { titleOf } from "../game/tree";
import { Icon, type IconName } from "./controls";

type Entry = readonly [
  icon: IconName,
  label: string,
  title: string,
  isDisabled: boolean,
  onClick: () => void,
];

export function Header({ app }: { app: App }) {
  const opener = (dialog: Dialog) => () => app.openDialog(dialog);
  const isPlaying = app.isPlaying.value && app.play.outcome.value === null;
  const isSettingUp = app.editor.position.value !== null;
  const isViewer = app.room.watched.value !== null;
  const isTaken = isPlaying || isSettingUp || isViewer;
  const isGame = isTaken || app.isPlaying.value;
  const openPlay = () => {
    app.leaveFinishedGame(); // Analysis has an engine that lists its levels.
    app.openDialog("play");
  };
  const jobs: readonly Entry[] = app.jobs.isOffered.value
    ? [["chart", "Analyses", "My analyses on the server", false, opener("jobs")]]
    : [];
  const mayBegin = !isTaken && app.room.mayChange.value;
  const entries: readonly Entry[] = [
    ["plus", "New", "Start a new game", !mayBegin, () => app.opener.newGame()],
    ["play", "Play", "Play against an engine", isTaken, openPlay],
    ["pieces", "Set up", "Set up a position", isTaken, () => app.openEditor()],
    ["live", "Live", "Live: analyse together", isGame, opener("room")],
    ["open", "Open", "Open a game or a position", isTaken, opener("import")],
    ...jobs,
    ["share", "Share", "Share or save", false, opener("share")],
    ["plug", "Connect", "Connect a chess program", false, opener("connect")],
    ["gear", "Settings", "Settings", false, opener("settings")],
    ["help", "Keys", "Keys", false, opener("help")],
  ];
  return (
    <header class="page-head">
      <h1>
        <img src="/rook.svg" alt="" width="24" height="24" /> <span>Rookery</span>
      </h1>
      <GameTitle app={app} />
      <nav aria-label="Page">
        {entries.map(([icon, label, title, isDisabled, onClick]) => (
          <button
            type="button"
            key={icon}
            class={`icon-button named ${icon}`}
            title={title}
            aria-label={title}
            disabled={isDisabled}
            onClick={onClick}
          >
            <Icon name={icon} />
            <span aria-hidden="true">{label}</span>
          </button>
        ))}
      </nav>
    </header>
  );
}

/** The names, the date and the result; a click edits them. */
function GameTitle({ app }: { app: App }) {
  void app.study.version.value;
  const title = titleOf(app.study.tree.value) || "Analysis board";
  if (!app.mayChange.value) return <p class="game-title">{title}</p>;
  return (
    <p class="game-title">
      <button
        type="button"
        title="Edit names, date and result"
        onClick={() => app.openDialog("headers")}
      >
        {title}
      </button>
    </p>
  );
}
