/**
 * What a page says that watches another's session: which room, and nothing that is counted.
 * Who comes back hears where things stand, so nothing has to be kept.
 */

import type { Book } from "./link";

const STATUS = "rookery room watching ";

export class Visit implements Book {
  readonly mayReturn = false;
  private isIn = false;

  constructor(private readonly name: string) {}

  open(): string {
    this.isIn = false;
    return `rookery room watch ${this.name}`;
  }

  forget(): void {}

  say(): boolean {
    return this.isIn;
  }

  ping(): string {
    return "rookery room list";
  }

  hear(line: string): { forUs: boolean; resend: readonly string[]; pong: boolean } {
    this.isIn = true;
    const forUs = !line.startsWith("rookery ");
    return { forUs, resend: [], pong: line.startsWith(STATUS) };
  }
}
