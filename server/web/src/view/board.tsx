/** The board: the current position, moves by pointer, arrows, steps by the mouse wheel. */

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Config } from "@lichess-org/chessground/config";
import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { effect, type Signal, useSignal } from "@preact/signals";
import { chessgroundDests } from "chessops/compat";
import type { Color, NormalMove, Role } from "chessops/types";
import { parseSquare } from "chessops/util";
import { h } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { App } from "../app";
import { drawingsOn } from "../game/annotation";
import type { GameNode } from "../game/tree";
import { text } from "../language/catalogue";
import { arrowsOf, BRUSHES, drawingsOf, shapesOf } from "./arrows";
import { stepByWheel } from "./wheel";

const PROMOTIONS = [
  ["queen", "promote-queen"],
  ["knight", "promote-knight"],
  ["rook", "promote-rook"],
  ["bishop", "promote-bishop"],
] as const;

interface Promotion {
  readonly move: NormalMove;
  readonly color: "white" | "black";
}

/** The state of the board besides the game. */
interface BoardState {
  /** A move that waits for the choice of a piece. */
  readonly promotion: Signal<Promotion | null>;
  /** Changes when the board is to be drawn anew. */
  readonly redraws: Signal<number>;
  readonly isTouched: { current: boolean };
}

export function Board({ app }: { app: App }) {
  const element = useRef<HTMLDivElement>(null);
  const isTouched = useRef(false);
  const promotion = useSignal<Promotion | null>(null);
  const redraws = useSignal(0);
  // Before the next paint: a board without a size is drawn wrongly.
  useLayoutEffect(() => {
    if (!element.current) return;
    const state = { promotion, redraws, isTouched };
    const board = makeBoard(app, element.current, state);
    const ends = [
      ...showPosition(app, board, state),
      showArrows(app, board),
      stepThroughGame(app, element.current),
    ];
    return () => {
      for (const end of ends) end();
      // The board may still have drawings to show later.
      board.setAutoShapes([]);
      board.setShapes([]);
      board.destroy();
    };
  }, [app, promotion, redraws]);

  const promote = (role: Role | null) => {
    const asked = promotion.value;
    promotion.value = null;
    if (asked && role) app.playMove({ ...asked.move, promotion: role });
    else redraws.value++; // The board has moved the pawn: it goes back.
  };

  return (
    <div class="board-frame">
      <div
        class="board"
        ref={element}
        data-testid="board"
        onPointerDownCapture={({ pointerType }) => (isTouched.current = pointerType === "touch")}
      />
      {promotion.value && (
        <PromotionChoice
          {...promotion.value}
          orientation={app.study.orientation.value}
          choose={promote}
        />
      )}
    </div>
  );
}

function makeBoard(app: App, element: HTMLElement, { promotion, isTouched }: BoardState): Api {
  const after = (from: Key, to: Key) => {
    const move = { from: parseSquare(from), to: parseSquare(to) } as NormalMove;
    const node = app.study.node.peek();
    if (isPromotion(node, move)) promotion.value = { move, color: node.turn };
    else app.playMove(move);
  };
  const onChange = (shapes: DrawShape[]) => {
    // Touch draws nothing, and a tap beside the pieces is not meant to remove drawings.
    if (!app.mayChange.peek() || isTouched.current) return;
    app.study.draw(app.study.node.peek(), drawingsOf(shapes));
  };
  return Chessground(element, {
    animation: {
      enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      duration: 180,
    },
    draggable: { showGhost: true },
    // Moving a piece keeps the drawings; a click beside the pieces removes them.
    drawable: { brushes: BRUSHES, eraseOnMovablePieceClick: false, onChange },
    movable: { free: false, showDests: true, events: { after } },
  });
}

/** Show the current position and the user's drawings; the results stop that. */
function showPosition(app: App, board: Api, { promotion, redraws }: BoardState): (() => void)[] {
  const { node, tree, version, orientation } = app.study;
  let drawn = "";
  let shown: GameNode | null = null;
  return [
    effect(() => {
      promotion.value = null;
      void redraws.value;
      const [current, mover] = [node.value, app.movableSide.value];
      const shapes = shapesOn(current, app);
      drawn = JSON.stringify(shapes);
      board.set({ ...configOf(current, tree.value.chess960, mover), drawable: { shapes } });
      // A premove is for the answer to this move, and not for a move that was taken back.
      if (shown && current !== shown && current.parent !== shown) board.cancelPremove();
      shown = current;
      if (mover === current.turn) board.playPremove();
    }),
    effect(() => board.set({ orientation: orientation.value })),
    effect(() => {
      void version.value;
      void app.practice.mistake.value;
      const shapes = shapesOn(node.value, app);
      if (JSON.stringify(shapes) === drawn) return;
      drawn = JSON.stringify(shapes);
      board.setShapes(shapes);
    }),
  ];
}

