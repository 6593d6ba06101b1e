/**
 * Visits of projects: what this browser has seen of each, so that it can say what has changed since.
 *
 * A visit begins with what the last one saw at its end.  Who comes back within half an hour, as after
 * a reload, continues the same visit.
 */

import { readStored, writeStored } from "../store";
import type { Project } from "./project";
import type { TreePosition, TreeValue } from "./tree";

/** The root of a tree as it was at some time. */
export interface Glimpse {
  /** In ISO 8601. */
  readonly at: string;
  readonly size: number;
  /** The best move, in SAN; empty before the first search. */
  readonly best: string;
  readonly value?: TreeValue;
}

/** What is compared with, and what was seen last. */
export interface Visit {
  readonly since: Glimpse;
  readonly last: Glimpse;
}

const VISITS = "rookery.visits";
const MOST_VISITS = 100; // projects; those that were visited last
const GAP = 30 * 60_000; // ms without a look, after which a visit is over

/** Return a look at the root of a tree. */
export function glimpseOf(root: TreePosition, now: Date): Glimpse {
  const best = root.moves?.find((move) => !move.excluded && move.value)?.san ?? "";
  const { size = 0, value } = root;
  return { at: now.toISOString(), size, best, ...(value ? { value } : {}) };
}

/** Return a visit with one more look; without a visit, the first one begins. */
export function lookedAt(visit: Visit | null, glimpse: Glimpse): Visit {
  if (!visit) return { since: glimpse, last: glimpse };
  const isOver = Date.parse(glimpse.at) - Date.parse(visit.last.at) > GAP;
  return { since: isOver ? visit.last : visit.since, last: glimpse };
}

/** Return the visit of a project that is stored; null if there is none. */
export function loadVisit({ id }: Pick<Project, "id">): Visit | null {
  const found = stored()[id];
  return isGlimpse(found?.since) && isGlimpse(found?.last) ? (found as Visit) : null;
}

export function saveVisit({ id }: Pick<Project, "id">, visit: Visit): void {
  const others = Object.entries(stored()).filter(([other]) => other !== id);
  const kept = [...others.slice(1 - MOST_VISITS), [id, visit] as const];
  writeStored("localStorage", VISITS, Object.fromEntries(kept));
}

function stored(): Readonly<Record<string, Partial<Visit> | undefined>> {
  const found = readStored("localStorage", VISITS);
  return found !== null && typeof found === "object" ? { ...found } : {};
}

function isGlimpse(found: Partial<Glimpse> | undefined): boolean {
  return typeof found?.at === "string" && typeof found.size === "number" && "best" in found;
}
