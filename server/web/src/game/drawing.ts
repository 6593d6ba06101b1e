/**
 * Arrows and circles in comments: `[%cal]` and `[%csl]`, and those of Chess.com.  Pure.
 *
 * Chess.com writes `[%c_arrow]`, `[%c_highlight]` and `[%c_effect]`, a sign on a square.  They stay as
 * they are until the drawings of the position are changed.
 */

import { type CommentShape, makeComment, parseComment } from "chessops/pgn";
import { parseSquare } from "chessops/util";

type Color = CommentShape["color"];

const CHESSCOM = /\s?\[%c_(arrow|highlight|effect)\s*([^\]]*)\]/g;
// By the key that was held; an arrow without a key is orange, a square without one is red.
const KEYS: Readonly<Record<string, Color>> = {
  shift: "green",
  alt: "blue",
  ctrl: "red",
  control: "red",
};
const EFFECTS: readonly [RegExp, Color][] = [
  [/^(Brilliant|Great)/, "blue"],
  [/^(Best|Excellent|Good|Correct|Winner)/, "green"],
  [/^(Book|Forced|Interesting|Inaccuracy|Dubious)/, "yellow"],
  [/^(Mistake|Miss|Blunder|Incorrect)/, "red"],
];

/** Return the arrows and circles of some comments, each pair of squares once. */
export function drawingsIn(comments: readonly string[]): CommentShape[] {
  const all = comments.flatMap((each) => [...parseComment(each).shapes, ...chesscomShapes(each)]);
  return [...new Map(all.map((shape) => [`${shape.from} ${shape.to}`, shape])).values()];
}

/** Replace the arrows and circles of a comment. */
export function withDrawings(comment: string, shapes: CommentShape[]): string {
  const plain = comment.replace(CHESSCOM, "").trim();
  const parsed = parseComment(plain);
  if (!shapes.length && !parsed.shapes.length) return plain;
  return makeComment({ ...parsed, shapes }).trim();
}

function chesscomShapes(comment: string): CommentShape[] {
  return [...comment.matchAll(CHESSCOM)].flatMap(([, kind = "", list = ""]) =>
    list.split(/,(?=\s*[a-h][1-8])/).flatMap((each) => shapeOf(kind, each.trim()) ?? []),
  );
}

/** Read `e2e4;keyPressed;none;from;e2;opacity;0.8;to;e4`: a place, and names with their values. */
function shapeOf(kind: string, text: string): CommentShape | null {
  const [place = "", ...words] = text.split(";").map((each) => each.trim());
  const values = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; at += 2) values.set(words[at] ?? "", words[at + 1] ?? "");
  const from = parseSquare(place.slice(0, 2));
  const to = kind === "arrow" ? parseSquare(place.slice(2, 4)) : from;
  const color = kind === "effect" ? effectColor(values) : drawnColor(values, kind);
  return from === undefined || to === undefined || !color ? null : { color, from, to };
}

function drawnColor(values: ReadonlyMap<string, string>, kind: string): Color {
  const preset: Color = kind === "arrow" ? "yellow" : "red";
  return nearestColor(values.get("color") ?? "") ?? KEYS[values.get("keyPressed") ?? ""] ?? preset;
}

function effectColor(values: ReadonlyMap<string, string>): Color | null {
  const type = values.get("type") ?? "";
  return EFFECTS.find(([pattern]) => pattern.test(type))?.[1] ?? null;
}

/** Return the nearest color of `[%cal]` to one like `#eb6150`; null if the text is none. */
function nearestColor(text: string): Color | null {
  const [, ...digits] = /^(?:#|%23)([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text) ?? [];
  if (digits.length < 3) return null;
  const [red = 0, green = 0, blue = 0] = digits.map((each) => Number.parseInt(each, 16));
  if (blue > Math.max(red, green)) return "blue";
  if (green > red) return "green";
  return green > 0.6 * red ? "yellow" : "red";
}
