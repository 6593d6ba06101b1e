/** The menu of a move: changes of its variation, its rating and comment, and text to copy. */

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { App } from "../app";
import { commentOn, ratingOf } from "../game/annotation";
import { glyphsOf, RATINGS } from "../game/glyph";
import { writeGameFrom } from "../game/pgn";
import { type GameNode, lineText, moveNumber } from "../game/tree";
import { text } from "../language/catalogue";

const EDGE = 4; // px from the edges of the window
const ITEMS = "[role^=menuitem]";

/** The move of a menu, the element to return to, and the point at which the menu opens. */
export interface MenuPlace {
  readonly node: GameNode;
  readonly opener: HTMLElement;
  readonly x: number;
  readonly y: number;
}

type Entry = readonly [label: string, act: () => void];

export function MoveMenu(props: { app: App; place: MenuPlace; close: () => void }) {
  const { app, place } = props;
  const { node, opener } = place;
  const menu = useRef<HTMLDivElement>(null);
  const close = () => {
    props.close();
    opener.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    if (menu.current) putInWindow(menu.current, place);
    opener.toggleAttribute("data-menu", true);
    return () => opener.toggleAttribute("data-menu", false);
  }, [place]);
  useEffect(() => {
    const closeOutside = (event: Event) => {
      if (!menu.current?.contains(event.target as Element)) props.close();
    };
    const ends = new AbortController();
    const options = { signal: ends.signal, capture: true };
    for (const type of ["pointerdown", "wheel"]) {
      document.addEventListener(type, closeOutside, options);
    }
    addEventListener("resize", props.close, options);
    return () => ends.abort();
  }, []);
  const act = (action: () => void) => {
    close();
    action();
  };
  const mayChange = app.mayChange.value;
  return (
    <div
      class="menu"
      role="menu"
      aria-label={`${moveNumber(node.ply)} ${node.san}`}
      ref={menu}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        event.stopPropagation(); // The keys of the page mean the board.
        if (event.key === "Escape" || event.key === "Tab") close();
        else if (!stepTo(event.currentTarget, event.key)) return;
        event.preventDefault();
      }}
    >
      {mayChange && <Ratings app={app} node={node} act={act} />}
      {[...(mayChange ? changesOf(app, node) : []), ...copiesOf(app, node)].map(
        ([label, action]) => (
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            key={label}
            onClick={() => act(action)}
          >
            {text(label)}
          </button>
        ),
      )}
    </div>
  );
}

function Ratings(props: { app: App; node: GameNode; act: (action: () => void) => void }) {
  const { app, node } = props;
  const rating = ratingOf(node);
  const rate = (nag: number) => () =>
    app.study.annotate(node, commentOn(node), nag === rating ? null : nag);
  return (
    <div class="menu-ratings" role="group" aria-label={text("menu-rate")}>
      {RATINGS.map(([nag, id]) => (
        <button
          type="button"
          role="menuitemradio"
          aria-checked={nag === rating}
          aria-label={text(id)}
          title={text(id)}
          tabIndex={-1}
          key={nag}
          onClick={() => props.act(rate(nag))}
        >
          {glyphsOf([nag]).signs}
        </button>
      ))}
    </div>
  );
}

function changesOf(app: App, node: GameNode): Entry[] {
  const { study } = app;
  const entries: Entry[] = [["menu-comment", () => comment(app, node)]];
  if (!node.isMainline) {
    entries.push(["menu-move-up", () => study.promoteVariation(node)]);
    entries.push(["moves-promote", () => study.promote(node)]);
  }
  entries.push(["menu-delete", () => study.remove(node)]);
  if (node.hasOtherLines) {
    entries.push(["menu-delete-others", () => study.removeOthers(node)]);
  }
  return entries;
}

function copiesOf(app: App, node: GameNode): Entry[] {
  return [
    ["menu-copy-moves", () => copy(app, lineText(node))],
    ["find-position", () => void app.opener.findInLibrary(node)],
    ["menu-copy-pgn", () => copy(app, writeGameFrom(app.study.tree.peek(), node))],
  ];
}

/** Open the window for a comment, which is on the move on the board. */
function comment(app: App, node: GameNode): void {
  app.study.goTo(node);
  app.openDialog("comment");
}

async function copy(app: App, content: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(content);
    app.toasts.addNote(text("copied"), content.length > 60 ? "" : content);
  } catch {
    app.toasts.addNote(text("copy-not-allowed"), content);
  }
}

/** Put a menu at its point, or as near to it as the window has room, and the focus into it. */
function putInWindow(menu: HTMLElement, { x, y }: MenuPlace): void {
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(EDGE, Math.min(x, innerWidth - width - EDGE))}px`;
  menu.style.top = `${Math.max(EDGE, Math.min(y, innerHeight - height - EDGE))}px`;
  menu.querySelector<HTMLElement>(`[role=menuitem]`)?.focus();
}

/** Move the focus in a menu by a key; return whether the key does that. */
function stepTo(menu: HTMLElement, key: string): boolean {
  const items = [...menu.querySelectorAll<HTMLElement>(ITEMS)];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: -1,
  };
  const target = targets[key];
  if (target === undefined) return false;
  items.at(target % items.length)?.focus();
  return true;
}
