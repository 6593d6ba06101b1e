/** A one-use code that is shown: it is made, watched until it is used or over, and withdrawn. */

import { signal } from "@preact/signals";
import { isGone, problemIn } from "../service";
import type { Problem } from "../uci/notice";
import type { CodeAccount, CodeClient, OpenCode } from "./client";

const INTERVAL = 1000; // ms from one look at the code to the next

export class ShownCode {
  /** Null before it is there, and when it is over. */
  readonly code = signal<OpenCode | null>(null);
  /** Seconds for which it is good. */
  readonly left = signal(0);
  readonly isExpired = signal(false);
  /** What has signed in with it. */
  readonly device = signal<string | null>(null);
  /** Why there is no code. */
  readonly problem = signal<Problem | null>(null);
  private isClosed = false;
  private endsAt = 0; // ms, of the clock since the page was opened
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: CodeClient,
    private readonly account: CodeAccount | null,
  ) {}

  async open(): Promise<void> {
    this.isExpired.value = false;
    this.problem.value = null;
    try {
      const code = await this.client.make(this.account);
      this.code.value = code;
      this.left.value = code.seconds;
      this.endsAt = performance.now() + 1000 * code.seconds;
    } catch (error) {
      this.problem.value = problemIn(error);
      return;
    }
    if (this.isClosed) this.close();
    else this.wait();
  }

  /** Withdraw the code, unless it is over. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    const id = this.code.peek()?.id;
    this.code.value = null;
    if (id) this.client.withdraw(id).catch(() => {}); // It ends by itself.
  }

  private wait(): void {
    this.timer = setTimeout(() => void this.look(), INTERVAL);
  }

  private async look(): Promise<void> {
    const id = this.code.peek()?.id ?? "";
    const found = await this.client.look(id).catch((error) => {
      // A server that was started again knows no code; one that is away may come back.
      return isGone(error) ? ({ state: "expired" } as const) : null;
    });
    if (this.isClosed) return;
    this.left.value = Math.max(0, Math.round((this.endsAt - performance.now()) / 1000));
    if (found?.state === "used") this.device.value = found.device ?? "";
    else if (found?.state === "expired" || !this.left.peek()) this.isExpired.value = true;
    else {
      this.wait();
      return;
    }
    this.code.value = null;
  }
}
