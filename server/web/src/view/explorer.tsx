/** The opening explorer: the moves that were played in the position on the board, and the results. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { App } from "../app";
import { titleOf } from "../game/tree";
import { languageTag, text } from "../language/catalogue";
import type { ExplorerState, PlayedMove, ResultCounts } from "../opening/explorer";
import { noteOn, playedMove, type ServedMove, sharesOf, titleOfServed } from "../opening/served";
import { Button } from "./controls";
import { MoveTable } from "./move_table";
import { Panel } from "./panel";

const LABEL_SHARE = 0.13; // of the bar, from which on a label has room
const RESULTS = ["white", "draw", "black"] as const;

export function ExplorerPanel({ app }: { app: App }) {
  const state = app.explorer.state.value;
  const source = app.explorer.source.value;
  const panel = useRef<HTMLDivElement>(null);
  // On a phone the panel is below the visible part of the page.
  useEffect(() => panel.current?.scrollIntoView({ block: "nearest" }), [state !== null]);
  return (
    <Panel
      title={text("explorer")}
      look="book"
      folding={{ isOpen: true, toggle: () => app.explorer.toggle() }}
    >
      <div data-testid="book" ref={panel}>
        <SourceChoice app={app} />
        {source === "server" ? (
          <ServedPositionView app={app} />
        ) : state ? (
          <Position app={app} state={state} />
        ) : (
          <p class="hint">{text("explorer-reading")}</p>
        )}
        <Button onClick={() => void app.opener.findInLibrary(app.study.node.peek())}>
          {text("find-position")}
        </Button>
      </div>
    </Panel>
  );
}

function Position({ app, state }: { app: App; state: ExplorerState }) {
  const node = app.study.node.value;
  const { moves, games } = useMemo(() => state.index.lookUp(node.position()), [state, node]);
  const isReading = state.read < state.games.length;
  return (
    <>
      <p class="hint">
        {isReading
          ? text("explorer-read-of", { read: state.read, games: headline(state) })
          : headline(state)}
      </p>
      {state.games.length > 0 && !isReading && moves.length === 0 && (
        <p class="hint">{text("explorer-no-continuation")}</p>
      )}
      <PlayedMoves app={app} moves={moves} />
      {games.length > 0 && (
        <GameList
          app={app}
          state={state}
          games={games}
          total={moves.reduce((sum, each) => sum + each.games, 0)}
        />
      )}
    </>
  );
}

/** The sources of games, if there are several. */
function SourceChoice({ app }: { app: App }) {
  const { sources, source, chosen } = app.explorer;
  if (sources.value.length < 2 || !app.server.value?.explorer) return null;
  const names = {
    file: text("explorer-this-file"),
    server: app.server.value.explorer,
    own: text("explorer-played-here"),
  };
  return (
    <fieldset class="book-sources">
      <legend class="unseen">{text("games")}</legend>
      {sources.value.map((each) => (
        <button
          type="button"
          key={each}
          aria-pressed={each === source.value}
          onClick={() => {
            chosen.value = each;
          }}
        >
          {names[each]}
        </button>
      ))}
    </fieldset>
  );
}

/** What was played in the games of the server. */
function ServedPositionView({ app }: { app: App }) {
  const state = app.served.state.value;
  if (state.type === "failed") return <p class="hint">{text("lookup-no-answer")}</p>;
  if (state.type !== "found") return <p class="hint">{text("lookup-waiting")}</p>;
  const { kind, moves, games } = state.answer;
  if (kind === "book") return <BookMoves app={app} moves={moves} />;
  const notes = new Map(moves.map((move) => [move.uci, noteOn(move)]));
  if (!moves.length) return <p class="hint">{text("explorer-not-reached")}</p>;
  return (
    <>
      <PlayedMoves app={app} moves={moves.map(playedMove)} notes={notes} />
      <details class="book-games">
        <summary>{text("explorer-best-games", { count: games.length })}</summary>
        {games.map((game) => (
          <button
            type="button"
            key={game.id}
            disabled={app.movableSide.value === null}
            onClick={() => void app.opener.openServed(game)}
          >
            {titleOfServed(game)}
          </button>
        ))}
      </details>
    </>
  );
}

function headline({ games, isOwn }: ExplorerState): string {
  if (!games.length) return text("explorer-none");
  return text(isOwn ? "explorer-own" : "explorer-file", { count: games.length });
}

/** Moves with the number of their games, and the results. */
function PlayedMoves(props: {
  app: App;
  moves: readonly PlayedMove[];
  /** What else is known of a move, by its UCI. */
  notes?: ReadonlyMap<string, string>;
}) {
  return (
    <MoveTable
      app={props.app}
      moves={props.moves}
      columns={[text("games"), text("explorer-results")]}
      titleOf={({ uci }) => props.notes?.get(uci)}
      cells={({ games, results }) => (
        <>
          <td class="count">{games.toLocaleString(languageTag())}</td>
          <td class="ends">
            <ResultBar results={results} />
          </td>
        </>
      )}
    />
  );
}

/** The moves of an opening book, with the share of each. */
function BookMoves({ app, moves }: { app: App; moves: readonly ServedMove[] }) {
  const shares = sharesOf(moves);
  if (!moves.length) return <p class="hint">{text("explorer-not-in-book")}</p>;
  return (
    <>
      <p class="hint">{text("explorer-book")}</p>
      <MoveTable
        app={app}
        moves={moves}
        columns={[text("explorer-share")]}
        cells={({ uci }) => <td class="count">{shares.get(uci)}</td>}
      />
    </>
  );
}

/** A bar with a share for each result; games without a result have none. */
function ResultBar({ results }: { results: ResultCounts }) {
  const total = results.white + results.draw + results.black;
  if (!total) return <span class="hint">{text("explorer-no-results")}</span>;
  const percent = (count: number) => Math.round((100 * count) / total);
  const words = text("explorer-outcome", {
    white: percent(results.white),
    draw: percent(results.draw),
    black: percent(results.black),
  });
  return (
    <span class="outcome" role="img" aria-label={words} title={words}>
      {RESULTS.map((result) => (
        <i key={result} class={result} style={{ flexGrow: results[result] }}>
          {results[result] / total > LABEL_SHARE ? `${percent(results[result])} %` : ""}
        </i>
      ))}
    </span>
  );
}

/** The games with the position, to open. */
function GameList(props: {
  app: App;
  state: ExplorerState;
  games: readonly number[];
  total: number;
}) {
  const { app, state, games, total } = props;
  const tree = app.study.tree.value;
  return (
    <details class="book-games">
      <summary>
        {games.length < total
          ? text("explorer-list-first", { count: games.length, total })
          : text("explorer-list", { count: total })}
      </summary>
      {games.map((at) => {
        const game = state.games[at];
        return (
          game && (
            <button
              type="button"
              key={at}
              class={game.is(tree) ? "here" : ""}
              disabled={app.movableSide.value === null}
              onClick={() => app.study.openGame(game)}
            >
              {titleOf(game) || text("game-number", { number: at + 1 })}
            </button>
          )
        );
      })}
    </details>
  );
}
