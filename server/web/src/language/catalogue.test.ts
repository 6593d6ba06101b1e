import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FluentResource } from "@fluent/bundle";
import { effect } from "@preact/signals";
import { describe, expect, it, vi } from "vitest";
import { CODES } from "../uci/notice";
import { loadLater, speak, text, textIfAny } from "./catalogue";
import { LANGUAGES, languageFor } from "./languages";

const HERE = import.meta.dirname;
const PARTS = ["page", "later"] as const;

/** The messages of a file: their ids, and the names of the variables in each. */
function messagesIn(language: string, part: string): Map<string, string> {
  const resource = new FluentResource(readFileSync(join(HERE, language, `${part}.ftl`), "utf8"));
  return new Map(resource.body.map(({ id, value }) => [id, variablesOf(value)]));
}

function variablesOf(pattern: unknown): string {
  const names = [...JSON.stringify(pattern).matchAll(/"type":"var","name":"(\w+)"/g)];
  return [...new Set(names.map(([, name]) => name))].sort().join();
}

/** The ids of texts that the sources or other texts name. */
function usedIds(): Set<string> {
  const texts = PARTS.map((part) => readFileSync(join(HERE, "en", `${part}.ftl`), "utf8")).join();
  const used = new Set([...texts.matchAll(/\{ ([a-z][a-z0-9-]*) \}/g)].map(([, id]) => id ?? ""));
  for (const name of readdirSync(join(HERE, ".."), { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name) || name.includes(".test.")) continue;
    const source = readFileSync(join(HERE, "..", name), "utf8");
    for (const [, id] of source.matchAll(/["'`]([a-z]+(?:-[a-z0-9]+)*)["'`]/g)) used.add(id ?? "");
  }
  return used;
}

/** Whether a text is of a notice, whose code `wordsOf` looks up. */
function isOfNotice(id: string): boolean {
  const code = /^notice-(.+?)(?:-hint|-text)?$/.exec(id)?.[1];
  return code !== undefined && (CODES.includes(code) || code === "unknown");
}

describe("the catalogue", () => {
  for (const part of PARTS) {
    const english = messagesIn("en", part);
    for (const language of Object.keys(LANGUAGES)) {
      it(`is complete in ${language}, ${part}`, () => {
        expect([...messagesIn(language, part)].sort()).toEqual([...english].sort());
      });
    }
    it(`has no text that nobody shows, ${part}`, () => {
      const used = usedIds();
      const idle = [...english.keys()].filter((id) => !used.has(id) && !isOfNotice(id));
      expect(idle).toEqual([]);
    });
  }

  it("has each text in one file", () => {
    const [page, later] = PARTS.map((part) => messagesIn("en", part));
    expect([...(page?.keys() ?? [])].filter((id) => later?.has(id))).toEqual([]);
  });

  it("has words for each notice", () => {
    expect(CODES.filter((code) => textIfAny(`notice-${code}`) === undefined)).toEqual([]);
  });

  it("finds the language of a person", () => {
    expect(languageFor(["de-AT", "en"])).toBe("de");
    expect(languageFor(["it", "fr-CA"])).toBe("fr");
    expect(languageFor(["ja"])).toBe("en");
  });

  it("says which text is missing", () => {
    expect(text("no-such-text")).toBe("no-such-text");
  });

  it("has the texts that are loaded later for each view that waits for them", async () => {
    await Promise.all([
      loadLater(),
      loadLater().then(() => expect(text("practice")).toBe("Practice")),
    ]);
  });

  it("loads a text that is not there yet, and has it drawn then", async () => {
    vi.resetModules();
    const fresh = await import("./catalogue");
    await fresh.speak("de");
    const drawn: string[] = [];
    const end = effect(() => {
      drawn.push(fresh.text("practice"));
    });
    const told = new Promise<string>((tell) => {
      fresh.whenComplete(() => tell(fresh.text("file-empty", { name: "a" })));
    });
    expect(await told).toContain("„a“");
    expect(drawn).toEqual(["", "Üben"]);
    end();
  });

  it("speaks the language that was chosen last", async () => {
    await Promise.all([speak("de"), speak("en")]);
    expect(text("close")).toBe("Close");
    await speak("de");
    expect([text("close"), text("practice")]).toEqual(["Schließen", "Üben"]);
    await speak("en");
  });
});
