/** A chess clock with increment.  Times are in milliseconds; `now` is the caller's. */

import type { Color } from "chessops/types";
import { opposite } from "chessops/util";

export interface Times {
  readonly white: number;
  readonly black: number;
}

export class Clock {
  private times: Times;
  private running: Color | null = null;
  private since = 0;

  constructor(
    readonly base: number,
    readonly increment: number,
    times: Times = { white: base, black: base },
  ) {
    this.times = times;
  }

  /** The side whose clock runs; null if none does. */
  get turn(): Color | null {
    return this.running;
  }

  timeLeft(color: Color, now: number): number {
    const used = this.running === color ? Math.max(0, now - this.since) : 0;
    return Math.max(0, this.times[color] - used);
  }

  timesAt(now: number): Times {
    return { white: this.timeLeft("white", now), black: this.timeLeft("black", now) };
  }

  /** Start the clock of one side; the other one is halted. */
  start(color: Color, now: number): void {
    this.halt(now);
    this.running = color;
    this.since = now;
  }

  /** Halt the clock; no time passes after `now`, which may be in the past. */
  halt(now: number): void {
    this.times = this.timesAt(now);
    this.running = null;
  }

  /** End the move of the side to move: add its increment, and `lag`, which the network took. */
  press(now: number, lag = 0): void {
    const mover = this.running;
    if (mover === null) return;
    const used = now - this.since;
    const added = Math.min(used, Math.max(0, lag)) + this.increment;
    this.halt(now);
    this.times = { ...this.times, [mover]: this.times[mover] + added };
    this.start(opposite(mover), now);
  }

  /** Set both times and halt, as after a move was taken back. */
  setTimes(times: Times): void {
    this.times = times;
    this.running = null;
  }
}

/** Format a time as clocks show it: `5:03`, `1:02:03`, and tenths below 20 s. */
export function clockText(ms: number): string {
  if (ms < 20_000) return `0:${(Math.floor(ms / 100) / 10).toFixed(1).padStart(4, "0")}`;
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
