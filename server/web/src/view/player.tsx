/** The line above or below the board: a player's name, rating, material and clock. */

import type { Color } from "chessops/types";
import type { App } from "../app";
import { clockAt, lastMoveOf, spentText, timeSpent } from "../game/annotation";
import { shownTag } from "../game/headers";
import { materialOf } from "../game/material";
import { sideName } from "../game/position";
import { extraWords } from "../game/words";
import { text } from "../language/catalogue";
import { clockText } from "../play/clock";

const SIGNS = { queen: "♛", rook: "♜", bishop: "♝", knight: "♞", pawn: "♟" } as const;
const AS_TEXT = "\ufe0e"; // and not as a picture

export function Player({ app, isTop }: { app: App; isTop?: boolean }) {
  const isWhite = (app.study.orientation.value === "white") !== Boolean(isTop);
  const color = isWhite ? "white" : "black";
  const side = sideName(color);
  void app.study.version.value;
  const { headers } = app.study.tree.value;
  const name = shownTag(headers, side);
  const rating = headers.get(`${side}Elo`) ?? "";
  return (
    <p class={`player ${isTop ? "top" : "bottom"} ${name ? "" : "nameless"}`}>
      <i class={`side ${color}`} />
      <PlayerName app={app} name={name} isWhite={isWhite} />
      {/^\d+$/.test(rating) && <span class="rating">{rating}</span>}
      <Material fen={app.study.node.value.fen} color={color} />
      <GameClock app={app} color={color} />
      <RecordedClock app={app} color={color} />
    </p>
  );
}

/** The name; a click on it, or on the side where there is none, edits the names of the game. */
function PlayerName({ app, name, isWhite }: { app: App; name: string; isWhite: boolean }) {
  const shown = (
    <bdi class="player-name" title={name}>
      {name || text(isWhite ? "white" : "black")}
    </bdi>
  );
  if (!app.mayChange.value) return shown;
  return (
    <button
      type="button"
      class="player-edit"
      title={text(name ? "header-edit" : isWhite ? "player-write-white" : "player-write-black")}
      onClick={() => app.openDialog("headers")}
    >
      {shown}
    </button>
  );
}

/** The pieces that a side has and the other one has not, and its lead in points. */
function Material({ fen, color }: { fen: string; color: Color }) {
  const { extra, lead } = materialOf(fen)[color];
  if (!extra.length) return null;
  const words = extraWords(extra, lead);
  return (
    <span class="material" role="img" aria-label={words} title={words}>
      {extra.map((role, at) => (
        <span key={at}>{SIGNS[role] + AS_TEXT}</span>
      ))}
      {lead > 0 && <b>+{lead}</b>}
    </span>
  );
}

/** The clock at this move, as the PGN of the game has it, or else the time that the move took. */
function RecordedClock({ app, color }: { app: App; color: Color }) {
  const recorded = recordedTime(app, color);
  if (!recorded) return null;
  return (
    <time class="clock" data-testid={`noted-${color}`} title={recorded.title}>
      {recorded.text}
    </time>
  );
}

function recordedTime(app: App, color: Color): { text: string; title?: string } | null {
  if (app.isPlaying.value) return null;
  const node = app.study.node.value;
  const clock = clockAt(node, color);
  if (clock !== null) return { text: clockText(1000 * clock) };
  const last = lastMoveOf(node, color);
  const spent = last && timeSpent(last);
  return spent === null
    ? null
    : { text: spentText(spent), title: text("player-move-time", { move: last?.san ?? "" }) };
}

/** The clock of one side; nothing in a game without clocks. */
function GameClock({ app, color }: { app: App; color: Color }) {
  const times = app.play.times.value;
  if (!app.play.game.value || !times) return null;
  const isTurn = app.play.head.value?.turn === color && !app.play.outcome.value;
  const left = times[color];
  const tone = `${isTurn && app.play.isTimed.value ? "runs" : ""} ${left < 20_000 ? "short" : ""}`;
  return (
    <time class={`clock ${tone}`} data-testid={`clock-${color}`}>
      {clockText(left)}
    </time>
  );
}
