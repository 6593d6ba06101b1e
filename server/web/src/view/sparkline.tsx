/** A small line of values over time. */

import { text } from "../language/catalogue";
import type { TreeValue } from "../projects/tree";
import { trendPoints, valueText } from "../projects/value";

const BOX = { width: 44, height: 14 };
const EDGE = 2; // around the line, which has a width

export function Sparkline(props: { trend: readonly TreeValue[]; turn: "white" | "black" }) {
  const { trend, turn } = props;
  if (trend.length < 2) return null;
  const points = trendPoints(trend, turn, BOX);
  const [x, y] = points[points.length - 1] ?? [0, 0];
  const words = text("project-trend-words", { values: trend.map(valueText).join(", ") });
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={words}
      viewBox={`${-EDGE} ${-EDGE} ${BOX.width + 2 * EDGE} ${BOX.height + 2 * EDGE}`}
      width={BOX.width + 2 * EDGE}
      height={BOX.height + 2 * EDGE}
    >
      <title>{words}</title>
      <polyline points={points.map((point) => point.join(",")).join(" ")} />
      <circle cx={x} cy={y} r="1.8" />
    </svg>
  );
}
