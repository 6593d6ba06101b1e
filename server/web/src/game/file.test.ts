import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorText } from "../language/problems";
import { fileProblem } from "./file";

const bytesOf = (latin: string) => Uint8Array.from(latin, (each) => each.charCodeAt(0)).buffer;

test.each([
  ["photo.png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "“photo.png” is a picture: choose a text file"],
  ["games.pgn", "\xff\xd8\xff\xe0\0\x10JFIF", "is a picture"],
  ["scan.pdf", "%PDF-1.7\n%\xe2\xe3", "is a PDF document"],
  ["games.zip", "PK\x03\x04\x14\0\0\0\x08\0games.pgn", "is a zip archive: unpack it first"],
  ["club.docx", `PK\x03\x04${"\0".repeat(26)}word/document.xml`, "is an office document"],
  ["games.pgn.gz", "\x1f\x8b\x08\0", "is a compressed file: unpack it first"],
  ["games.pgn.zst", "(\xb5\x2f\xfd\x04", "is a compressed file: unpack it first"],
  ["page.pgn", "<!DOCTYPE html><html>", "is a web page"],
  ["mega.cbh", "\0\x01\x02\0\0\x03\0\0", "is a database of a chess program: export its games"],
  ["tool.exe", "MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff", "is not text"],
  ["empty.pgn", "", "is empty"],
  ["blank.pgn", " \r\n\n", "has only blanks"],
])("%s is named for what it is", (name, content, words) => {
  expect(errorText(fileProblem(name, bytesOf(content)))).toContain(words);
});

test.each([
  "1. e4 e5 *",
  "\xff\xfe1\0.\0 \0e\x004\0",
  "[\0E\0v\0e\0n\0t\0 \0",
  '[White "M\xfcller"]\n\n1. e4 {\0 a byte of an old program} *'.padEnd(400),
])("text with games may be opened: %j", (content) => {
  expect(fileProblem("a.pgn", bytesOf(content))).toBeNull();
});

test("no file of games that people have is refused", () => {
  for (const folder of ["pgn", "page"].map((name) => `../../tests/data/${name}`)) {
    for (const name of readdirSync(folder).filter((each) => /\.(pgn|fen|epd|txt)$/.test(each))) {
      const content = Uint8Array.from(readFileSync(`${folder}/${name}`)).buffer;
      if (content.byteLength) expect([name, fileProblem(name, content)]).toEqual([name, null]);
    }
  }
});
