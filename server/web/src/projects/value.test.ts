import { expect, test } from "vitest";
import "../language/english.testing";
import { chanceOf, shadeOf, trendPoints, valueText, valueTitle } from "./value";

const BOX = { width: 40, height: 10 };

test("values are written as scores are", () => {
  const values = [{ cp: 35 }, { cp: -1250 }, { mate: 3 }, { mate: -2 }, { mate: 0 }];
  expect(values.map(valueText)).toEqual(["+0.35", "−12.5", "#3", "#−2", "#"]);
  expect([{ tablebase: 5 }, { tablebase: -5 }, undefined].map(valueText)).toEqual([
    "+TB",
    "−TB",
    "–",
  ]);
  expect(valueTitle({ tablebase: -5 })).toContain("Black wins");
  expect(valueTitle({ cp: 5 })).toBeUndefined();
});

test("the side to move is the loser of a mate in 0", () => {
  expect(chanceOf({ mate: 0 }, "white")).toBeLessThan(5);
  expect(chanceOf({ mate: 0 }, "black")).toBeGreaterThan(95);
  expect(chanceOf({ tablebase: -3 }, "black")).toBeLessThan(5);
  expect(chanceOf({ cp: 0 }, "black")).toBe(50);
});

test("a line of values goes from the left to the right, better ones for White higher", () => {
  const points = trendPoints([{ cp: 0 }, { cp: 300 }, { cp: -300 }], "white", BOX);
  expect(points.map(([x]) => x)).toEqual([0, 20, 40]);
  expect(points.map(([, y]) => y)).toEqual([5, 0, 10]);
});

test("a small change of the value is a small change of the line", () => {
  const [one, other] = trendPoints([{ cp: 10 }, { cp: 12 }], "white", BOX);
  expect(Math.abs((one?.[1] ?? 0) - (other?.[1] ?? 0))).toBeLessThan(1);
});

test("a shade shows small differences, and large ones as nearly the same", () => {
  expect(shadeOf(52, 52)).toBe(0.5);
  expect(shadeOf(57, 52)).toBeGreaterThan(0.75);
  expect(shadeOf(20, 52)).toBeLessThan(0.01);
});
