import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { settingsFrom } from "../settings";
import { INFINITE } from "../uci/limits";
import { Choices } from "./choices";
import { Engine } from "./engine";

test("options as the engine has them leave alone what the page sets by itself", () => {
  const said: string[] = [];
  const nothing = () => {};
  const engine = new Engine({
    say: (line) => said.push(line),
    introduced: nothing,
    changed: nothing,
    notice: nothing,
    known: nothing,
    finished: nothing,
  });
  const settings = signal(settingsFrom({}));
  const choices = new Choices({
    settings,
    chosen: signal("rookery"),
    engine,
    change: (changed) => {
      settings.value = { ...settings.peek(), ...changed };
    },
    forget: nothing,
  });
  engine.fresh();
  for (const option of [
    "MultiPV type spin default 1 min 1 max 500",
    "UCI_ShowWDL type check default false",
    "UCI_Chess960 type check default false",
    "Contempt type spin default 0 min -100 max 100",
  ]) {
    engine.hear(`option name ${option}`);
  }
  engine.hear("uciok");
  choices.options.value = [...engine.options.values()];
  engine.set("MultiPV", "3");
  choices.set("Contempt", "20");
  const start = { start: "8/8/8/8/8/8/8/8 w HA - 0 1", fen: "some", turn: "white" } as const;
  engine.want({ ...start, moves: [], chess960: true, limits: INFINITE });
  said.length = 0;
  choices.reset();
  engine.hear("bestmove e2e4");
  expect(said.filter((line) => line.startsWith("setoption"))).toEqual([
    "setoption name Contempt value 0",
  ]);
  expect(engine.value("MultiPV")).toBe("3");
  expect(settings.value.options.rookery).toEqual({});
});
