/**
 * What two states of a game differ in, and how to make the same changes in a third.  Pure.
 *
 * Changes of two people to the same game are joined: both moves stay, both comments stay, and a
 * move is not removed if the other has continued after it.  Where only one value is possible, as
 * for a tag, the later one counts.
 */

import { parseUci } from "chessops/util";
import { isSuggestion } from "../game/annotation";
import { resultOnBoard } from "../game/headers";
import type { GameNode, GameTree } from "../game/tree";

/** A move with what is said about it, as plain data. */
export interface Sketch {
  /** The move in UCI; with a number, if an earlier alternative is the same move. */
  readonly key: string;
  readonly lists: Lists;
  readonly values: Values;
  readonly children: readonly Sketch[];
}

interface Lists {
  readonly comments: readonly string[];
  readonly startingComments: readonly string[];
  readonly nags: readonly number[];
}

type Values = Pick<GameNode, "verdict" | "judgement">;

/** A whole game as plain data. */
export interface GameSketch {
  readonly headers: ReadonlyMap<string, string>;
  readonly root: Sketch;
}

type Path = readonly string[];

export type Change =
  | { readonly type: "add"; readonly path: Path; readonly move: Sketch }
  | { readonly type: "remove"; readonly path: Path; readonly move: Sketch }
  | { readonly type: "annotate"; readonly path: Path; readonly from: Sketch; readonly to: Sketch }
  | { readonly type: "order"; readonly path: Path; readonly keys: readonly string[] }
  | {
      readonly type: "header";
      readonly name: string;
      readonly from: string | undefined;
      readonly to: string | undefined;
    };

const EVAL = /\s?\[%eval [^\]]*\]\s?/g; // The verdict says the same.
/** The tag by which a room knows which game it is. */
export const GAME_TAG = "RoomGame";
const WRITTEN = ["FEN", "SetUp", "Variant", GAME_TAG]; // of each game as it is written
const NULL_MOVE = "0000";
const LAST_RATING = 6; // `!` to `?!`: a move has one

/** Describe a game, without the moves that are skipped and those that only an analysis suggests. */
export function sketchOf(tree: GameTree, isSkipped = (_: GameNode) => false): GameSketch {
  // From the leaves to the root: a game may be deeper than a recursion.
  const nodes = [...tree.nodes()].reverse();
  const sketches = new Map<GameNode, Sketch>();
  for (const node of nodes) {
    const shown = node.children.filter((each) => !isSkipped(each) && !isSuggestion(each));
    const children = shown.flatMap((each) => sketches.get(each) ?? []);
    sketches.set(node, { ...describe(node), key: keyOf(node), children });
  }
  return { headers: tagsOf(tree), root: sketches.get(tree.root) as Sketch };
}

/** Return the tags that say something, and not only what the game itself does. */
function tagsOf(tree: GameTree): Map<string, string> {
  const isSaid = ([name, value]: [string, string]) =>
    !WRITTEN.includes(name) &&
    !/^[?.*]*$/.test(value) &&
    !(name === "Result" && value === resultOnBoard(tree));
  return new Map([...tree.headers].filter(isSaid));
}

function describe(node: GameNode): { lists: Lists; values: Values } {
  const { startingComments, nags, verdict, judgement } = node;
  const lists = {
    comments: withoutEval(node.comments),
    startingComments: [...startingComments],
    nags: [...nags],
  };
  return { lists, values: { verdict: verdict?.depth === 0 ? null : verdict, judgement } };
}

function withoutEval(comments: readonly string[]): string[] {
  return comments.map((each) => each.replace(EVAL, " ").trim()).filter(Boolean);
}

function keyOf(node: GameNode): string {
  const same = node.parent?.children.filter(({ uci }) => uci === node.uci) ?? [];
  const at = same.indexOf(node);
  return at > 0 ? `${node.uci}/${at}` : node.uci;
}

// --- differences

