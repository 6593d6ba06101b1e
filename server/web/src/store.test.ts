import { beforeEach, expect, test, vi } from "vitest";
import {
  addPlayed,
  forgetJob,
  forgetToken,
  loadGame,
  loadJobs,
  loadPlayed,
  loadToken,
  rememberJob,
  saveGame,
  saveToken,
} from "./settings";
import { type StorageState, watchStorage } from "./store";

/** A storage with room for a number of characters. */
class SmallStorage {
  private readonly values = new Map<string, string>();

  constructor(private readonly size: number) {}

  get length(): number {
    return this.values.size;
  }

  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }

  removeItem(key: string): void {
    this.values.delete(key);
  }

  setItem(key: string, value: string): void {
    const others = [...this.values].filter(([each]) => each !== key);
    const used = others.reduce((sum, [each, text]) => sum + each.length + text.length, 0);
    if (used + key.length + value.length > this.size) {
      throw new DOMException("full", "QuotaExceededError");
    }
    this.values.set(key, value);
  }
}

const game = (length: number) => ({
  pgn: "x".repeat(length),
  moves: [],
  address: "",
  position: null,
});
let states: StorageState[];

beforeEach(() => {
  vi.stubGlobal("sessionStorage", new SmallStorage(2000));
  vi.stubGlobal("localStorage", new SmallStorage(2000));
  saveGame(game(1));
  states = [];
  watchStorage((state) => states.at(-1) !== state && states.push(state));
});

test("the oldest games that were played make room for the one on the board", () => {
  for (const at of [1, 2, 3, 4]) addPlayed(`${at}`.repeat(200));
  rememberJob({ id: "1", name: "" });
  saveGame(game(1400));
  expect(loadPlayed().map((pgn) => pgn[0])).toEqual(["4", "3"]);
  expect(loadJobs()).toHaveLength(1);
  saveGame(game(1750));
  expect([loadPlayed(), loadJobs().length]).toEqual([[], 1]);
  expect(loadGame()?.pgn).toHaveLength(1750);
  expect(states).toEqual(["kept"]);
});

test("nothing makes room for a game that does not fit, and the user is told once", () => {
  for (const at of [1, 2]) addPlayed(`${at}`.repeat(200));
  saveGame(game(3000));
  saveGame(game(3001));
  expect(loadPlayed()).toHaveLength(2);
  expect(loadGame()?.pgn).toHaveLength(1);
  expect(states).toEqual(["kept", "full"]);
  saveGame(game(5));
  expect(states).toEqual(["kept", "full", "kept"]);
});

test("the oldest games make room for one that was just played", () => {
  for (const at of [1, 2, 3, 4, 5, 6, 7]) addPlayed(`${at}`.repeat(400));
  expect(loadPlayed().map((pgn) => pgn[0])).toEqual(["7", "6", "5", "4"]);
  expect(states.at(-1)).toBe("kept");
});

test.each([
  ["is switched off", undefined],
  ["takes nothing", new SmallStorage(0)],
])("a storage that %s is not full", (_, storage) => {
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("localStorage", storage);
  saveGame(game(1));
  forgetJob("1");
  expect(loadGame()).toBeNull();
  expect(states).toEqual(["kept", "closed"]);
});

test("the token of a tab comes before that of the device, and each is forgotten alone", () => {
  saveToken("device", true);
  expect(loadToken()).toBe("device");
  saveToken("tab");
  expect(loadToken()).toBe("tab");
  forgetToken("another");
  forgetToken("tab");
  expect(loadToken()).toBe("device");
  forgetToken("device");
  expect(loadToken()).toBeNull();
});
