/** The text of a game: its moves, with variations, comments and glyphs. */

import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { missedBy } from "../analysis/missed";
import { isDisputed } from "../analysis/review";
import { JUDGEMENTS, type Judgement, scoreText } from "../analysis/score";
import type { App } from "../app";
import { commentText, ratingOf, shownNags, spentText, timeSpent } from "../game/annotation";
import { glyphsOf } from "../game/glyph";
import { isBookMove } from "../game/remark";
import { type GameNode, type GameTree, moveNumber } from "../game/tree";
import { text } from "../language/catalogue";
import type { Score } from "../uci/line";
import { addNearest, type Block, blocksOf, type Drawing } from "./block";
import { type Folds, isFolded, revealing, rowsOf, type Written, writeVariation } from "./variation";

const CLASSES: Readonly<Record<number, string>> = { 2: "mistake", 4: "blunder", 6: "inaccuracy" };
const NO_BREAK = "\u2060";
const EDGE = 60; // px; nearer to an edge, the current move is scrolled to the middle

const DEEPEST_INDENT = 6; // The rows of a phone are short.

/** The parts of the page that the text of the moves needs. */
interface Reading {
  readonly study: Pick<App["study"], "node" | "goTo">;
  /** No signal: a move that read one would not be drawn again when it changes within. */
  readonly tries?: ReadonlySet<number>;
}

/** Return which variations of a game are folded: never one with the current move. */
export function useFolds(tree: GameTree, current: GameNode): Signal<Folds> {
  const folds = useMemo(() => signal<Folds>(new Map()), [tree]);
  const revealed = revealing(folds.value, current);
  useLayoutEffect(() => {
    folds.value = revealed;
  });
  return folds;
}

/** The button that folds the better lines of an analysis, or unfolds them if all are folded. */
export function FoldBetter(props: {
  app: Pick<Reading, "study">;
  lines: readonly GameNode[];
  folds: Signal<Folds>;
}) {
  const { app, lines, folds } = props;
  const folding = lines.some((start) => !isFolded(folds.value, start, 1));
  const fold = () => {
    folds.value = new Map([...folds.peek(), ...lines.map(({ id }) => [id, folding] as const)]);
    const path = app.study.node.peek().path();
    const hiding = folding && lines.find((start) => path.includes(start));
    if (hiding) app.study.goTo(hiding);
  };
  return (
    <button type="button" class="fold-better" onClick={fold}>
      {text(folding ? "moves-fold-better" : "moves-unfold-better")}
    </button>
  );
}

/** Mark the current move in the list, and scroll to it. */
function markCurrent(box: HTMLElement, current: GameNode): void {
  const next = box.querySelector<HTMLElement>(`[data-node="${current.id}"]`);
  for (const each of box.querySelectorAll("[aria-current]")) {
    if (each !== next) each.removeAttribute("aria-current");
  }
  next?.setAttribute("aria-current", "true");
  moveTabStop(box, next ?? box.querySelector<HTMLElement>(".move[data-node]"));
  if (next && !isWithin(next, box.scrollTop + EDGE, box.clientHeight - 2 * EDGE)) {
    scrollTo(box, next);
  }
}

function isWithin({ offsetTop, offsetHeight }: HTMLElement, top: number, height: number): boolean {
  return offsetTop >= top && offsetTop + offsetHeight <= top + height;
}

/** Show a move in the middle of the list; the page is not scrolled. */
function scrollTo(box: HTMLElement, move: HTMLElement): void {
  box.scrollTop = move.offsetTop - box.clientHeight / 2;
}

/** Keep the current move in sight when the list becomes lower; return what ends that. */
function keepInSight(box: HTMLElement): () => void {
  let height = box.clientHeight;
  const observer = new ResizeObserver(() => {
    const before = height;
    height = box.clientHeight;
    const current = box.querySelector<HTMLElement>("[aria-current]");
    if (!current || !isWithin(current, box.scrollTop, before)) return;
    if (!isWithin(current, box.scrollTop, height)) scrollTo(box, current);
  });
  observer.observe(box);
  return () => observer.disconnect();
}

/** Let the list have one stop for Tab; the focus, if it is in the list, moves there. */
function moveTabStop(box: HTMLElement, stop: HTMLElement | null): void {
  for (const each of box.querySelectorAll<HTMLElement>(".move[tabindex='0']")) {
    if (each !== stop) each.tabIndex = -1;
  }
  if (!stop || stop.tabIndex === 0) return;
  stop.tabIndex = 0;
  const focused = document.activeElement;
  const isInList = focused?.matches(".move[data-node]") && box.contains(focused);
  if (isInList && focused !== stop) stop.focus({ preventScroll: true });
}

