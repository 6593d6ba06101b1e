/** What the page posts to the server: games, and how to search them.  Pure. */

import { type PgnGame, writeUnjudgedGame } from "../game/pgn";
import { type GameTree, titleOf } from "../game/tree";
import { text } from "../language/catalogue";

/** Games in PGN, and the settings of the job as a query. */
export interface Order {
  readonly pgn: string;
  readonly name: string;
  readonly query: URLSearchParams;
}

export interface OrderSettings {
  readonly engine: string;
  /** Milliseconds for each position. */
  readonly movetime: number;
  /** Options of the engine with values of the user's choice. */
  readonly options: Readonly<Record<string, string>>;
}

const LONGEST_NAME = 200; // characters

/** Order the analysis of the game on the board. */
export function orderGame(tree: GameTree, settings: OrderSettings): Order {
  return orderOf([writeUnjudgedGame(tree)], titleOf(tree) || text("jobs-untitled"), settings);
}

/** Order the analysis of all games of a file. */
export function orderGames(games: readonly PgnGame[], settings: OrderSettings): Order {
  const [first] = games;
  const title = (first && titleOf(first)) || text("jobs-untitled");
  const name = games.length > 1 ? text("jobs-and-more", { title, count: games.length - 1 }) : title;
  return orderOf(
    games.map((game) => game.write()),
    name,
    settings,
  );
}

function orderOf(games: readonly string[], title: string, settings: OrderSettings): Order {
  const name = nameOf(title);
  const query = new URLSearchParams({
    engine: settings.engine,
    movetime: String(settings.movetime),
    name,
  });
  for (const [option, value] of Object.entries(settings.options)) {
    query.append(`option.${option}`, value);
  }
  return { pgn: games.map((game) => `${game.trim()}\n\n`).join(""), name, query };
}

/** Return a title as the server takes it: without control characters, and not too long. */
function nameOf(title: string): string {
  const plain = title.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  return [...plain].slice(0, LONGEST_NAME).join("");
}
