/**
 * An engine as the page has it: told what to search, it keeps what is found.
 *
 * The one rule: what is heard belongs to the oldest search whose `bestmove` has not come,
 * and it counts only while that is the search that is wanted.  So an evaluation is never
 * shown for another position, however late it comes.  The server keeps `position` and `go`
 * until the search before them has ended, so the next one is asked for at once, without
 * waiting for the answer to `stop`; but never two ahead.  Nor is the answer to `uci` waited
 * for: what the page wants is said right behind it, and what the engine lacks is no loss.
 */

import { START, type Words } from "../settings";
import { go, INFINITE, type Limits } from "../uci/limits";
import { type Bound, type Info, type Notice, parseLine, type Score } from "../uci/line";
import { meaningOf } from "../uci/meaning";
import { canBe, type Option, parseOption, setOption } from "../uci/option";
import { boundForWhite, forWhite } from "./score";

/** A position to search, and until when. */
export interface Wish extends Words {
  readonly limits: Limits;
}

/** One variation; its score is White's, and so is its bound. */
export interface Line {
  readonly rank: number;
  readonly score: Score;
  readonly bound: Bound;
  readonly depth: number;
  readonly seldepth: number;
  readonly pv: readonly string[];
  /** Chances of White to win, to draw, to lose, in thousandths. */
  readonly wdl: readonly [number, number, number] | null;
}

/** What a search has found so far. */
export interface Findings {
  readonly fen: string;
  readonly lines: readonly Line[];
  readonly depth: number;
  readonly nodes: number;
  readonly nps: number;
  readonly time: number;
  readonly hashfull: number | null;
  readonly tbhits: number;
  readonly current: string | null;
  readonly isOver: boolean;
  /** How deep a search is that has begun anew, and is not yet as deep as this. */
  readonly behind?: number;
}

export interface EngineEvents {
  say(line: string): void;
  /** The engine has said who it is and which options it has. */
  introduced(): void;
  /** There is more to show; called for every line, so do little. */
  changed(): void;
  notice(notice: Notice): void;
  /** The server has told what an earlier search had found. */
  known(findings: Findings): void;
  /** A search has ended by itself. */
  finished(wish: Wish, findings: Findings | null, best: string | null): void;
}

interface Search {
  readonly wish: Wish;
  readonly lines: Map<number, Line>;
  stats: Info;
  isStopped: boolean;
  isVoid: boolean;
  /** Lines of an earlier search, and how many of them are still to come. */
  readonly known: Map<number, Line>;
  owed: number;
}

const NOTHING: Wish = { ...START, limits: INFINITE }; // of a search that nobody here has wished for
const KNOWN = /^(\d{1,3}) lines? follows?\b/; // of the notice `cached`
const ALWAYS: readonly [string, string][] = [
  ["UCI_ShowWDL", "true"],
  ["UCI_AnalyseMode", "true"],
];
// What the page sets of its own accord, and how engines have it by themselves.
const USUAL: ReadonlyMap<string, string> = new Map([
  ["UCI_ShowWDL", "false"],
  ["UCI_AnalyseMode", "false"],
  ["UCI_Chess960", "false"],
  ["MultiPV", "1"],
]);

export class Engine {
  name = "";
  author = "";
  /** Whether the engine has said who it is and which options it has. */
  isReady = false;
  readonly options = new Map<string, Option>();
  private readonly values = new Map<string, string>();
  private readonly told = new Map<string, string>();
  private wish: Wish | null = null;
  private searches: Search[] = [];
  private latest: Search | null = null;
  private readonly ours = new Set(USUAL.keys()); // options that nobody has asked for
  private isDirty = false;
  private isOpen = false;
  private isInherited = false; // options may be set of which this page knows nothing
  /** Another speaks with the engine: what it is told is overheard, and nothing is said. */
  isFollowing = false;

  constructor(private readonly events: EngineEvents) {}

  /** A session begins: the engine has heard nothing yet.  Who watches is told without asking. */
  fresh(asks = true): void {
    this.searches = [];
    this.latest = null;
    this.told.clear();
    this.options.clear();
    this.isReady = this.isInherited = false;
    this.isOpen = asks;
    if (!asks) {
      this.wish = null;
      return;
    }
    this.events.say("uci");
    this.pump();
  }

  /**
   * A session goes on that another page has left, which has not heard the `bestmove` of so many
   * searches: they end first, and nothing of them is for this page.
   */
  inherit(owed: number): void {
    const { wish } = this;
    this.fresh(false);
    this.wish = wish;
    this.searches = Array.from({ length: owed }, () => ({ ...searchOf(NOTHING), isVoid: true }));
    this.isOpen = this.isInherited = true;
    this.events.say("uci");
    this.pump();
  }

