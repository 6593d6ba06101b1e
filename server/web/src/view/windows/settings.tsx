/** The settings of the page: its look and its behaviour. */

import type { Theme } from "../../settings";
import { Button, CheckRow, Row, SelectRow } from "../controls";
import { Window, type WindowProps } from "../dialog";

const THEMES: readonly [Theme, string][] = [
  ["system", "System default"],
  ["light", "Light"],
  ["dark", "Dark"],
];
const CHECKS = [
  ["arrows", "Arrows for the best moves"],
  ["bar", "Evaluation bar"],
  ["stopsWhenHidden", "Stop the engine while this page is hidden"],
  ["levelsTakeTime", "Weak levels take their time"],
] as const;

export function SettingsWindow({ app, close }: WindowProps) {
  const settings = app.settings.value;
  return (
    <Window title="Settings" close={close}>
      <div class="stack">
        <SelectRow
          name="Colours"
          value={settings.theme}
          options={THEMES}
          set={(theme) => app.changeSettings({ theme: theme as Theme })}
        />
        <Row name="Board size">
          <input
            type="range"
            min="0.5"
            max="1"
            step="0.05"
            value={settings.size}
            onInput={(event) => app.changeSettings({ size: +event.currentTarget.value })}
          />
        </Row>
        {CHECKS.map(([key, name]) => (
          <CheckRow
            key={key}
            name={name}
            checked={settings[key]}
            set={(value) => app.changeSettings({ [key]: value })}
          />
        ))}
        {app.storage.value === "closed" && (
          <p class="hint">
            This browser stores nothing for this page: the game and these settings last until you
            close it.
          </p>
        )}
        {app.wantsToken.value && <Button onClick={() => app.openDialog("signin")}>Sign in</Button>}
        {app.isSignedIn && <Button onClick={() => app.signOut()}>Sign out</Button>}
      </div>
    </Window>
  );
}
