/** When a search ends; none of them is `infinite`. */

export type LimitKind = "infinite" | "depth" | "movetime" | "nodes" | "mate";

export interface Limits {
  readonly kind: LimitKind;
  /** Plies, milliseconds, nodes or moves, by `kind`. */
  readonly value: number;
}

export const INFINITE: Limits = { kind: "infinite", value: 0 };

export function go(limits: Limits): string {
  return limits.kind === "infinite" ? "go infinite" : `go ${limits.kind} ${limits.value}`;
}
