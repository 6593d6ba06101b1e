/**
 * What a position is called: the names of openings, by position and not by moves, so that
 * transpositions have them too.
 *
 * The list is lichess' (github.com/lichess-org/chess-openings, CC0), written by
 * `tools/openings.py`.  It is loaded when there is nothing else to do.
 */

import { signal } from "@preact/signals";
import type { GameNode } from "../game/tree";
import source from "./openings.txt?url";

export interface Opening {
  readonly eco: string;
  readonly name: string;
}

export type Names = ReadonlyMap<string, Opening>;

export class Openings {
  /** Null as long as they have not been loaded. */
  readonly names = signal<Names | null>(null);

  async load(): Promise<void> {
    try {
      const answer = await fetch(source);
      if (answer.ok) this.names.value = namesIn(await answer.text());
    } catch {
      // A position without a name is no trouble worth a word; the next visit asks again.
    }
  }

  /** What the line to a position is called: by the last position of it that has a name. */
  of(node: GameNode): Opening | null {
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
