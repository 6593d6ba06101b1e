/** What can be done to steer the growth of a tree, at a position and at a move of it.  Pure. */

import { text } from "../language/catalogue";
import { placeBehind } from "./place";
import type { Place, Steering, TreeMove, TreePosition } from "./tree";

/** Something that can be done, with the id of its text. */
export interface SteeringChoice {
  readonly label: string;
  readonly place: Place;
  readonly steering: Steering;
}

/** Return what can be done with a move that is listed at a place. */
export function choicesOfMove(
  place: Place,
  { move, san, excluded, pinned, nodes = 0 }: TreeMove,
): readonly SteeringChoice[] {
  const choices: SteeringChoice[] = [];
  const add = (label: string, action: Steering["action"]) =>
    choices.push({ label, place, steering: { action, move } });
  if (excluded) add("project-include", "include");
  else add("project-exclude", "exclude");
  if (pinned) add("project-unpin", "unpin");
  else if (!excluded) add("project-pin", "pin");
  return nodes && !excluded ? [...choices, deepening(placeBehind(place, san))] : choices;
}

/** Return what can be done with a position. */
export function choicesOfPosition(
  place: Place,
  { others }: TreePosition,
): readonly SteeringChoice[] {
  const choices = [deepening(place)];
  const add = (label: string, action: Steering["action"]) =>
    choices.push({ label, place, steering: { action, move: "*" } });
  if (others?.excluded) add("project-include-others", "include");
  else if (others) add("project-exclude-others", "exclude");
  return choices;
}

/**
 * Return what can be done with a move of a game, by its SAN, from a position that a tree may have.
 * Null is that the tree does not come to this move.
 */
export function choicesInGame(
  place: Place,
  position: TreePosition,
  san: string,
): readonly SteeringChoice[] | null {
  const move = position.moves?.find((each) => each.san === san);
  if (move) return choicesOfMove(place, move);
  if (position.kind === "unknown" && place.fen !== undefined) return null;
  return [{ label: "project-add-move", place, steering: { action: "add", move: san } }];
}

export function deepening(place: Place): SteeringChoice {
  return { label: "project-deepen", place, steering: { action: "deepen" } };
}

const DONE = {
  exclude: "project-done-exclude",
  include: "project-done-include",
  pin: "project-done-pin",
  unpin: "project-done-unpin",
  add: "project-done-add",
  deepen: "project-done-deepen",
} as const;

/** Describe what was done with a move, which is in SAN: `Nf3: excluded.` */
export function describeSteered({ action, move }: Steering, san: string): string {
  return text(DONE[action], { move: move === "*" ? text("project-other-moves") : san });
}
