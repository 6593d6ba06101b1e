/** A picture of the board as SVG, from which the browser paints a PNG.  Nothing is loaded for it. */

import { parseFen } from "chessops/fen";
import type { Color, Role, Square } from "chessops/types";
import { parseSquare } from "chessops/util";

/** The drawing of a piece: the content of an `svg` with a view box of `size`. */
interface PieceDrawing {
  readonly size: number;
  readonly body: string;
}

type DrawPiece = (color: Color, role: Role) => PieceDrawing;

/** An arrow; from a square to itself, it is a circle. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly color: string;
  /** Of a square. */
  readonly width: number;
}

/** The colours of squares, and of the coordinates on them. */
export interface BoardColors {
  readonly light: string;
  readonly dark: string;
  readonly inkOnLight: string;
  readonly inkOnDark: string;
}

export interface Scene {
  readonly fen: string;
  readonly orientation: Color;
  readonly lastMove: readonly string[];
  /** The square of a king in check. */
  readonly check: Square | null;
  readonly arrows: readonly Arrow[];
  readonly coordinates: boolean;
  readonly colors: BoardColors;
}

const SIDE = 64; // of a square, in units of the picture
const MARK = "#ebc83c";
const CHECK = "#e6140a";

export function renderSvg(scene: Scene, drawPiece: DrawPiece): string {
  const { board } = parseFen(scene.fen).unwrap();
  const used = new Map<string, PieceDrawing>();
  const placed: string[] = [];
  for (const [square, { color, role }] of board) {
    const id = `${color}-${role}`;
    if (!used.has(id)) used.set(id, drawPiece(color, role));
    const [x, y] = cornerOf(square, scene.orientation);
    placed.push(`<use href="#${id}" x="${x}" y="${y}" width="${SIDE}" height="${SIDE}"/>`);
  }
  const symbols = [...used].map(
    ([id, { size, body }]) => `<symbol id="${id}" viewBox="0 0 ${size} ${size}">${body}</symbol>`,
  );
  const edge = 8 * SIDE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${edge} ${edge}" width="${edge}" height="${edge}">`,
    `<title>${scene.fen.split(" ").slice(0, 2).join(" ")}</title>`,
    `<defs>${symbols.join("")}</defs>`,
    `<rect width="${edge}" height="${edge}" fill="${scene.colors.light}"/>`,
    darkSquares(scene.orientation, scene.colors.dark),
    ...scene.lastMove.map((name) => markedSquare(name, scene.orientation)),
    scene.check === null ? "" : checkedSquare(scene.check, scene.orientation),
    scene.coordinates ? coordinates(scene.orientation, scene.colors) : "",
    ...placed,
    ...scene.arrows.map((arrow) => arrowOf(arrow, scene.orientation)),
    "</svg>",
  ].join("");
}

function cornerOf(square: Square, orientation: Color): [number, number] {
  const [file, rank] = [square & 7, square >> 3];
  return orientation === "white"
    ? [file * SIDE, (7 - rank) * SIDE]
    : [(7 - file) * SIDE, rank * SIDE];
}

const isDark = (square: Square) => ((square & 7) + (square >> 3)) % 2 === 0;

function darkSquares(orientation: Color, color: string): string {
  const path = Array.from({ length: 64 }, (_, square) => square)
    .filter(isDark)
    .map((square) => `M${cornerOf(square, orientation).join(" ")}h${SIDE}v${SIDE}h-${SIDE}z`);
  return `<path fill="${color}" d="${path.join("")}"/>`;
}

function markedSquare(name: string, orientation: Color): string {
  const square = parseSquare(name);
  if (square === undefined) return "";
  const [x, y] = cornerOf(square, orientation);
  return `<rect x="${x}" y="${y}" width="${SIDE}" height="${SIDE}" fill="${MARK}" fill-opacity=".48"/>`;
}

function checkedSquare(square: Square, orientation: Color): string {
  const [x, y] = cornerOf(square, orientation).map((each) => each + SIDE / 2);
  return `<circle cx="${x}" cy="${y}" r="${SIDE / 2}" fill="${CHECK}" fill-opacity=".6"/>`;
}

