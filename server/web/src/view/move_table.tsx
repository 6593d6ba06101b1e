/** A table of moves that can be played, with what is known of each. */

import type { ComponentChildren } from "preact";
import type { App } from "../app";
import { text } from "../language/catalogue";

export function MoveTable<Move extends { uci: string; san: string }>(props: {
  app: App;
  moves: readonly Move[];
  /** The names of the columns behind the move. */
  columns: readonly string[];
  /** The cells of a move in these columns. */
  cells: (move: Move) => ComponentChildren;
  titleOf?: (move: Move) => string | undefined;
}) {
  const { app, moves, columns, cells, titleOf } = props;
  if (!moves.length) return null;
  return (
    <table>
      <thead class="unseen">
        <tr>
          <th>{text("table-move")}</th>
          {columns.map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {moves.map((move) => (
          <tr key={move.uci} title={titleOf?.(move) || undefined}>
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
            {cells(move)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
