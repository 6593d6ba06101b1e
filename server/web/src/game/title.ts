/** What a game is called, by its headers. */

/** What has headers: a game, or one of a file that has not been opened. */
export interface Titled {
  readonly headers: ReadonlyMap<string, string>;
}

export function titleOf(game: Titled): string {
  const [white, black, event, date, result] = ["White", "Black", "Event", "Date", "Result"].map(
    (key) => {
      const value = game.headers.get(key) ?? "";
      return /^[?.]*$/.test(value) ? "" : value.replaceAll(".??", "");
    },
  );
  const players = white || black ? `${white || "?"} – ${black || "?"}` : "";
  return [players, event, date, result === "*" ? "" : result].filter(Boolean).join(", ");
}