/**
 * The main line.  A view is drawn again only if it is another one, so each block keeps its own.  A
 * long game is drawn in tasks after that in which it was read, the moves around the current one first.
 */
export function Mainline(props: {
  app: Reading;
  from: GameNode;
  folds: Signal<Folds>;
  current: GameNode;
  /** Changes whenever the game does. */
  version: number;
}) {
  const { app, from, folds, current, version } = props;
  const part = useRef<HTMLDivElement>(null);
  const [, draw] = useState({});
  const drawing = useMemo<Drawing<VNode>>(() => ({ blocks: [], drawn: new Set() }), [from]);
  useMemo(() => {
    drawing.blocks = blocksOf(from, folds.value, app.tries, drawing.blocks);
  }, [from, version, folds.value, app.tries]);
  addNearest(drawing, current);
  const { blocks, drawn } = drawing;
  // In the same frame as the board.
  useLayoutEffect(() => markCurrent(part.current?.parentElement as HTMLElement, current));
  useEffect(() => keepInSight(part.current?.parentElement as HTMLElement), []);
  useEffect(() => {
    if (drawn.size === blocks.length) return;
    const timer = setTimeout(() => {
      drawing.isLater = true;
      draw({});
    });
    return () => clearTimeout(timer);
  });
  const viewOf = (block: Block<VNode>, at: number) => {
    block.view ??= <Rows key={at} app={app} moves={block.moves} folds={folds} />;
    return block.view;
  };
  return <div ref={part}>{blocks.map((block, at) => drawn.has(at) && viewOf(block, at))}</div>;
}

/** Some moves of the main line: two to a row; a comment or a variation breaks the row. */
function Rows(props: { app: Reading; moves: readonly GameNode[]; folds: Signal<Folds> }) {
  const { app, moves, folds } = props;
  const rows: ComponentChildren[] = [];
  let isOpen = false;
  for (const node of moves) {
    const isWhite = node.ply % 2 === 1;
    if (isWhite || !isOpen) rows.push(<RowNumber key={`n${node.id}`} ply={node.ply} />);
    if (!isWhite && !isOpen) rows.push(<EmptyMove key={`e${node.id}`} />);
    rows.push(<Move key={node.id} app={app} node={node} isMain />);
    const others = node.parent?.children.slice(1) ?? [];
    const missed = missedBy(node);
    const interrupts =
      missed !== null || others.length > 0 || node.comments.some((each) => commentText(each));
    isOpen = isWhite && !interrupts;
    if (!interrupts) continue;
    if (isWhite) rows.push(<EmptyMove key={`f${node.id}`} />);
    rows.push(
      <div class="aside" key={`a${node.id}`}>
        <Comments texts={node.comments} />
        {missed && <p class="missed">{missed}</p>}
        {others.map((other) => (
          <div class="variation" key={other.id}>
            <Variation app={app} from={other} folds={folds} />
          </div>
        ))}
      </div>,
    );
  }
  return <div class="mainline">{rows}</div>;
}

/** A variation of the main line; its own variations have rows of their own, indented. */
function Variation(props: { app: Reading; from: GameNode; folds: Signal<Folds> }) {
  const { app, from, folds } = props;
  const fold = ({ node, isFolded }: Written) => {
    folds.value = new Map([...folds.peek(), [node.id, !isFolded]]);
    // The current move stays in sight.
    const isHidden = !isFolded && app.study.node.peek().path().includes(node);
    if (isHidden) app.study.goTo(node);
  };
  return (
    <>
      {rowsOf(writeVariation(from, folds.peek())).map((row) => (
        <div
          class="variation-row"
          key={row[0]?.node.id}
          style={{ "--level": Math.min(row[0]?.level ?? 1, DEEPEST_INDENT) }}
        >
          {row.map((each) => (
            <WrittenMove key={each.node.id} app={app} written={each} fold={() => fold(each)} />
          ))}
        </div>
      ))}
    </>
  );
}

