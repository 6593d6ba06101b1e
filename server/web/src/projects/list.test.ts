import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../language/english.testing";
import { ProjectClient } from "./client";
import { ProjectList } from "./list";
import type { Project, Stage } from "./project";
import { USUAL_RULES } from "./project";

const PACE = 1000;
const RETRY = 3000;

let projects: Map<string, Project>; // of the server
let version: number; // of their list
let waiting: (() => void)[]; // requests for its next version
let requests: string[];
let bodies: unknown[];
let status: number; // of every answer, but for 200
let code: string | undefined;
let list: ProjectList;

function project(id: string, stage: Stage = "active"): Project {
  const budget = { positions: null, nodes: null, cpu_seconds: null, until: null, stable: null };
  const counts = { positions: 1, searches: 0, searching: 0, nodes: 0, cpu_seconds: 0 };
  const dates = { created: "2026-11-27T00:00:00Z", updated: "2026-11-27T00:00:00Z" };
  const more = { position: {}, variant: "standard", engines: [], settings: USUAL_RULES, budget };
  return { id, name: id, version: "1", stage, ...more, ...counts, ...dates };
}

function answer(path: string, init: RequestInit): Response {
  const problem = (number: number) =>
    new Response(JSON.stringify({ status: number, detail: `status ${number}`, code }), {
      status: number,
    });
  if (status !== 200) return problem(status);
  if (path === "/v1/projects" && init.method === "POST") {
    const made = project("new");
    projects.set(made.id, made);
    return Response.json(made, { status: 201 });
  }
  if (path.split("?")[0] === "/v1/projects") {
    const all = { positions: 1, most_projects: 20, most_positions: 1000 };
    return Response.json({ version: String(version), projects: [...projects.values()], ...all });
  }
  const found = projects.get(path.split("/")[3] ?? "");
  if (!found) return problem(404);
  if (init.method === "DELETE") {
    projects.delete(found.id);
    return new Response(null, { status: 204 });
  }
  return Response.json(found);
}

beforeEach(() => {
  vi.useFakeTimers();
  [projects, requests, bodies, status, code] = [new Map(), [], [], 200, undefined];
  [version, waiting] = [1, []];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    requests.push(`${init.method} ${path}`);
    if (init.body) bodies.push(JSON.parse(String(init.body)));
    if (status === 0) throw new TypeError("no network");
    if (path.includes(`after=${version}&`)) {
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    }
    return answer(path, init);
  });
  list = new ProjectList(new ProjectClient(() => "rk_1"));
});

afterEach(() => {
  list.hide();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Have the server answer those that wait for a change of the list. */
function change(): void {
  version++;
  for (const answer of waiting.splice(0)) answer();
}

async function pass(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

function names(): string[] | null {
  return list.projects.peek()?.map(({ name, stage }) => `${name}: ${stage}`) ?? null;
}

test("a list is fetched when it is shown, and then at each change", async () => {
  expect(names()).toBeNull();
  projects.set("a", project("a"));
  list.show();
  await pass();
  expect(names()).toEqual(["a: active"]);
  await pass(10 * PACE);
  expect(requests).toEqual(["GET /v1/projects", "GET /v1/projects?after=1&wait=25"]);
  projects.set("a", project("a", "finished"));
  change();
  await pass();
  expect(names()).toEqual(["a: finished"]);
  await pass(PACE);
  expect(requests.slice(2)).toEqual(["GET /v1/projects?after=2&wait=25"]);
});

test("nothing is fetched while the page is hidden or the list is not shown", async () => {
  projects.set("a", project("a"));
  list.show();
  await pass();
  list.setHidden(true);
  await pass(10 * PACE);
  expect(requests).toHaveLength(1);
  list.setHidden(false);
  await pass();
  expect(requests).toHaveLength(2);
  list.hide();
  await pass(10 * PACE);
  expect(requests).toHaveLength(2);
});

test("an answer that comes after the list was hidden is not shown", async () => {
  projects.set("a", project("a"));
  list.show();
  list.hide();
  await pass();
  expect(names()).toBeNull();
});

test("a server that is away is asked again, and the list stays", async () => {
  projects.set("a", project("a", "paused"));
  list.show();
  await pass();
  status = 0;
  await list.refresh();
  expect(list.problem.peek()?.code).toBe("unreachable");
  expect(names()).toEqual(["a: paused"]);
  status = 200;
  await pass(RETRY);
  expect(list.problem.peek()).toBeNull();
});

test("a server without projects is not asked again", async () => {
  [status, code] = [503, "projects-off"];
  list.show();
  await pass(10 * RETRY);
  expect(list.problem.peek()?.code).toBe("projects-off");
  expect(requests).toHaveLength(1);
});

test("a project is made, and is in the list at once", async () => {
  list.show();
  await pass();
  const request = { name: "Ruy", position: { moves: ["e2e4"] }, budget: { positions: 10 } };
  expect((await list.create(request))?.id).toBe("new");
  expect(names()).toEqual(["new: active"]);
  expect(bodies).toEqual([request]);
});

test("the reason of a refusal stays until a command succeeds", async () => {
  list.show();
  await pass();
  [status, code] = [413, "quota-projects"];
  expect(await list.create({})).toBeNull();
  status = 200;
  await list.refresh();
  expect(list.problem.peek()?.code).toBe("quota-projects");
  expect(await list.create({})).not.toBeNull();
  expect(list.problem.peek()).toBeNull();
});

test("a project that is gone already can be removed", async () => {
  projects.set("a", project("a"));
  list.show();
  await pass();
  projects.clear();
  expect(await list.remove("a")).toBe(true);
  expect(names()).toEqual([]);
  expect(list.problem.peek()).toBeNull();
});
