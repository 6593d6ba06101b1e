/** The list of moves as a control: its keys, its menu, and long presses. */

import type { GameNode, GameTree } from "../game/tree";
import type { MenuPlace } from "./menu";

const MOVE = ".move[data-node]";
const PRESS = 600; // ms; longer than the browsers that open a menu by themselves take
const JITTER = 10; // px that a finger at rest moves

/** Return the move at an element of the list, and the element; null if there is none. */
function moveAt(tree: GameTree, target: EventTarget | null): [HTMLElement, GameNode] | null {
  const opener = target instanceof Element ? target.closest<HTMLElement>(MOVE) : null;
  const id = Number(opener?.dataset.node);
  const node = opener && [...tree.nodes()].find((each) => each.id === id);
  return node ? [opener, node] : null;
}

/** Return the listeners by which a list opens the menu of a move. */
export function menuListeners(tree: () => GameTree, open: (place: MenuPlace) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start = { x: 0, y: 0 };
  const openAt = (event: Event, x: number, y: number) => {
    clearTimeout(timer);
    const found = moveAt(tree(), event.target);
    if (!found) return;
    event.preventDefault();
    const [opener, node] = found;
    open({ node, opener, x, y });
  };
  const isAway = ({ clientX, clientY }: PointerEvent) =>
    Math.hypot(clientX - start.x, clientY - start.y) > JITTER;
  return {
    onContextMenu: (event: MouseEvent) => openAt(event, event.clientX, event.clientY),
    onKeyDown: (event: KeyboardEvent) => {
      const isMenuKey = event.key === "ContextMenu" || (event.shiftKey && event.key === "F10");
      if (!isMenuKey || !(event.target instanceof Element)) return;
      const { left, bottom } = event.target.getBoundingClientRect();
      openAt(event, left, bottom);
    },
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType !== "touch") return;
      start = { x: event.clientX, y: event.clientY };
      timer = setTimeout(() => openAt(event, start.x, start.y), PRESS);
    },
    onPointerMove: (event: PointerEvent) => isAway(event) && clearTimeout(timer),
    onPointerUp: () => clearTimeout(timer),
    onPointerCancel: () => clearTimeout(timer),
  };
}