function coordinates(orientation: Color, colors: BoardColors): string {
  const texts: string[] = [];
  for (let at = 0; at < 8; at++) {
    const file = orientation === "white" ? at : 7 - at;
    const rank = orientation === "white" ? 7 - at : at;
    const [bottom, right] = orientation === "white" ? [file, rank * 8 + 7] : [file + 56, rank * 8];
    const ink = (square: Square) => (isDark(square) ? colors.inkOnDark : colors.inkOnLight);
    texts.push(
      `<text x="${at * SIDE + 4}" y="${8 * SIDE - 5}" fill="${ink(bottom)}">${"abcdefgh"[file]}</text>`,
      `<text x="${8 * SIDE - 4}" y="${at * SIDE + 15}" fill="${ink(right)}" text-anchor="end">${rank + 1}</text>`,
    );
  }
  return `<g font-family="sans-serif" font-size="13" font-weight="600">${texts.join("")}</g>`;
}

function circleOf(square: Square, color: string, orientation: Color): string {
  const [x, y] = cornerOf(square, orientation).map((each) => each + SIDE / 2);
  const [radius, width] = [SIDE * 0.46, SIDE * 0.06];
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="${color}" stroke-width="${width}" opacity=".75"/>`;
}

function arrowOf({ from, to, color, width }: Arrow, orientation: Color): string {
  const [start, end] = [parseSquare(from), parseSquare(to)];
  if (start === undefined || end === undefined) return "";
  if (start === end) return circleOf(start, color, orientation);
  const [x1, y1] = cornerOf(start, orientation).map((each) => each + SIDE / 2) as [number, number];
  const [x2, y2] = cornerOf(end, orientation).map((each) => each + SIDE / 2) as [number, number];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [stem, head] = [width * SIDE, width * SIDE * 1.5];
  const [bx, by] = [x2 - dx * head * 1.6, y2 - dy * head * 1.6];
  const points = [
    [x2, y2],
    [bx - dy * head, by + dx * head],
    [bx + dy * head, by - dx * head],
  ];
  const at = (point: readonly number[]) => point.map((each) => each.toFixed(1)).join(",");
  return (
    `<g fill="${color}" stroke="${color}" opacity=".75">` +
    `<line x1="${x1}" y1="${y1}" x2="${bx.toFixed(1)}" y2="${by.toFixed(1)}" stroke-width="${stem.toFixed(1)}" stroke-linecap="round"/>` +
    `<polygon points="${points.map(at).join(" ")}" stroke="none"/></g>`
  );
}

const SVG = /^<svg\b([^>]*)>(.*)<\/svg>\s*$/s;

/** Read the colours of the board from the page's style sheet, as they are in light or dark. */
export function boardColors(): BoardColors {
  const probe = document.createElement("i");
  document.body.append(probe);
  const read = (name: string) => {
    probe.style.color = `var(--square-${name})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    light: read("light"),
    dark: read("dark"),
    inkOnLight: read("ink"),
    inkOnDark: read("ink-dark"),
  };
  probe.remove();
  return colors;
}

/** Read the drawing of a piece from the page's style sheet. */
export function pieceDrawing(color: Color, role: Role): PieceDrawing {
  const frame = document.createElement("div");
  frame.className = "cg-wrap drawings";
  const piece = document.createElement("piece");
  piece.className = `${color} ${role}`;
  frame.append(piece);
  document.body.append(frame);
  const image = getComputedStyle(piece).backgroundImage;
  frame.remove();
  const coded = /base64,([^"')]+)/.exec(image)?.[1];
  const [, attributes = "", body = ""] = SVG.exec(coded ? atob(coded) : "") ?? [];
  return { size: Number(/width="(\d+)/.exec(attributes)?.[1] ?? 45), body };
}

/** Paint an SVG as a PNG, so many pixels wide and high. */
export async function paintPng(svg: string, pixels: number): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = pixels;
    canvas.getContext("2d")?.drawImage(image, 0, 0, pixels, pixels);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("this browser cannot paint the picture");
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}
