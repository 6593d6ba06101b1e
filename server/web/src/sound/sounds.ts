/**
 * The sounds of the page, from the first time that they are switched on.  They are for what changes on the
 * board; the analysis of a whole game changes nothing there, and is silent.
 */

import { effect } from "@preact/signals";
import type { App } from "../app";
import { cueOf, type Moment } from "./cue";
import { playCue } from "./synth";

const GAP = 70; // ms between sounds: a key that is held steps faster
let isListening = false;

export function listen(app: App): void {
  if (isListening) return;
  isListening = true;
  let before: Moment | null = null;
  let playedAt = 0;
  effect(() => {
    const now = momentOf(app);
    const cue = before && cueOf(before, now);
    before = now;
    const { sounds, volume } = app.settings.peek();
    const isSoon = performance.now() - playedAt < GAP && cue !== "end";
    if (!cue || !sounds || isSoon) return;
    playedAt = performance.now();
    playCue(cue, volume);
  });
}

function momentOf({ study, play }: App): Moment {
  const color = play.game.value?.color;
  const times = play.times.value;
  return {
    node: study.node.value,
    isOver: play.outcome.value !== null,
    left: color && times ? times[color] : null,
  };
}
