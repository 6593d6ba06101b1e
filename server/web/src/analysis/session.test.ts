import { beforeEach, expect, test } from "vitest";
import { START, settingsFrom } from "../settings";
import { INFINITE } from "../uci/limits";
import { Session } from "./session";

const plain = settingsFrom({});
let session: Session;

beforeEach(() => {
  session = new Session("some", null);
  session.engine.fresh();
  session.engine.hear("option name Hash type spin default 16 min 1 max 128");
  session.engine.hear("uciok");
  session.engine.want({ ...START, limits: INFINITE });
});

function filled(thousandths: number): string | undefined {
  session.engine.hear(`info depth 9 hashfull ${thousandths} score cp 1 pv e2e4`);
  session.grow(plain);
  return session.engine.value("Hash");
}

test("memory that is half full is more in the next search, within what is granted", () => {
  expect(filled(400)).toBe("16");
  expect(filled(600)).toBe("64");
  expect(filled(600)).toBe("128");
  expect(filled(600)).toBe("128");
});

test("memory that somebody has chosen stays as it is", () => {
  session.engine.hear("info depth 9 hashfull 900 score cp 1 pv e2e4");
  session.grow(settingsFrom({ options: { some: { Hash: "16" } } }));
  expect(session.engine.value("Hash")).toBe("16");
});

test("what has happened is told to who comes later", () => {
  const heard: string[] = [];
  session.engine.hear("info string rookery engine-died: it has ended");
  session.listen({
    state: () => {},
    roundTrip: () => {},
    fresh: () => {},
    introduced: () => heard.push("introduced"),
    changed: () => heard.push("changed"),
    notice: ({ code }) => heard.push(code),
    known: () => {},
    finished: () => {},
    room: () => {},
  });
  expect(heard).toEqual(["introduced", "engine-died", "changed"]);
});

test("what is found first can be waited for", async () => {
  let isFound = false;
  void session.found.then(() => {
    isFound = true;
  });
  session.engine.hear("info depth 1 nodes 20");
  await Promise.resolve();
  expect(isFound).toBe(false);
  session.engine.hear("info depth 1 score cp 1 pv e2e4");
  await session.found;
});
