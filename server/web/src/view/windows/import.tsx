/** Open a game or a position: pasted, from a file, or one that was played here. */

import { useComputed, useSignal } from "@preact/signals";
import { textOf } from "../../game/file";
import { type PgnGame, playedGames } from "../../game/pgn";
import { titleOf } from "../../game/title";
import { Window } from "../dialog";
import type { Props } from "./props";

const MOST_SHOWN = 200; // of the games of a file; the search finds the others

export function ImportWindow({ app, close }: Props) {
  const text = useSignal("");
  const take = (value: string) => app.open(value) && app.study.games.peek().length === 0 && close();
  return (
    <Window title="Open a game or a position" close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          take(text.value);
        }}
      >
        <textarea
          rows={7}
          aria-label="PGN or FEN"
          placeholder="Paste PGN (one or more games) or a FEN here, or drop a file anywhere on the page."
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <div class="buttons">
          <input
            type="file"
            aria-label="File with games"
            accept=".pgn,.fen,.epd,.txt,text/plain"
            onChange={async (event) => {
              const file = event.currentTarget.files?.[0];
              if (file) take(textOf(await file.arrayBuffer()));
            }}
          />
          <button
            type="button"
            class="button"
            onClick={() => {
              app.leaveFinished();
              app.study.reset();
              close();
            }}
          >
            New game
          </button>
          <button type="submit" class="button primary" disabled={!text.value.trim()}>
            Open
          </button>
        </div>
      </form>
      <Games app={app} close={close} />
      <Played app={app} close={close} />
    </Window>
  );
}

function Games({ app, close }: Props) {
  const search = useSignal("");
  const all = app.study.games.value;
  if (all.length < 2) return null;
  const games = named(all).filter(({ name }) => name.toLowerCase().includes(search.value));
  return (
    <div class="stack">
      <input
        type="search"
        aria-label="Search games"
        placeholder={`Search ${all.length} games`}
        onInput={(event) => {
          search.value = event.currentTarget.value.toLowerCase();
        }}
      />
      <List games={games.slice(0, MOST_SHOWN)} label="Games" app={app} close={close} />
      {games.length > MOST_SHOWN && (
        <p class="hint">
          Showing {MOST_SHOWN} of {games.length}: search to find the others.
        </p>
      )}
      {!games.length && <p class="hint">No matching games.</p>}
    </div>
  );
}

/** The games against engines that this browser remembers. */
function Played({ app, close }: Props) {
  const games = useComputed(playedGames);
  if (!games.value.length) return null;
  return (
    <div class="stack">
      <h3>Played here</h3>
      <List games={named(games.value)} label="Played here" app={app} close={close} />
    </div>
  );
}

interface Named {
  readonly game: PgnGame;
  readonly name: string;
}

function named(games: readonly PgnGame[]): Named[] {
  return games.map((game, at) => ({ game, name: titleOf(game) || `Game ${at + 1}` }));
}

/** Games to choose from, each by its title. */
function List({ games, label, app, close }: Props & { games: Named[]; label: string }) {
  return (
    <ul class="games" aria-label={label}>
      {games.map(({ game, name }, at) => (
        <li key={at}>
          <button
            type="button"
            onClick={() => {
              app.leaveFinished();
              app.study.choose(game);
              close();
            }}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}
