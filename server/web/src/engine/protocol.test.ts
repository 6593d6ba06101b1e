import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { wordsOf } from "../language/problems";
import { isKnown, noticeEffect, problemOf, problemOfClose } from "../uci/notice";
import { closeReaction, ResumableSession, RoomConnection } from "./protocol";

test("lines of a new session are sent at once", () => {
  const session = new ResumableSession();
  expect(session.openingLine()).toBe("rookery session new");
  expect(session.record("uci")).toBe(true);
});

test("a session is resumed with the number of lines received, and the others are sent again", () => {
  const session = new ResumableSession();
  session.openingLine();
  session.receive("rookery session 1.a heard 0 grace 60");
  for (const line of ["uci", "position startpos", "go infinite"]) session.record(line);
  session.receive("uciok");
  session.receive("info depth 1 pv e2e4");
  expect(session.openingLine()).toBe("rookery session 1.a heard 1");
  expect(session.record("stop")).toBe(false);
  const answer = session.receive("rookery session 1.b heard 2 grace 60");
  expect(answer.resend).toEqual(["go infinite", "stop"]);
  expect(session.openingLine()).toBe("rookery session 1.b heard 1");
});

test("lines that the server has received are not kept", () => {
  const session = new ResumableSession();
  session.openingLine();
  session.receive("rookery session 1.a heard 0");
  session.record("uci");
  session.record("isready");
  expect(session.pingLine()).toBe("rookery heard 0");
  expect(session.receive("rookery heard 1")).toMatchObject({ isPong: true, isUci: false });
  session.openingLine();
  expect(session.receive("rookery session 1.b heard 1").resend).toEqual(["isready"]);
});

test("a reset forgets everything", () => {
  const session = new ResumableSession();
  session.openingLine();
  session.receive("rookery session 1.a heard 0");
  session.record("go infinite");
  session.reset();
  expect(session.openingLine()).toBe("rookery session new");
  expect(session.receive("rookery session 2.a heard 0").resend).toEqual([]);
});

test("another page resumes a session where the page before has left it", () => {
  const before = new ResumableSession();
  expect(before.resumeState).toBeNull();
  before.openingLine();
  before.receive("rookery session 1.a heard 0");
  before.record("uci");
  before.record("go infinite");
  before.receive("rookery heard 1");
  before.receive("uciok");
  const session = new ResumableSession(JSON.parse(JSON.stringify(before.resumeState)));
  expect(session.canResume).toBe(true);
  expect(session.openingLine()).toBe("rookery session 1.a heard 1");
  expect(session.record("stop")).toBe(false);
  expect(session.receive("rookery session 1.b heard 1").resend).toEqual(["go infinite", "stop"]);
});

test("a connection to a room names it, and counts nothing", () => {
  const connection = new RoomConnection("aUbM");
  expect(connection.openingLine()).toBe("rookery room watch aUbM");
  expect(connection.record()).toBe(false);
  expect(connection.receive("rookery room watch 1")).toMatchObject({ isUci: false, isPong: false });
  expect(connection.record()).toBe(true);
  expect(connection.receive("info depth 1 pv e2e4").isUci).toBe(true);
  expect(connection.pingLine()).toBe("rookery room list");
  expect(connection.receive("rookery room watching 1")).toMatchObject({
    isUci: false,
    isPong: true,
  });
  expect(connection.canResume).toBe(false);
});

const source = readFileSync("../../bridge/rookery_protocol/notices.py", "utf8");

/** Return the values of an enum of the server's grammar. */
function members(name: string): string[] {
  const body = source.split(`class ${name}(`)[1]?.split("\n\n\n")[0] ?? "";
  return [...body.matchAll(/^ {4}[A-Z_]+ = "?([a-z0-9-]+)"?/gm)].map((each) => each[1] ?? "");
}

test("every notice code of the server has words", () => {
  const codes = members("Code");
  expect(codes.length).toBeGreaterThan(30);
  expect(codes.filter((code) => !isKnown(code))).toEqual([]);
  const { title: unknown } = wordsOf({ text: "" });
  const titles = codes.map((code) => wordsOf(problemOf(code, "x")).title);
  expect(titles).not.toContain(unknown);
  expect(problemOf("queue-full", "x")).toMatchObject({ tone: "error", text: "x" });
});

test("every notice code has the effect that the server documents", () => {
  const words = new Map(
    [...source.matchAll(/^ {4}([A-Z_]+) = "([a-z-]+)" {2}#/gm)].map((each) => [each[1], each[2]]),
  );
  const codes = [...source.matchAll(/^ {4}[A-Z_]+ = "([a-z-]+)", \w+\.([A-Z_]+)/gm)];
  expect(codes.map((each) => each[1])).toEqual(members("Code"));
  expect(codes.map((each) => [each[1], noticeEffect(each[1] ?? "")])).toEqual(
    codes.map((each) => [each[1], words.get(each[2])]),
  );
});

test("every close code has words, or the session is resumed", () => {
  const silent = [1000, 4000];
  for (const code of members("Close").map(Number)) {
    const problem = problemOfClose(code, "");
    expect(Boolean(problem && wordsOf(problem).text), String(code)).toBe(!silent.includes(code));
  }
});

test("a connection that the network has cut is resumed, and others begin anew or stop", () => {
  expect(closeReaction(1006, "", null)).toEqual({ type: "resume" });
  expect(closeReaction(4000, "", null)).toMatchObject({ type: "restart", seconds: 0 });
  expect(closeReaction(1012, "", null)).toMatchObject({ type: "restart", seconds: 2 });
  const notice = { code: "quota-cpu", text: "the engine time is used up, try again at 12:00" };
  expect(closeReaction(1008, "the engine time is used", notice)).toMatchObject({
    type: "stop",
    problem: notice,
  });
});
