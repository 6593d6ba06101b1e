/**
 * A panel beside the board, with a heading that folds it.
 *
 * All panels stand in `.panels`, which scrolls them in the room that the moves leave; in a wide
 * window they have a column of their own.
 */

import type { ComponentChildren } from "preact";
import type { App } from "../app";
import { Icon } from "./controls";

/** Whether the content of a panel is shown, and the way to change that. */
export interface Folding {
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** Return the state of a panel that the browser remembers; at first it is open. */
export function rememberedFolding(app: App, id: string): Folding {
  const { folded } = app.settings.value;
  const isFolded = folded[id] === true;
  return {
    isOpen: !isFolded,
    toggle: () => app.changeSettings({ folded: { ...folded, [id]: !isFolded } }),
  };
}

export function Panel(props: {
  title: string;
  /** The class of the panel. */
  look: string;
  /** Missing if there is nothing to fold. */
  folding?: Folding | undefined;
  /** Controls in the heading, which stay when the panel is folded. */
  actions?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const { title, folding } = props;
  return (
    <section class={`panel ${props.look}`} aria-label={title}>
      <div class="panel-head">
        <h2>
          {folding ? (
            <button type="button" aria-expanded={folding.isOpen} onClick={folding.toggle}>
              <Icon name={folding.isOpen ? "fold" : "unfold"} /> {title}
            </button>
          ) : (
            title
          )}
        </h2>
        {props.actions}
      </div>
      {folding?.isOpen && <div class="panel-body">{props.children}</div>}
    </section>
  );
}