/** A move of a variation, with its comments; a bracket stays with what it encloses. */
function WrittenMove(props: { app: Reading; written: Written; fold: () => void }) {
  const { node, level, isNumbered, opens, closes, isFolded } = props.written;
  const hasBefore = node.startingComments.some((each) => commentText(each));
  const hasAfter = !isFolded && node.comments.some((each) => commentText(each));
  const number = moveNumber(node.ply);
  const bracket = opens && (
    <button
      type="button"
      class="bracket"
      tabIndex={-1}
      aria-expanded={!isFolded}
      aria-label={text("moves-variation", { move: `${number} ${node.san}` })}
      title={text(isFolded ? "moves-unfold" : "moves-fold")}
      onClick={props.fold}
    >
      (
    </button>
  );
  const end = `${isFolded ? "…" : ""}${")".repeat(closes)}`;
  return (
    <>
      {hasBefore && bracket}
      {hasBefore && opens && NO_BREAK}
      <Comments texts={node.startingComments} />
      <span class={`inline level-${Math.min(level, 3)}`}>
        {!hasBefore && bracket}
        {isNumbered && <span class="number">{number}</span>}
        <Move app={props.app} node={node} />
        {!node.children.length && <MoveScore node={node} />}
        {!hasAfter && end && <span class="paren">{end}</span>}
      </span>
      {hasAfter && <Comments texts={node.comments} />}
      {hasAfter && end && <span class="paren">{NO_BREAK + end}</span>}
    </>
  );
}

function EmptyMove() {
  return <span class="move empty">…</span>;
}

function RowNumber({ ply }: { ply: number }) {
  return <span class="row-number">{Math.ceil(ply / 2)}</span>;
}

function Move({ app, node, isMain }: { app: Reading; node: GameNode; isMain?: boolean }) {
  const nags = shownNags(node);
  const { signs, meaning } = glyphsOf(nags);
  const isTry = app.tries?.has(node.id) ?? false;
  const tone = [...nags.map((nag) => CLASSES[nag] ?? ""), isTry ? "try" : ""].join(" ");
  return (
    <button
      type="button"
      class={`move ${tone}`}
      data-node={node.id}
      tabIndex={-1}
      aria-label={
        isTry
          ? text("moves-your-try", { move: spokenName(node, isMain) })
          : spokenName(node, isMain)
      }
      title={isTry ? text("moves-your-try-title") : undefined}
      onClick={() => app.study.goTo(node)}
    >
      <span>
        {node.san}
        {signs && (
          <span class="glyph" title={meaning}>
            {signs}
          </span>
        )}
        {isDisputed(node) && (
          <span class="difference" title={disputeOf(node)}>
            ≠
          </span>
        )}
      </span>
      {isMain && <MoveScore node={node} />}
    </button>
  );
}

/** Return the two opinions of a move, in words. */
function disputeOf({ judgement, verdict, second }: GameNode): string {
  const words = (judged: Judgement | null, score?: Score) => {
    const judgement = judged ? text(JUDGEMENTS[judged]) : text("moves-good-enough");
    return score
      ? text("moves-judged-with-score", { judgement, score: scoreText(score) })
      : judgement;
  };
  const other = words(second?.judgement ?? null, second?.verdict.score);
  const first = words(judgement, verdict?.score);
  return text("moves-disputed", { engine: second?.engine ?? "", other, first });
}

/** The score after a move, or a remark that it is from a book. */
function MoveScore({ node }: { node: GameNode }) {
  const { verdict } = node;
  const isShown = verdict && verdict.depth !== 0;
  const shown = isShown
    ? scoreText(verdict.score)
    : node.comments.some(isBookMove)
      ? text("moves-book")
      : "";
  if (!shown) return null;
  const seconds = timeSpent(node);
  const parts = [
    isShown && verdict.depth ? text("moves-depth", { depth: String(verdict.depth) }) : "",
    seconds === null ? "" : spentText(seconds),
  ];
  return (
    <span class="move-score" title={parts.filter(Boolean).join(", ") || undefined}>
      {shown}
    </span>
  );
}

/** Return the name of a move for screen readers: `Black, move 1, e5, mistake`. */
function spokenName(node: GameNode, isScored = false): string {
  const side = text(node.parent?.turn ?? "white");
  const number = text("moves-number", { number: String(Math.ceil(node.ply / 2)) });
  const judgement = ratingOf(node) === null && node.judgement && text(JUDGEMENTS[node.judgement]);
  const words = [judgement, glyphsOf(node.nags).meaning];
  const score = isScored && node.verdict?.depth !== 0 && node.verdict?.score;
  const said = score && scoreText(score);
  const dispute = isDisputed(node) && disputeOf(node);
  const parts = [side, number, node.san, ...words, said, dispute];
  return parts.filter(Boolean).join(", ");
}

export function Comments({ texts }: { texts: readonly string[] }) {
  const shown = texts.map(commentText).filter(Boolean);
  return (
    <>
      {shown.map((comment, at) => (
        <span class="comment" key={at}>
          {comment}
        </span>
      ))}
    </>
  );
}
