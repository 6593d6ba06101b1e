import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../language/english.testing";
import { CodeClient, signInByCode } from "./client";
import { ShownCode } from "./shown_code";

const MADE = { id: "c", account: "ann", url: "https://a/#signin=x", qr: "<svg/>", seconds: 120 };

let sent: [method: string | undefined, path: string, body: unknown][];
let states: (object | number)[]; // of the code, as it is looked at; a number is an error

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  states = [];
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
    sent.push([method, path, body && JSON.parse(String(body))]);
    if (method === "POST") return Response.json(path.endsWith("codes") ? MADE : { token: "rk_1" });
    if (method === "DELETE") return new Response(null, { status: 204 });
    const state = states.shift() ?? { state: "open" };
    return typeof state === "number" ? Response.json({}, { status: state }) : Response.json(state);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function shown(): ShownCode {
  return new ShownCode(new CodeClient(() => "rk_0"), { account: "ann", role: "member" });
}

test("a code is shown until a device has signed in with it", async () => {
  const code = shown();
  states = [{ state: "open" }, 503, { state: "used", device: "Safari on iPhone" }];
  await code.open();
  expect(sent).toEqual([["POST", "/v1/sign-in/codes", { account: "ann", role: "member" }]]);
  await vi.advanceTimersByTimeAsync(2500);
  expect([code.code.value, code.left.value]).toEqual([MADE, 118]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([code.code.value, code.device.value]).toEqual([null, "Safari on iPhone"]);
  await vi.advanceTimersByTimeAsync(5000);
  code.close();
  expect(sent.map(([method]) => method)).toEqual(["POST", "GET", "GET", "GET"]);
});

test("a code is over when its time is, and when the server does not know it", async () => {
  const late = shown();
  await late.open();
  await vi.advanceTimersByTimeAsync(121_000);
  expect([late.isExpired.value, late.code.value]).toEqual([true, null]);
  const forgotten = shown();
  states = [404];
  await forgotten.open();
  await vi.advanceTimersByTimeAsync(1000);
  expect(forgotten.isExpired.value).toBe(true);
});

test("a code that nobody has used is withdrawn when it is not shown any more", async () => {
  const code = shown();
  await code.open();
  code.close();
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent.slice(1)).toEqual([["DELETE", "/v1/sign-in/codes/c", undefined]]);
});

test("a code is sent in a body, and never in an address", async () => {
  expect((await signInByCode("x")).token).toBe("rk_1");
  expect(sent).toEqual([["POST", "/v1/sign-in", { code: "x" }]]);
});
