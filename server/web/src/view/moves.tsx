/** The list of moves of the game on the board. */

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { App } from "../app";
import { resultOf } from "../game/headers";
import type { GameNode } from "../game/tree";
import { text } from "../language/catalogue";
import { later } from "./later";
import type { MenuPlace } from "./menu";
import { menuListeners } from "./move_list";
import { Comments, FoldBetter, Mainline, useFolds } from "./move_text";
import { resultText } from "./result";
import { betterLines } from "./variation";

const MoveMenu = later(() => import("./menu").then((it) => it.MoveMenu));

export function Moves({ app }: { app: App }) {
  const version = app.study.version.value;
  const tree = app.study.tree.value;
  const current = app.study.node.value;
  const opening = app.openings.openingAt(current);
  const mayOpen = app.mayChange.value;
  const folds = useFolds(tree, current);
  const tries = app.tries.value;
  const better = useMemo(() => betterLines(tree), [version, tree]);
  const menu = useSignal<MenuPlace | null>(null);
  const setMenu = (place: MenuPlace | null) => {
    menu.value = place;
  };
  const listeners = useMemo(() => menuListeners(() => app.study.tree.peek(), setMenu), [app]);
  return (
    <section class="moves" aria-label={text("page-moves")} tabIndex={-1} {...listeners}>
      {menu.value && <MoveMenu app={app} place={menu.value} close={() => setMenu(null)} />}
      {opening && (
        <p class="opening" title={opening.name} data-testid="opening">
          <b>{opening.eco}</b> {opening.name}
        </p>
      )}
      <Comments texts={tree.root.comments} />
      {better.length > 0 && <FoldBetter app={app} lines={better} folds={folds} />}
      {tree.root.children.length === 0 && mayOpen && (
        <p class="hint">
          {text(openingHint(tree.root))}
          <span class="for-keys">{text("moves-paste")}</span>.
        </p>
      )}
      <Mainline
        app={{ study: app.study, tries }}
        from={tree.root}
        folds={folds}
        current={current}
        version={version}
      />
      <p class="result">{resultText(resultOf(tree))}</p>
    </section>
  );
}

/** Return the text that says what can be done where there are no moves. */
function openingHint(node: GameNode): string {
  const position = node.position();
  if (position.isCheckmate()) return "moves-checkmate-open";
  return position.isStalemate() ? "moves-stalemate-open" : "moves-make-or-open";
}
