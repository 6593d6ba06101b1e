/** Options of an analysing engine that follow from the settings of the page. */

import type { Settings } from "../settings";
import type { Conversation, OptionValue } from "./conversation";

export const MOST_LINES = 10;
const HALF_FULL = 500; // thousandths
const MOST_HASH = 256; // MiB that the page asks for by itself
const HASH_SHARE = 1 / 4; // of what is granted, which several pages and programs may share

/** Set the engine as it was set last time, and the number of lines. */
export function applySettings(engine: Conversation, name: string, settings: Settings): void {
  for (const [option, value] of Object.entries(settings.options[name] ?? {})) {
    engine.setOption(option, value);
  }
  engine.setOption(...linesOption(engine, settings.lines));
  askForHash(engine, name, settings);
}

/** Return the option for the number of lines, as far as the engine has as many. */
export function linesOption(engine: Conversation, lines: number): OptionValue {
  return ["MultiPV", String(Math.min(lines, mostLines(engine)))];
}

export function mostLines(engine: Conversation): number {
  if (!engine.isReady) return MOST_LINES;
  const option = engine.options.get("MultiPV");
  return option?.type === "spin" ? Math.min(option.max, MOST_LINES) : 1;
}

/** Want a share of the memory that is granted, from the next search on: engines start with 16 MiB. */
function askForHash(engine: Conversation, name: string, settings: Settings): void {
  const most = Math.min(MOST_HASH, HASH_SHARE * mostHash(engine, name, settings));
  const share = 2 ** Math.floor(Math.log2(most));
  if (share > Number(engine.value("Hash"))) engine.setOptionLater("Hash", String(share));
}

/** Begin a search anew whose table is half full, if there is more memory for the next one. */
export function useHash(engine: Conversation): void {
  if ((engine.findings?.hashfull ?? 0) >= HALF_FULL) engine.useLaterOption("Hash");
}

/** Want more memory for the next search if that of the one before is half full. */
export function growHash(engine: Conversation, name: string, settings: Settings): void {
  if ((engine.findings?.hashfull ?? 0) < HALF_FULL) return;
  const size = Number(engine.value("Hash"));
  const larger = Math.min(4 * size, MOST_HASH, mostHash(engine, name, settings));
  if (larger > size) engine.setOptionLater("Hash", String(larger));
}

/** Return the MiB of hash that are granted; 0 if the page may not choose: a size of the user's stays. */
function mostHash(engine: Conversation, name: string, { options }: Settings): number {
  const option = engine.options.get("Hash");
  return option?.type === "spin" && options[name]?.Hash === undefined ? option.max : 0;
}
