import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { JobClient } from "./client";
import type { Job } from "./job";
import { JobList } from "./list";

const POLL = 3000;
const ORDER = { pgn: "1. e4 *", name: "mine", query: new URLSearchParams({ nodes: "1" }) };

let store: Map<string, string>;
let jobs: Map<string, Job>; // of the server
let requests: string[];
let status: number; // of every answer, but for 200
let hasAccounts: boolean;
let list: JobList;

function job(id: string, state: Job["state"], name = id): Job {
  return { id, name, kind: "games", state, total: 1, done: 0, failed: 0, created: "2026-11-26" };
}

function answer(path: string, init: RequestInit): Response {
  const problem = (code: number) =>
    new Response(JSON.stringify({ status: code, detail: `status ${code}` }), { status: code });
  if (status !== 200) return problem(status);
  if (path.startsWith("/v1/jobs?")) {
    const made = job("new", "queued");
    jobs.set(made.id, made);
    return Response.json(made, { status: 201 });
  }
  if (path === "/v1/jobs") return Response.json({ jobs: [...jobs.values()] });
  const found = jobs.get(path.split("/")[3] ?? "");
  if (!found) return problem(404);
  if (init.method === "DELETE") jobs.delete(found.id);
  return init.method === "GET" ? Response.json(found) : new Response(null, { status: 204 });
}

beforeEach(() => {
  vi.useFakeTimers();
  store = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  });
  [jobs, requests, status, hasAccounts] = [new Map(), [], 200, false];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    requests.push(`${init.method} ${path}`);
    if (status === 0) throw new TypeError("no network");
    return answer(path, init);
  });
  list = new JobList({
    client: new JobClient(() => (hasAccounts ? "rk_1" : null)),
    hasAccounts: () => hasAccounts,
    isAdmitted: () => true,
  });
});

afterEach(() => {
  list.hide();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function shown(): Promise<string[]> {
  list.show();
  await vi.advanceTimersByTimeAsync(0);
  return names();
}

function names(): string[] {
  return (list.jobs.peek() ?? []).map(({ name, state }) => `${name}: ${state}`);
}

test("without accounts only jobs of this browser are asked for and shown", async () => {
  jobs.set("other", job("other", "running"));
  expect(await shown()).toEqual([]);
  expect(requests).toEqual([]);
  expect(await list.post(ORDER)).toBeNull();
  expect(await shown()).toEqual(["new: queued"]);
  expect(requests).not.toContain("GET /v1/jobs");
});

test("a browser that stores nothing shows what was posted since the page was loaded", async () => {
  vi.stubGlobal("localStorage", undefined);
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await list.post(ORDER);
  expect(await shown()).toEqual(["new: queued"]);
  await list.remove("new");
  expect(names()).toEqual([]);
});

test("with accounts all jobs of the account are shown, and no id is stored", async () => {
  hasAccounts = true;
  jobs.set("other", job("other", "finished"));
  await list.post(ORDER);
  expect(await shown()).toEqual(["other: finished", "new: queued"]);
  expect(store.size).toBe(0);
});

test("the list is fetched again only while it is shown and something runs", async () => {
  await list.post(ORDER);
  await shown();
  const count = () => requests.filter((each) => each.startsWith("GET")).length;
  expect(count()).toBe(1);
  await vi.advanceTimersByTimeAsync(POLL);
  expect(count()).toBe(2);
  list.setHidden(true);
  await vi.advanceTimersByTimeAsync(2 * POLL);
  expect(count()).toBe(2);
  list.setHidden(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(count()).toBe(3);
  jobs.set("new", job("new", "finished"));
  await vi.advanceTimersByTimeAsync(POLL);
  expect(names()).toEqual(["new: finished"]);
  await vi.advanceTimersByTimeAsync(10 * POLL);
  expect(count()).toBe(4);
  jobs.set("new", job("new", "running"));
  await shown();
  list.hide();
  await vi.advanceTimersByTimeAsync(10 * POLL);
  expect(count()).toBe(5);
});

test("a job that has expired is said to be gone, and can be removed", async () => {
  await list.post(ORDER);
  jobs.clear();
  expect(await shown()).toEqual(["mine: lost"]);
  expect(list.problem.peek()).toBeNull();
  await list.remove("new");
  expect(names()).toEqual([]);
  expect(await shown()).toEqual([]);
});

test("a deleted job is gone on the server and here", async () => {
  await list.post(ORDER);
  await shown();
  await list.remove("new");
  expect(jobs.size).toBe(0);
  expect(names()).toEqual([]);
});

test("the server is asked once whether it has jobs, and again if it was not reached", async () => {
  for (const [code, isOffered, count] of [
    [0, false, 1],
    [200, true, 2],
    [503, true, 2],
  ] as const) {
    status = code;
    await list.probe();
    expect([list.isOffered.peek(), requests.length]).toEqual([isOffered, count]);
  }
});

test("another account is shown nothing of the one before", async () => {
  hasAccounts = true;
  jobs.set("secret", job("secret", "running"));
  list.show();
  list.reset(); // before the answer
  await vi.advanceTimersByTimeAsync(0);
  expect(list.jobs.peek()).toBeNull();
  expect(await shown()).toEqual(["secret: running"]);
  list.reset();
  expect(list.jobs.peek()).toBeNull();
});

test("a list that cannot be fetched is asked for again, and the old one stays", async () => {
  await list.post(ORDER);
  await shown();
  status = 503;
  await vi.advanceTimersByTimeAsync(POLL);
  expect(list.problem.peek()?.title).toBe("The server cannot work at analyses now");
  expect(names()).toEqual(["new: queued"]);
  status = 200;
  await vi.advanceTimersByTimeAsync(POLL);
  expect(list.problem.peek()).toBeNull();
});

test("a token that is not good is not shown to the server again and again", async () => {
  hasAccounts = true;
  status = 401;
  await shown();
  expect(list.problem.peek()?.code).toBe("unauthorized");
  await vi.advanceTimersByTimeAsync(10 * POLL);
  expect(requests).toEqual(["GET /v1/jobs"]);
});

test("the reason why a command was refused stays until the next one", async () => {
  await list.post(ORDER);
  await shown();
  status = 409;
  const paused = list.pause("new");
  await vi.advanceTimersByTimeAsync(0);
  status = 200;
  await paused;
  await vi.advanceTimersByTimeAsync(POLL);
  expect(list.problem.peek()?.title).toBe("That is not possible now");
  await list.pause("new");
  expect(list.problem.peek()).toBeNull();
});

test("games are posted again, with the same key, when the connection was lost", async () => {
  const keys: (string | null)[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get("Idempotency-Key"));
    return fetch(path, init);
  });
  status = 0;
  const posted = list.post(ORDER);
  await vi.advanceTimersByTimeAsync(500);
  expect(list.isPosting.peek()).toBe(true);
  status = 200;
  await vi.advanceTimersByTimeAsync(1000);
  expect(await posted).toBeNull();
  await list.post(ORDER);
  expect(keys).toHaveLength(3);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("the server's own sentence says why it takes no games", async () => {
  status = 413;
  const problem = await list.post(ORDER);
  expect(problem?.text).toBe("status 413");
  expect(problem?.hint).toContain("Delete one");
  expect(requests).toHaveLength(1);
});
