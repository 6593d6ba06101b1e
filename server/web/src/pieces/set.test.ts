import { expect, test } from "vitest";
import { set as flat } from "./flat";
import { set as signs } from "./signs";

const COLORS = ["white", "black"] as const;
const ROLES = ["pawn", "knight", "bishop", "rook", "queen", "king"] as const;

test.each([
  ["flat", flat],
  ["signs", signs],
])("the set %s has twelve different pictures, within their squares", (_, set) => {
  const pictures = COLORS.flatMap((color) => ROLES.map((role) => set.picture(color, role)));
  expect(new Set(pictures).size).toBe(12);
  for (const picture of pictures) {
    const svg = atob(picture.split("base64,")[1] ?? "");
    expect(svg).toMatch(/^<svg [^>]*width="48" height="48">.*<\/svg>$/);
    expect(svg).not.toMatch(/undefined|NaN/);
  }
  expect(set.rules().split("\n")).toHaveLength(12);
});
