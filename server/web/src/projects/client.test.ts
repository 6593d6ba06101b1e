import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../language/english.testing";
import { ServiceError } from "../service";
import { ProjectClient } from "./client";

interface Sent {
  readonly method: string | undefined;
  readonly path: string;
  readonly body: unknown;
  readonly token: string | undefined;
}

let sent: Sent[];
let answer: () => Response;
const client = new ProjectClient(() => "rk_1");

beforeEach(() => {
  sent = [];
  answer = () => Response.json({});
  vi.stubGlobal("fetch", async (path: string, { method, body, headers, signal }: RequestInit) => {
    if (signal?.aborted) throw signal.reason;
    const token = (headers as Record<string, string>).Authorization;
    sent.push({ method, path, token, body: body ? JSON.parse(String(body)) : undefined });
    return answer();
  });
});

afterEach(() => vi.unstubAllGlobals());

test("each operation has its method, path and body", async () => {
  const place = { moves: ["e2e4", "e7e5"] };
  await client.project("a/b");
  await client.edit("x", { stage: "paused" });
  await client.merge("x", "y");
  await client.addGame("x", "1. e4 *");
  await client.copy("x", place, "part");
  await client.export("x", "polyglot", { visits: 20 });
  await client.position("x", place);
  await client.position("x", { fen: "8/8/8/8/8/8/8/8 w - - 0 1", moves: [] });
  await client.steer("x", place, { action: "exclude", move: "g1f3" });
  await client.changes("x", 7, 50);
  await client.map("x", 300);
  expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["GET", "/v1/projects/a%2Fb", undefined],
    ["PATCH", "/v1/projects/x", { stage: "paused" }],
    ["POST", "/v1/projects/x/merge", { from: "y" }],
    ["POST", "/v1/projects/x/import", { pgn: "1. e4 *" }],
    ["POST", "/v1/projects/x/copy", { moves: ["e2e4", "e7e5"], name: "part" }],
    ["GET", "/v1/projects/x/export?format=polyglot&visits=20", undefined],
    ["GET", "/v1/projects/x/position?moves=e2e4+e7e5", undefined],
    [
      "GET",
      "/v1/projects/x/position?fen=8%2F8%2F8%2F8%2F8%2F8%2F8%2F8+w+-+-+0+1&moves=",
      undefined,
    ],
    ["POST", "/v1/projects/x/steer", { moves: ["e2e4", "e7e5"], action: "exclude", move: "g1f3" }],
    ["GET", "/v1/projects/x/changes?after=7&most=50", undefined],
    ["GET", "/v1/projects/x/map?nodes=300", undefined],
  ]);
  expect(new Set(sent.map(({ token }) => token))).toEqual(new Set(["Bearer rk_1"]));
});

test("a wait for a change names the version that is known, and can be ended", async () => {
  const ended = new AbortController();
  await client.change("x", "v1", ended.signal);
  await client.listChange("v2", ended.signal);
  expect(sent.map(({ path }) => path)).toEqual([
    "/v1/projects/x?after=v1&wait=25",
    "/v1/projects?after=v2&wait=25",
  ]);
  ended.abort();
  await expect(client.change("x", "v1", ended.signal)).rejects.toThrow(ServiceError);
});

test("an error is in words for people, with the server's sentence", async () => {
  const refuse = (status: number, code?: string) => {
    answer = () => new Response(JSON.stringify({ detail: "why", code }), { status });
    return client.project("x").catch((error: ServiceError) => error.problem);
  };
  expect(await refuse(404)).toMatchObject({
    title: "The server does not have this project",
    text: "why",
  });
  expect(await refuse(409)).toMatchObject({ title: "That is not possible now", text: "why" });
  answer = () => Response.json({ detail: "x", path: "$.a", expected: "y" }, { status: 422 });
  const refused = await client.project("x").catch((error: ServiceError) => error.problem);
  expect(refused).toMatchObject({ path: "$.a", expected: "y" });
  expect(await refuse(422)).toMatchObject({ title: "The server cannot do this", text: "why" });
  expect(await refuse(413, "quota-projects")).toMatchObject({
    code: "quota-projects",
    text: "why",
  });
});
