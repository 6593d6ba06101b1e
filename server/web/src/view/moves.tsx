/** The moves of the game, with variations, comments and glyphs. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { scoreText } from "../analysis/score";
import type { App } from "../app";
import { commentText, shownNags, spentText, timeSpent } from "../game/annotation";
import { glyphsOf } from "../game/glyph";
import { isBookMove } from "../game/remark";
import { type GameNode, moveNumber } from "../game/tree";

const CLASSES: Readonly<Record<number, string>> = { 2: "mistake", 4: "blunder", 6: "inaccuracy" };
const EDGE = 60; // px; nearer to an edge, the current move is scrolled to the middle

export function Moves({ app }: { app: App }) {
  const version = app.study.version.value;
  const tree = app.study.tree.value;
  const current = app.study.node.value;
  const box = useRef<HTMLDivElement>(null);
  // In the same frame as the board.
  useLayoutEffect(() => markCurrent(box.current, current));
  const opening = app.openings.openingAt(current);
  const mayOpen = app.movableSide.value !== null && !app.isPlaying.value;
  // A game may have thousands of moves: they are drawn after changes, not at each step.
  const all = useMemo(() => <Mainline app={app} from={tree.root} />, [version, tree]);
  return (
    <section class="moves" aria-label="Moves" ref={box} tabIndex={-1}>
      {opening && (
        <p class="opening" title={opening.name} data-testid="opening">
          <b>{opening.eco}</b> {opening.name}
        </p>
      )}
      <Comments texts={tree.root.comments} />
      {tree.root.children.length === 0 && mayOpen && (
        <p class="hint">
          {endText(tree.root) ?? "Make a move on the board, or"} open a game or a position
          <span class="for-keys">: paste it (Ctrl+V) anywhere on this page</span>.
        </p>
      )}
      <div class="mainline">{all}</div>
      <p class="result">{resultText(tree.headers.get("Result"))}</p>
    </section>
  );
}

/** Return the end of the game by the position; null if there are legal moves. */
function endText(node: GameNode): string | null {
  const position = node.position();
  if (position.isCheckmate()) return "Checkmate:";
  return position.isStalemate() ? "Stalemate:" : null;
}

/** Mark the current move in the list, and scroll to it. */
function markCurrent(box: HTMLElement | null, current: GameNode): void {
  const next = box?.querySelector<HTMLElement>(`[data-node="${current.id}"]`) ?? null;
  for (const each of box?.querySelectorAll("[aria-current]") ?? []) {
    if (each !== next) each.removeAttribute("aria-current");
  }
  next?.setAttribute("aria-current", "true");
  if (!box || !next) return;
  // Only the list is scrolled, never the page.
  const { offsetTop, offsetHeight } = next;
  const { scrollTop, clientHeight } = box;
  const isAbove = offsetTop < scrollTop + EDGE;
  if (isAbove || offsetTop + offsetHeight > scrollTop + clientHeight - EDGE) {
    box.scrollTop = offsetTop - clientHeight / 2;
  }
}

/** The main line: two moves to a row; a comment or a variation breaks the row. */
function Mainline({ app, from }: { app: App; from: GameNode }) {
  const rows: ComponentChildren[] = [];
  let parent = from;
  let isOpen = false;
  for (let node = parent.children[0]; node; parent = node, node = node.children[0]) {
    const isWhite = node.ply % 2 === 1;
    if (isWhite || !isOpen) rows.push(<RowNumber key={`n${node.id}`} ply={node.ply} />);
    if (!isWhite && !isOpen) rows.push(<EmptyMove key={`e${node.id}`} />);
    rows.push(<Move key={node.id} app={app} node={node} isMain />);
    const others = parent.children.slice(1);
    const interrupts = others.length > 0 || node.comments.some((each) => commentText(each));
    isOpen = isWhite && !interrupts;
    if (!interrupts) continue;
    if (isWhite) rows.push(<EmptyMove key={`f${node.id}`} />);
    rows.push(
      <div class="aside" key={`a${node.id}`}>
        <Comments texts={node.comments} />
        {others.map((other) => (
          <div class="variation" key={other.id}>
            <Variation app={app} from={other} />
          </div>
        ))}
      </div>,
    );
  }
  return <>{rows}</>;
}

