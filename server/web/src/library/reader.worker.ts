/** Reads a file of games beside the page, which stays free meanwhile. */

import { readText } from "../game/encoding";
import { describeGame, listGames } from "../game/listing";
import type { ReaderMessage, ReaderOrder, ReadGame } from "./reader";
import { pgnIn } from "./splice";

const BATCH = 500; // games in one message

addEventListener("message", async ({ data }: MessageEvent<ReaderOrder>) => {
  const send = (message: ReaderMessage) => postMessage(message);
  send({ type: "progress", games: [], share: 0 });
  const { text, coding } = readText(await data.file.arrayBuffer(), data.coding ?? undefined);
  const source = pgnIn(text);
  let games: ReadGame[] = [];
  let read = 0;
  for (const game of listGames(source)) {
    read += game.length;
    games.push({ text: game, description: describeGame(game) });
    if (games.length < BATCH) continue;
    send({ type: "progress", games, share: read / source.length });
    games = [];
  }
  send({ type: "progress", games, share: 1 });
  send({ type: "end", coding });
});
