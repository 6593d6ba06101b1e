/** What was played in the position on the board, and how it ended: in the games at hand. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { App } from "../app";
import { titleOf } from "../game/title";
import type { Reading } from "../opening/book";
import type { Choice, Tally } from "../opening/explorer";

const ROOM = 0.13; // of the bar, in which a number has room
const ENDS = [
  ["white", "White won"],
  ["draw", "draw"],
  ["black", "Black won"],
] as const;

export function BookPanel({ app }: { app: App }) {
  return app.book.isOpen.value ? <Panel app={app} /> : null;
}

function Panel({ app }: { app: App }) {
  const reading = app.book.reading.value;
  const panel = useRef<HTMLElement>(null);
  // On a phone it is below what is seen, and who has opened it wants to see it.
  useEffect(() => panel.current?.scrollIntoView({ block: "nearest" }), [reading !== null]);
  return (
    <section
      class="book"
      aria-label="Opening explorer"
      data-testid="book"
      tabIndex={-1}
      ref={panel}
    >
      {reading ? <Read app={app} reading={reading} /> : <p class="hint">Reading the games…</p>}
    </section>
  );
}

function Read({ app, reading }: { app: App; reading: Reading }) {
  const node = app.study.node.value;
  const found = useMemo(() => reading.explorer.at(node.position()), [reading, node]);
  const isMuch = reading.read < reading.games.length;
  return (
    <>
      <p class="hint">
        {isMuch && `${number(reading.read)} of `}
        {headline(reading)}
      </p>
      {reading.games.length > 0 && !isMuch && found.choices.length === 0 && (
        <p class="hint">None of them continues from this position.</p>
      )}
      {found.choices.length > 0 && (
        <table>
          <thead class="unseen">
            <tr>
              <th>Move</th>
              <th>Games</th>
              <th>Results</th>
            </tr>
          </thead>
          <tbody>
            {found.choices.map((choice) => (
              <Row key={choice.uci} app={app} choice={choice} />
            ))}
          </tbody>
        </table>
      )}
      {found.games.length > 0 && (
        <Games app={app} reading={reading} games={found.games} total={totalOf(found.choices)} />
      )}
    </>
  );
}

function headline({ games, isOwn }: Reading): string {
  if (games.length > 0) {
    const count = `${number(games.length)} game${games.length > 1 ? "s" : ""}`;
    return isOwn ? `${count} you played here against engines` : `${count} in the file`;
  }
  return "No games yet. Open a file with several games to see what was played in each position and how it ended. Games you play against engines count, too.";
}

function Row({ app, choice }: { app: App; choice: Choice }) {
  return (
    <tr>
      <td>
        <button
          type="button"
          class="book-move"
          disabled={app.mover.value === null}
          onClick={() => app.study.playAll([choice.uci])}
        >
          {choice.san}
        </button>
      </td>
      <td class="count">{number(choice.games)}</td>
      <td class="ends">
        <Outcome tally={choice.tally} />
      </td>
    </tr>
  );
}

/** A bar with a share for each result; a game whose result nobody has noted has none. */
function Outcome({ tally }: { tally: Tally }) {
  const total = tally.white + tally.draw + tally.black;
  if (!total) return <span class="hint">no results</span>;
  const percent = (count: number) => `${Math.round((100 * count) / total)} %`;
  const words = ENDS.map(([end, name]) => `${name} ${percent(tally[end])}`).join(", ");
  return (
    <span class="outcome" role="img" aria-label={words} title={words}>
      {ENDS.map(([end]) => (
        <i key={end} class={end} style={{ flexGrow: tally[end] }}>
          {tally[end] / total > ROOM ? percent(tally[end]) : ""}
        </i>
      ))}
    </span>
  );
}

/** The games themselves, to open. */
function Games(props: { app: App; reading: Reading; games: readonly number[]; total: number }) {
  const { app, reading, games, total } = props;
  const tree = app.study.tree.value;
  const words = games.length < total ? `first ${games.length} of ${number(total)}` : total;
  return (
    <details class="book-games">
      <summary>Games with this position: {words}</summary>
      {games.map((at) => {
        const game = reading.games[at];
        return (
          game && (
            <button
              type="button"
              key={at}
              class={game.is(tree) ? "here" : ""}
              disabled={app.mover.value === null}
              onClick={() => app.study.choose(game)}
            >
              {titleOf(game) || `Game ${at + 1}`}
            </button>
          )
        );
      })}
    </details>
  );
}

function totalOf(choices: readonly Choice[]): number {
  return choices.reduce((sum, { games }) => sum + games, 0);
}

function number(value: number): string {
  return value.toLocaleString("en");
}
