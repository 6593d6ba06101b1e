/** A chess clock with increment.  Times are in milliseconds; `now` is the caller's. */

export type Color = "white" | "black";

export interface Times {
  readonly white: number;
  readonly black: number;
}

export const other = (color: Color): Color => (color === "white" ? "black" : "white");

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

  /** Whose clock runs; null if it stands. */
  get turn(): Color | null {
    return this.running;
  }

  left(color: Color, now: number): number {
    const used = this.running === color ? Math.max(0, now - this.since) : 0;
    return Math.max(0, this.times[color] - used);
  }

  both(now: number): Times {
    return { white: this.left("white", now), black: this.left("black", now) };
  }

  /** Let it run for one side; what ran before is taken off first. */
  run(color: Color, now: number): void {
    this.halt(now);
    this.running = color;
    this.since = now;
  }

  /** Let it stand; time after `now` has not been used by anybody. */
  halt(now: number): void {
    this.times = this.both(now);
    this.running = null;
  }

  /**
   * Who is on the move has moved: the increment is added, and the other clock runs.
   * `spared` is time that was spent on the way and not in thought.
   */
  press(now: number, spared = 0): void {
    const mover = this.running;
    if (mover === null) return;
    const used = now - this.since;
    const given = Math.min(used, Math.max(0, spared)) + this.increment;
    this.halt(now);
    this.times = { ...this.times, [mover]: this.times[mover] + given };
    this.run(other(mover), now);
  }

  /** Set both, as when a move is taken back; it stands then. */
  set(times: Times): void {
    this.times = times;
    this.running = null;
  }
}

/** A time as clocks show it: `5:03`, `1:02:03`, and tenths when it runs out. */
export function clockText(ms: number): string {
  if (ms < 20_000) return `0:${(Math.floor(ms / 100) / 10).toFixed(1).padStart(4, "0")}`;
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
