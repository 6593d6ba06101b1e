/**
 * The client's side of a UCI conversation, for analysis and for games.  Pure: no socket, no clock.
 *
 * The caller says which search it wants (`requestSearch`) and passes on the engine's lines (`receive`); both
 * add what is to be sent, and what has happened, to a queue (`nextEvent`).  Each `go` has one `bestmove`:
 * a line of the engine belongs to the oldest search whose `bestmove` has not come, and it counts
 * only while that is the search that is wanted.  So no evaluation is shown for another position, and
 * no move is played in one.
 *
 * The server keeps `position` and `go` until the search before them has ended.  So the next search
 * is requested at once, without waiting for the answer to `stop`, but never more than two ahead.
 * Analysis does not wait for the answer to `uci` either: an option that the engine lacks is no loss.
 */

import {
  type EnginePosition,
  type Info,
  type Notice,
  parseLine,
  positionCommand,
  START,
} from "../uci/line";
import { noticeEffect } from "../uci/notice";
import { isValidValue, type Option, setOption } from "../uci/option";
import { type Findings, FindingsBuilder } from "./findings";

/** A search that is wanted: a position, and the words after `go`. */
export interface SearchRequest extends EnginePosition {
  readonly limits: string;
  /** A search on the opponent's time: the same position without `isPonder` is a `ponderhit`. */
  readonly isPonder?: boolean;
}

/** An option and the value that is wanted. */
export type OptionValue = readonly [name: string, value: string];

/** A line to send, or something that has happened. */
export type ConversationEvent =
  | { readonly type: "send"; readonly line: string }
  /** The engine has sent its name and its options. */
  | { readonly type: "ready" }
  /** A line of the search that is wanted; there are many of them. */
  | { readonly type: "info"; readonly info: Info }
  /** A search has ended or was refused. */
  | { readonly type: "searches" }
  /** The server has sent the findings of an earlier search. */
  | { readonly type: "cached"; readonly findings: Findings }
  /** The search that is wanted has ended by itself. */
  | {
      readonly type: "bestmove";
      readonly request: SearchRequest;
      readonly findings: Findings | null;
      readonly move: string | null;
      readonly ponder: string | null;
    }
  | { readonly type: "notice"; readonly notice: Notice };

/** A search whose `bestmove` has not come, or the latest one. */
interface Search {
  request: SearchRequest;
  readonly results: FindingsBuilder;
  /** The findings of an earlier search, and the number of its lines that are still to come. */
  readonly cached: FindingsBuilder;
  cachedLines: number;
  /** `stop` was sent. */
  isStopped: boolean;
  /** The server refused it, or another page requested it: its `bestmove` is none. */
  isVoid: boolean;
}

const MOST_SEARCHES = 2;
const UNKNOWN: SearchRequest = { ...START, limits: "infinite" }; // of a search by another page
const CACHED = /^(\d{1,3}) lines? follows?\b/; // in the notice `cached`
const ANALYSIS_OPTIONS: readonly OptionValue[] = [
  ["UCI_ShowWDL", "true"],
  ["UCI_AnalyseMode", "true"],
];
// Options that the page sets by itself, with the values that engines start with.
const INITIAL_VALUES: ReadonlyMap<string, string> = new Map([
  ["UCI_ShowWDL", "false"],
  ["UCI_AnalyseMode", "false"],
  ["UCI_Chess960", "false"],
  ["MultiPV", "1"],
]);

export class Conversation {
  name = "";
  /** Whether the engine has sent its name and its options. */
  isReady = false;
  /** Whether another page directs the engine: this one only observes, and sends nothing. */
  isFollowing = false;
  readonly options = new Map<string, Option>();
  private readonly wantedValues: Map<string, string>;
  private readonly sentValues = new Map<string, string>();
  /** Options that the user has not asked for; a refusal of theirs is not reported. */
  private readonly ownOptions = new Set(INITIAL_VALUES.keys());
  private request: SearchRequest | null = null;
  private searches: Search[] = []; // without their bestmove, the oldest first
  private latest: Search | null = null;
  private hasNewValues = false;
  private maySearch = false;
  private isInherited = false; // options may have values that this page does not know
  private events: ConversationEvent[] = [];

  constructor(private readonly purpose: "analysis" | "game") {
    this.wantedValues = new Map(purpose === "analysis" ? ANALYSIS_OPTIONS : []);
  }

  /** Return the next line to send or event to handle, and forget it. */
  nextEvent(): ConversationEvent | undefined {
    return this.events.shift();
  }

  /** The number of searches whose `bestmove` has not come. */
  get pending(): number {
    return this.searches.length;
  }

