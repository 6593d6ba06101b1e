/**
 * Names of openings, by position and not by moves, so that transpositions have them too.
 *
 * The list is lichess' (github.com/lichess-org/chess-openings, CC0), written by
 * `tools/openings.py`.  It is loaded when the page is idle.
 */

import { signal } from "@preact/signals";
import type { GameNode } from "../game/tree";
import source from "./openings.txt?url";

export interface Opening {
  readonly eco: string;
  readonly name: string;
}

type Names = ReadonlyMap<string, Opening>;

export class Openings {
  /** Null until the list is loaded. */
  readonly names = signal<Names | null>(null);

  async load(): Promise<void> {
    try {
      const answer = await fetch(source);
      if (answer.ok) this.names.value = namesIn(await answer.text());
    } catch {
      // Positions stay without names; the next visit tries again.
    }
  }

  /** Return the name of the last position that has one on the way to a node. */
  openingAt(node: GameNode): Opening | null {
    const names = this.names.value;
    return names && openingOf(node, names);
  }
}

/** Read the list: position, ECO code and name, separated by tabs. */
export function namesIn(text: string): Names {
  const names = new Map<string, Opening>();
  for (const line of text.split("\n")) {
    const [position, eco, name] = line.split("\t");
    if (position && eco && name) names.set(position, { eco, name });
  }
  return names;
}

export function openingOf(node: GameNode, names: Names): Opening | null {
  for (let at: GameNode | null = node; at; at = at.parent) {
    const found = names.get(at.fen.split(" ", 2).join(" "));
    if (found) return found;
  }
  return null;
}
