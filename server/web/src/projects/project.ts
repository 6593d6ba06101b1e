/** The documents of projects (`/v1/projects`, see `docs/api.md`). */

import type { TreeValue } from "./tree";

/** `building`: a tree is merged into it or copied to it, and it does not grow. */
export type Stage = "active" | "paused" | "finished" | "failed" | "building";

/** Why a project does not grow; the first five are bounds of its budget. */
export type EndCause =
  | "positions"
  | "nodes"
  | "cpu_seconds"
  | "until"
  | "stable"
  | "exhausted"
  | "quota"
  | "engine"
  | "damage";

/** The first position of a project, and the moves of the game up to its root. */
export interface ProjectStart {
  readonly fen?: string | null;
  readonly moves?: readonly string[];
}

export interface ProjectEngine {
  readonly name: string;
  readonly options?: Readonly<Record<string, string>>;
}

/** An engine of a project; one that is retired searches no more. */
export interface ProjectEngineState extends ProjectEngine {
  readonly retired?: boolean;
}

/** The growth where one side is to move. */
export interface ProjectSide {
  /** The loss in centipawns that weighs as much as one half-move more. */
  readonly width: number;
  /** The moves that a search is asked for. */
  readonly lines: number;
  /** The number of moves of a position that are followed; null is no limit. */
  readonly limit: number | null;
}

export interface ProjectRules {
  /** Of the search of a position that matters least. */
  readonly nodes: number;
  /** The bound of that search in milliseconds; null is none. */
  readonly movetime?: number | null;
  readonly white: ProjectSide;
  readonly black: ProjectSide;
}

/** The end of a project: the first of these that is reached; null is none. */
export interface ProjectBudget {
  readonly positions: number | null;
  readonly nodes: number | null;
  readonly cpu_seconds: number | null;
  /** A date in ISO 8601. */
  readonly until: string | null;
  /** The positions that were added since the best move changed last. */
  readonly stable: number | null;
}

export interface Project {
  readonly id: string;
  /** Another text whenever something of the project is another. */
  readonly version: string;
  readonly name: string;
  readonly position: ProjectStart;
  readonly variant: string;
  readonly engines: readonly ProjectEngineState[];
  readonly settings: ProjectRules;
  readonly budget: ProjectBudget;
  readonly stage: Stage;
  /** The reason why it does not grow, in English. */
  readonly reason?: string;
  readonly cause?: EndCause;
  /** The steps of a tree that is built. */
  readonly building?: { readonly done: number; readonly total: number };
  /** In its tree. */
  readonly positions: number;
  readonly searches: number;
  /** The searches that are under way. */
  readonly searching: number;
  readonly nodes: number;
  readonly cpu_seconds: number;
  /** The best move of the root, in UCI. */
  readonly best?: string;
  /** Of the root, for White. */
  readonly value?: TreeValue;
  /** The values of the root when it had 1, 2, 4 ... positions. */
  readonly trend?: readonly TreeValue[];
  readonly created: string;
  readonly updated: string;
}

/** The projects of an account, and what it may have. */
export interface OwnProjects {
  /** Another text whenever something of a project is another. */
  readonly version: string;
  /** The newest first. */
  readonly projects: readonly Project[];
  /** Of all their trees. */
  readonly positions: number;
  readonly most_projects: number;
  readonly most_positions: number;
}

/** A project that is asked for; what is left out is as the server has it. */
export interface ProjectRequest {
  readonly name?: string;
  readonly position?: ProjectStart;
  readonly variant?: string;
  /** A game whose moves and variations are searched first. */
  readonly pgn?: string;
  readonly engines?: readonly ProjectEngine[];
  readonly settings?: ProjectRules;
  readonly budget?: Partial<ProjectBudget>;
}

/** A change of a project: each member that is there is replaced as a whole. */
export interface ProjectChange {
  readonly name?: string;
  readonly engines?: readonly ProjectEngine[];
  readonly stage?: "active" | "paused";
  readonly settings?: ProjectRules;
  readonly budget?: Partial<ProjectBudget>;
}

export const USUAL_SIDE: ProjectSide = { width: 25, lines: 4, limit: null };
/** The settings of a project whose request has none. */
export const USUAL_RULES: ProjectRules = { nodes: 100_000, white: USUAL_SIDE, black: USUAL_SIDE };

/** Return whether a project changes by itself. */
export function isGrowing({ stage, searching }: Project): boolean {
  return stage === "active" || searching > 0;
}

/** Return the change by which a project goes on: what is used up of its budget is doubled. */
export function continuation(project: Project): ProjectChange {
  if (project.stage !== "finished") return { stage: "active" };
  const { budget, positions, nodes, cpu_seconds } = project;
  const more = (most: number | null, used: number) =>
    most !== null && used >= most ? 2 * Math.max(most, used) : most;
  return {
    stage: "active",
    budget: {
      positions: more(budget.positions, positions),
      nodes: more(budget.nodes, nodes),
      cpu_seconds: more(budget.cpu_seconds, Math.ceil(cpu_seconds)),
      until: budget.until !== null && Date.parse(budget.until) <= Date.now() ? null : budget.until,
      stable: budget.stable,
    },
  };
}