/** Return the changes that make one state of a game another. */
export function differences(before: GameSketch, after: GameSketch): Change[] {
  const changes: Change[] = [];
  for (const name of new Set([...before.headers.keys(), ...after.headers.keys()])) {
    const [from, to] = [before.headers.get(name), after.headers.get(name)];
    if (from !== to) changes.push({ type: "header", name, from, to });
  }
  const stack: [Step | null, Sketch, Sketch][] = [[null, before.root, after.root]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [step, from, to] = top;
    if (from === to) continue;
    if (!isSame(from, to)) changes.push({ type: "annotate", path: pathOf(step), from, to });
    if (isList(from.children, to.children, (one, other) => one.key === other.key)) {
      for (const [at, child] of to.children.entries()) {
        stack.push([{ parent: step, key: child.key }, from.children[at] as Sketch, child]);
      }
      continue;
    }
    const former = new Map(from.children.map((each) => [each.key, each]));
    for (const child of to.children) {
      const known = former.get(child.key);
      if (known) stack.push([{ parent: step, key: child.key }, known, child]);
      else changes.push({ type: "add", path: pathOf(step), move: child });
      former.delete(child.key);
    }
    for (const move of former.values()) {
      changes.push({ type: "remove", path: pathOf(step), move });
    }
    const keys = to.children.map(({ key }) => key);
    const kept = from.children.map(({ key }) => key).filter((key) => keys.includes(key));
    const added = keys.filter((key) => !kept.includes(key));
    // New moves come last by themselves.
    if (keys.join() !== [...kept, ...added].join()) {
      changes.push({ type: "order", path: pathOf(step), keys });
    }
  }
  return changes;
}

/** A move on the way to another; paths are written only where something has changed. */
interface Step {
  readonly parent: Step | null;
  readonly key: string;
}

function pathOf(last: Step | null): string[] {
  const keys: string[] = [];
  for (let step = last; step; step = step.parent) keys.push(step.key);
  return keys.reverse();
}

function isSame(one: Said, other: Said): boolean {
  return (
    isList(one.lists.comments, other.lists.comments) &&
    isList(one.lists.startingComments, other.lists.startingComments) &&
    isList(one.lists.nags, other.lists.nags) &&
    one.values.judgement === other.values.judgement &&
    isEqual(one.values.verdict, other.values.verdict)
  );
}

function isList<T>(
  one: readonly T[],
  other: readonly T[],
  isSameItem = (a: T, b: T) => a === b,
): boolean {
  return one.length === other.length && one.every((each, at) => isSameItem(each, other[at] as T));
}

// --- making changes

/** Make changes in a game, and join them with what is there. */
export function applyChanges(tree: GameTree, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.type === "header") {
      const headers = new Map(tree.headers);
      if (change.to === undefined) headers.delete(change.name);
      else headers.set(change.name, change.to);
      tree.headers = headers;
      continue;
    }
    const node = change.type === "remove" ? find(tree, change.path) : reach(tree, change.path);
    if (node) applyTo(tree, node, change);
  }
}

function applyTo(tree: GameTree, node: GameNode, change: Exclude<Change, { type: "header" }>) {
  if (change.type === "annotate") joinAnnotations(node, change.from, change.to);
  else if (change.type === "add") addMove(tree, node, change.move);
  else if (change.type === "order") sortChildren(node, change.keys);
  else {
    const child = childOf(node, change.move.key);
    if (child) removeKnown(tree, child, change.move);
  }
}

/** Return whether changes can be made where nothing that they change has been changed since. */
export function fits(tree: GameTree, changes: readonly Change[]): boolean {
  return changes.every((change) => {
    if (change.type === "header") return tagsOf(tree).get(change.name) === change.from;
    const node = find(tree, change.path);
    if (!node) return false;
    if (change.type === "annotate") return isSame(describe(node), change.from);
    if (change.type !== "remove") return true;
    const child = childOf(node, change.move.key);
    return child !== null && isAsKnown(child, change.move);
  });
}

function childOf(node: GameNode, key: string): GameNode | null {
  const [uci, at = "0"] = key.split("/");
  return node.children.filter((each) => each.uci === uci)[Number(at)] ?? null;
}

function find(tree: GameTree, path: Path): GameNode | null {
  let node: GameNode | null = tree.root;
  for (const key of path) node = node && childOf(node, key);
  return node;
}

/** Return the node at a path, and play the moves that are missing; null if one is not legal. */
function reach(tree: GameTree, path: Path): GameNode | null {
  let node: GameNode | null = tree.root;
  for (const key of path) node = node && play(tree, node, key);
  return node;
}