  /** The findings for the position that is wanted; null if there are none yet. */
  get findings(): Findings | null {
    const { latest, request } = this;
    if (!latest || latest.isVoid || latest.request.key !== request?.key) return null;
    return latest.results.build(!this.searches.includes(latest));
  }

  /** Return the value of an option that is wanted, or else the initial one. */
  value(name: string): string | undefined {
    return this.wantedValues.get(name) ?? this.options.get(name)?.initial;
  }

  // --- the beginning

  /** Begin a session with an engine that knows nothing yet. */
  start(): void {
    this.reset();
    this.maySearch = this.purpose === "analysis";
    this.sendLine("uci");
    this.sendSearch();
  }

  /** Begin to watch a session of another page, of which the server tells everything. */
  watch(): void {
    this.reset();
    this.request = null;
  }

  /**
   * Continue a session of another page, in which `pending` searches have not ended: they end
   * first, and count for nothing.
   */
  inherit(pending: number): void {
    this.reset();
    this.searches = Array.from({ length: pending }, () => ({ ...searchOf(UNKNOWN), isVoid: true }));
    this.maySearch = this.isInherited = true;
    this.sendLine("uci");
    this.sendSearch();
  }

  private reset(): void {
    this.searches = [];
    this.latest = null;
    this.sentValues.clear();
    this.options.clear();
    this.isReady = this.maySearch = this.isInherited = false;
  }

  // --- requests

  /** Search this, with values for options; null is nothing. */
  requestSearch(request: SearchRequest | null, values: readonly OptionValue[] = []): void {
    for (const value of values) this.changeValue(...value);
    if (this.isFollowing) return;
    if (request && this.request && isSame(request, this.request)) {
      if (this.hasNewValues) this.sendSearch();
      return;
    }
    const ponder = this.latest;
    this.request = request;
    if (request && ponder && this.isPonderedOn(ponder, request)) {
      ponder.request = request;
      this.sendLine("ponderhit");
    } else this.sendSearch();
  }

  private isPonderedOn(search: Search, request: SearchRequest): boolean {
    if (!search.request.isPonder || request.isPonder) return false;
    const isRunning = this.searches.includes(search) && !search.isStopped && !search.isVoid;
    return isRunning && hasSamePosition(search.request, request);
  }

  /** Want a value for an option; a search that runs begins anew with it. */
  setOption(name: string, value: string): void {
    if (this.changeValue(name, value)) this.sendSearch();
  }

  /** Want a value for an option; return whether it is a new one. */
  private changeValue(name: string, value: string): boolean {
    if (!INITIAL_VALUES.has(name)) this.ownOptions.delete(name);
    if (this.wantedValues.get(name) === value) return false;
    this.wantedValues.set(name, value);
    this.hasNewValues = true;
    return true;
  }

  /** Want a value from the next search on, of the page's own accord. */
  setOptionLater(name: string, value: string): void {
    this.ownOptions.add(name);
    this.wantedValues.set(name, value);
  }

  /** Begin the search that runs anew if the value of an option waits for the next one. */
  useLaterOption(name: string): void {
    const initial = this.options.get(name)?.initial;
    const isWaiting = this.value(name) !== (this.sentValues.get(name) ?? initial);
    if (!isWaiting || !this.searches.length) return;
    this.hasNewValues = true;
    this.sendSearch();
  }

  pressButton(name: string): void {
    this.sendLine(setOption(name));
  }

  // --- commands of another page that directs the engine

  observeOption(name: string, value: string): void {
    this.sentValues.set(name, value);
    this.wantedValues.set(name, value);
  }

  observeSearch(request: SearchRequest): void {
    this.request = request;
    this.latest = searchOf(request);
    this.searches.push(this.latest);
  }

  /** Take the engine as described: the server has sent all that a watching page gets. */
  endDescription(): void {
    if (this.isReady) return;
    this.isReady = this.maySearch = true;
    this.events.push({ type: "ready" });
  }

  // --- lines of the engine

  receive(line: string): void {
    const parsed = parseLine(line);
    switch (parsed?.type) {
      case "info":
        this.receiveInfo(parsed.info);
        break;
      case "bestmove":
        this.receiveBestmove(parsed.move, parsed.ponder);
        break;
      case "notice":
        this.receiveNotice(parsed.notice);
        break;
      case "id":
        if (parsed.key !== "name") break;
        this.name = parsed.value;
        // A watching page that fell behind gets the present state, not the lines that it missed.
        if (this.isFollowing) this.searches = [];
        break;
      case "option":
        this.options.set(parsed.option.name, parsed.option);
        break;
      case "uciok":
        this.receiveUciok();
        break;
      default:
    }
  }

