/** The head of the page: the title of the game, and buttons that open windows. */

import type { App, Dialog } from "../app";
import { titleOf } from "../game/tree";
import { text } from "../language/catalogue";
import rook from "../rook.svg";
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
    ? [["chart", "analyses", "header-analyses-title", false, opener("jobs")]]
    : [];
  const projects: readonly Entry[] = app.keepsProjects.value
    ? [["tree", "projects", "projects-title", false, opener("projects")]]
    : [];
  const mayBegin = !isTaken && app.room.mayChange.value;
  const entries: readonly Entry[] = [
    ["plus", "header-new", "header-new-title", !mayBegin, () => app.opener.newGame()],
    ["play", "play", "header-play-title", isTaken, openPlay],
    ["pieces", "header-setup", "setup", isTaken, () => app.openEditor()],
    ["live", "header-live", "header-live-title", isGame, opener("room")],
    ["open", "open", "import-title", isTaken, opener("import")],
    ...jobs,
    ...projects,
    ["share", "share", "header-share-title", false, opener("share")],
    ["plug", "header-connect", "header-connect-title", false, opener("connect")],
    ["gear", "settings", "settings", false, opener("settings")],
    ["help", "header-keys", "header-keys-title", false, opener("help")],
  ];
  return (
    <header class="page-head">
      <h1>
        <img src={rook} alt="" width="24" height="24" /> <span>Rookery</span>
      </h1>
      <GameTitle app={app} />
      <nav aria-label={text("header-page")}>
        {entries.map(([icon, label, title, isDisabled, onClick]) => (
          <button
            type="button"
            key={icon}
            class={`icon-button named ${icon}`}
            title={text(title)}
            aria-label={text(title)}
            disabled={isDisabled}
            onClick={onClick}
          >
            <Icon name={icon} />
            <span aria-hidden="true">{text(label)}</span>
          </button>
        ))}
      </nav>
    </header>
  );
}

/** The names, the date and the result; a click edits them. */
function GameTitle({ app }: { app: App }) {
  void app.study.version.value;
  const title = titleOf(app.study.tree.value) || text("header-untitled");
  if (!app.mayChange.value) return <p class="game-title">{title}</p>;
  return (
    <p class="game-title">
      <button type="button" title={text("header-edit")} onClick={() => app.openDialog("headers")}>
        {title}
      </button>
    </p>
  );
}
