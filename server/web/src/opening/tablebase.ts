/** Tablebases of the server in words: which moves win, draw and lose. */

/** For the side to move, with the fifty-move rule; see `TablebaseResult` in docs/api.md. */
export type Category =
  | "win"
  | "syzygy-win"
  | "maybe-win"
  | "cursed-win"
  | "draw"
  | "blessed-loss"
  | "maybe-loss"
  | "syzygy-loss"
  | "loss"
  | "unknown";

export interface TablebaseMove {
  readonly uci: string;
  readonly san: string;
  /** Of the position behind the move, for its side to move. */
  readonly category: Category;
  readonly dtz?: number | null;
  readonly zeroing?: boolean;
  readonly checkmate?: boolean;
  readonly stalemate?: boolean;
  readonly insufficient_material?: boolean;
}

export interface TablebaseAnswer {
  readonly category: Category;
  readonly dtz?: number | null;
  readonly moves: readonly TablebaseMove[];
}

export type Outcome = "wins" | "draws" | "loses" | "unknown";

/** Return whether tablebases with positions of so many men may have a position. */
export function mayHave(fen: string, men: number): boolean {
  const [board = "", , castling] = fen.split(" ");
  return castling === "-" && board.replace(/[^a-z]/gi, "").length <= men;
}

// biome-ignore format: a table
const OUTCOMES: Readonly<Record<Category, readonly [Outcome, words: string]>> = {
  "win": ["wins", "wins"],
  "syzygy-win": ["wins", "wins, or draws by the fifty-move rule"],
  "maybe-win": ["wins", "wins, or draws by the fifty-move rule"],
  "cursed-win": ["draws", "draws: the win takes more than fifty moves"],
  "draw": ["draws", "draws"],
  "blessed-loss": ["draws", "draws: the loss takes more than fifty moves"],
  "maybe-loss": ["loses", "loses, or draws by the fifty-move rule"],
  "syzygy-loss": ["loses", "loses, or draws by the fifty-move rule"],
  "loss": ["loses", "loses"],
  "unknown": ["unknown", "is not in the tables"],
};
const FOR_OTHER: Readonly<Record<Outcome, Outcome>> = {
  wins: "loses",
  draws: "draws",
  loses: "wins",
  unknown: "unknown",
};

/** Return what the side to move can reach, in words; null if the tables do not say. */
export function headline({ category, moves }: TablebaseAnswer, side: string): string | null {
  if (category === "unknown") return null;
  if (!moves.length) return category === "loss" ? "Checkmate" : "Stalemate";
  if (category === "draw") return "A draw with best play";
  return `${side} ${OUTCOMES[category][1]}`;
}

/** Return what a move does for the side that plays it. */
export function outcomeOf({ category }: TablebaseMove): Outcome {
  return FOR_OTHER[OUTCOMES[category][0]];
}

/** Return what else there is to say of a move; empty if nothing. */
export function detailOf(move: TablebaseMove): string {
  if (move.checkmate) return "mate";
  if (move.stalemate) return "stalemate";
  if (move.insufficient_material) return "too few pieces left";
  if (move.category === "cursed-win" || move.category === "blessed-loss") return "fifty moves";
  const isUnsure = /^(maybe|syzygy)-/.test(move.category);
  const distance = move.dtz ? `DTZ ${Math.abs(move.dtz)}` : "";
  return isUnsure ? `${distance} or fifty moves`.trim() : distance;
}
