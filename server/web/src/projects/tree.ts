/** The documents of the tree of a project (`/v1/projects/{id}/...`, see `docs/api.md`). */

/** A position of a tree: moves from the root, or from a FEN. */
export interface Place {
  readonly fen?: string;
  /** In UCI or SAN. */
  readonly moves: readonly string[];
}

/** A value for White: one of these. */
export interface TreeValue {
  readonly cp?: number;
  /** 0 where the side to move is mated. */
  readonly mate?: number;
  /** The half-moves to the end of a line in a tablebase; negative if Black wins. */
  readonly tablebase?: number;
}

export interface TreeMove {
  /** In UCI. */
  readonly move: string;
  readonly san: string;
  /** Carried up from the positions behind the move. */
  readonly value?: TreeValue;
  /** Of the search of the position itself. */
  readonly own?: TreeValue;
  /** The positions behind the move. */
  readonly size?: number;
  /** Their part of all behind the position, up to 1. */
  readonly share?: number;
  /** Half-moves from the next position to the deepest one behind it. */
  readonly height?: number;
  /** The size of the root when the subtree grew last. */
  readonly grown?: number;
  readonly depth?: number;
  readonly nodes?: number;
  /** The values when the subtree had 1, 2, 4 ... positions. */
  readonly trend?: readonly TreeValue[];
  /** Whether the value is a fact. */
  readonly proven?: boolean;
  readonly excluded?: boolean;
  readonly pinned?: boolean;
  readonly added?: boolean;
  readonly searching?: boolean;
  /** Whether the move leads to a draw by repetition or the fifty-move rule on this way. */
  readonly repetition?: boolean;
  /** Whether the move leads back, and so carries nothing up. */
  readonly returns?: boolean;
}

export type KindOfNode =
  | "unknown"
  | "unsearched"
  | "searched"
  | "checkmate"
  | "stalemate"
  | "dead draw"
  | "tablebase"
  | "failed";

/** A change at the root: what was best since it had this size. */
export interface RootChange {
  readonly size: number;
  /** In ISO 8601. */
  readonly time: string;
  readonly move: string;
  readonly san: string;
  readonly value?: TreeValue;
}

export interface TreePosition {
  readonly fen: string;
  /** `unknown`: the tree does not have it. */
  readonly kind: KindOfNode;
  readonly value?: TreeValue;
  readonly own?: TreeValue;
  readonly depth?: number;
  readonly nodes?: number;
  /** The place of the engine of the own search among those of the project. */
  readonly engine?: number;
  readonly size?: number;
  readonly rank?: number;
  /** The size of the root when the best move changed last. */
  readonly turned?: number;
  /** Half-moves to the deepest position behind it. */
  readonly height?: number;
  /** The size of the root when the subtree grew last. */
  readonly grown?: number;
  readonly trend?: readonly TreeValue[];
  /** Of the root: the last changes of the best move and its value, the oldest first. */
  readonly history?: readonly RootChange[];
  readonly proven?: boolean;
  readonly searching?: boolean;
  /** The best first, excluded ones last. */
  readonly moves?: readonly TreeMove[];
  /** The legal moves that no search has listed. */
  readonly others?: { readonly count: number; readonly excluded?: boolean };
  /** The main line from here, in UCI. */
  readonly line?: readonly string[];
  /** The same in SAN. */
  readonly san?: readonly string[];
}

/** A position whose best move has changed. */
export interface TreeChange {
  readonly fen: string;
  /** From the root, as the position was found first. */
  readonly moves: readonly string[];
  /** The size of the root when it changed. */
  readonly turned: number;
  readonly size: number;
  readonly value?: TreeValue;
  readonly best: string;
  readonly san: string;
}

export interface TreeChanges {
  /** Of the root. */
  readonly size: number;
  readonly changes: readonly TreeChange[];
}

/** A subtree of a map. */
export interface MapNode {
  /** Counts the positions of a tree as they were found. */
  readonly number: number;
  readonly move?: string;
  readonly san?: string;
  readonly size: number;
  readonly value?: TreeValue;
  /** The number of the last position below, if it is one of the newest. */
  readonly newest?: number;
  /** Half-moves to the deepest position of it. */
  readonly height?: number;
  /** The size of the root when it grew last. */
  readonly grown?: number;
  readonly nodes?: readonly MapNode[];
}

export interface TreeMap {
  /** The number of the last position of the tree. */
  readonly newest: number;
  readonly root: MapNode;
}

export type SteeringAction = "exclude" | "include" | "pin" | "unpin" | "add" | "deepen";

/** A change of the growth of a tree. */
export interface Steering {
  readonly action: SteeringAction;
  /** In UCI or SAN, or `*`: those that are not listed.  `deepen` has none. */
  readonly move?: string;
  /** Of `deepen`; without them four times as many as before. */
  readonly nodes?: number;
}
