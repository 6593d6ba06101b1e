import { signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../language/english.testing";
import { Study } from "../game/study";
import { ServiceError } from "../service";
import { type Problem, problemOf } from "../uci/notice";
import { OpenProject } from "./open_project";
import { type Project, USUAL_RULES } from "./project";
import type { Place, Steering, TreeChanges, TreeMap, TreePosition } from "./tree";

const PACE = 1000;

/** A server with one project. */
class FakeClient {
  calls: string[] = [];
  size = 1;
  best = "e4";
  stage: Project["stage"] = "active";
  error: Error | null = null;
  private version = 1;
  private waiting: (() => void)[] = [];

  get now(): Project {
    const budget = { positions: null, nodes: null, cpu_seconds: null, until: null, stable: null };
    const counts = { positions: this.size, searches: 0, searching: 0, nodes: 0, cpu_seconds: 0 };
    const dates = { created: "", updated: "" };
    const position = { moves: ["e2e4"] };
    const more = { engines: [], settings: USUAL_RULES, budget, ...counts, ...dates };
    const version = String(this.version);
    return {
      id: "p",
      name: "P",
      version,
      position,
      variant: "standard",
      stage: this.stage,
      ...more,
    };
  }

  grow(size: number): void {
    this.size = size;
    this.version++;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private async answer<T>(call: string, value: () => T): Promise<T> {
    this.calls.push(call);
    if (this.error) throw this.error;
    return value();
  }

  project = (id: string) => this.answer(`project ${id}`, () => this.now);

  change = async (id: string, version: string, ended: AbortSignal) => {
    this.calls.push(`change ${id} ${version}`);
    if (this.error) throw this.error;
    if (version === String(this.version)) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        ended.addEventListener("abort", () => resolve());
      });
    }
    return this.now;
  };

  position = (_: string, { fen = "", moves }: Place): Promise<TreePosition> =>
    this.answer(`position ${fen}${moves.join(" ")}`, () => ({
      fen,
      kind: "searched",
      size: this.size,
      moves: [{ move: "e7e5", san: this.best, value: { cp: this.size } }],
      value: { cp: this.size },
    }));

  changes = (_: string, after: number): Promise<TreeChanges> =>
    this.answer(`changes ${after}`, () => ({
      size: this.size,
      changes: [{ fen: "", moves: ["e7e5"], turned: 2, size: 3, best: "g1f3", san: "Nf3" }],
    }));

  map = (): Promise<TreeMap> =>
    this.answer("map", () => ({ newest: this.size, root: { number: 1, size: this.size } }));

  steer = (_: string, { moves }: Place, { action, move = "" }: Steering): Promise<TreePosition> =>
    this.answer(`${action} ${[...moves, move].join(" ")}`, () => ({ fen: "", kind: "searched" }));

  edit = (_: string, { stage }: { stage?: "active" | "paused" }): Promise<Project> =>
    this.answer(`edit ${stage}`, () => {
      this.stage = stage ?? this.stage;
      this.version++;
      return this.now;
    });
}

let client: FakeClient;
let study: Study;
let shown: OpenProject;
let problems: Problem[];
const id = signal<string | null>(null);
const mayChange = signal(true);

beforeEach(() => {
  vi.useFakeTimers();
  const store = new Map<string, string>();
  const storage = {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  };
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("location", { hash: "", origin: "", pathname: "" });
  vi.stubGlobal("history", { replaceState: () => {} });
  problems = [];
  const toasts = {
    addError: () => {},
    addNote: () => {},
    addProblem: (problem: Problem) => problems.push(problem),
  };
  client = new FakeClient();
  study = new Study({ toasts, onMove: () => {}, onRearrange: () => {}, hash: () => null });
  id.value = null;
  mayChange.value = true;
  shown = newProject();
});

function newProject(): OpenProject {
  const toasts = { addProblem: (problem: Problem) => problems.push(problem) };
  const account = { token: signal(null), isAdmitted: signal(true) };
  return new OpenProject({ client: client as never, study, toasts, id, mayChange, ...account });
}

