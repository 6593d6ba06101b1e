/** How the page looks and behaves. */

import type { App } from "../../app";
import type { Theme } from "../../settings";
import { Window } from "../dialog";
import type { Props } from "./props";

export function SettingsWindow({ app, close }: Props) {
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
            <option value="system">System default</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
        <label class="row">
          <span>Board size</span>
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
        <Check app={app} name="bar" label="Evaluation bar" />
        <Check app={app} name="stopsWhenHidden" label="Stop the engine while this page is hidden" />
        {app.wantsToken.value && (
          <button
            type="button"
            class="button"
            onClick={() => {
              app.dialog.value = "signin";
            }}
          >
            Sign in
          </button>
        )}
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
