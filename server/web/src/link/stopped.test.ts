import { afterEach, expect, test, vi } from "vitest";
import { Ledger } from "./ledger";
import { Link, type LinkState } from "./link";
import { probe } from "./probe";

class Refused {
  static OPEN = 1;
  static made: Refused[] = [];
  readyState = 0;
  onclose: (event: { code: number; reason: string }) => void = () => {};
  constructor() {
    Refused.made.push(this);
  }
}

const answer = (status: number, text: string) => async () =>
  new Response(text, { status, headers: { "Retry-After": "60" } });

afterEach(() => {
  vi.unstubAllGlobals();
  Refused.made = [];
});

test.each([
  [401, "unauthorized: a token is wanted"],
  [429, "too-many-tries: this address may try again in 60 seconds"],
])("after %i the token is not tried again, whatever the browser notices", async (status, text) => {
  vi.stubGlobal("WebSocket", Refused);
  vi.stubGlobal("location", { href: "http://localhost/" });
  vi.stubGlobal("fetch", answer(status, text));
  const states: LinkState[] = [];
  const link = new Link("rookery", "rk_wrong", new Ledger(), {
    fresh: () => {},
    line: () => {},
    state: (state) => states.push(state),
    roundTrip: () => {},
  });
  link.open();
  Refused.made[0]?.onclose({ code: 1006, reason: "" });
  await vi.waitFor(() => expect(states.at(-1)?.kind).toBe("stopped"));
  link.check();
  expect(Refused.made).toHaveLength(1);
  expect(states.at(-1)?.kind).toBe("stopped");
});

test("a server that is full is tried again when it says", async () => {
  vi.stubGlobal("fetch", answer(503, "too-many-connections: try later"));
  expect(await probe("/engines/rookery", null)).toMatchObject({ retry: 60 });
});