  private receiveUciok(): void {
    this.isReady = true;
    if (this.purpose === "game") {
      this.sendOptions();
      this.sendLine("ucinewgame");
      this.maySearch = true;
    }
    this.events.push({ type: "ready" });
    this.sendSearch();
  }

  private receiveInfo(info: Info): void {
    const search = this.searches[0];
    if (search?.cachedLines && info.text === undefined) this.receiveCached(search, info);
    else if (search && search === this.latest && !search.isVoid && !search.isStopped) {
      search.results.add(info);
      this.events.push({ type: "info", info });
    }
  }

  private receiveCached(search: Search, info: Info): void {
    search.cached.addVariation(info);
    const findings = --search.cachedLines || search.isVoid ? null : search.cached.build(true);
    if (findings) this.events.push({ type: "cached", findings });
  }

  private receiveBestmove(move: string | null, ponder: string | null): void {
    const search = this.searches.shift();
    if (!search) return;
    this.sendSearch();
    const { request } = search;
    const isWanted = search === this.latest && request === this.request && !request.isPonder;
    if (isWanted && !search.isStopped && !search.isVoid) {
      // A move is played once, and not requested again in another session.
      if (this.purpose === "game") this.request = null;
      const findings = search.results.build(true);
      this.events.push({ type: "bestmove", request, findings, move, ponder });
    }
    this.events.push({ type: "searches" });
  }

  private receiveNotice(notice: Notice): void {
    const [search] = this.searches;
    const effect = noticeEffect(notice.code);
    if (notice.code === "cached") {
      if (search) search.cachedLines = Number(CACHED.exec(notice.text)?.[1] ?? 0);
      return;
    }
    if (!this.isReported(notice)) return;
    if (effect === "refused" || (effect === "put-off" && this.purpose === "game")) {
      // A refusal is repeated at the `go`; another position may be wanted by then.
      if (search?.isVoid) return;
      for (const each of this.searches) each.isVoid = true;
      this.request = null;
      this.sendSearch();
      this.events.push({ type: "searches" });
    }
    this.events.push({ type: "notice", notice });
  }

  /**
   * Return whether a notice concerns the user: not a missing option that only the page wants, nor
   * a search without an engine that was not wanted any more.
   */
  private isReported({ code, text }: Notice): boolean {
    if (code === "no-search") {
      const [search] = this.searches;
      return (
        !this.isFollowing && !search?.isStopped && !search?.isVoid && !search?.request.isPonder
      );
    }
    return (
      noticeEffect(code) !== "altered" || ![...this.ownOptions].some((it) => text.includes(it))
    );
  }

  // --- lines to the engine

  private sendLine(line: string): void {
    this.events.push({ type: "send", line });
  }

  /** Bring the engine to the search that is wanted, as far as it may be told now. */
  private sendSearch(): void {
    const { request, searches } = this;
    if (!this.maySearch || this.isFollowing) return;
    if (!request) {
      if (searches.length === 1) this.sendStop();
      return;
    }
    if (this.latest?.request === request && !this.hasNewValues) return;
    if (searches.length >= MOST_SEARCHES) return;
    this.sendStop();
    this.wantedValues.set("UCI_Chess960", String(request.chess960));
    this.sendOptions();
    this.sendLine(positionCommand(request));
    this.sendLine(`go ${request.isPonder ? "ponder " : ""}${request.limits}`);
    this.latest = searchOf(request);
    searches.push(this.latest);
  }

  private sendStop(): void {
    const [search] = this.searches;
    if (!search || search.isStopped) return;
    search.isStopped = true;
    this.sendLine("stop");
  }

  private sendOptions(): void {
    this.hasNewValues = false;
    for (const [name, value] of this.wantedValues) {
      const option = this.options.get(name);
      if (this.isReady && (!option || !isValidValue(option, value))) continue;
      const initial = option?.initial ?? INITIAL_VALUES.get(name);
      const present = this.sentValues.get(name) ?? (this.isInherited ? undefined : initial);
      if (present === value) continue;
      this.sentValues.set(name, value);
      this.sendLine(setOption(name, value));
    }
  }
}

function searchOf(request: SearchRequest): Search {
  const [results, cached] = [new FindingsBuilder(request), new FindingsBuilder(request)];
  return { request, results, cached, cachedLines: 0, isStopped: false, isVoid: false };
}

function isSame(one: SearchRequest, other: SearchRequest): boolean {
  const isSameKind = one.isPonder === other.isPonder && one.chess960 === other.chess960;
  return isSameKind && one.limits === other.limits && hasSamePosition(one, other);
}

function hasSamePosition(one: EnginePosition, other: EnginePosition): boolean {
  return one.start === other.start && one.moves.join() === other.moves.join();
}
