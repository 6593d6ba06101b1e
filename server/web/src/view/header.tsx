/** The head of the page: the title of the game, and buttons that open windows. */

import type { App, Dialog } from "../app";
import { titleOf } from "../game/tree";
import { Icon, type IconName } from "./controls";

interface Entry {
  readonly icon: IconName;
  readonly label: string;
  readonly title: string;
  readonly open: () => void;
  readonly disabled?: boolean;
}

export function Header({ app }: { app: App }) {
  const opener = (dialog: Dialog) => () => app.openDialog(dialog);
  const isPlaying = app.isPlaying.value && app.play.outcome.value === null;
  const isSettingUp = app.editor.position.value !== null;
  const isViewer = app.room.watched.value !== null;
  const isTaken = isPlaying || isSettingUp || isViewer;
  void app.study.version.value;
  const setUp = () => app.openEditor();
  const entries: readonly Entry[] = [
    {
      icon: "play",
      label: "Play",
      title: "Play against an engine",
      open: () => {
        app.leaveFinishedGame(); // Analysis has an engine that lists its levels.
        app.openDialog("play");
      },
      disabled: isTaken,
    },
    { icon: "pieces", label: "Set up", title: "Set up a position", open: setUp, disabled: isTaken },
    {
      icon: "live",
      label: "Live",
      title: "Live: analyse together",
      open: opener("room"),
      disabled: isTaken || app.isPlaying.value,
    },
    {
      icon: "open",
      label: "Open",
      title: "Open a game or a position",
      open: opener("import"),
      disabled: isTaken,
    },
    { icon: "share", label: "Share", title: "Share or save", open: opener("share") },
    { icon: "plug", label: "Connect", title: "Connect a chess program", open: opener("connect") },
    { icon: "gear", label: "Settings", title: "Settings", open: opener("settings") },
    { icon: "help", label: "Keys", title: "Keys", open: opener("help") },
  ];
  return (
    <header class="page-head">
      <h1>
        <img src="/rook.svg" alt="" width="24" height="24" /> <span>Rookery</span>
      </h1>
      <p class="game-title">{titleOf(app.study.tree.value) || "Analysis board"}</p>
      <nav aria-label="Page">
        {entries.map(({ icon, label, title, open, disabled }) => (
          <button
            type="button"
            key={icon}
            class="icon-button named"
            title={title}
            aria-label={title}
            disabled={disabled ?? false}
            onClick={open}
          >
            <Icon name={icon} />
            <span aria-hidden="true">{label}</span>
          </button>
        ))}
      </nav>
    </header>
  );
}
