/** The editor of a position: its board (by pointer, touch and keys), and its panel. */

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import { dragNewPiece } from "@lichess-org/chessground/drag";
import type { Key, MouchEvent } from "@lichess-org/chessground/types";
import { effect, useSignal } from "@preact/signals";
import { makeBoardFen, parseBoardFen } from "chessops/fen";
import type { Color, Piece, Role, Square } from "chessops/types";
import { makeSquare, parseSquare } from "chessops/util";
import { h } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { App } from "../app";
import {
  type Draft,
  enPassantSquares,
  rookOf,
  START_POSITIONS,
  WINGS,
  type Wing,
} from "../editor/draft";
import type { Editor, Tool } from "../editor/editor";
import { text } from "../language/catalogue";
import { errorText } from "../language/problems";
import { Button, CheckRow, Icon, NumberInput, Row, Select, SelectRow, Wrong } from "./controls";

const ROLES: readonly Role[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const LETTERS: Readonly<Record<string, Role>> = {
  k: "king",
  q: "queen",
  r: "rook",
  b: "bishop",
  n: "knight",
  p: "pawn",
};
const PIECES: Readonly<Record<Color, Readonly<Record<Role, string>>>> = {
  white: {
    king: "piece-white-king",
    queen: "piece-white-queen",
    rook: "piece-white-rook",
    bishop: "piece-white-bishop",
    knight: "piece-white-knight",
    pawn: "piece-white-pawn",
  },
  black: {
    king: "piece-black-king",
    queen: "piece-black-queen",
    rook: "piece-black-rook",
    bishop: "piece-black-bishop",
    knight: "piece-black-knight",
    pawn: "piece-black-pawn",
  },
};
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export function SetupBoard({ app }: { app: App; close?: () => void }) {
  const { editor } = app;
  const element = useRef<HTMLDivElement>(null);
  const api = useRef<Api | null>(null);
  useLayoutEffect(() => {
    if (!element.current) return;
    const board = makeBoard(editor, element.current);
    api.current = board;
    const ends = showDraft(app, board);
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
        aria-label={text("setup-board")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application has keys of its own
        tabIndex={0}
        data-testid="setup-board"
        onKeyDown={(event) => onKey(app, event)}
      >
        <div class="board" ref={element} />
      </div>
      <Palette editor={editor} color="white" board={api} />
      <p class="unseen" aria-live="polite">
        {describeSquare(editor)}
      </p>
    </div>
  );
}

function makeBoard(editor: Editor, element: HTMLElement): Api {
  const board: Api = Chessground(element, {
    animation: { enabled: false },
    draggable: { showGhost: true, deleteOnDropOff: true },
    drawable: { enabled: false },
    movable: { free: true, color: "both", showDests: false },
    premovable: { enabled: false },
    events: {
      change: () => readBoard(editor, board),
      select: (key) => editor.clickSquare(parseSquare(key) as Square),
    },
  });
  return board;
}

/** Show the position, the tool and the cursor on the board; the results stop that. */
function showDraft({ editor, study }: App, board: Api): (() => void)[] {
  return [
    effect(() => {
      const draft = editor.position.value;
      if (draft) board.set({ fen: makeBoardFen(draft.board) });
    }),
    effect(() => board.set({ orientation: study.orientation.value })),
    effect(() => {
      const isHand = editor.tool.value === "hand";
      board.set({ draggable: { enabled: isHand }, selectable: { enabled: isHand } });
    }),
    effect(() => {
      const key = makeSquare(editor.cursor.value) as Key;
      board.set({ highlight: { custom: new Map([[key, "cursor"]]) } });
    }),
  ];
}

function readBoard(editor: Editor, board: Api): void {
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
  } else if (role) editor.setPiece(cursor, { role, color: event.shiftKey ? "black" : "white" });
  else if (event.key === "Delete" || event.key === "Backspace") editor.setPiece(cursor, null);
  else if (event.key === "Enter" || event.key === " ") editor.clickSquare(cursor);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function describeSquare(editor: Editor): string {
  const piece = editor.position.value?.board.get(editor.cursor.value);
  const what = text(piece ? PIECES[piece.color][piece.role] : "setup-empty");
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
    // A touch chooses a piece; only a mouse begins to drag at once.
    if (board && event.pointerType === "mouse") {
      dragNewPiece(board.state, piece, event as unknown as MouchEvent, true);
    }
  };
  return (
    <div
      class="palette"
      role="toolbar"
      aria-label={text(color === "white" ? "setup-white-pieces" : "setup-black-pieces")}
    >
      {ROLES.map((role) => (
        <button
          type="button"
          key={role}
          class="cg-wrap"
          aria-label={text(PIECES[color][role])}
          aria-pressed={isSame(editor.tool.value, { role, color })}
          onPointerDown={(event) => drag(event, { role, color })}
          onClick={() => choose({ role, color })}
        >
          {h("piece", { class: `${role} ${color}` })}
        </button>
      ))}
      <button
        type="button"
        aria-label={text(color === "white" ? "setup-move" : "setup-remove")}
        title={text(color === "white" ? "setup-move-title" : "setup-remove-title")}
        aria-pressed={editor.tool.value === (color === "white" ? "hand" : "eraser")}
        onClick={() => choose(color === "white" ? "hand" : "eraser")}
      >
        <Icon name={color === "white" ? "hand" : "trash"} />
      </button>
    </div>
  );
}

const WING_NAMES: Readonly<Record<Wing, string>> = {
  K: "castling-white-short",
  Q: "castling-white-long",
  k: "castling-black-short",
  q: "castling-black-long",
};
const SIDES = [
  ["white", "white"],
  ["black", "black"],
] as const;

export function SetupPanel({ app }: { app: App }) {
  const { editor } = app;
  const draft = editor.position.value;
  if (!draft) return null;
  const fault = editor.fault;
  return (
    <section class="engine setup" aria-label={text("setup")}>
      <div class="stack">
        <h2>{text("setup")}</h2>
        <SelectRow
          name={text("setup-to-move")}
          value={draft.turn}
          options={SIDES.map(([side, id]) => [side, text(id)] as const)}
          set={(turn) => editor.change({ turn: turn as Color })}
        />
        <CastlingRow editor={editor} draft={draft} />
        <EnPassantRow editor={editor} draft={draft} />
        <StartRow editor={editor} draft={draft} />
        <FenRow app={app} />
        <p class={fault ? "wrong" : "hint"} role="status" data-testid="legality">
          {fault ? text("setup-not-legal", { fault }) : editor.oddity || text("setup-legal")}
        </p>
        <div class="buttons">
          <Button disabled={!editor.undoable.value} onClick={() => editor.undo()}>
            <Icon name="undo" /> {text("setup-undo")}
          </Button>
          <Button onClick={() => editor.clear()}>{text("setup-clear")}</Button>
          <Button onClick={() => editor.cancel()}>{text("cancel")}</Button>
          <Button look="primary" disabled={fault !== ""} onClick={() => editor.finish()}>
            {text("analyse")}
          </Button>
        </div>
      </div>
    </section>
  );
}

interface RowProps {
  readonly editor: Editor;
  readonly draft: Draft;
}

function CastlingRow({ editor, draft }: RowProps) {
  const set = (wing: Wing, isAllowed: boolean) => {
    const castling = new Set(draft.castling);
    if (isAllowed) castling.add(wing);
    else castling.delete(wing);
    editor.change({ castling });
  };
  return (
    <fieldset class="castling">
      <legend>{text("setup-castling")}</legend>
      {WINGS.map((wing) => {
        const rook = rookOf(draft, wing);
        return (
          <label class="check" key={wing}>
            <input
              type="checkbox"
              disabled={rook === null}
              checked={rook !== null && draft.castling.has(wing)}
              onChange={(event) => set(wing, event.currentTarget.checked)}
            />
            <span>{text(WING_NAMES[wing])}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

function EnPassantRow({ editor, draft }: RowProps) {
  const squares = enPassantSquares(draft);
  const { enPassant } = draft;
  const isPossible = enPassant !== null && squares.includes(enPassant);
  return (
    <Row name={text("setup-en-passant")}>
      <Select
        disabled={!squares.length}
        value={isPossible ? String(enPassant) : ""}
        options={[
          ["", text("setup-no-square")],
          ...squares.map((it) => [String(it), makeSquare(it)] as const),
        ]}
        set={(value) => editor.change({ enPassant: value === "" ? null : Number(value) })}
      />
    </Row>
  );
}

function StartRow({ editor, draft }: RowProps) {
  const number = useSignal(518);
  const setStart = (value: number) => {
    number.value = Math.floor(value);
    editor.setStart(number.value);
  };
  return (
    <>
      <CheckRow
        name="Chess960"
        checked={draft.chess960}
        set={(chess960) => editor.change({ chess960 })}
      />
      <div class="buttons starts">
        <Button look="small" onClick={() => editor.setStart(null)}>
          {text("setup-start")}
        </Button>
        {draft.chess960 && (
          <>
            <NumberInput
              label={text("setup-start-number")}
              value={number.value}
              min={0}
              max={START_POSITIONS - 1}
              set={setStart}
            />
            <Button look="small" onClick={() => setStart(Math.random() * START_POSITIONS)}>
              {text("setup-random")}
            </Button>
          </>
        )}
      </div>
    </>
  );
}

function FenRow({ app }: { app: App }) {
  const wrong = useSignal("");
  const set = (fen: string) => {
    try {
      app.editor.setFen(fen);
      wrong.value = "";
    } catch (error) {
      wrong.value = errorText(error);
    }
  };
  return (
    <label class="field">
      <span>FEN</span>
      <input
        type="text"
        spellcheck={false}
        autoComplete="off"
        value={app.editor.fen.value}
        onChange={(event) => set(event.currentTarget.value)}
      />
      <Wrong text={wrong.value} in="span" />
    </label>
  );
}