  /** Who watches has heard all that there is to know of the engine. */
  arrive(): void {
    if (this.isReady) return;
    this.isReady = this.isOpen = true;
    this.events.introduced();
  }

  /** Another has had an option set. */
  overhearOption(name: string, value: string): void {
    this.told.set(name, value);
    this.values.set(name, value);
  }

  /** Another has begun a search. */
  overhearSearch(wish: Wish): void {
    this.wish = wish;
    this.latest = searchOf(wish);
    this.searches.push(this.latest);
  }

  /** Search this; null is nothing. */
  want(wish: Wish | null): void {
    if (this.isFollowing) return;
    if (wish && this.wish && isSame(wish, this.wish)) return;
    this.wish = wish;
    this.pump();
  }

  /** The value of an option that is wanted. */
  set(name: string, value: string): void {
    if (!USUAL.has(name)) this.ours.delete(name);
    if (this.values.get(name) === value) return;
    this.values.set(name, value);
    this.isDirty = true;
    this.pump();
  }

  /** The same from the next search on, and of our own accord. */
  setNext(name: string, value: string): void {
    this.ours.add(name);
    this.values.set(name, value);
  }

  value(name: string): string | undefined {
    return this.values.get(name) ?? this.options.get(name)?.initial;
  }

  press(name: string): void {
    this.events.say(setOption(name));
  }

  /** How many searches have yet to end. */
  get owed(): number {
    return this.searches.length;
  }

  get isSearching(): boolean {
    return this.searches.length > 0;
  }

  /** What is found for the position that is wanted; null if nothing yet. */
  get findings(): Findings | null {
    const { latest, wish } = this;
    if (!latest || latest.isVoid || !wish || latest.wish.fen !== wish.fen) return null;
    return findingsOf(latest, !this.searches.includes(latest));
  }

  hear(line: string): void {
    const heard = parseLine(line);
    switch (heard?.kind) {
      case "info":
        this.note(heard.info);
        break;
      case "bestmove":
        this.ended(heard.move);
        break;
      case "notice":
        if (meaningOf(heard.notice.code) === "refused") {
          // It is said again at the `go`; another position may be wanted by then.
          if (this.searches[0]?.isVoid) break;
          this.refused();
        }
        if (heard.notice.code === "cached") this.expect(heard.notice.text);
        else if (this.concerns(heard.notice)) this.events.notice(heard.notice);
        break;
      case "id":
        if (heard.key === "name") this.name = heard.value;
        // Who has fallen behind is told anew where things stand, and not what it has missed.
        if (this.isFollowing && heard.key === "name") this.searches = [];
        if (heard.key === "author") this.author = heard.value;
        break;
      case "option": {
        const option = parseOption(heard.line);
        if (option) this.options.set(option.name, option);
        break;
      }
      case "uciok":
        this.isReady = true;
        this.events.introduced();
        this.pump();
        break;
      default:
    }
  }

  /**
   * Whether a notice is worth telling: not that the server lacks what the page only would have
   * liked, nor that no engine had come when a search was stopped.
   */
  private concerns(notice: Notice): boolean {
    if (notice.code === "no-search") return !this.isFollowing && !this.searches[0]?.isStopped;
    return !this.isUnfit(notice);
  }

  private isUnfit(notice: Notice): boolean {
    return (
      meaningOf(notice.code) === "altered" &&
      [...this.ours].some((name) => notice.text.includes(name))
    );
  }

  /** So many of the lines after this are of an earlier search for the same position. */
  private expect(text: string): void {
    const [search] = this.searches;
    if (search) search.owed = Number(KNOWN.exec(text)?.[1] ?? 0);
  }

  private noteKnown(search: Search, info: Info): void {
    search.owed--;
    const { known, wish } = search;
    if (info.pv?.length && info.score) {
      known.set(info.multipv, lineOf(info, info.score, wish.turn));
    }
    if (search.owed || !known.size || search.isVoid) return;
    const all = { ...search, lines: known, stats: { multipv: 1, nodes: 0 } };
    const findings = findingsOf(all, true);
    if (findings) this.events.known(findings);
  }

