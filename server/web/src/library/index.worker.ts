/** Indexes the games of a file beside the page. */

import { readText } from "../game/encoding";
import { describeGame, listGames } from "../game/listing";
import { PgnGame } from "../game/pgn";
import { namesIn } from "../opening/openings";
import names from "../opening/openings.txt?url";
import { bookOf, PART, PartBuilder, partWith } from "./game_index";
import type { IndexMessage, IndexOrder } from "./indexer";
import { pgnIn } from "./splice";

const send = (message: IndexMessage, moved: Transferable[] = []) =>
  postMessage(message, { transfer: moved });

addEventListener("message", async ({ data }: MessageEvent<IndexOrder>) => {
  try {
    const answer = await fetch(names);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    indexFile(data, bookOf(namesIn(await answer.text())));
    send({ type: "end" });
  } catch (error) {
    send({ type: "failed", text: String(error) });
  }
});

function indexFile({ bytes, coding, parts }: IndexOrder, book: ReturnType<typeof bookOf>): void {
  const { text } = readText(bytes, coding ?? undefined);
  let part: PartBuilder | null = null;
  let at = 0;
  const finish = () => {
    const done = part?.finish();
    if (done) send({ type: "part", part: done }, [done.positions.buffer]);
    part = null;
  };
  for (const source of listGames(pgnIn(text))) {
    const description = describeGame(source);
    if (!description.isGame) continue;
    if (at % PART === 0) {
      finish();
      part = parts.includes(partWith(at)) ? new PartBuilder(at, book) : null;
    }
    part?.add(new PgnGame(source, description));
    at++;
  }
  finish();
}
