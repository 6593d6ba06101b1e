/** When a search ends; none of them is `infinite`. */

export const KINDS = ["infinite", "depth", "movetime", "nodes", "mate"] as const;
export type LimitKind = (typeof KINDS)[number];

export interface Limits {
  readonly kind: LimitKind;
  /** Plies, milliseconds, nodes or moves, by `kind`. */
  readonly value: number;
}

export const INFINITE: Limits = { kind: "infinite", value: 0 };

export function go(limits: Limits): string {
  return limits.kind === "infinite" ? "go infinite" : `go ${limits.kind} ${limits.value}`;
}
