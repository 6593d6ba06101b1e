/** The menu of a move: changes of its variation, its rating and comment, and text to copy. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { App } from "../app";
import { commentOn, ratingOf } from "../game/annotation";
import { glyphsOf, RATINGS } from "../game/glyph";
import { writeGameFrom } from "../game/pgn";
import { type GameNode, lineText, moveNumber } from "../game/tree";
import { text } from "../language/catalogue";
import { describeSteered, type SteeringChoice } from "../projects/steering";
import { MenuItem, Popup, type PopupPlace } from "./popup";

/** The move of a menu, and where the menu opens. */
export interface MenuPlace extends PopupPlace {
  readonly node: GameNode;
}

type Entry = readonly [label: string, act: () => void];

export function MoveMenu(props: { app: App; place: MenuPlace; close: () => void }) {
  const { app, place, close } = props;
  const { node } = place;
  const mayChange = app.mayChange.value;
  const choices = useChoices(app, node);
  return (
    <Popup label={`${moveNumber(node.ply)} ${node.san}`} place={place} close={close}>
      {(act) => (
        <>
          {mayChange && <Ratings app={app} node={node} act={act} />}
          {[...(mayChange ? changesOf(app, node) : []), ...copiesOf(app, node)].map(
            ([label, action]) => (
              <MenuItem key={label} onClick={() => act(action)}>
                {text(label)}
              </MenuItem>
            ),
          )}
          {choices.length > 0 && <SteeringPart app={app} node={node} choices={choices} act={act} />}
        </>
      )}
    </Popup>
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

/** Return how the project beside the board can be steered at a move, when the server has said so. */
function useChoices(app: App, node: GameNode): readonly SteeringChoice[] {
  const choices = useSignal<readonly SteeringChoice[]>([]);
  useEffect(() => {
    let isOpen = true;
    choices.value = [];
    void app.projects?.shown.choicesFor(node).then((found) => {
      if (isOpen) choices.value = found;
    });
    return () => {
      isOpen = false;
    };
  }, [node]);
  return choices.value;
}

/** The part of the menu that is about the project beside the board. */
function SteeringPart(props: {
  app: App;
  node: GameNode;
  choices: readonly SteeringChoice[];
  act: (action: () => void) => void;
}) {
  const { app, node, choices, act } = props;
  const steer = async ({ place, steering }: SteeringChoice) => {
    const isDone = await app.projects?.shown.steerAt(place, steering);
    if (isDone) app.toasts.addNote(describeSteered(steering, node.san));
  };
  return (
    <div class="project-menu" role="group" aria-label={text("project")}>
      <span class="hint" aria-hidden="true">
        {text("project")}
      </span>
      {choices.map((choice) => (
        <MenuItem key={choice.label} onClick={() => act(() => void steer(choice))}>
          {text(choice.label)}
        </MenuItem>
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
