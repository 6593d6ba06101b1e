import { expect, test } from "vitest";
import { glyphsOf } from "./glyph";

// In fonts of all systems: Latin-1, and few others.
const COMMON = /^[\x20-\x7e±−∞∓↑→⇄⊕∆∇]+$/;
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
const numbers = [...range(1, 23), ...range(32, 47), ...range(132, 146)];

test.each(numbers)("$%i is shown by signs of any font, and means something", (nag) => {
  const { signs, meaning } = glyphsOf([nag]);
  expect(signs).toMatch(COMMON);
  expect(meaning).not.toBe("");
});

test("a sign stands once, words apart, and unknown numbers not at all", () => {
  expect(glyphsOf([1, 1, 36, 38, 142, 200])).toEqual({
    signs: "!↑ better",
    meaning: "good move, White has the initiative, White has a lasting initiative, better is",
  });
  expect(glyphsOf([15])).toEqual({ signs: "=+", meaning: "Black is slightly better" });
});
