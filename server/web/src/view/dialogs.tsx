/** Which window is open over the page. */

import type { App, Dialog } from "../app";
import { Over } from "./dialog";
import { Toasts } from "./toasts";
import { CommentWindow } from "./windows/comment";
import { ConnectWindow } from "./windows/connect";
import { HelpWindow } from "./windows/help";
import { ImportWindow } from "./windows/import";
import { OptionsWindow } from "./windows/options";
import { PlayWindow } from "./windows/play";
import type { Props } from "./windows/props";
import { RoomWindow } from "./windows/room";
import { SettingsWindow } from "./windows/settings";
import { ShareWindow } from "./windows/share";
import { SignInWindow } from "./windows/signin";

const WINDOWS: Readonly<Record<Dialog, (props: Props) => preact.JSX.Element>> = {
  import: ImportWindow,
  share: ShareWindow,
  options: OptionsWindow,
  comment: CommentWindow,
  connect: ConnectWindow,
  signin: SignInWindow,
  help: HelpWindow,
  settings: SettingsWindow,
  play: PlayWindow,
  room: RoomWindow,
};

export function Dialogs({ app }: { app: App }) {
  const open = app.dialog.value;
  if (!open) return null;
  const Opened = WINDOWS[open];
  return (
    <Over.Provider value={<Toasts app={app} />}>
      <Opened
        app={app}
        close={() => {
          // One that has made room for another says so late: that other one stays.
          if (app.dialog.peek() === open) app.dialog.value = null;
        }}
      />
    </Over.Provider>
  );
}
