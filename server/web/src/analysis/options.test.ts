import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { Conversation } from "../engine/conversation";
import { settingsFrom } from "../settings";
import { START } from "../uci/line";
import { EngineOptions } from "./options";

test("a reset leaves the options alone that the page sets by itself", () => {
  const conversation = new Conversation("analysis");
  const settings = signal(settingsFrom({}));
  const session = {
    conversation,
    update: (change: (conversation: Conversation) => void) => change(conversation),
  };
  const options = new EngineOptions(
    settings,
    signal("rookery"),
    () => session,
    () => {},
  );
  conversation.start();
  for (const option of [
    "MultiPV type spin default 1 min 1 max 500",
    "UCI_ShowWDL type check default false",
    "UCI_Chess960 type check default false",
    "Contempt type spin default 0 min -100 max 100",
  ]) {
    conversation.receive(`option name ${option}`);
  }
  conversation.receive("uciok");
  options.offered.value = [...conversation.options.values()];
  conversation.setOption("MultiPV", "3");
  options.setValue("Contempt", "20");
  conversation.requestSearch({
    ...START,
    start: "8/8/8/8/8/8/8/8 w HA - 0 1",
    chess960: true,
    limits: "",
  });
  while (conversation.nextEvent()) {}
  options.reset();
  conversation.receive("bestmove e2e4");
  const sent: string[] = [];
  for (let event = conversation.nextEvent(); event; event = conversation.nextEvent()) {
    if (event.type === "send" && event.line.startsWith("setoption")) sent.push(event.line);
  }
  expect(sent).toEqual(["setoption name Contempt value 0"]);
  expect(conversation.value("MultiPV")).toBe("3");
  expect(settings.value.options.rookery).toEqual({});
});
