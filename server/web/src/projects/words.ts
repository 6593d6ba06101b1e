/** Projects in words for people. */

import { languageTag, text } from "../language/catalogue";
import type { EndCause, Project } from "./project";

const CAUSES: Readonly<Record<EndCause, string>> = {
  positions: "project-cause-positions",
  nodes: "project-cause-nodes",
  cpu_seconds: "project-cause-cpu",
  until: "project-cause-until",
  stable: "project-cause-stable",
  exhausted: "project-cause-exhausted",
  quota: "project-cause-quota",
  engine: "project-cause-engine",
  damage: "project-cause-damage",
};
// Of these, only the server's sentence says which engine or which part, and what is wrong with it.
const DETAILED: readonly EndCause[] = ["engine", "damage"];

/** Return what a project is called. */
export function nameOf({ name }: Project): string {
  return name || text("project-nameless");
}

/** Describe whether a project grows, and if not, why: `Growing: 2 searches are under way`. */
export function describeGrowth(project: Project): string {
  const { stage, searching } = project;
  const reason = reasonOf(project);
  switch (stage) {
    case "active":
      return searching ? text("project-growing", { count: searching }) : text("project-queued");
    case "paused":
      return reason ? text("project-paused-why", { reason }) : text("project-paused");
    case "building":
      return text("project-building");
    case "finished":
      return reason ? text("project-finished-why", { reason }) : text("project-finished");
    case "failed":
      return reason ? text("project-failed-why", { reason }) : text("project-failed");
  }
}

/** Return the reason in the language of the page; that of a server of another version in English. */
function reasonOf({ cause, reason }: Project): string | undefined {
  return cause !== undefined && cause in CAUSES ? text(CAUSES[cause]) : reason;
}

/** Return what the server says, in English, of a reason that needs it; null if none does. */
export function detailOf({ cause, reason = "" }: Project): string | null {
  return cause !== undefined && DETAILED.includes(cause) ? reason : null;
}

/** Describe what a tree has and has cost: `1,200 positions · 5.2M nodes · 3 min of CPU time`. */
export function describeCost({ positions, nodes, cpu_seconds: seconds }: Project): string {
  const all = [
    text("project-positions", { count: positions }),
    text("project-nodes", { nodes: shortNumber(nodes) }),
    text("project-cpu", { time: durationText(seconds) }),
  ];
  return all.join(" · ");
}

/** Format a large number in few characters: `5.2M`. */
export function shortNumber(number: number): string {
  return number.toLocaleString(languageTag(), { notation: "compact", maximumFractionDigits: 1 });
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Format seconds in the largest unit of which there are some: `3 min`, `2.5 hr`. */
export function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= 2 * size) ?? UNITS[3];
  const number = seconds / size;
  const maximumFractionDigits = number < 10 && unit !== "second" ? 1 : 0;
  return number.toLocaleString(languageTag(), { style: "unit", unit, maximumFractionDigits });
}

/** Format a share of 0 to 1: `40 %`, `< 1 %`. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.01) return "< 1 %";
  return `${Math.round(100 * share)} %`;
}
