/** The moves of the game, with variations, comments and glyphs. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { scoreText } from "../analysis/score";
import type { App } from "../app";
import { commentText } from "../game/pgn";
import { type GameNode, moveNumber } from "../game/tree";

const GLYPHS: Readonly<Record<number, string>> = {
  1: "!",
  2: "?",
  3: "!!",
  4: "??",
  5: "!?",
  6: "?!",
  7: "□",
  10: "=",
  13: "∞",
  14: "⩲",
  15: "⩱",
  16: "±",
  17: "∓",
  18: "+−",
  19: "−+",
  22: "⨀",
  32: "⟳",
  36: "→",
  40: "↑",
  132: "⇆",
  146: "N",
};
const CLASSES: Readonly<Record<number, string>> = { 2: "mistake", 4: "blunder", 6: "inaccuracy" };
const EDGE = 60; // px: so near to an edge the current move is brought to the middle
const JUDGED = { inaccuracy: 6, mistake: 2, blunder: 4 } as const;

export function Moves({ app }: { app: App }) {
  void app.study.version.value;
  const tree = app.study.tree.value;
  const current = app.study.node.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const active = box.current?.querySelector<HTMLElement>("[aria-current]");
    if (!box.current || !active) return;
    // Only the list is moved, never the page.
    const { offsetTop, offsetHeight } = active;
    const { scrollTop, clientHeight } = box.current;
    const isAbove = offsetTop < scrollTop + EDGE;
    if (isAbove || offsetTop + offsetHeight > scrollTop + clientHeight - EDGE) {
      box.current.scrollTop = offsetTop - clientHeight / 2;
    }
  });
  const opening = app.openings.of(current);
  return (
    <section class="moves" aria-label="Moves" ref={box} tabIndex={-1}>
      {opening && (
        <p class="opening" title={opening.name} data-testid="opening">
          <b>{opening.eco}</b> {opening.name}
        </p>
      )}
      <Comments texts={tree.root.comments} />
      {tree.root.children.length === 0 && (
        <p class="hint">
          Make a move on the board, or paste a game or a position (Ctrl+V) anywhere on this page.
        </p>
      )}
      <div class="mainline">
        <Mainline app={app} from={tree.root} current={current} />
      </div>
      <p class="result">{resultText(tree.headers.get("Result"))}</p>
    </section>
  );
}

/** Two moves to a row, as in a book; what is said about a move breaks the row. */
function Mainline(props: { app: App; from: GameNode; current: GameNode }) {
  const { app, from, current } = props;
  const rows: ComponentChildren[] = [];
  let parent = from;
  let isOpen = false;
  for (let node = parent.children[0]; node; parent = node, node = node.children[0]) {
    const isWhite = node.ply % 2 === 1;
    if (isWhite || !isOpen) rows.push(<RowNumber key={`n${node.id}`} ply={node.ply} />);
    if (!isWhite && !isOpen)
      rows.push(
        <span key={`e${node.id}`} class="move empty">
          …
        </span>,
      );
    rows.push(<Move key={node.id} app={app} node={node} current={current} isMain />);
    const others = parent.children.slice(1);
    const interrupts = others.length > 0 || node.comments.some((each) => commentText(each));
    isOpen = isWhite && !interrupts;
    if (!interrupts) continue;
    if (isWhite)
      rows.push(
        <span key={`f${node.id}`} class="move empty">
          …
        </span>,
      );
    rows.push(
      <div class="aside" key={`a${node.id}`}>
        <Comments texts={node.comments} />
        {others.map((other) => (
          <div class="variation" key={other.id}>
            <Variation app={app} node={other} current={current} depth={1} />
          </div>
        ))}
      </div>,
    );
  }
  return <>{rows}</>;
}

/** A variation runs on in one paragraph; its own are in parentheses. */
function Variation(props: { app: App; node: GameNode; current: GameNode; depth: number }) {
  const { app, current, depth } = props;
  const parts: ComponentChildren[] = [];
  let node: GameNode | undefined = props.node;
  let needsNumber = true;
  while (node) {
    const texts = node.comments.map(commentText).filter(Boolean);
    const before = node.startingComments.map(commentText).filter(Boolean);
    if (before.length) parts.push(<Comments key={`s${node.id}`} texts={node.startingComments} />);
    const isNumbered = needsNumber || node.ply % 2 === 1;
    parts.push(
      <span class="inline" key={node.id}>
        {isNumbered && <span class="number">{moveNumber(node.ply)}</span>}
        <Move app={app} node={node} current={current} />
      </span>,
    );
    if (texts.length) parts.push(<Comments key={`c${node.id}`} texts={node.comments} />);
    const others: GameNode[] = node === props.node ? [] : (node.parent?.children.slice(1) ?? []);
    for (const other of others) {
      parts.push(
        <span class="inner" key={`v${other.id}`}>
          (<Variation app={app} node={other} current={current} depth={depth + 1} />)
        </span>,
      );
    }
    needsNumber = texts.length > 0 || others.length > 0;
    node = node.children[0];
  }
  return <>{parts}</>;
}

function RowNumber({ ply }: { ply: number }) {
  return <span class="row-number">{Math.ceil(ply / 2)}</span>;
}

function Move(props: { app: App; node: GameNode; current: GameNode; isMain?: boolean }) {
  const { app, node, current, isMain } = props;
  const nags = node.judgement ? [JUDGED[node.judgement], ...node.nags] : node.nags;
  const glyphs = [...new Set(nags)].map((nag) => GLYPHS[nag] ?? "").join("");
  const tone = nags.map((nag) => CLASSES[nag] ?? "").join(" ");
  return (
    <button
      type="button"
      class={`move ${tone}`}
      aria-current={node === current ? "true" : undefined}
      onClick={() => app.study.go(node)}
    >
      <span>
        {node.san}
        {glyphs && <span class="glyph">{glyphs}</span>}
      </span>
      {isMain && node.verdict && node.verdict.depth > 0 && (
        <span class="move-score">{scoreText(node.verdict.score)}</span>
      )}
    </button>
  );
}

function Comments({ texts }: { texts: readonly string[] }) {
  const shown = texts.map(commentText).filter(Boolean);
  return (
    <>
      {shown.map((text) => (
        <span class="comment" key={text}>
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