/** The rest of a variation: a move and what follows it. */
type Rest = { readonly node: GameNode; readonly isFirst: boolean; readonly isNumbered: boolean };

/**
 * A variation in one paragraph, with its own variations in parentheses.  The depth is not
 * limited, so the rest is kept in a list and not on the call stack.
 */
function Variation({ app, from }: { app: App; from: GameNode }) {
  const parts: ComponentChildren[] = [];
  const rest: (Rest | ")")[] = [{ node: from, isFirst: true, isNumbered: true }];
  let depth = 0;
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (next === ")") {
      depth--;
      parts.push(
        <span class="paren" key={`e${parts.length}`}>
          )
        </span>,
      );
      continue;
    }
    const { node, isFirst } = next;
    if (isFirst && node !== from) {
      depth++;
      parts.push(
        <span class="paren opening-one" key={`o${node.id}`}>
          (
        </span>,
      );
    }
    const isNumbered = next.isNumbered || node.ply % 2 === 1;
    parts.push(
      <Comments key={`s${node.id}`} texts={node.startingComments} />,
      <span class={depth ? "inline inner" : "inline"} key={node.id}>
        {isNumbered && <span class="number">{moveNumber(node.ply)}</span>}
        <Move app={app} node={node} />
      </span>,
      <Comments key={`c${node.id}`} texts={node.comments} />,
    );
    // Variations of the first move are paragraphs of their own.
    const others = isFirst ? [] : (node.parent?.children.slice(1) ?? []);
    const follows = node.children[0];
    const isBroken = others.length > 0 || node.comments.some((each) => commentText(each));
    if (follows) rest.push({ node: follows, isFirst: false, isNumbered: isBroken });
    for (const other of others.reverse()) {
      rest.push(")", { node: other, isFirst: true, isNumbered: true });
    }
  }
  return <>{parts}</>;
}

function EmptyMove() {
  return <span class="move empty">…</span>;
}

function RowNumber({ ply }: { ply: number }) {
  return <span class="row-number">{Math.ceil(ply / 2)}</span>;
}

function Move({ app, node, isMain }: { app: App; node: GameNode; isMain?: boolean }) {
  const nags = shownNags(node);
  const { signs, meaning } = glyphsOf(nags);
  const tone = nags.map((nag) => CLASSES[nag] ?? "").join(" ");
  return (
    <button
      type="button"
      class={`move ${tone}`}
      data-node={node.id}
      onClick={() => app.study.goTo(node)}
    >
      <span>
        {node.san}
        {signs && (
          <span class="glyph" title={meaning}>
            {signs}
          </span>
        )}
      </span>
      {isMain && <MoveScore node={node} />}
    </button>
  );
}

/** The score after a move, or a remark that it is from a book. */
function MoveScore({ node }: { node: GameNode }) {
  const { verdict } = node;
  const isShown = verdict && verdict.depth !== 0;
  const text = isShown ? scoreText(verdict.score) : node.comments.some(isBookMove) ? "book" : "";
  if (!text) return null;
  const seconds = timeSpent(node);
  const parts = [
    isShown && verdict.depth ? `depth ${verdict.depth}` : "",
    seconds === null ? "" : spentText(seconds),
  ];
  return (
    <span class="move-score" title={parts.filter(Boolean).join(", ") || undefined}>
      {text}
    </span>
  );
}

function Comments({ texts }: { texts: readonly string[] }) {
  const shown = texts.map(commentText).filter(Boolean);
  return (
    <>
      {shown.map((text, at) => (
        <span class="comment" key={at}>
          {text}
        </span>
      ))}
    </>
  );
}

function resultText(result: string | undefined): string {
  const texts: Record<string, string> = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" };
  return texts[result ?? ""] ?? "";
}
