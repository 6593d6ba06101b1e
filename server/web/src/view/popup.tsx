/** A menu that opens at a point of the page, beside what it is about. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

const EDGE = 4; // px from the edges of the window
const ITEMS = "[role^=menuitem]";

/** The element to return to, and the point at which a menu opens. */
export interface PopupPlace {
  readonly opener: HTMLElement;
  readonly x: number;
  readonly y: number;
}

export function Popup(props: {
  label: string;
  place: PopupPlace;
  close: () => void;
  /** Return the items; what they are given closes the menu, and acts. */
  children: (act: (action: () => void) => void) => ComponentChildren;
}) {
  const { label, place } = props;
  const { opener } = place;
  const menu = useRef<HTMLDivElement>(null);
  const close = () => {
    props.close();
    opener.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    if (menu.current) putInWindow(menu.current, place); // Its items may be other ones.
  });
  useLayoutEffect(() => {
    menu.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
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
  return (
    <div
      class="menu"
      role="menu"
      aria-label={label}
      ref={menu}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        event.stopPropagation(); // The keys of the page mean the board.
        if (event.key === "Escape" || event.key === "Tab") close();
        else if (!stepTo(event.currentTarget, event.key)) return;
        event.preventDefault();
      }}
    >
      {props.children((action) => {
        close();
        action();
      })}
    </div>
  );
}

export function MenuItem(props: { onClick: () => void; children: ComponentChildren }) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={props.onClick}>
      {props.children}
    </button>
  );
}

/** Put a menu at its point, or as near to it as the window has room. */
function putInWindow(menu: HTMLElement, { x, y }: PopupPlace): void {
  menu.style.left = menu.style.top = "0"; // so that it has all the width that it wants
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(EDGE, Math.min(x, innerWidth - width - EDGE))}px`;
  menu.style.top = `${Math.max(EDGE, Math.min(y, innerHeight - height - EDGE))}px`;
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
