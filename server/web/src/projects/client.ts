/** The projects of the server over HTTP (`/v1/projects`), with its errors in words for people. */

import { requestService, type ServiceWords } from "../service";
import type { EngineOffer } from "./engine_offer";
import type { OwnProjects, Project, ProjectChange, ProjectRequest } from "./project";
import type { Place, Steering, TreeChanges, TreeMap, TreePosition } from "./tree";

export type ExportFormat = "pgn" | "polyglot" | "ndjson";

/** The bounds of an export; what is left out is as the server has it. */
export interface ExportBounds {
  /** Half-moves from the root. */
  readonly plies?: number;
  /** Of PGN: the positions of the largest subtrees. */
  readonly nodes?: number;
  /** The positions that a subtree has at least. */
  readonly visits?: number;
}

const PROJECTS = "/v1/projects";
const WAIT = 25; // s for a change; the most that the server allows
const WAIT_TIMEOUT = 40_000; // ms for its answer

export class ProjectClient {
  constructor(private readonly token: () => string | null) {}

  async list(): Promise<OwnProjects> {
    return await this.read(PROJECTS);
  }

  /** Return the projects when their list has another version, or as they are after some time. */
  async listChange(version: string, ended: AbortSignal): Promise<OwnProjects> {
    return await this.readChange(PROJECTS, version, ended);
  }

  /** Return the engines that this account may use, with the options that it may set. */
  async engines(): Promise<readonly EngineOffer[]> {
    const { engines } = await this.read<{ engines: readonly EngineOffer[] }>("/v1/engines");
    return engines;
  }

  async create(request: ProjectRequest): Promise<Project> {
    return await this.send("POST", PROJECTS, request);
  }

  async project(id: string): Promise<Project> {
    return await this.read(pathOf(id));
  }

  /** Return a project when it has another version, or as it is after some time. */
  async change(id: string, version: string, ended: AbortSignal): Promise<Project> {
    return await this.readChange(pathOf(id), version, ended);
  }

  /** Change the name, the settings, the budget, or whether it grows. */
  async edit(id: string, change: ProjectChange): Promise<Project> {
    return await this.send("PATCH", pathOf(id), change);
  }

  async remove(id: string): Promise<void> {
    await this.request("DELETE", pathOf(id));
  }

  /** Add the tree of another project, which stays. */
  async merge(id: string, from: string): Promise<Project> {
    return await this.send("POST", `${pathOf(id)}/merge`, { from });
  }

  /** Add the moves and variations of a game, which are searched first. */
  async addGame(id: string, pgn: string): Promise<Project> {
    return await this.send("POST", `${pathOf(id)}/import`, { pgn });
  }

  /** Make a project, which is paused, of a position with all that is behind it. */
  async copy(id: string, place: Place, name: string): Promise<Project> {
    return await this.send("POST", `${pathOf(id)}/copy`, { ...place, name });
  }

  /** Return a tree as a file. */
  async export(id: string, format: ExportFormat, bounds: ExportBounds = {}): Promise<Blob> {
    const query = queryOf({ format, ...bounds });
    // Much may be sent.
    const answer = await this.request("GET", `${pathOf(id)}/export?${query}`, { signal: null });
    return await answer.blob();
  }

  // --- the tree

  async position(id: string, { fen, moves }: Place, signal?: AbortSignal): Promise<TreePosition> {
    const query = queryOf({ ...(fen ? { fen } : {}), moves: moves.join(" ") });
    return await this.read(`${pathOf(id)}/position?${query}`, signal ? { signal } : {});
  }

  /** Steer the growth at a position; return the position as it is then. */
  async steer(id: string, place: Place, steering: Steering): Promise<TreePosition> {
    return await this.send("POST", `${pathOf(id)}/steer`, { ...place, ...steering });
  }

  /** Return the positions whose best move has changed since the root had a size. */
  async changes(id: string, after: number, most: number): Promise<TreeChanges> {
    return await this.read(`${pathOf(id)}/changes?${queryOf({ after, most })}`);
  }

  /** Return the largest subtrees. */
  async map(id: string, nodes: number, signal?: AbortSignal): Promise<TreeMap> {
    return await this.read(`${pathOf(id)}/map?${queryOf({ nodes })}`, signal ? { signal } : {});
  }

  private readChange<T>(path: string, version: string, ended: AbortSignal): Promise<T> {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(WAIT_TIMEOUT)]);
    return this.read(`${path}?${queryOf({ after: version, wait: WAIT })}`, { signal });
  }

  private async read<T>(path: string, more: RequestInit = {}): Promise<T> {
    return (await (await this.request("GET", path, more)).json()) as T;
  }

  private async send<T>(method: string, path: string, document: object): Promise<T> {
    const headers = { "Content-Type": "application/json" };
    // The server may have a large tree to change before it answers.
    const more = { headers, body: JSON.stringify(document), signal: null };
    return (await (await this.request(method, path, more)).json()) as T;
  }

  private request(method: string, path: string, more: RequestInit = {}): Promise<Response> {
    return requestService(WORDS, path, this.token(), { ...more, method });
  }
}

function pathOf(id: string): string {
  return `${PROJECTS}/${encodeURIComponent(id)}`;
}

function queryOf(members: Readonly<Record<string, string | number>>): URLSearchParams {
  return new URLSearchParams(Object.entries(members).map(([name, each]) => [name, String(each)]));
}

const TITLES: ServiceWords["titles"] = {
  404: ["projects-gone", "projects-gone-hint"],
  409: ["projects-not-so", "projects-not-so-hint"],
  413: ["projects-too-large"],
  422: ["projects-impossible"],
  429: ["too-many-requests", "too-many-requests-hint"],
  503: ["projects-not-now", "try-again-later"],
};
const OTHER = ["projects-not-now", "try-again-later"] as const;
const WORDS: ServiceWords = { titles: TITLES, other: OTHER };
