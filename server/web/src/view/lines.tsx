/** The engine's lines: score, depth and moves; hover to preview, click to play. */

import { useComputed, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { scoreText } from "../analysis/score";
import type { Searcher } from "../analysis/searcher";
import type { App } from "../app";
import type { Findings, Variation } from "../engine/findings";
import { countMoves, positionOf } from "../game/position";
import { fenAfter, moveNumber, sansOf } from "../game/tree";
import { text } from "../language/catalogue";
import { MiniBoard } from "./board";
import { Icon } from "./controls";

const MOST_MOVES = 24;
const MOST_FOLDED = 12; // moves in one row; at most 11 are in sight beside the board

/** The move under the pointer, by its row and its number there. */
interface Hovered {
  readonly row: number;
  readonly at: number;
}

export function Lines(props: {
  app: App;
  searcher: Searcher;
  /** As many as are wanted, if the position and the engine have them. */
  lines: number;
  isRunning: boolean;
  /** Added to the name of the list, where there are several. */
  of?: string;
}) {
  const { app, searcher, of = "" } = props;
  const hovered = useSignal<Hovered | null>(null);
  const target = app.analysis.shownFen.value;
  const wanted = Math.min(
    searcher.linesOf(props.lines),
    useMemo(() => countMoves(positionOf(target)), [target]),
  );
  const findings = searcher.findings.value;
  const isOwn = findings?.key === app.analysis.shownKey.value;
  const lines = isOwn && findings ? findings.lines.slice(0, wanted) : [];
  const rows = Array.from({ length: props.isRunning ? wanted : lines.length });
  const previewed = hovered.value && lines[hovered.value.row]?.pv.slice(0, hovered.value.at + 1);
  return (
    <section
      class="lines"
      aria-label={nameOf(app.analysis.threat.value !== null, of)}
      onPointerLeave={() => (hovered.value = null)}
    >
      {rows.map((_, at) => {
        const line = lines[at];
        return line && findings ? (
          <LineRow
            key={at}
            app={app}
            findings={findings}
            line={line}
            hover={(move) => (hovered.value = move === null ? null : { row: at, at: move })}
          />
        ) : (
          <div class="line empty" key={at} />
        );
      })}
      {previewed && findings && <Preview app={app} fen={findings.fen} moves={previewed} />}
    </section>
  );
}

function nameOf(isThreat: boolean, engine: string): string {
  if (!engine) return text(isThreat ? "lines-threats" : "lines-best");
  return text(isThreat ? "lines-threats-of" : "lines-best-of", { engine });
}

function LineRow(props: {
  app: App;
  findings: Findings;
  line: Variation;
  hover: (move: number | null) => void;
}) {
  const { app, findings, line } = props;
  const isOpen = useSignal(false);
  const pv = line.pv.slice(0, isOpen.value ? MOST_MOVES : MOST_FOLDED).join(" ");
  const sans = useSans(findings.fen, pv);
  // A threat is of the side that is not to move: it cannot be played.
  const isThreat = app.analysis.threat.value !== null;
  const ply = app.study.node.value.ply + (isThreat ? 1 : 0);
  const play = (moves: readonly string[]) => !isThreat && app.study.playAll(moves);
  const score = scoreText(line.score);
  const depth = String(line.depth);
  const mark = line.bound === "exact" ? "" : line.bound === "lower" ? "≥" : "≤";
  const isWhite = line.score.value >= 0;
  // Scores change with every line, moves seldom.
  const moves = useMemo(
    () => <Moves sans={sans} line={line} ply={ply} hover={props.hover} play={play} />,
    [sans, ply],
  );
  return (
    <div class={`line ${isOpen.value ? "unfolded" : ""}`}>
      <button
        type="button"
        class={`score ${isWhite ? "of-white" : "of-black"}`}
        title={
          line.seldepth
            ? text("lines-depth-up-to", { depth, seldepth: String(line.seldepth) })
            : text("lines-depth", { depth })
        }
        onClick={() => play(line.pv.slice(0, 1))}
        aria-label={text(isThreat ? "lines-threat" : "lines-play", {
          score,
          depth,
          move: sans[0] ?? "",
        })}
      >
        {mark}
        {score}
      </button>
      {moves}
      <button
        type="button"
        class="line-depth"
        title={text(isOpen.value ? "lines-collapse" : "lines-expand")}
        aria-label={text(isOpen.value ? "lines-collapse-depth" : "lines-expand-depth", { depth })}
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {line.depth} <Icon name={isOpen.value ? "fold" : "unfold"} />
      </button>
    </div>
  );
}

function Moves(props: {
  sans: readonly string[];
  line: Variation;
  ply: number;
  hover: (move: number | null) => void;
  play: (moves: readonly string[]) => void;
}) {
  return (
    <span class="pv">
      {props.sans.map((san, at) => {
        const number = at === 0 || (props.ply + at) % 2 === 0 ? moveNumber(props.ply + at + 1) : "";
        const moves = props.line.pv.slice(0, at + 1);
        return (
          <button
            type="button"
            tabIndex={-1}
            key={at} // Other moves are written into the same elements.
            class={at === 0 ? "pv-move first" : "pv-move"}
            onPointerEnter={(event) => event.pointerType === "mouse" && props.hover(at)}
            onClick={() => {
              props.hover(null);
              props.play(moves);
            }}
          >
            <span class="number">{number}</span>
            {san}
          </button>
        );
      })}
    </span>
  );
}

/** Return the moves in SAN, computed only when they change. */
function useSans(fen: string, pv: string): readonly string[] {
  const source = useSignal("");
  source.value = `${fen}|${pv}`;
  const sans = useComputed(() => {
    const [from = "", moves = ""] = source.value.split("|");
    return sansOf(from, moves.split(" "));
  });
  return sans.value;
}

function Preview({ app, fen, moves }: { app: App; fen: string; moves: readonly string[] }) {
  const last = moves.at(-1) ?? "";
  return (
    <div class="preview" aria-hidden="true">
      <MiniBoard
        fen={fenAfter(fen, moves)}
        lastMove={[last.slice(0, 2), last.slice(2, 4)]}
        orientation={app.study.orientation.value}
      />
    </div>
  );
}
