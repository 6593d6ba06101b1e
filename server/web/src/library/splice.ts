/** A game in the text of a file, replaced or added; all other text stays as it is.  Pure. */

import { readPositions } from "../game/epd";
import { describeGame, listGames } from "../game/listing";

/** The new text, the index of the game, and the text that it has replaced, or null. */
interface Replacement {
  readonly text: string;
  readonly at: number;
  readonly replaced: string | null;
}

/** Return the text of a file as PGN: positions become games. */
export function pgnIn(text: string): string {
  return text.trimStart().startsWith("[") ? text : (readPositions(text) ?? text);
}

/** Replace the game at an index, if its text is the expected one; otherwise add it at the end. */
export function replaceGame(
  file: string,
  pgn: string,
  over: { readonly at: number; readonly text: string } | null,
): Replacement {
  const isDos = file.includes("\r\n");
  const plain = pgnIn(file).replace(/\r{0,2}\n|\r/g, "\n");
  const written = (text: string) => (isDos ? text.replaceAll("\n", "\r\n") : text);
  let [at, end] = [0, 0];
  for (const game of listGames(plain)) {
    const body = game.trim();
    const start = plain.indexOf(body, end);
    end = start + body.length;
    if (!describeGame(game).isGame) continue;
    if (over?.at === at && over.text.trim() === body) {
      const text = plain.slice(0, start) + pgn.trim() + plain.slice(end);
      return { text: written(text), at, replaced: body };
    }
    at++;
  }
  const before = plain.trimEnd();
  const text = `${before}${before && "\n\n"}${pgn.trim()}\n`;
  return { text: written(text), at, replaced: null };
}

/** Join the texts of games to one file. */
export function joinGames(games: readonly string[]): string {
  return games.map((game) => `${game.trim()}\n`).join("\n");
}
