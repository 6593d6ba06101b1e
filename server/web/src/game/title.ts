/** What a game is called, by its headers. */

import type { GameTree } from "./tree";

export function titleOf(game: GameTree): string {
  const [white, black, event, date, result] = ["White", "Black", "Event", "Date", "Result"].map(
    (key) => {
      const value = game.headers.get(key) ?? "";
      return /^[?.]*$/.test(value) ? "" : value.replaceAll(".??", "");
    },
  );
  const players = white || black ? `${white || "?"} – ${black || "?"}` : "";
  return [players, event, date, result === "*" ? "" : result].filter(Boolean).join(", ");
}
