/** The settings of the page: its look, its sounds and its behaviour. */

import { useSignal } from "@preact/signals";
import { h } from "preact";
import type { App } from "../../app";
import { signOut } from "../../codes/sign_in";
import { text } from "../../language/catalogue";
import { LANGUAGES } from "../../language/languages";
import { set as flat } from "../../pieces/flat";
import { set as signs } from "../../pieces/signs";
import type { BoardId, PiecesId, Theme } from "../../settings";
import { playCue } from "../../sound/synth";
import { Button, CheckRow, Row, SelectRow } from "../controls";
import { Window, type WindowProps } from "../dialog";
import { later } from "../later";
import { PhoneCode } from "../phone_code";

const Devices = later(async () => (await import("./devices")).Devices);
const THEMES: readonly [Theme, string][] = [
  ["system", "theme-system"],
  ["light", "theme-light"],
  ["dark", "theme-dark"],
];
const PIECES: Readonly<Record<PiecesId, string>> = {
  classic: "pieces-classic",
  flat: "pieces-flat",
  signs: "pieces-signs",
};
const BOARDS: Readonly<Record<BoardId, string>> = {
  slate: "board-slate",
  wood: "board-wood",
  green: "board-green",
  contrast: "board-contrast",
};
const CHECKS = [
  ["arrows", "settings-arrows"],
  ["bar", "settings-bar"],
  ["stopsWhenHidden", "settings-stops-when-hidden"],
  ["levelsTakeTime", "settings-levels-take-time"],
] as const;
const DRAWN = { flat, signs };
// Those that are confused most easily stand beside each other.
const SAMPLE = [
  ["white", "king"],
  ["black", "queen"],
  ["white", "bishop"],
  ["black", "pawn"],
  ["white", "knight"],
  ["black", "rook"],
] as const;

export function SettingsWindow({ app, close }: WindowProps) {
  const settings = app.settings.value;
  return (
    <Window title={text("settings")} close={close}>
      <div class="stack">
        <LanguageChoice app={app} />
        <SelectRow
          name={text("settings-colours")}
          value={settings.theme}
          options={THEMES.map(([theme, id]) => [theme, text(id)] as const)}
          set={(theme) => app.changeSettings({ theme: theme as Theme })}
        />
        <Row name={text("settings-board-size")}>
          <input
            type="range"
            min="0.5"
            max="1"
            step="0.05"
            value={settings.size}
            onInput={(event) => app.changeSettings({ size: +event.currentTarget.value })}
          />
        </Row>
        <PiecesChoice app={app} />
        <BoardChoice app={app} />
        <Sounds app={app} />
        {CHECKS.map(([key, name]) => (
          <CheckRow
            key={key}
            name={text(name)}
            checked={settings[key]}
            set={(value) => app.changeSettings({ [key]: value })}
          />
        ))}
        {app.account.isSignedIn.value && <Devices app={app} />}
        {app.storage.value === "closed" && <p class="hint">{text("settings-nothing-stored")}</p>}
        {app.wantsToken.value && (
          <Button onClick={() => app.openDialog("signin")}>{text("sign-in")}</Button>
        )}
        {app.account.isSignedIn.value && (
          <>
            <Phone app={app} />
            <Button onClick={() => signOut(app)}>{text("sign-out")}</Button>
          </>
        )}
      </div>
    </Window>
  );
}

/** Sign a phone of the user's in. */
function Phone({ app }: { app: App }) {
  const isShown = useSignal(false);
  if (isShown.value) return <PhoneCode token={() => app.account.token.peek()} />;
  return <Button onClick={() => (isShown.value = true)}>{text("code-phone")}</Button>;
}

function LanguageChoice({ app }: { app: App }) {
  const own: [string, string] = ["browser", text("language-browser")];
  return (
    <SelectRow
      name={text("settings-language")}
      value={app.settings.value.language}
      options={[own, ...Object.entries(LANGUAGES)]}
      set={(language) => app.changeSettings({ language })}
    />
  );
}

function PiecesChoice({ app }: { app: App }) {
  return (
    <fieldset class="looks">
      <legend>{text("settings-pieces")}</legend>
      {(Object.keys(PIECES) as PiecesId[]).map((id) => (
        <label class="look" key={id}>
          <input
            type="radio"
            name="pieces"
            checked={app.settings.value.pieces === id}
            onChange={() => app.changeSettings({ pieces: id })}
          />
          {text(PIECES[id])}
          <PiecesSample id={id} />
        </label>
      ))}
    </fieldset>
  );
}

function PiecesSample({ id }: { id: PiecesId }) {
  return (
    <span class="sample" aria-hidden="true">
      {SAMPLE.map(([color, role]) => (
        <span key={role} class={id === "classic" ? "cg-wrap classic" : ""}>
          {id === "classic" ? (
            h("piece", { class: `${role} ${color}` })
          ) : (
            <img src={DRAWN[id].picture(color, role)} alt="" />
          )}
        </span>
      ))}
    </span>
  );
}

function BoardChoice({ app }: { app: App }) {
  return (
    <fieldset class="looks">
      <legend>{text("settings-board")}</legend>
      {(Object.keys(BOARDS) as BoardId[]).map((id) => (
        <label class="look" key={id}>
          <input
            type="radio"
            name="board"
            checked={app.settings.value.board === id}
            onChange={() => app.changeSettings({ board: id })}
          />
          {text(BOARDS[id])}
          <span class="sample" data-board={id} aria-hidden="true">
            {SAMPLE.slice(2).map(([color, role], at) => (
              <span key={role} class={`cg-wrap ${at === 2 ? "marked" : ""}`}>
                {h("piece", { class: `${role} ${color}` })}
              </span>
            ))}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The sounds; each change is heard at once. */
function Sounds({ app }: { app: App }) {
  const { sounds, volume } = app.settings.value;
  const change = (changes: { sounds?: boolean; volume?: number }) => {
    app.changeSettings(changes);
    const now = app.settings.peek();
    if (now.sounds) playCue("move", now.volume);
  };
  return (
    <>
      <CheckRow
        name={text("settings-sounds")}
        checked={sounds}
        set={(value) => change({ sounds: value })}
      />
      <Row name={text("settings-volume")}>
        <input
          type="range"
          min="0.1"
          max="1"
          step="0.1"
          value={volume}
          disabled={!sounds}
          onChange={(event) => change({ volume: +event.currentTarget.value })}
        />
      </Row>
    </>
  );
}
