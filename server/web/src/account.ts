/** The account of the user: its token, which this browser keeps. */

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { probe } from "./engine/probe";
import { loadLater, text } from "./language/catalogue";
import { wordsOf } from "./language/problems";
import { pathOf, type ServerInfo } from "./server";
import * as storage from "./settings";
import type { Problem } from "./uci/notice";

interface AccountParts {
  readonly server: ReadonlySignal<ServerInfo | null>;
  /** The engine that a token is tried with. */
  readonly engine: ReadonlySignal<string>;
  readonly onSignIn: () => void;
  readonly onSignOut: () => void;
  /** The user has to be asked for a token. */
  readonly askForToken: () => void;
}

export class Account {
  readonly token = signal(storage.loadToken());
  readonly isSignedIn = computed(() => this.token.value !== null);
  /** Whether the server lets the page do more than watch and read. */
  readonly isAdmitted = computed(
    () => this.parts.server.value?.login === false || this.isSignedIn.value,
  );

  constructor(private readonly parts: AccountParts) {}

  /** Try a token; return what is wrong with it, or null. */
  async signIn(token: string): Promise<string | null> {
    await loadLater().catch(() => {}); // The server's own sentence is better than none.
    if (!/^[\x21-\x7e]+$/.test(token)) return text("sign-in-no-token");
    const verdict = await probe(pathOf(this.parts.engine.peek()), token);
    if (verdict && verdict.retry === null) return wordsOf(verdict.problem).text;
    this.keep(token);
    this.parts.onSignIn();
    return null;
  }

  signOut(): void {
    this.forget();
    this.parts.onSignOut();
  }

  /** Process the end of a session, for which the token may be the reason. */
  onStopped({ code }: Problem): void {
    if (code === "unauthorized" && this.parts.server.peek()?.login) this.forget();
    // The token may be good, and the failed log-ins another page's from the same address.
    if (code === "too-many-tries") this.parts.askForToken();
  }

  private forget(): void {
    this.keep(null);
    this.parts.askForToken();
  }

  private keep(token: string | null): void {
    this.token.value = token;
    storage.saveToken(token);
  }
}
