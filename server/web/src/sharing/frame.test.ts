import { expect, test } from "vitest";
import { frameCode, readFrameAddress } from "./frame";

test("an address names a game, and in any order the colours and the side", () => {
  expect(readFrameAddress("#aB-_9")).toEqual({ id: "aB-_9", theme: null, side: null });
  expect(readFrameAddress("#aB,black,dark")).toEqual({ id: "aB", theme: "dark", side: "black" });
  expect(readFrameAddress("#aB,light,x")).toEqual({ id: "aB", theme: "light", side: null });
  for (const each of ["", "#", "#,dark", "#a/b", "#game=abc", `#${"a".repeat(101)}`]) {
    expect(readFrameAddress(each)).toBeNull();
  }
});

test("a title cannot leave its attribute", () => {
  const code = frameCode("https://rook.example", "aB-_9", '"><script>&', [600, 400]);
  expect(code).toContain('src="https://rook.example/embed#aB-_9"');
  expect(code).toContain('title="&quot;&gt;&lt;script&gt;&amp;"');
  expect(code).toContain('width="600" height="400"');
});
