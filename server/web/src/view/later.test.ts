import { h, options, render } from "preact";
import { expect, test, vi } from "vitest";
import type { App } from "../app";
import { later, loadViews } from "./later";

test("view whose code comes just after it was drawn is shown", async () => {
  const effects: (() => void)[] = [];
  options.requestAnimationFrame = (run) => effects.push(run);
  const shown = vi.fn(() => null);
  const View = later(async () => shown);
  render(h(View, { app: {} as App }), { childNodes: [] } as unknown as Element);
  await loadViews();
  expect(shown).not.toHaveBeenCalled();
  for (const run of effects.splice(0)) run();
  await vi.waitFor(() => expect(shown).toHaveBeenCalled());
});
