/**
 * An engine that plays: told whose turn it is, it answers with a move.
 *
 * The one rule: each `go` has one `bestmove`, and it belongs to the oldest that has not come.
 * So a list of what is owed says what a move is for: the game, or nothing any more, because
 * it was taken back or pondered in vain.  Pure: what is to be said, somebody else sends.
 */

import { type Notice, parseLine, type Score } from "../uci/line";
import { canBe, type Option, parseOption, setOption } from "../uci/option";

/** A position in a game, as the engine hears it, and its clocks, in milliseconds. */
export interface Turn {
  readonly start: string;
  readonly moves: readonly string[];
  /** What follows `go`: clocks and increments, or the time for a move. */
  readonly limits: string;
}

export interface OpponentEvents {
  say(line: string): void;
  /** The engine is ready to play. */
  ready(): void;
  /** It has moved; null is that it has none. */
  moved(move: string | null, ponder: string | null, score: Score | null): void;
  /** It thinks: it has been given an engine, if it had to wait for one. */
  thinks(): void;
  notice(notice: Notice): void;
}

enum Owed {
  Move,
  /** Thinks while the other does: `ponderhit` makes a move of it. */
  Ponder,
  Nothing,
}

export class Opponent {
  name = "";
  readonly options = new Map<string, Option>();
  private isReady = false;
  private owed: Owed[] = [];
  private turn: Turn | null = null; // which it is to answer
  private pondered = ""; // the position on which it ponders
  private score: Score | null = null;

  constructor(
    private readonly wanted: ReadonlyMap<string, string>,
    private readonly events: OpponentEvents,
  ) {}

  /** A session begins: the engine has heard nothing yet. */
  fresh(): void {
    this.owed = [];
    this.isReady = false;
    this.options.clear();
    this.events.say("uci");
  }

  /** It is the engine's turn. */
  think(turn: Turn): void {
    this.turn = turn;
    if (!this.isReady) return;
    if (this.owed.at(-1) === Owed.Ponder) {
      if (keyOf(turn) === this.pondered) {
        this.owed[this.owed.length - 1] = Owed.Move;
        this.events.say("ponderhit");
        return;
      }
      this.drop();
    }
    this.search(turn, Owed.Move, "go");
  }

  /** It may think while the other does, on the answer that it expects. */
  ponder(turn: Turn): void {
    if (!this.isReady || this.owed.length) return;
    this.pondered = keyOf(turn);
    this.search(turn, Owed.Ponder, "go ponder");
  }

  /** What it thinks of is wanted no more. */
  stop(): void {
    this.turn = null;
    this.drop();
  }

  /** The server does not let it think: the move that it says instead is nobody's. */
  refuse(): void {
    const at = this.owed.indexOf(Owed.Move);
    if (at >= 0) this.owed[at] = Owed.Nothing;
    this.turn = null;
  }

  hear(line: string): void {
    const heard = parseLine(line);
    switch (heard?.kind) {
      case "info":
        if (this.owed[0] === Owed.Move && heard.info.text === undefined) {
          if (heard.info.score && heard.info.multipv === 1) this.score = heard.info.score;
          this.events.thinks();
        } else if (this.owed[0] === Owed.Ponder && heard.info.score) this.score = heard.info.score;
        break;
      case "bestmove":
        this.ended(heard.move, heard.ponder);
        break;
      case "notice":
        // A move that is nobody's may well be made up.
        if (heard.notice.code !== "no-search" || this.owed[0] === Owed.Move) {
          this.events.notice(heard.notice);
        }
        break;
      case "id":
        if (heard.key === "name") this.name = heard.value;
        break;
      case "option": {
        const option = parseOption(heard.line);
        if (option) this.options.set(option.name, option);
        break;
      }
      case "uciok":
        this.begin();
        break;
      default:
    }
  }

  private begin(): void {
    for (const [name, value] of this.wanted) {
      const option = this.options.get(name);
      if (option && canBe(option, value)) this.events.say(setOption(name, value));
    }
    this.events.say("ucinewgame");
    const { turn } = this;
    this.isReady = true;
    this.events.ready();
    if (turn) this.think(turn);
  }

  private search(turn: Turn, owed: Owed, command: string): void {
    const moves = turn.moves.length ? ` moves ${turn.moves.join(" ")}` : "";
    const start = turn.start === "startpos" ? "startpos" : `fen ${turn.start}`;
    this.events.say(`position ${start}${moves}`);
    this.events.say(`${command} ${turn.limits}`);
    this.score = null;
    this.owed.push(owed);
  }

  private drop(): void {
    if (this.owed.at(-1) === undefined || this.owed.at(-1) === Owed.Nothing) return;
    this.owed[this.owed.length - 1] = Owed.Nothing;
    this.events.say("stop");
  }

  private ended(move: string | null, ponder: string | null): void {
    if (this.owed.shift() !== Owed.Move) return;
    this.turn = null;
    this.events.moved(move, ponder, this.score);
  }
}

function keyOf(turn: Turn): string {
  return `${turn.start} ${turn.moves.join(" ")}`;
}
