/** Options of an analysing engine that follow from the settings of the page. */

import type { Settings } from "../settings";
import type { Conversation } from "./conversation";

export const MOST_LINES = 10;
const HALF_FULL = 500; // thousandths
const MOST_HASH = 256; // MiB that the page asks for by itself

/** Set the engine as it was set last time, and the number of lines. */
export function applySettings(engine: Conversation, name: string, settings: Settings): void {
  for (const [option, value] of Object.entries(settings.options[name] ?? {})) {
    engine.setOption(option, value);
  }
  setLines(engine, settings.lines);
}

/** Set the number of lines, as far as the engine has as many. */
export function setLines(engine: Conversation, lines: number): void {
  engine.setOption("MultiPV", String(Math.min(lines, mostLines(engine))));
}

export function mostLines(engine: Conversation): number {
  if (!engine.isReady) return MOST_LINES;
  const option = engine.options.get("MultiPV");
  return option?.type === "spin" ? Math.min(option.max, MOST_LINES) : 1;
}

/**
 * Want more memory for the next search if that of the one before is half full.  Engines start
 * with 16 MiB, which lasts for seconds; a size that the user has chosen stays.
 */
export function growHash(engine: Conversation, name: string, { options }: Settings): void {
  const option = engine.options.get("Hash");
  if (option?.type !== "spin" || options[name]?.Hash !== undefined) return;
  if ((engine.findings?.hashfull ?? 0) < HALF_FULL) return;
  const size = Number(engine.value("Hash"));
  const larger = Math.min(4 * size, MOST_HASH, option.max);
  if (larger > size) engine.setOptionLater("Hash", String(larger));
}
