/**
 * The map of a project's tree, an icicle: a row for each half-move, and for each subtree a width by
 * its positions, a colour by its value, and more colour the newer its last position is.
 */

import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { text } from "../language/catalogue";
import { type Cell, cellAt, cellByKey, cellsOf, growingEnds } from "../projects/icicle";
import type { OpenProject } from "../projects/open_project";
import { chanceOf, shadeOf, valueText } from "../projects/value";
import { shareText, shortNumber } from "../projects/words";
import { Icon } from "./controls";

const ROW = 17; // px
const LEAST_ROWS = 4;
const LETTER = 0.021; // of the width of a panel, with its edges
const PALEST = 28; // % of the colour of what has nothing new
const MOST_ENDS = 3;

export function ProjectMap({ shown }: { shown: OpenProject }) {
  const isOpen = shown.isMapShown.value;
  return (
    <section class="project-map" aria-label={text("project-map")}>
      <h3>
        <button type="button" aria-expanded={isOpen} onClick={() => shown.toggleMap()}>
          <Icon name={isOpen ? "fold" : "unfold"} /> {text("project-map")}
        </button>
      </h3>
      {isOpen && <Icicle shown={shown} />}
    </section>
  );
}

function Icicle({ shown }: { shown: OpenProject }) {
  const map = shown.map.value;
  const turn = shown.rootTurn.value;
  const chosen = useSignal<number | null>(null); // by its number: a newer map has other cells
  const chart = useRef<HTMLDivElement>(null);
  const cells = useMemo(() => (map ? cellsOf(map) : []), [map]);
  const look = shown.look.value;
  if (!map || !turn) return <p class="hint">{text("lookup-waiting")}</p>;
  const here = look && look.place.fen === undefined ? cellAt(cells, look.place.moves) : null;
  const current = cells.find(({ node }) => node.number === chosen.value) ?? here?.cell ?? cells[0];
  const rows = Math.max(LEAST_ROWS, ...cells.map(({ row }) => row + 1));
  const [root] = cells;
  if (!root) return null;
  const go = (cell: Cell) => {
    chosen.value = cell.node.number;
    shown.goTo(cell.moves);
  };
  const focus = (cell: Cell) => {
    chosen.value = cell.node.number;
    const at = cells.indexOf(cell);
    chart.current?.querySelector<SVGElement>(`[data-at="${at}"]`)?.focus();
  };
  return (
    <>
      <div
        ref={chart}
        role="tree"
        tabIndex={-1}
        aria-label={text("project-map")}
        onClick={(event) => {
          const cell = cells[placeOf(event.target)];
          if (cell) go(cell);
        }}
        onKeyDown={(event) => {
          const cell = cells[placeOf(event.target)];
          if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
          const next = cellByKey(cell, event.key);
          if (next) focus(next);
          else if (event.key === "Enter" || event.key === " ") go(cell);
          else if (!event.key.startsWith("Arrow")) return;
          event.preventDefault();
          event.stopPropagation(); // The keys of the page mean the board.
        }}
      >
        <svg role="presentation" width="100%" height={rows * ROW}>
          {cells.map((cell, at) => (
            <CellView
              key={cell.node.number}
              cell={cell}
              at={at}
              shade={shadeOf(chanceIn(cell, turn), chanceIn(root, turn))}
              isHere={here?.isEnd === true && here.cell === cell}
              isStop={cell === current}
            />
          ))}
        </svg>
      </div>
      <MapWords cells={cells} />
    </>
  );
}

function CellView(props: {
  cell: Cell;
  at: number;
  /** 0 to 1: how much better than the root it is for White. */
  shade: number;
  isHere: boolean;
  isStop: boolean;
}) {
  const { cell, at, shade, isHere, isStop } = props;
  const { node, row, x, width } = cell;
  const words = wordsOf(cell);
  const label = cell.row ? (node.san ?? "") : text("project-root");
  const hasLabel = width > LETTER * (label.length + 1);
  return (
    <g
      role="treeitem"
      aria-level={row + 1}
      aria-label={words}
      aria-selected={isHere}
      data-at={at}
      tabindex={isStop ? 0 : -1}
    >
      <title>{words}</title>
      <svg
        aria-hidden="true"
        x={`${100 * x}%`}
        y={row * ROW}
        width={`${100 * width}%`}
        height={ROW}
      >
        <rect
          width="100%"
          height="100%"
          style={{
            "--white": `${(100 * shade).toFixed(0)}%`,
            "--new": `${(PALEST + (100 - PALEST) * cell.freshness).toFixed(0)}%`,
          }}
        />
        {hasLabel && (
          <text x="4" y={ROW - 5}>
            {label}
          </text>
        )}
      </svg>
    </g>
  );
}

/** Return White's chance in a cell, where `turn` is the side to move at the root. */
function chanceIn({ node, row }: Cell, turn: "white" | "black"): number {
  const isOther = row % 2 === 1;
  return node.value ? chanceOf(node.value, isOther === (turn === "white") ? "black" : "white") : 50;
}

function placeOf(target: EventTarget | null): number {
  const place = (target as Element | null)?.closest("[data-at]")?.getAttribute("data-at");
  return Number(place ?? -1);
}

/** Describe a cell: `e4 e5 Nf3: 120 positions, +0.35, with new positions`. */
function wordsOf({ sans, node, freshness }: Cell): string {
  return text(freshness > 0 ? "project-map-new-cell" : "project-map-cell", {
    line: sans.join(" ") || text("project-root"),
    count: node.size,
    value: valueText(node.value),
  });
}

/** The map in words: where it grows, and which subtrees are the largest. */
function MapWords({ cells }: { cells: readonly Cell[] }) {
  const [root] = cells;
  if (!root) return null;
  const ends = growingEnds(cells, MOST_ENDS).map(({ sans }) => sans.join(" "));
  const largest = root.children.slice(0, MOST_ENDS).map(({ node }) => {
    const share = shareText(node.size / Math.max(1, root.node.size));
    return `${node.san} ${shortNumber(node.size)} (${share})`;
  });
  return (
    <p class="hint" data-testid="map-words">
      {largest.length > 0 && text("project-map-largest", { moves: largest.join(", ") })}{" "}
      {ends.some(Boolean) && text("project-map-newest", { lines: ends.filter(Boolean).join("; ") })}
      <span class="unseen">{text("project-map-keys")}</span>
    </p>
  );
}
