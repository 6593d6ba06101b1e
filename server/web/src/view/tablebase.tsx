/** The tablebases of the server: each move of a position with few men, and how it ends. */

import type { App } from "../app";
import { text } from "../language/catalogue";
import { detailOf, headline, outcomeOf, type TablebaseMove } from "../opening/tablebase";
import { MoveTable } from "./move_table";
import { Panel, rememberedFolding } from "./panel";

const OUTCOMES = {
  wins: "tablebase-wins",
  draws: "tablebase-draws",
  loses: "tablebase-loses",
  unknown: null,
} as const;

export function TablebasePanel({ app }: { app: App }) {
  const state = app.tablebase.state.value;
  if (state.type === "none") return null;
  if (state.type === "found" && !isKnown(state.answer)) return null;
  return (
    <Panel title={text("tablebase")} look="book" folding={rememberedFolding(app, "tablebase")}>
      <div data-testid="tables">
        {state.type === "asking" && <p class="hint">{text("lookup-waiting")}</p>}
        {state.type === "failed" && <p class="hint">{text("lookup-no-answer")}</p>}
        {state.type === "found" && (
          <>
            <p class="hint">
              {headline(state.answer, state.fen.includes(" w ") ? "white" : "black")}
            </p>
            <MoveTable
              app={app}
              moves={state.answer.moves}
              columns={[text("result"), text("tablebase-distance")]}
              cells={cellsOf}
            />
          </>
        )}
      </div>
    </Panel>
  );
}

function isKnown({ category, moves }: { category: string; moves: readonly TablebaseMove[] }) {
  return category !== "unknown" || moves.some((move) => move.category !== "unknown");
}

function cellsOf(move: TablebaseMove) {
  const outcome = outcomeOf(move);
  return (
    <>
      <td>
        <span class={`table-outcome ${outcome}`}>
          {OUTCOMES[outcome] ? text(OUTCOMES[outcome]) : "?"}
        </span>
      </td>
      <td class="count" title={move.dtz ? text("tablebase-dtz") : undefined}>
        {detailOf(move)}
      </td>
    </>
  );
}