/** Show arrows for the engine's best moves; the result stops that. */
function showArrows(app: App, board: Api): () => void {
  const { main, shownKey, threat, running, progress } = app.analysis;
  let drawn = "[]";
  return effect(() => {
    const isElsewhere = app.isPlaying.value || app.practice.mistake.value || progress.value;
    const isShown = app.settings.value.arrows && running.value && !isElsewhere;
    const isThreat = threat.value !== null;
    const shapes = isShown ? arrowsOf(main.findings.value, shownKey.value, isThreat) : [];
    // Each change draws the board anew.
    if (JSON.stringify(shapes) === drawn) return;
    drawn = JSON.stringify(shapes);
    board.setAutoShapes(shapes);
  });
}

/** A small board for the variation under the pointer. */
export function MiniBoard(props: {
  fen: string;
  orientation: "white" | "black";
  lastMove: readonly string[];
}) {
  const element = useRef<HTMLDivElement>(null);
  const board = useRef<Api | null>(null);
  useEffect(() => {
    if (element.current) {
      board.current = Chessground(element.current, { viewOnly: true, coordinates: false });
    }
    return () => board.current?.destroy();
  }, []);
  useEffect(() => {
    board.current?.set({
      fen: props.fen,
      orientation: props.orientation,
      lastMove: [...props.lastMove] as Key[],
      animation: { enabled: false },
    });
  });
  return <div class="mini" ref={element} />;
}

function PromotionChoice(props: {
  move: NormalMove;
  color: "white" | "black";
  orientation: "white" | "black";
  choose: (role: Role | null) => void;
}) {
  const first = useRef<HTMLButtonElement>(null);
  // Before any key can be pressed: Esc is handled here.
  useLayoutEffect(() => first.current?.focus(), []);
  const file = props.move.to & 7;
  const column = props.orientation === "white" ? file : 7 - file;
  const isTop = (props.color === "white") === (props.orientation === "white");
  return (
    <div
      class="promotion-shade"
      role="dialog"
      aria-label={text("promote-to")}
      onClick={() => props.choose(null)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") props.choose(null);
      }}
    >
      <div class={`promotion column-${column} ${isTop ? "top" : "bottom"}`}>
        {PROMOTIONS.map(([role, id], at) => (
          <button
            type="button"
            key={role}
            ref={at === 0 ? first : null}
            class="cg-wrap"
            aria-label={text(id)}
            onClick={(event) => {
              event.stopPropagation();
              props.choose(role);
            }}
          >
            {h("piece", { class: `${role} ${props.color}` })}
          </button>
        ))}
      </div>
    </div>
  );
}

function configOf(node: GameNode, chess960: boolean, mover: Color | null): Config {
  const position = node.position();
  return {
    fen: node.fen,
    turnColor: position.turn,
    lastMove: [...node.squares] as Key[],
    check: position.isCheck(),
    movable: {
      color: mover ?? position.turn,
      dests: mover ? (chessgroundDests(position, { chess960 }) as Map<Key, Key[]>) : new Map(),
    },
    premovable: { enabled: mover !== null && mover !== position.turn },
  };
}

/** Return the drawings at a position; none in practice, where they may show the answer. */
function shapesOn(node: GameNode, app: App): DrawShape[] {
  return app.practice.mistake.peek() ? [] : shapesOf(drawingsOn(node));
}

function isPromotion(node: GameNode, move: NormalMove): boolean {
  const piece = node.position().board.get(move.from);
  return piece?.role === "pawn" && (move.to < 8 || move.to >= 56);
}

/** Step through the game with the wheel, unless the page is longer than the window; the result stops that. */
function stepThroughGame(app: App, element: HTMLElement): () => void {
  const step = (isForward: boolean) => (isForward ? app.study.goForward() : app.study.goBack());
  return stepByWheel(
    element,
    step,
    () => app.practice.mistake.peek() !== null || isPageScrollable(),
  );
}

function isPageScrollable(): boolean {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight > clientHeight + 1; // Browsers round each of them.
}
