import { expect, test } from "vitest";
import { ServiceError } from "../service";
import { problemOf } from "../uci/notice";
import { Reader } from "./reader";

const PGN = '[Orientation "Black"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3 *';

async function opened(hash: string, pgn = PGN): Promise<Reader> {
  const reader = new Reader(async (id) => ({ id, title: "A game", pgn }));
  await reader.open(hash);
  return reader;
}

test("a game is read by steps, and by its variations", async () => {
  const reader = await opened("#abc");
  const at = () => reader.node.peek().san;
  expect(reader.mayStep(false)).toBe(false);
  reader.step(false);
  expect(at()).toBe("");
  reader.step(true);
  reader.step(true);
  expect(at()).toBe("e5");
  reader.goSideways(1);
  expect(at()).toBe("c5");
  reader.goSideways(1);
  expect(at()).toBe("e5");
  reader.goSideways(-1);
  reader.goToEnd();
  expect(at()).toBe("Nf3");
  expect(reader.mayStep(true)).toBe(false);
  reader.goToStart();
  reader.goSideways(1);
  expect(at()).toBe("");
});

test("the address has the last word on the side at the bottom", async () => {
  expect((await opened("#abc")).orientation.peek()).toBe("black");
  const reader = await opened("#abc,white,dark");
  expect(reader.orientation.peek()).toBe("white");
  expect(reader.theme.peek()).toBe("dark");
});

test("an address without a game says what is expected, and reads nothing", async () => {
  const reader = new Reader(() => Promise.reject(new Error("read")));
  await reader.open("");
  expect(reader.refusal.peek()?.text).toContain("/embed#AbCdEf");
});

test("a game that is withdrawn or cannot be read is told in a sentence", async () => {
  const gone = new Reader(async () => {
    throw new ServiceError(problemOf("service", "gone"), 404);
  });
  await gone.open("#abc");
  expect(gone.refusal.peek()?.text).toContain("gone");
  const broken = await opened("#abc", '[FEN "nonsense"]\n\n1. e4 *');
  expect(broken.game.peek()).toBeNull();
  expect(broken.refusal.peek()?.text).toContain("FEN");
  await broken.open("#");
  expect(broken.refusal.peek()?.title).toBe("This address names no game");
});
