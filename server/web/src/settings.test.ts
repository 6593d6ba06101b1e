import { expect, test } from "vitest";
import { merged, settingsFrom } from "./settings";

test("changes of another tab are kept", () => {
  const before = settingsFrom({});
  const ofAnother = settingsFrom({ theme: "dark", lines: 5 });
  const play = { ...before.play, minutes: 10 };
  const kept = merged(ofAnother, { ...before, lines: 2, play }, before);
  expect(kept).toEqual({ ...before, theme: "dark", lines: 2, play });
});

test("a look that this page does not have is that of the first visit", () => {
  const read = settingsFrom({ pieces: "gold", board: "toString", volume: 7 });
  expect(read).toMatchObject({ pieces: "classic", board: "slate", volume: 1, sounds: false });
  expect(settingsFrom({ pieces: "signs", board: "wood" })).toMatchObject({ pieces: "signs" });
});
