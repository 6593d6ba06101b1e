/** The window that shares the game: as a link, as text, as a picture. */

import { useComputed, useSignal } from "@preact/signals";
import type { App } from "../../app";
import { saveFile } from "../../download";
import { drawingsOn } from "../../game/annotation";
import { text } from "../../language/catalogue";
import { arrowsOf, BRUSHES, shapesOf } from "../arrows";
import { Button } from "../controls";
import { Copyable, Window, type WindowProps } from "../dialog";
import { later } from "../later";
import { type Arrow, boardColors, paintPng, pieceDrawing, renderSvg } from "../picture";
import { ResultQuestion } from "../result";

const GameLinks = later(async () => (await import("./links")).GameLinks);
const PIXELS = 1024; // of a PNG

export function ShareWindow({ app, close }: WindowProps) {
  void app.study.version.value;
  const copied = () => app.toasts.addNote(text("copied"));
  const pgn = app.study.pgn();
  const save = () => saveFile("game.pgn", new Blob([pgn], { type: "application/x-chess-pgn" }));
  return (
    <Window title={text("share")} close={close} wide>
      <div class="stack">
        <Copyable label={text("share-position")} text={app.study.address()} copied={copied} />
        {app.mayShareGames.value && <GameLinks app={app} close={close} />}
        <Copyable label="FEN" text={app.study.node.value.fen} copied={copied} />
        <Picture app={app} />
        <ResultQuestion app={app} />
        <Copyable label="PGN" text={pgn} rows={7} copied={copied} />
        <div class="buttons">
          <Button look="primary" onClick={save}>
            {text("download-game")}
          </Button>
        </div>
      </div>
    </Window>
  );
}

function Picture({ app }: { app: App }) {
  const arrows = useSignal(false);
  const svg = useComputed(() => svgOf(app, arrows.value));
  const source = `data:image/svg+xml,${encodeURIComponent(svg.value)}`;
  const saveSvg = () => saveFile("board.svg", new Blob([svg.value], { type: "image/svg+xml" }));
  const savePng = async () => saveFile("board.png", await paintPng(svg.value, PIXELS));
  const copy = async () => {
    try {
      const png = paintPng(svg.value, PIXELS);
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
      app.toasts.addNote(text("share-picture-copied"));
    } catch {
      app.toasts.addNote(text("share-picture-not-copied"), text("share-save-instead"));
    }
  };
  return (
    <div class="picture">
      <img src={source} alt={text("share-preview")} width="200" height="200" />
      <div class="stack">
        <label class="check">
          <input
            type="checkbox"
            checked={arrows.value}
            onChange={(event) => (arrows.value = event.currentTarget.checked)}
          />
          <span>{text("share-arrows")}</span>
        </label>
        <Button onClick={savePng}>{text("share-png")}</Button>
        <Button onClick={saveSvg}>{text("share-svg")}</Button>
        <Button onClick={copy}>{text("share-copy-picture")}</Button>
      </div>
    </div>
  );
}

function svgOf(app: App, withArrows: boolean): string {
  const node = app.study.node.value;
  const position = node.position();
  const best = withArrows ? arrowsOf(app.analysis.boardFindings, app.analysis.boardKey.value) : [];
  const arrows = [...best, ...shapesOf(drawingsOn(node))].map(
    ({ orig, dest, brush, modifiers }): Arrow => ({
      from: orig,
      to: dest ?? orig,
      color: BRUSHES[brush as keyof typeof BRUSHES].color,
      width: (modifiers?.lineWidth ?? 10) / 64,
    }),
  );
  const king = position.board.kingOf(position.turn);
  const scene = {
    fen: node.fen,
    orientation: app.study.orientation.value,
    lastMove: node.squares,
    check: position.isCheck() ? (king ?? null) : null,
    arrows,
    coordinates: true,
    colors: boardColors(),
  };
  return renderSvg(scene, pieceDrawing);
}
