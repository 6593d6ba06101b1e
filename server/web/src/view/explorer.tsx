/** The opening explorer: the moves that were played in the position on the board, and the results. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { App } from "../app";
import { titleOf } from "../game/tree";
import type { ExplorerState, PlayedMove, ResultCounts } from "../opening/explorer";
import { Panel } from "./panel";

const LABEL_SHARE = 0.13; // of the bar, from which on a label has room
const RESULTS = [
  ["white", "White won"],
  ["draw", "draw"],
  ["black", "Black won"],
] as const;
const NO_GAMES =
  "No games yet. Open a file with several games to see what was played in each position and how it ended. Games you play against engines count, too.";

export function ExplorerPanel({ app }: { app: App }) {
  return app.explorer.isOpen.value ? <OpenExplorer app={app} /> : null;
}

function OpenExplorer({ app }: { app: App }) {
  const state = app.explorer.state.value;
  const panel = useRef<HTMLDivElement>(null);
  // On a phone the panel is below the visible part of the page.
  useEffect(() => panel.current?.scrollIntoView({ block: "nearest" }), [state !== null]);
  return (
    <Panel
      title="Opening explorer"
      look="book"
      folding={{ isOpen: true, toggle: () => app.explorer.toggle() }}
    >
      <div data-testid="book" ref={panel}>
        {state ? <Position app={app} state={state} /> : <p class="hint">Reading the games…</p>}
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
        {isReading && `${format(state.read)} of `}
        {headline(state)}
      </p>
      {state.games.length > 0 && !isReading && moves.length === 0 && (
        <p class="hint">None of them continues from this position.</p>
      )}
      {moves.length > 0 && (
        <table>
          <thead class="unseen">
            <tr>
              <th>Move</th>
              <th>Games</th>
              <th>Results</th>
            </tr>
          </thead>
          <tbody>
            {moves.map((move) => (
              <MoveRow key={move.uci} app={app} move={move} />
            ))}
          </tbody>
        </table>
      )}
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

function headline({ games, isOwn }: ExplorerState): string {
  if (!games.length) return NO_GAMES;
  const count = `${format(games.length)} game${games.length > 1 ? "s" : ""}`;
  return isOwn ? `${count} you played here against engines` : `${count} in the file`;
}

function MoveRow({ app, move }: { app: App; move: PlayedMove }) {
  return (
    <tr>
      <td>
        <button
          type="button"
          class="book-move"
          disabled={app.movableSide.value === null}
          onClick={() => app.study.playAll([move.uci])}
        >
          {move.san}
        </button>
      </td>
      <td class="count">{format(move.games)}</td>
      <td class="ends">
        <ResultBar results={move.results} />
      </td>
    </tr>
  );
}

/** A bar with a share for each result; games without a result have none. */
function ResultBar({ results }: { results: ResultCounts }) {
  const total = results.white + results.draw + results.black;
  if (!total) return <span class="hint">no results</span>;
  const percent = (count: number) => `${Math.round((100 * count) / total)} %`;
  const words = RESULTS.map(([result, name]) => `${name} ${percent(results[result])}`).join(", ");
  return (
    <span class="outcome" role="img" aria-label={words} title={words}>
      {RESULTS.map(([result]) => (
        <i key={result} class={result} style={{ flexGrow: results[result] }}>
          {results[result] / total > LABEL_SHARE ? percent(results[result]) : ""}
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
  const count = games.length < total ? `first ${games.length} of ${format(total)}` : total;
  return (
    <details class="book-games">
      <summary>Games with this position: {count}</summary>
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
              {titleOf(game) || `Game ${at + 1}`}
            </button>
          )
        );
      })}
    </details>
  );
}

function format(value: number): string {
  return value.toLocaleString("en");
}
