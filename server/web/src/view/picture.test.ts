import { expect, test } from "vitest";
import { INITIAL_FEN } from "../game/position";
import { renderSvg, type Scene } from "./picture";

const scene: Scene = {
  fen: INITIAL_FEN,
  orientation: "white",
  lastMove: [],
  check: null,
  arrows: [],
  coordinates: false,
  colors: { light: "#eee", dark: "#888", inkOnLight: "#555", inkOnDark: "#fff" },
};
const drawing = () => ({ size: 45, body: "<path/>" });
const count = (text: string, part: string) => text.split(part).length - 1;

test("has every piece, and each drawing once", () => {
  const svg = renderSvg(scene, drawing);
  expect(count(svg, "<use ")).toBe(32);
  expect(count(svg, "<symbol ")).toBe(12);
  expect(svg).toContain('<use href="#white-king" x="256" y="448"');
});

test("is turned like the board", () => {
  const svg = renderSvg({ ...scene, orientation: "black", coordinates: true }, drawing);
  expect(svg).toContain('<use href="#white-king" x="192" y="0"');
  expect(svg.indexOf(">h</text>")).toBeLessThan(svg.indexOf(">a</text>"));
});

test("shows the last move, a check, arrows and circles", () => {
  const full = {
    ...scene,
    lastMove: ["e2", "e4"],
    check: 4,
    arrows: [
      { from: "g1", to: "f3", color: "#123456", width: 0.2 },
      { from: "a8", to: "a8", color: "#654321", width: 0.2 },
    ],
  };
  const svg = renderSvg(full, drawing);
  expect(count(svg, 'fill-opacity=".48"')).toBe(2);
  expect(svg).toContain('<circle cx="288" cy="480"');
  expect(count(svg, "<polygon")).toBe(1);
  expect(svg).toMatch(/<circle cx="32" cy="32" [^>]* stroke="#654321"/);
  expect(svg).not.toContain("NaN");
});