function play(tree: GameTree, node: GameNode, key: string): GameNode | null {
  const known = childOf(node, key);
  if (known) return known;
  const [uci = "", at] = key.split("/");
  const isSeparate = at !== undefined;
  if (uci === NULL_MOVE) return tree.playNullMove(node, isSeparate);
  const move = parseUci(uci);
  return move ? tree.play(node, move, isSeparate) : null;
}

function addMove(tree: GameTree, parent: GameNode, added: Sketch): void {
  const stack: [GameNode, Sketch][] = [[parent, added]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, sketch] = top;
    const child = play(tree, node, sketch.key);
    if (!child) continue;
    joinAnnotations(child, EMPTY, sketch);
    // All alternatives are played before what is after them: their order counts.
    for (const each of sketch.children) play(tree, child, each.key);
    for (const each of sketch.children) stack.push([child, each]);
  }
}

const EMPTY: Pick<Sketch, "lists" | "values"> = {
  lists: { comments: [], startingComments: [], nags: [] },
  values: { verdict: null, judgement: null },
};

type Said = Pick<Sketch, "lists" | "values">;

function joinAnnotations(node: GameNode, from: Said, to: Said): void {
  const now = describe(node);
  const { comments, startingComments, nags } = now.lists;
  node.comments = joined(comments, from.lists.comments, to.lists.comments);
  node.startingComments = joined(
    startingComments,
    from.lists.startingComments,
    to.lists.startingComments,
  );
  const all = joined(nags, from.lists.nags, to.lists.nags);
  const rating = all.findLast((nag) => nag <= LAST_RATING);
  node.nags = all.filter((nag) => nag > LAST_RATING || nag === rating);
  if (!isEqual(from.values.verdict, to.values.verdict)) node.verdict = to.values.verdict;
  if (from.values.judgement !== to.values.judgement) node.judgement = to.values.judgement;
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Return a list with the changes that make one list another. */
function joined<T>(now: readonly T[], from: readonly T[], to: readonly T[]): T[] {
  if (isEqual(now, from)) return [...to];
  const kept = now.filter((each) => to.includes(each) || !from.includes(each));
  return [...kept, ...to.filter((each) => !from.includes(each) && !kept.includes(each))];
}

/** Sort all alternatives as another state of the game has them; others come last. */
export function sortAs(tree: GameTree, { root }: GameSketch): void {
  const stack: [GameNode, Sketch][] = [[tree.root, root]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, sketch] = top;
    // Before they are sorted: the numbers of equal moves are by their order.
    for (const each of sketch.children) {
      const child = childOf(node, each.key);
      if (child) stack.push([child, each]);
    }
    if (node.children.length > 1)
      sortChildren(
        node,
        sketch.children.map(({ key }) => key),
      );
  }
}

function sortChildren(node: GameNode, keys: readonly string[]): void {
  const ranks = new Map(node.children.map((each) => [each, keys.indexOf(keyOf(each))]));
  const rank = (each: GameNode) => {
    const at = ranks.get(each) ?? -1;
    return at < 0 ? keys.length : at;
  };
  node.children.sort((one, other) => rank(one) - rank(other));
}

/** Remove a move and what is known to be after it; what else there is stays, and the way to it. */
function removeKnown(tree: GameTree, first: GameNode, known: Sketch): void {
  const pairs: [GameNode, Sketch][] = [[first, known]];
  for (let at = 0; at < pairs.length; at++) {
    const [node, sketch] = pairs[at] as [GameNode, Sketch];
    for (const each of sketch.children) {
      const child = childOf(node, each.key);
      if (child) pairs.push([child, each]);
    }
  }
  for (const [node, sketch] of pairs.reverse()) {
    const isLeaf = node.children.every(isSuggestion);
    if (isLeaf && isSame(describe(node), sketch)) tree.remove(node);
  }
}

/** Return whether a move is as it was, with all after it. */
function isAsKnown(first: GameNode, known: Sketch): boolean {
  const stack: [GameNode, Sketch][] = [[first, known]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, sketch] = top;
    const children = node.children.filter((each) => !isSuggestion(each));
    if (!isSame(describe(node), sketch) || children.length !== sketch.children.length) return false;
    for (const each of sketch.children) {
      const child = childOf(node, each.key);
      if (!child) return false;
      stack.push([child, each]);
    }
  }
  return true;
}