  private note(info: Info): void {
    const search = this.searches[0];
    if (search?.owed && info.text === undefined) {
      this.noteKnown(search, info);
      return;
    }
    if (!search || search !== this.latest || search.isVoid || search.isStopped) return;
    const { depth: _, ...rest } = info;
    search.stats = { ...search.stats, ...(info.pv ? info : rest) };
    if (info.pv?.length && info.score) {
      const had = search.lines.get(info.multipv);
      if (!had || info.bound === "exact" || had.bound !== "exact") {
        search.lines.set(info.multipv, lineOf(info, info.score, search.wish.turn));
      }
    }
    this.events.changed();
  }

  private ended(best: string | null): void {
    const search = this.searches.shift();
    if (!search) return;
    this.pump();
    const isWanted = search === this.latest && search.wish === this.wish;
    if (isWanted && !search.isStopped && !search.isVoid) {
      this.events.finished(search.wish, findingsOf(search, true), best);
    }
    this.events.changed();
  }

  /** What was said is not searched: its bestmove is none. */
  private refused(): void {
    for (const search of this.searches) search.isVoid = true;
    this.wish = null;
    this.pump();
    this.events.changed();
  }

  private pump(): void {
    const { wish, searches } = this;
    if (!this.isOpen || this.isFollowing) return;
    if (!wish) {
      if (searches.length === 1) this.stop();
      return;
    }
    if (this.latest?.wish === wish && !this.isDirty) return;
    if (searches.length >= 2) return;
    this.stop();
    this.begin(wish);
  }

  private stop(): void {
    const search = this.searches[0];
    if (!search || search.isStopped) return;
    search.isStopped = true;
    this.events.say("stop");
  }

  private begin(wish: Wish): void {
    this.isDirty = false;
    this.tellOptions(wish);
    const moves = wish.moves.length ? ` moves ${wish.moves.join(" ")}` : "";
    const start = wish.start === "startpos" ? "startpos" : `fen ${wish.start}`;
    this.events.say(`position ${start}${moves}`);
    this.events.say(go(wish.limits));
    this.latest = searchOf(wish);
    this.searches.push(this.latest);
  }

  private tellOptions(wish: Wish): void {
    const own: [string, string][] = [["UCI_Chess960", String(wish.chess960)]];
    for (const [name, value] of [...ALWAYS, ...own, ...this.values]) {
      const option = this.options.get(name);
      if (this.isReady && (!option || !canBe(option, value))) continue;
      const usual = this.isInherited ? undefined : (option?.initial ?? USUAL.get(name));
      if ((this.told.get(name) ?? usual) === value) continue;
      this.told.set(name, value);
      this.events.say(setOption(name, value));
    }
  }
}

function searchOf(wish: Wish): Search {
  const lines = new Map();
  const known = new Map();
  const stats = { multipv: 1 };
  return { wish, lines, stats, isStopped: false, isVoid: false, known, owed: 0 };
}

function isSame(one: Wish, other: Wish): boolean {
  return (
    one.fen === other.fen &&
    one.start === other.start &&
    one.chess960 === other.chess960 &&
    go(one.limits) === go(other.limits) &&
    one.moves.join() === other.moves.join()
  );
}

function lineOf(info: Info, score: Score, turn: "white" | "black"): Line {
  const [win, draw, lose] = info.wdl ?? [];
  let wdl: Line["wdl"] = null;
  if (win !== undefined && draw !== undefined && lose !== undefined) {
    wdl = turn === "white" ? [win, draw, lose] : [lose, draw, win];
  }
  return {
    rank: info.multipv,
    score: forWhite(score, turn),
    bound: boundForWhite(info.bound ?? "exact", turn),
    depth: info.depth ?? 0,
    seldepth: info.seldepth ?? 0,
    pv: info.pv ?? [],
    wdl,
  };
}

function findingsOf(search: Search, isOver: boolean): Findings | null {
  if (!search.lines.size && search.stats.nodes === undefined) return null;
  const sorted = [...search.lines.values()].sort((a, b) => a.rank - b.rank);
  const { stats } = search;
  return {
    fen: search.wish.fen,
    lines: withoutOutdated(sorted),
    depth: sorted[0]?.depth ?? 0,
    nodes: stats.nodes ?? 0,
    nps: stats.nps ?? 0,
    time: stats.time ?? 0,
    hashfull: stats.hashfull ?? null,
    tbhits: stats.tbhits ?? 0,
    current: stats.currmove ?? null,
    isOver,
  };
}

/** Leave out a line whose first move a better line has taken over in the meantime. */
function withoutOutdated(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  return lines.filter((line) => {
    const move = line.pv[0] ?? "";
    if (seen.has(move)) return false;
    seen.add(move);
    return true;
  });
}
