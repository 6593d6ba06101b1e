import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { meaningOf } from "../uci/meaning";
import { Ledger } from "./ledger";
import { isKnown, problemOf, problemOfClose } from "./problem";
import { Visit } from "./visit";

test("what is said in a new session is sent at once", () => {
  const ledger = new Ledger();
  expect(ledger.open()).toBe("rookery session new");
  expect(ledger.say("uci")).toBe(true);
});

test("who comes back says how much was heard, and says again what was not", () => {
  const ledger = new Ledger();
  ledger.open();
  ledger.hear("rookery session 1.a heard 0 grace 60");
  for (const line of ["uci", "position startpos", "go infinite"]) ledger.say(line);
  ledger.hear("uciok");
  ledger.hear("info depth 1 pv e2e4");
  expect(ledger.open()).toBe("rookery session 1.a heard 1");
  expect(ledger.say("stop")).toBe(false);
  const answer = ledger.hear("rookery session 1.b heard 2 grace 60");
  expect(answer.resend).toEqual(["go infinite", "stop"]);
  expect(ledger.open()).toBe("rookery session 1.b heard 1");
});

test("what the server has heard is not kept", () => {
  const ledger = new Ledger();
  ledger.open();
  ledger.hear("rookery session 1.a heard 0");
  ledger.say("uci");
  ledger.say("isready");
  expect(ledger.ping()).toBe("rookery heard 0");
  expect(ledger.hear("rookery heard 1")).toMatchObject({ pong: true, forUs: false });
  ledger.open();
  expect(ledger.hear("rookery session 1.b heard 1").resend).toEqual(["isready"]);
});

test("a session that is forgotten leaves nothing behind", () => {
  const ledger = new Ledger();
  ledger.open();
  ledger.hear("rookery session 1.a heard 0");
  ledger.say("go infinite");
  ledger.forget();
  expect(ledger.open()).toBe("rookery session new");
  expect(ledger.hear("rookery session 2.a heard 0").resend).toEqual([]);
});

test("another page goes on with a session where the page before has left it", () => {
  const before = new Ledger();
  expect(before.standing).toBeNull();
  before.open();
  before.hear("rookery session 1.a heard 0");
  before.say("uci");
  before.say("go infinite");
  before.hear("rookery heard 1");
  before.hear("uciok");
  const ledger = new Ledger(JSON.parse(JSON.stringify(before.standing)));
  expect(ledger.mayReturn).toBe(true);
  expect(ledger.open()).toBe("rookery session 1.a heard 1");
  expect(ledger.say("stop")).toBe(false);
  expect(ledger.hear("rookery session 1.b heard 1").resend).toEqual(["go infinite", "stop"]);
});

test("who watches a room says which, and counts nothing", () => {
  const visit = new Visit("aUbM");
  expect(visit.open()).toBe("rookery room watch aUbM");
  expect(visit.say()).toBe(false);
  expect(visit.hear("rookery room watch 1")).toMatchObject({ forUs: false, pong: false });
  expect(visit.say()).toBe(true);
  expect(visit.hear("info depth 1 pv e2e4").forUs).toBe(true);
  expect(visit.ping()).toBe("rookery room list");
  expect(visit.hear("rookery room watching 1")).toMatchObject({ forUs: false, pong: true });
  expect(visit.mayReturn).toBe(false);
});

/** The members of an enum of the server's grammar, as name and value. */
function members(name: string): string[] {
  const source = readFileSync("../rookery_server/wire.py", "utf8");
  const body = source.split(`class ${name}(`)[1]?.split("\n\n\n")[0] ?? "";
  return [...body.matchAll(/^ {4}[A-Z_]+ = "?([a-z0-9-]+)"?/gm)].map((each) => each[1] ?? "");
}

test("every code of the server has words", () => {
  const codes = members("Code");
  expect(codes.length).toBeGreaterThan(30);
  expect(codes.filter((code) => !isKnown(code))).toEqual([]);
  expect(problemOf("queue-full", "x")).toMatchObject({ tone: "error", text: "x" });
});

test("every code means here what it means to the server", () => {
  const source = readFileSync("../rookery_server/wire.py", "utf8");
  const words = new Map(
    [...source.matchAll(/^ {4}([A-Z_]+) = "([a-z-]+)" {2}#/gm)].map((each) => [each[1], each[2]]),
  );
  const codes = [...source.matchAll(/^ {4}[A-Z_]+ = "([a-z-]+)", Meaning\.([A-Z_]+)/gm)];
  expect(codes.map((each) => each[1])).toEqual(members("Code"));
  expect(codes.map((each) => [each[1], meaningOf(each[1] ?? "")])).toEqual(
    codes.map((each) => [each[1], words.get(each[2])]),
  );
});

test("every way in which a connection is closed has words, or is come back from", () => {
  const silent = [1000, 4000];
  for (const code of members("Close").map(Number)) {
    expect(Boolean(problemOfClose(code, "")), String(code)).toBe(!silent.includes(code));
  }
});
