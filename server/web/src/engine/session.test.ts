import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { probe } from "./probe";
import { type ConnectionState, EngineSession, type SessionEvent } from "./session";
import { FakeSocket } from "./socket.testing";

let states: ConnectionState[];
let session: EngineSession;
const { newest } = FakeSocket;

beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { href: "http://localhost/" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  [FakeSocket.made, states] = [[], []];
  session = new EngineSession("rookery", null, { purpose: "analysis" });
  session.listen((event) => event.type === "connection" && states.push(event.state));
});

afterEach(() => {
  session.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a connection", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  test("whose handshake takes too long is given up, and tried again", async () => {
    session.open();
    await vi.advanceTimersByTimeAsync(9_900);
    expect(states.at(-1)?.type).toBe("connecting");
    await vi.advanceTimersByTimeAsync(100);
    expect(FakeSocket.made[0]?.readyState).toBe(3);
    expect(states.at(-1)).toMatchObject({ type: "lost", problem: { code: "unreachable" } });
    await vi.advanceTimersByTimeAsync(200);
    expect(FakeSocket.made).toHaveLength(2);
    FakeSocket.made[0]?.open(); // It does not belong to the session any more.
    expect(states.at(-1)?.type).toBe("connecting");
    newest().open();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(states.at(-1)?.type).toBe("open");
  });

  test("with a slow handshake is begun anew when the network is back", async () => {
    session.open();
    await vi.advanceTimersByTimeAsync(1_000);
    session.check();
    expect(FakeSocket.made).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(3_000);
    session.check();
    expect(FakeSocket.made).toHaveLength(2);
    expect(FakeSocket.made[0]?.readyState).toBe(3);
    newest().open();
    expect(states.at(-1)?.type).toBe("open");
  });

  test("to a server that does not know the session any more is replaced at once", async () => {
    session.open();
    newest().open();
    newest().onmessage({ data: "rookery session 1.a heard 0 grace 60" });
    newest().end(1006);
    const connecting = async () => {
      while (states.at(-1)?.type !== "connecting") await vi.advanceTimersByTimeAsync(1_000);
    };
    for (let attempt = 0; attempt < 6; attempt++) {
      await connecting();
      newest().end(1006);
      await vi.advanceTimersByTimeAsync(0);
    }
    await connecting();
    newest().open();
    expect(newest().sent[0]).toContain("1.a");
    const { length } = FakeSocket.made;
    newest().end(4000);
    await vi.advanceTimersByTimeAsync(150);
    expect(FakeSocket.made).toHaveLength(length + 1);
    newest().open();
    expect(newest().sent.slice(0, 2)).toEqual(["rookery session new", "uci"]);
  });
});

const answerWith = (status: number, text: string) => async () =>
  new Response(text, { status, headers: { "Retry-After": "60" } });

test.each([
  [401, "unauthorized: a token is wanted"],
  [429, "too-many-tries: this address may try again in 60 seconds"],
])(
  "after %i the token is not tried again, even if the network comes back",
  async (status, text) => {
    vi.stubGlobal("fetch", answerWith(status, text));
    session.open();
    newest().end(1006);
    await vi.waitFor(() => expect(states.at(-1)?.type).toBe("stopped"));
    session.check();
    expect(FakeSocket.made).toHaveLength(1);
    expect(states.at(-1)?.type).toBe("stopped");
  },
);

test("a server that is full is tried again when it says", async () => {
  vi.stubGlobal("fetch", answerWith(503, "too-many-connections: try later"));
  expect(await probe("/engines/rookery", null)).toMatchObject({ retry: 60 });
});

describe("events before there is a listener", () => {
  beforeEach(() => {
    session = new EngineSession("rookery", null, { purpose: "analysis" });
    session.open();
    newest().open();
  });

  test("are kept for it", () => {
    newest().onmessage({ data: "uciok" });
    newest().onmessage({ data: "info string rookery engine-died: it has ended" });
    const events: SessionEvent[] = [];
    session.listen((event) => events.push(event));
    expect(events.map(({ type }) => type)).toEqual([
      "connection",
      "connection",
      "started",
      "ready",
      "notice",
      "searches",
    ]);
  });

  test("can be waited for", async () => {
    let isMet = false;
    const ready = session.until(({ type }) => type === "ready").then(() => (isMet = true));
    newest().onmessage({ data: "id name Some" });
    await Promise.resolve();
    expect(isMet).toBe(false);
    newest().onmessage({ data: "uciok" });
    await ready;
  });
});