afterEach(() => {
  shown.hide();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function pass(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

async function open(): Promise<void> {
  id.value = "p";
  shown.goToRootOnce();
  shown.show();
  await pass(100);
}

test("an open project shows its root, and what the tree has of it", async () => {
  await open();
  expect(study.node.peek().san).toBe("e4");
  expect(shown.look.peek()?.place).toEqual({ moves: [] });
  expect(shown.look.peek()?.position.size).toBe(1);
  expect(shown.map.peek()?.root.size).toBe(1);
});

test("a change is waited for, one request at a time, and shown", async () => {
  await open();
  await pass(10 * PACE);
  expect(client.calls.filter((call) => call.startsWith("change"))).toEqual(["change p 1"]);
  client.grow(5);
  await pass(PACE);
  expect(shown.project.peek()?.positions).toBe(5);
  expect(shown.look.peek()?.position.size).toBe(5);
  expect(client.calls.at(-1)).toBe("change p 2");
});

test("nothing is asked while the page is hidden, the panel is closed, or there is no project", async () => {
  await open();
  for (const end of [() => shown.setHidden(true), () => shown.hide(), () => (id.value = null)]) {
    end();
    const before = client.calls.length;
    client.grow(client.size + 1);
    await pass(100 * PACE);
    expect(client.calls.length).toBe(before);
    shown.setHidden(false);
    shown.show();
    id.value = "p";
    await pass(PACE);
    expect(shown.project.peek()?.positions).toBe(client.size);
  }
});

test("a fast tree is not asked for more than once a second", async () => {
  await open();
  const timer = setInterval(() => client.grow(client.size + 1), 10);
  client.calls = [];
  await pass(10 * PACE);
  clearInterval(timer);
  const count = (word: string) => client.calls.filter((call) => call.startsWith(word)).length;
  expect(count("change")).toBeLessThanOrEqual(11);
  expect(count("map")).toBeLessThanOrEqual(3);
});

test("a move on the board is looked up, and shown at once when it is known", async () => {
  await open();
  study.playAll(["e7e5"]);
  expect(shown.look.peek()).toBeNull();
  await pass(100);
  expect(shown.look.peek()?.place).toEqual({ moves: ["e5"] });
  study.goBack();
  expect(shown.look.peek()?.place).toEqual({ moves: [] });
});

test("a server that is away is asked again, and a project that is gone is not", async () => {
  await open();
  client.error = new ServiceError(problemOf("unreachable", ""), 0);
  client.grow(2);
  await pass(10 * PACE);
  expect(shown.problem.peek()?.code).toBe("unreachable");
  client.error = null;
  await pass(10 * PACE);
  expect(shown.problem.peek()).toBeNull();
  client.error = new ServiceError(problemOf("service", "gone"), 404);
  client.grow(3);
  await pass(PACE);
  const before = client.calls.length;
  await pass(100 * PACE);
  expect(client.calls.length).toBe(before);
  expect(shown.problem.peek()?.text).toBe("gone");
});

test("a move is steered where it is, and can be steered back", async () => {
  await open();
  await shown.steer({ moves: [] }, { action: "exclude", move: "e7e5" });
  expect(client.calls).toContain("exclude e7e5");
  expect(shown.steered.peek()?.steering).toEqual({ action: "exclude", move: "e7e5" });
  await shown.undo();
  expect(client.calls).toContain("include e7e5");
  await shown.steer({ moves: ["e5"] }, { action: "deepen" });
  expect(client.calls).toContain("deepen e5 ");
  expect(shown.steered.peek()?.undo).toBeNull();
  study.goToStart();
  expect(shown.steered.peek()).toBeNull();
});

test("a refusal is told, and nothing is said to be done", async () => {
  await open();
  client.error = new ServiceError(problemOf("service", "a search is under way"), 409);
  await shown.steer({ moves: [] }, { action: "deepen" });
  expect(problems.map(({ text }) => text)).toEqual(["a search is under way"]);
  expect(shown.steered.peek()).toBeNull();
});

test("a position outside of the tree is added by its last move", async () => {
  await open();
  study.playAll(["a7a6", "a2a3"]);
  await shown.addPosition();
  expect(client.calls).toContain("add a6 a3");
  await shown.undo();
  expect(client.calls).toContain("exclude a6 a3");
});

test("what has changed is told since the last visit, until it is marked as seen", async () => {
  vi.setSystemTime("2026-11-27T08:00:00Z");
  client.stage = "paused";
  await open();
  expect(shown.since.peek()).toBeNull();
  shown.hide();
  vi.setSystemTime("2026-11-28T08:00:00Z");
  client.grow(500);
  client.best = "c5";
  shown = newProject();
  shown.show();
  await pass(100);
  expect(shown.since.peek()).toMatchObject({ size: 1, best: "e4" });
  expect(shown.now.peek()).toMatchObject({ size: 500, best: "c5" });
  expect(client.calls).toContain("changes 1");
  expect(shown.changes.peek().map(({ san }) => san)).toEqual(["Nf3"]);
  shown.markSeen();
  expect(shown.since.peek()).toBeNull();
  client.grow(501);
  await pass(PACE);
  expect(client.calls).toContain("changes 500");
});

test("nothing is news at the first visit, however fast the tree grows", async () => {
  await open();
  client.grow(100);
  await pass(10 * PACE);
  client.grow(200);
  await pass(10 * PACE);
  expect(shown.since.peek()).toBeNull();
  expect(client.calls.filter((call) => call.startsWith("changes"))).toEqual([]);
});

test("a place of the map goes on the board, in the game that is there", async () => {
  study.playAll(["e2e4", "c7c5"]);
  await open();
  const tree = study.tree.peek();
  shown.goTo(["e7e5", "g1f3"]);
  expect(
    study.node
      .peek()
      .path()
      .map(({ san }) => san),
  ).toEqual(["", "e4", "e5", "Nf3"]);
  expect(study.tree.peek()).toBe(tree);
});

test("a game that does not come to the root is replaced, where that may be", async () => {
  study.playAll(["d2d4"]);
  id.value = "p";
  shown.show();
  await pass(100);
  mayChange.value = false;
  shown.goTo(["e7e5"]);
  expect(study.node.peek().san).toBe("d4");
  mayChange.value = true;
  shown.goTo(["e7e5"]);
  expect(
    study.node
      .peek()
      .path()
      .map(({ san }) => san),
  ).toEqual(["", "e4", "e5"]);
});

test("a project is paused and goes on", async () => {
  await open();
  await shown.edit({ stage: "paused" });
  expect(shown.project.peek()?.stage).toBe("paused");
  await shown.edit({ stage: "active" });
  expect(shown.project.peek()?.stage).toBe("active");
});
