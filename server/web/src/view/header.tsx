/** The top of the page: what it is, which game, and all that can be opened from there. */

import type { App, Dialog } from "../app";
import { titleOf } from "../game/title";
import { Icon, type IconName } from "./icons";

interface Entry {
  readonly icon: IconName;
  readonly label: string;
  readonly title: string;
  readonly act: () => void;
  readonly disabled?: boolean;
}

export function Header({ app }: { app: App }) {
  const open = (dialog: Dialog) => () => {
    app.dialog.value = dialog;
  };
  const isPlaying = app.isPlaying.value && app.play.outcome.value === null;
  const isSettingUp = app.editor.position.value !== null;
  const isVisiting = app.gathering.visited.value !== null;
  const isTaken = isPlaying || isSettingUp || isVisiting;
  void app.study.version.value;
  const setUp = () => app.setUp();
  const entries: readonly Entry[] = [
    {
      icon: "play",
      label: "Play",
      title: "Play against an engine",
      act: () => {
        app.leaveFinished(); // so that there is an engine again, to say how weak it can be
        app.dialog.value = "play";
      },
      disabled: isTaken,
    },
    { icon: "pieces", label: "Set up", title: "Set up a position", act: setUp, disabled: isTaken },
    {
      icon: "live",
      label: "Live",
      title: "Live: analyse together",
      act: open("room"),
      disabled: isTaken || app.isPlaying.value,
    },
    {
      icon: "open",
      label: "Open",
      title: "Open a game or a position",
      act: open("import"),
      disabled: isTaken,
    },
    { icon: "share", label: "Share", title: "Share or save", act: open("share") },
    { icon: "plug", label: "Connect", title: "Connect a chess program", act: open("connect") },
    { icon: "gear", label: "Settings", title: "Settings", act: open("settings") },
    { icon: "help", label: "Keys", title: "Keys", act: open("help") },
  ];
  return (
    <header class="page-head">
      <h1>
        <img src="/rook.svg" alt="" width="24" height="24" /> <span>Rookery</span>
      </h1>
      <p class="game-title">{titleOf(app.study.tree.value) || "Analysis board"}</p>
      <nav aria-label="Page">
        {entries.map(({ icon, label, title, act, disabled }) => (
          <button
            type="button"
            key={icon}
            class="icon-button named"
            title={title}
            aria-label={title}
            disabled={disabled ?? false}
            onClick={act}
          >
            <Icon name={icon} />
            <span aria-hidden="true">{label}</span>
          </button>
        ))}
      </nav>
    </header>
  );
}
