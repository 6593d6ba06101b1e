/** Results of a search, from the `info` lines of the engine.  Pure. */

import type { Bound, EnginePosition, Info, Score } from "../uci/line";

/** One variation; its score is White's, and so is its bound. */
export interface Variation {
  readonly rank: number;
  readonly score: Score;
  readonly bound: Bound;
  readonly depth: number;
  readonly seldepth: number;
  readonly pv: readonly string[];
  /** Chances of White to win, to draw, to lose, in thousandths. */
  readonly wdl: readonly [number, number, number] | null;
}

/** The results of a search so far. */
export interface Findings {
  readonly fen: string;
  /** That of the position, with its history. */
  readonly key: string;
  readonly lines: readonly Variation[];
  readonly depth: number;
  readonly nodes: number;
  readonly nps: number;
  readonly hashfull: number | null;
  readonly tbhits: number;
  readonly currmove: string | null;
  readonly isOver: boolean;
  /** The depth of a newer search that is not yet as deep as this one. */
  readonly newerDepth?: number;
}

/** The findings of one search, added line by line. */
export class FindingsBuilder {
  private readonly variations = new Map<number, Variation>();
  private stats: Info = { multipv: 1 };

  constructor(private readonly position: EnginePosition) {}

  add(info: Info): void {
    // The depth is that of a variation: engines begin a new depth without one.
    const { depth: _, ...rest } = info;
    this.stats = { ...this.stats, ...(info.pv ? info : rest) };
    this.addVariation(info);
  }

  /** Add the variation alone; a bound does not replace an exact score. */
  addVariation(info: Info): void {
    if (!info.pv?.length || !info.score) return;
    const former = this.variations.get(info.multipv);
    if (former?.bound === "exact" && info.bound !== "exact") return;
    this.variations.set(info.multipv, variationOf(info, info.score, this.position.turn));
  }

  /** Return the findings; null if there are none yet. */
  build(isOver: boolean): Findings | null {
    const { stats, variations } = this;
    if (!variations.size && stats.nodes === undefined) return null;
    const sorted = [...variations.values()].sort((one, other) => one.rank - other.rank);
    return {
      fen: this.position.fen,
      key: this.position.key,
      lines: withoutOutdated(sorted),
      depth: sorted[0]?.depth ?? 0,
      nodes: stats.nodes ?? 0,
      nps: stats.nps ?? 0,
      hashfull: stats.hashfull ?? null,
      tbhits: stats.tbhits ?? 0,
      currmove: stats.currmove ?? null,
      isOver,
    };
  }
}

function variationOf(info: Info, score: Score, turn: "white" | "black"): Variation {
  const [win, draw, lose] = info.wdl ?? [];
  let wdl: Variation["wdl"] = null;
  if (win !== undefined && draw !== undefined && lose !== undefined) {
    wdl = turn === "white" ? [win, draw, lose] : [lose, draw, win];
  }
  return {
    rank: info.multipv,
    score: turn === "white" ? score : { kind: score.kind, value: -score.value },
    bound: boundForWhite(info.bound ?? "exact", turn),
    depth: info.depth ?? 0,
    seldepth: info.seldepth ?? 0,
    pv: info.pv ?? [],
    wdl,
  };
}

/** Turn a bound of the side to move into White's: a lower bound for Black is an upper bound. */
function boundForWhite(bound: Bound, turn: "white" | "black"): Bound {
  if (bound === "exact" || turn === "white") return bound;
  return bound === "lower" ? "upper" : "lower";
}

/** Leave out variations whose first move a better variation has by now. */
function withoutOutdated(variations: readonly Variation[]): Variation[] {
  const seen = new Set<string>();
  return variations.filter(({ pv: [move = ""] }) => !seen.has(move) && seen.add(move));
}

const MOST_CACHED = 600; // positions

/** Findings of earlier searches, by engine and position. */
export class FindingsCache {
  private readonly byKey = new Map<string, Findings>();

  get(engine: string, key: string): Findings | null {
    return this.byKey.get(`${engine} ${key}`) ?? null;
  }

  /** Keep findings unless deeper ones are known. */
  add(engine: string, findings: Findings): void {
    const key = `${engine} ${findings.key}`;
    const former = this.byKey.get(key);
    const isDeeper = former && former.depth > findings.depth;
    if (isDeeper && former.lines.length >= findings.lines.length) return;
    this.byKey.delete(key); // The newest is the last.
    this.byKey.set(key, { ...findings, isOver: true });
    if (this.byKey.size <= MOST_CACHED) return;
    const [oldest] = this.byKey.keys();
    if (oldest !== undefined) this.byKey.delete(oldest);
  }

  clear(): void {
    this.byKey.clear();
  }
}

const MOST_TABLEBASE_MEN = 7;
const [LEAST_WIN, MOST_WIN] = [19_000, 20_000]; // centipawns

/**
 * Return the winner by the engine's tablebases; null if they name none.
 *
 * Stockfish, Rookery and similar engines report a win of the tablebases as 200 pawns, less a
 * centipawn for each ply to it.  A draw is 0.00 like any other, so it is not reported.
 */
export function tablebaseWinner({ fen, lines: [best], tbhits }: Findings): string | null {
  const men = fen.split(" ", 1)[0]?.match(/[a-z]/gi)?.length ?? 0;
  if (!best || !tbhits || best.bound !== "exact" || men > MOST_TABLEBASE_MEN) return null;
  const { kind, value } = best.score;
  const size = Math.abs(value);
  if (kind !== "cp" || size < LEAST_WIN || size > MOST_WIN) return null;
  return value > 0 ? "White" : "Black";
}
