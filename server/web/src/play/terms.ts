/** What was agreed before a game: colours, clock, strength; as options and as PGN has it. */

import type { PlayChoice } from "../settings";
import type { Option } from "../uci/option";
import type { Color } from "./clock";

export interface Terms {
  readonly engine: string;
  /** The colour of who plays here. */
  readonly color: Color;
  /** Milliseconds; null is a game without a clock. */
  readonly base: number | null;
  readonly increment: number;
  readonly strength: { readonly kind: PlayChoice["strength"]; readonly value: number };
  readonly ponders: boolean;
  readonly fen: string;
  readonly chess960: boolean;
}

const MOVE_TIME = 1000; // ms that the engine takes without a clock

/** Strengths that an engine offers, with their least and most. */
export function strengthsOf(options: readonly Option[]): Map<"elo" | "skill", [number, number]> {
  const found = new Map<"elo" | "skill", [number, number]>();
  for (const option of options) {
    if (option.type !== "spin") continue;
    if (option.name === "UCI_Elo") found.set("elo", [option.min, option.max]);
    if (option.name === "Skill Level") found.set("skill", [option.min, option.max]);
  }
  if (!options.some((option) => option.name === "UCI_LimitStrength")) found.delete("elo");
  return found;
}

/** The options of the engine by which it plays so. */
export function optionsOf(terms: Terms): Map<string, string> {
  const { kind, value } = terms.strength;
  const options = new Map([
    ["Ponder", String(terms.ponders)],
    ["UCI_Chess960", String(terms.chess960)],
  ]);
  if (kind === "elo") options.set("UCI_LimitStrength", "true").set("UCI_Elo", String(value));
  if (kind === "skill") options.set("Skill Level", String(value));
  return options;
}

export function strengthText({ strength }: Terms): string {
  if (strength.kind === "full") return "";
  return strength.kind === "elo" ? `${strength.value}` : `level ${strength.value}`;
}

/** What follows `go`, by what the clocks show. */
export function limitsOf(terms: Terms, left: Readonly<Record<Color, number>> | null): string {
  if (!left) return `movetime ${MOVE_TIME}`;
  const [white, black] = [left.white, left.black].map((each) => Math.max(1, Math.round(each)));
  return `wtime ${white} btime ${black} winc ${terms.increment} binc ${terms.increment}`;
}

/** The clock as PGN has it. */
export function timeControl(terms: Terms): string {
  if (terms.base === null) return "-";
  const increment = terms.increment ? `+${terms.increment / 1000}` : "";
  return `${terms.base / 1000}${increment}`;
}

/** Read what an earlier visit has left; null if it is nothing of ours. */
export function asTerms(value: unknown): Terms | null {
  const terms = value as Partial<Terms> | null;
  const isGood =
    terms !== null &&
    typeof terms === "object" &&
    typeof terms.engine === "string" &&
    (terms.color === "white" || terms.color === "black") &&
    (terms.base === null || typeof terms.base === "number") &&
    typeof terms.increment === "number" &&
    typeof terms.strength === "object" &&
    typeof terms.fen === "string";
  return isGood ? (terms as Terms) : null;
}
