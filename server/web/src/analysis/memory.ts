/** What has been found for positions seen before, so that it is there at once. */

import type { Findings } from "./engine";

const REMEMBERED = 600; // positions

export class Memory {
  private readonly found = new Map<string, Findings>();

  get(engine: string, fen: string): Findings | null {
    return this.found.get(`${engine} ${fen}`) ?? null;
  }

  /** Keep it unless what is known is deeper. */
  keep(engine: string, findings: Findings): void {
    const key = `${engine} ${findings.fen}`;
    const former = this.found.get(key);
    const isDeeper = former && former.depth > findings.depth;
    if (isDeeper && former.lines.length >= findings.lines.length) return;
    this.found.delete(key);
    this.found.set(key, { ...findings, isOver: true });
    if (this.found.size <= REMEMBERED) return;
    const [oldest] = this.found.keys();
    if (oldest !== undefined) this.found.delete(oldest);
  }

  forget(): void {
    this.found.clear();
  }
}
