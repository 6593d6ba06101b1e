/** The graph of the time for each move: bars of White above the middle, of Black below. */

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { App } from "../app";
import { spentText } from "../game/annotation";
import { isInTrouble, timesOf, troubleLimit } from "../game/times";
import { type GameNode, type GameTree, moveNumber } from "../game/tree";
import { text } from "../language/catalogue";

const WIDTH = 600;
const HALF = 20; // the height of the longest bar
const GAP = 0.15; // between bars, as a share of their width
const TONES = ["white", "black", "trouble"] as const;

interface Bar {
  readonly node: GameNode;
  readonly seconds: number;
  readonly isShort: boolean;
  readonly tone: (typeof TONES)[number];
}

/** Return the bars of a game; none if no time is known. */
export function barsOf(tree: GameTree): readonly (Bar | null)[] {
  const [times, limit] = [timesOf(tree), troubleLimit(tree)];
  const bars = tree.mainline().map((node, at): Bar | null => {
    const seconds = times[at] ?? null;
    if (seconds === null || !node.parent) return null;
    const isShort = isInTrouble(node, limit);
    return { node, seconds, isShort, tone: isShort ? "trouble" : node.parent.turn };
  });
  return bars.some(Boolean) ? bars : [];
}

/** Return the bars of the game on the board, computed only after it has changed. */
export function useBars(app: App): readonly (Bar | null)[] {
  const [tree, version] = [app.study.tree.value, app.study.version.value];
  return useMemo(() => barsOf(tree), [tree, version]);
}

export function TimeGraph({ app, bars }: { app: App; bars: readonly (Bar | null)[] }) {
  const hovered = useSignal<Bar | null>(null);
  const tree = app.study.tree.value;
  const at = bars.findIndex((bar) => bar?.node === app.study.node.value);
  const step = WIDTH / (bars.length - 1);
  const most = Math.max(1, ...bars.map((bar) => bar?.seconds ?? 0));
  const pathOf = (tone: Bar["tone"]) =>
    bars
      .map((bar, at) => (bar?.tone === tone ? rectangle(bar, at * step, step, most) : ""))
      .join("");
  const barAt = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    return bars[Math.ceil(((event.clientX - left) / width) * (bars.length - 1))] ?? null;
  };
  const limit = spentText(troubleLimit(tree));
  return (
    <div class="graph times">
      <svg
        viewBox={`0 0 ${WIDTH} ${2 * HALF}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summaryOf(bars, limit)}
        onPointerDown={(event) => {
          const bar = barAt(event);
          if (bar) app.study.goTo(bar.node);
        }}
        onPointerMove={(event) => (hovered.value = barAt(event))}
        onPointerLeave={() => (hovered.value = null)}
      >
        {TONES.map((tone) => (
          <path key={tone} class={`time-${tone}`} d={pathOf(tone)} />
        ))}
        {at >= 0 && <line class="graph-here" x1={at * step} x2={at * step} y1="0" y2={2 * HALF} />}
      </svg>
      {hovered.value && <span class="graph-label">{labelOf(hovered.value, limit)}</span>}
    </div>
  );
}

/** Return a bar that ends at `right`; by the square root, as one long think would hide the rest. */
function rectangle({ node, seconds }: Bar, right: number, step: number, most: number): string {
  const height = Math.max(1, HALF * Math.sqrt(seconds / most));
  const [left, width] = [right - step * (1 - GAP / 2), step * (1 - GAP)];
  const top = node.parent?.turn === "white" ? HALF - height : HALF;
  return `M${left.toFixed(1)},${top.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}h${(-width).toFixed(1)}z`;
}

function labelOf({ node, seconds, isShort }: Bar, limit: string): string {
  const trouble = isShort ? `  ${text("times-trouble-label", { limit })}` : "";
  return `${moveNumber(node.ply)} ${node.san}  ${spentText(seconds)}${trouble}`;
}

/** Put the graph into words. */
function summaryOf(bars: readonly (Bar | null)[], limit: string): string {
  const [white = "", black = ""] = (["white", "black"] as const).map((side) => {
    const own = bars.filter((bar) => bar?.node.parent?.turn === side);
    const total = own.reduce((sum, bar) => sum + (bar?.seconds ?? 0), 0);
    const trouble = own.find((bar) => bar?.isShort)?.node;
    const time = spentText(total);
    if (!trouble) return text(side === "white" ? "times-white" : "times-black", { time });
    const id = side === "white" ? "times-white-trouble" : "times-black-trouble";
    return text(id, { time, move: Math.ceil(trouble.ply / 2) });
  });
  return text("times-summary", { white, black, limit });
}
