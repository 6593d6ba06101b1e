import { expect, test } from "vitest";
import { merged, settingsFrom } from "./settings";

test("changes of another tab are kept", () => {
  const before = settingsFrom({});
  const ofAnother = settingsFrom({ theme: "dark", lines: 5 });
  const play = { ...before.play, minutes: 10 };
  const kept = merged(ofAnother, { ...before, lines: 2, play }, before);
  expect(kept).toEqual({ ...before, theme: "dark", lines: 2, play });
});
