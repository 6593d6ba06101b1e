/** The window that opens a game or a position: pasted, from a file, or played here before. */

import { useComputed, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { CODINGS } from "../../game/encoding";
import { type PgnGame, readPlayedGames } from "../../game/pgn";
import { titleOf } from "../../game/tree";
import { text } from "../../language/catalogue";
import { Button, Select } from "../controls";
import { Window, type WindowProps } from "../dialog";

const MOST_SHOWN = 200; // of the games of a file; the search finds the others

export function ImportWindow({ app, close }: WindowProps) {
  const typed = useSignal("");
  const openText = async (value: string) => {
    if ((await app.opener.openText(value)) && app.study.games.peek().length === 0) close();
  };
  const openFile = async (file: File | undefined) => {
    const before = app.study.tree.peek();
    if (!file || (await app.opener.openFile(file))) return;
    if (app.study.tree.peek() !== before) close();
  };
  const startGame = () => {
    app.leaveFinishedGame();
    app.study.reset();
    close();
  };
  return (
    <Window title={text("import-title")} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          openText(typed.value);
        }}
      >
        <textarea
          rows={7}
          aria-label={text("import-text")}
          placeholder={text("import-hint")}
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        <div class="buttons">
          <input
            type="file"
            aria-label={text("import-file")}
            accept=".pgn,.fen,.epd,.txt,text/plain"
            onChange={(event) => openFile(event.currentTarget.files?.[0])}
          />
          <Button onClick={startGame}>{text("new-game")}</Button>
          <button type="submit" class="button primary" disabled={!typed.value.trim()}>
            {text("open")}
          </button>
        </div>
      </form>
      <EncodingChoice app={app} />
      <FileGames app={app} close={close} />
      <LibraryPart app={app} close={close} />
      <PlayedGames app={app} close={close} />
    </Window>
  );
}

/** The library, which is loaded when the window is opened. */
function LibraryPart(props: WindowProps) {
  const loaded = useSignal<ComponentType<WindowProps> | null>(null);
  useEffect(() => {
    void import("./library").then(({ LibraryView }) => {
      loaded.value = LibraryView;
    });
  }, []);
  const View = loaded.value;
  return View && <View {...props} />;
}

/** The encoding of the open file, where it had to be guessed. */
function EncodingChoice({ app }: Pick<WindowProps, "app">) {
  const file = app.opener.encodedFile.value;
  const library = app.opener.library.value;
  const kept = library?.coding.value ?? null;
  const coding = kept ?? file?.coding;
  if (!coding) return null;
  const read = async (chosen: string) => {
    if (kept !== null) await library?.readAs(chosen);
    else if (file) await app.opener.openText(await app.opener.readFile(file.content, chosen));
  };
  return (
    <label class="stack">
      <span>{text("import-encoding")}</span>
      <Select
        label={text("import-encoding")}
        value={coding}
        options={Object.entries(CODINGS)}
        set={read}
      />
    </label>
  );
}

function FileGames({ app, close }: WindowProps) {
  const search = useSignal("");
  const all = app.study.games.value;
  if (all.length < 2) return null;
  const games = withNames(all).filter(({ name }) => name.toLowerCase().includes(search.value));
  return (
    <div class="stack">
      <input
        type="search"
        aria-label={text("import-search")}
        placeholder={text("import-search-games", { count: all.length })}
        onInput={(event) => (search.value = event.currentTarget.value.toLowerCase())}
      />
      <GameList games={games.slice(0, MOST_SHOWN)} label={text("games")} app={app} close={close} />
      {games.length > MOST_SHOWN && (
        <p class="hint">{text("import-showing", { shown: MOST_SHOWN, count: games.length })}</p>
      )}
      {!games.length && <p class="hint">{text("library-no-matching")}</p>}
    </div>
  );
}

/** The games against engines that this browser has stored. */
function PlayedGames({ app, close }: WindowProps) {
  const games = useComputed(readPlayedGames);
  if (!games.value.length) return null;
  return (
    <div class="stack">
      <h3>{text("import-played-here")}</h3>
      <GameList
        games={withNames(games.value)}
        label={text("import-played-here")}
        app={app}
        close={close}
      />
    </div>
  );
}

interface NamedGame {
  readonly game: PgnGame;
  readonly name: string;
}

function withNames(games: readonly PgnGame[]): NamedGame[] {
  return games.map((game, at) => ({
    game,
    name: titleOf(game) || text("game-number", { number: at + 1 }),
  }));
}

function GameList({
  games,
  label,
  app,
  close,
}: WindowProps & { games: NamedGame[]; label: string }) {
  const open = (game: PgnGame) => {
    app.leaveFinishedGame();
    app.study.openGame(game);
    close();
  };
  return (
    <ul class="games" aria-label={label}>
      {games.map(({ game, name }, at) => (
        <li key={at}>
          <button type="button" onClick={() => open(game)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}
