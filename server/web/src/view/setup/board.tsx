/** The board on which a position is set up: by pointer, by touch, by keys. */

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import { dragNewPiece } from "@lichess-org/chessground/drag";
import type { Key, MouchEvent } from "@lichess-org/chessground/types";
import { effect } from "@preact/signals";
import { makeBoardFen, parseBoardFen } from "chessops/fen";
import type { Color, Piece, Role } from "chessops/types";
import { makeSquare, parseSquare } from "chessops/util";
import { h } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { App } from "../../app";
import type { Editor, Tool } from "../../editor/editor";
import { Icon } from "../icons";

const ROLES: readonly Role[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const LETTERS: Readonly<Record<string, Role>> = {
  k: "king",
  q: "queen",
  r: "rook",
  b: "bishop",
  n: "knight",
  p: "pawn",
};
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
export function SetupBoard({ app }: { app: App }) {
  const { editor } = app;
  const element = useRef<HTMLDivElement>(null);
  const api = useRef<Api | null>(null);
  useLayoutEffect(() => {
    if (!element.current) return;
    const board = Chessground(element.current, {
      animation: { enabled: false },
      draggable: { showGhost: true, deleteOnDropOff: true },
      drawable: { enabled: false },
      movable: { free: true, color: "both", showDests: false },
      premovable: { enabled: false },
      events: {
        change: () => takeBoard(editor, board),
        select: (key) => {
          const square = parseSquare(key);
          if (square !== undefined) editor.use(square);
        },
      },
    });
    api.current = board;
    const ends = [
      effect(() => {
        const draft = editor.position.value;
        if (draft) board.set({ fen: makeBoardFen(draft.board) });
      }),
      effect(() => board.set({ orientation: app.study.orientation.value })),
      effect(() => {
        const isHand = editor.tool.value === "hand";
        board.set({ draggable: { enabled: isHand }, selectable: { enabled: isHand } });
      }),
      effect(() => {
        const key = makeSquare(editor.cursor.value) as Key;
        board.set({ highlight: { custom: new Map([[key, "cursor"]]) } });
      }),
    ];
    return () => {
      for (const end of ends) end();
      board.destroy();
    };
  }, [app, editor]);
  return (
    <div class="setup-board">
      <Palette editor={editor} color="black" board={api} />
      <div
        class="board-frame"
        role="application"
        aria-label="Board: arrow keys select a square, k q r b n p place a white piece, with Shift a black one, Delete removes it"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application has keys of its own
        tabIndex={0}
        data-testid="setup-board"
        onKeyDown={(event) => onKey(app, event)}
      >
        <div class="board" ref={element} />
      </div>
      <Palette editor={editor} color="white" board={api} />
      <p class="unseen" aria-live="polite">
        {squareText(editor)}
      </p>
    </div>
  );
}

function takeBoard(editor: Editor, board: Api): void {
  const draft = editor.position.peek();
  const text = board.getFen();
  if (!draft || makeBoardFen(draft.board) === text) return;
  editor.change({ board: parseBoardFen(text).unwrap() });
}

function onKey(app: App, event: KeyboardEvent): void {
  const { editor } = app;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const cursor = editor.cursor.peek();
  const step = STEPS[event.key];
  const role = LETTERS[event.key.toLowerCase()];
  if (step) {
    const turned = app.study.orientation.peek() === "white" ? 1 : -1;
    const [file, rank] = [(cursor & 7) + step[0] * turned, (cursor >> 3) + step[1] * turned];
    if (file >= 0 && file < 8 && rank >= 0 && rank < 8) editor.cursor.value = file + 8 * rank;
  } else if (role) editor.put(cursor, { role, color: event.shiftKey ? "black" : "white" });
  else if (event.key === "Delete" || event.key === "Backspace") editor.put(cursor, null);
  else if (event.key === "Enter" || event.key === " ") editor.use(cursor);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function squareText(editor: Editor): string {
  const piece = editor.position.value?.board.get(editor.cursor.value);
  const what = piece ? `${piece.color} ${piece.role}` : "empty";
  return `${makeSquare(editor.cursor.value)}, ${what}`;
}

function Palette(props: { editor: Editor; color: Color; board: { current: Api | null } }) {
  const { editor, color } = props;
  const isSame = (tool: Tool, piece: Piece) =>
    typeof tool === "object" && tool.role === piece.role && tool.color === piece.color;
  const choose = (tool: Tool) => {
    editor.tool.value = tool;
  };
  const drag = (event: PointerEvent, piece: Piece) => {
    const board = props.board.current;
    // A finger chooses by a touch; only a mouse begins to drag at once.
    if (board && event.pointerType === "mouse") {
      dragNewPiece(board.state, piece, event as unknown as MouchEvent, true);
    }
  };
  return (
    <div class="palette" role="toolbar" aria-label={`${color} pieces`}>
      {ROLES.map((role) => (
        <button
          type="button"
          key={role}
          class="cg-wrap"
          aria-label={`${color} ${role}`}
          aria-pressed={isSame(editor.tool.value, { role, color })}
          onPointerDown={(event) => drag(event, { role, color })}
          onClick={() => choose({ role, color })}
        >
          {h("piece", { class: `${role} ${color}` })}
        </button>
      ))}
      {color === "white" ? (
        <button
          type="button"
          aria-label="move pieces"
          title="Move pieces; drag off the board to remove"
          aria-pressed={editor.tool.value === "hand"}
          onClick={() => choose("hand")}
        >
          <Icon name="hand" />
        </button>
      ) : (
        <button
          type="button"
          aria-label="remove pieces"
          title="Remove pieces"
          aria-pressed={editor.tool.value === "eraser"}
          onClick={() => choose("eraser")}
        >
          <Icon name="trash" />
        </button>
      )}
    </div>
  );
}
