import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Ledger } from "./ledger";
import { Link, type LinkState } from "./link";

/** A WebSocket of which the test says what becomes. */
class Fake {
  static CONNECTING = 0;
  static OPEN = 1;
  static made: Fake[] = [];
  readyState = 0;
  said: string[] = [];
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number; reason: string }) => void = () => {};
  constructor() {
    Fake.made.push(this);
  }
  send(line: string): void {
    this.said.push(line);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen();
  }
  end(code: number): void {
    this.readyState = 3;
    this.onclose({ code, reason: "" });
  }
}

let states: LinkState[];
let link: Link;
const newest = () => Fake.made.at(-1) as Fake;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Fake);
  vi.stubGlobal("location", { href: "http://localhost/" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  [Fake.made, states] = [[], []];
  link = new Link("rookery", null, new Ledger(), {
    fresh: () => {},
    line: () => {},
    state: (state) => states.push(state),
    roundTrip: () => {},
  });
});

afterEach(() => {
  link.leave();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a connection that does not come about is given up, and tried again", async () => {
  link.open();
  await vi.advanceTimersByTimeAsync(9_900);
  expect(states.at(-1)?.kind).toBe("connecting");
  await vi.advanceTimersByTimeAsync(100);
  expect(Fake.made[0]?.readyState).toBe(3);
  expect(states.at(-1)).toMatchObject({ kind: "lost", problem: { code: "unreachable" } });
  await vi.advanceTimersByTimeAsync(200);
  expect(Fake.made).toHaveLength(2);
  Fake.made[0]?.open(); // It is nobody's any more.
  expect(states.at(-1)?.kind).toBe("connecting");
  newest().open();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(states.at(-1)?.kind).toBe("open");
});

test("when the network is back, a connection that has long been begun is begun anew", async () => {
  link.open();
  await vi.advanceTimersByTimeAsync(1_000);
  link.check();
  expect(Fake.made).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  link.check();
  expect(Fake.made).toHaveLength(2);
  expect(Fake.made[0]?.readyState).toBe(3);
  newest().open();
  expect(states.at(-1)?.kind).toBe("open");
});

test("a server that is back and knows the session no more is asked for another at once", async () => {
  link.open();
  newest().open();
  newest().onmessage({ data: "rookery session 1.a heard 0 grace 60" });
  newest().end(1006);
  for (let attempt = 0; attempt < 6; attempt++) {
    await vi.advanceTimersByTimeAsync(20_000);
    if (newest().readyState === 0) newest().end(1006);
  }
  await vi.advanceTimersByTimeAsync(20_000);
  newest().open();
  expect(newest().said[0]).toContain("1.a");
  const { length } = Fake.made;
  newest().end(4000);
  await vi.advanceTimersByTimeAsync(150);
  expect(Fake.made).toHaveLength(length + 1);
  newest().open();
  expect(newest().said[0]).toBe("rookery session new");
});
