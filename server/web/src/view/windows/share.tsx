/** Take the game away: as a link, as text, as a picture. */

import { useComputed, useSignal } from "@preact/signals";
import type { App } from "../../app";
import { drawingsOn } from "../../game/remark";
import { drawingOf, paint, save } from "../../picture/paint";
import { type Arrow, pictureOf } from "../../picture/picture";
import { arrowsOf, BRUSHES, shapesOf } from "../arrows";
import { Copyable, Window } from "../dialog";
import type { Props } from "./props";

const PIXELS = 1024; // of a PNG

export function ShareWindow({ app, close }: Props) {
  void app.study.version.value;
  const copied = () => app.notes.say("Copied");
  const pgn = app.study.pgn();
  return (
    <Window title="Share" close={close} wide>
      <div class="stack">
        <Copyable label="Link to this position" text={app.study.address()} copied={copied} />
        <Copyable label="FEN" text={app.study.node.value.fen} copied={copied} />
        <Picture app={app} />
        <Copyable label="PGN" text={pgn} rows={7} copied={copied} />
        <div class="buttons">
          <button
            type="button"
            class="button primary"
            onClick={() => save("game.pgn", new Blob([pgn], { type: "application/x-chess-pgn" }))}
          >
            Download the game
          </button>
        </div>
      </div>
    </Window>
  );
}

function Picture({ app }: { app: App }) {
  const arrows = useSignal(false);
  const svg = useComputed(() => svgOf(app, arrows.value));
  const source = `data:image/svg+xml,${encodeURIComponent(svg.value)}`;
  const file = () => new Blob([svg.value], { type: "image/svg+xml" });
  const copy = async () => {
    try {
      const png = paint(svg.value, PIXELS);
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
      app.notes.say("Picture copied");
    } catch {
      app.notes.complain("this browser can copy pictures only over https: save it instead");
    }
  };
  return (
    <div class="picture">
      <img src={source} alt="Preview of the board" width="200" height="200" />
      <div class="stack">
        <label class="check">
          <input
            type="checkbox"
            checked={arrows.value}
            onChange={(event) => {
              arrows.value = event.currentTarget.checked;
            }}
          />
          <span>Show arrows for the best moves</span>
        </label>
        <button
          type="button"
          class="button"
          onClick={async () => save("board.png", await paint(svg.value, PIXELS))}
        >
          Save as PNG
        </button>
        <button type="button" class="button" onClick={() => save("board.svg", file())}>
          Save as SVG
        </button>
        <button type="button" class="button" onClick={copy}>
          Copy picture
        </button>
      </div>
    </div>
  );
}

function svgOf(app: App, withArrows: boolean): string {
  const node = app.study.node.value;
  const position = node.position();
  const best = withArrows ? arrowsOf(app.analysis.own, node.fen) : [];
  const arrows = [...best, ...shapesOf(drawingsOn(node))].map(
    ({ orig, dest, brush, modifiers }): Arrow => ({
      from: orig,
      to: dest ?? orig,
      color: BRUSHES[brush as keyof typeof BRUSHES].color,
      width: (modifiers?.lineWidth ?? 10) / 64,
    }),
  );
  const king = position.board.kingOf(position.turn);
  return pictureOf(
    {
      fen: node.fen,
      orientation: app.study.orientation.value,
      lastMove: node.squares,
      check: position.isCheck() ? (king ?? null) : null,
      arrows,
      coordinates: true,
    },
    drawingOf,
  );
}
