/** The board of a frame, which shows a position and moves no pieces. */

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key } from "@lichess-org/chessground/types";
import { effect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { drawingsOn } from "../game/annotation";
import { describePosition } from "../game/words";
import { BRUSHES, shapesOf } from "../view/arrows";
import { stepByWheel } from "../view/wheel";
import type { Reader } from "./reader";

export function ReaderBoard({ reader }: { reader: Reader }) {
  const element = useRef<HTMLDivElement>(null);
  // Before the next paint: a board without a size is drawn wrongly.
  useLayoutEffect(() => {
    if (!element.current) return;
    const board = makeBoard(element.current);
    const ends = [
      effect(() => showPosition(reader, board)),
      // At the ends of the game the wheel scrolls the page around the frame.
      stepByWheel(
        element.current,
        (isForward) => reader.step(isForward),
        (isForward) => !reader.mayStep(isForward),
      ),
    ];
    return () => {
      for (const end of ends) end();
      board.destroy();
    };
  }, [reader]);
  return (
    <div class="board-frame" role="img" aria-label={describePosition(reader.node.value.position())}>
      <div class="board" ref={element} data-testid="board" />
    </div>
  );
}

function makeBoard(element: HTMLElement): Api {
  return Chessground(element, {
    viewOnly: true,
    animation: {
      enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      duration: 180,
    },
    drawable: { brushes: BRUSHES },
  });
}

function showPosition(reader: Reader, board: Api): void {
  const node = reader.node.value;
  const position = node.position();
  board.set({
    orientation: reader.orientation.value,
    fen: node.fen,
    turnColor: position.turn,
    lastMove: [...node.squares] as Key[],
    check: position.isCheck(),
    drawable: { shapes: shapesOf(drawingsOn(node)) },
  });
}
