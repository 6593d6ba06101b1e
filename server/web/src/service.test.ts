import { afterEach, expect, test, vi } from "vitest";
import { problemIn, requestService } from "./service";
import { UNREACHABLE } from "./uci/notice";

const WORDS = { titles: {}, other: ["try-again"] } as const;
const request = () => requestService(WORDS, "/v1/jobs", null);
const answerWith = (answer: Response) => vi.stubGlobal("fetch", async () => answer);

/** A body that has begun when the connection is lost. */
const cut = () =>
  new ReadableStream({
    pull(stream) {
      stream.enqueue(new TextEncoder().encode('{"jobs":'));
      stream.error(new TypeError("network error"));
    },
  });

afterEach(() => vi.unstubAllGlobals());

test("an answer has its status, its headers and its body", async () => {
  answerWith(Response.json({ jobs: [] }, { status: 201, headers: { ETag: '"7"' } }));
  const answer = await request();
  expect([answer.status, answer.headers.get("ETag")]).toEqual([201, '"7"']);
  expect(await answer.json()).toEqual({ jobs: [] });
  answerWith(new Response(null, { status: 204 }));
  expect((await request()).status).toBe(204);
});

test("a connection that is lost within an answer is a server that cannot be reached", async () => {
  answerWith(new Response(cut()));
  const problem = await request().then(() => null, problemIn);
  expect(problem).toEqual(UNREACHABLE);
});

test("an error without its words is known by its status", async () => {
  answerWith(new Response(cut(), { status: 401 }));
  const problem = await request().then(() => null, problemIn);
  expect(problem).toMatchObject({ code: "unauthorized" });
});
