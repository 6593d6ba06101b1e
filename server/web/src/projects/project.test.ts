import { expect, test } from "vitest";
import { continuation, type Project } from "./project";

const NONE = { positions: null, nodes: null, cpu_seconds: null, until: null, stable: null };
const USED = { positions: 100, nodes: 5000, cpu_seconds: 2.5 };

function project(stage: Project["stage"], budget: Partial<Project["budget"]>): Project {
  return { stage, ...USED, budget: { ...NONE, ...budget } } as Project;
}

test("a project that is paused or has failed goes on as it is", () => {
  expect(continuation(project("paused", { positions: 100 }))).toEqual({ stage: "active" });
  expect(continuation(project("failed", {}))).toEqual({ stage: "active" });
});

test("one that is finished goes on with twice of what is used up, and the rest as it is", () => {
  const budget = { positions: 100, nodes: 9000, cpu_seconds: 2, until: "2020-01-01T00:00:00Z" };
  expect(continuation(project("finished", budget)).budget).toEqual({
    positions: 200,
    nodes: 9000,
    cpu_seconds: 6,
    until: null,
    stable: null,
  });
});
