/** The account of the user: its token, which this tab keeps, or this device for all tabs. */

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { ServerInfo } from "./server";
import * as storage from "./settings";
import type { Problem } from "./uci/notice";

interface AccountParts {
  readonly server: ReadonlySignal<ServerInfo | null>;
  readonly onSignIn: () => void;
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

  /** Process the end of a session, for which the token may be the reason. */
  onStopped({ code }: Problem): void {
    if (code === "unauthorized" && this.parts.server.peek()?.login) this.forget();
    // The token may be good, and the failed log-ins another page's from the same address.
    if (code === "too-many-tries") this.parts.askForToken();
  }

  /** Forget the token; the page goes on with another that is kept, if there is one. */
  forget(): void {
    storage.forgetToken(this.token.peek());
    this.use(storage.loadToken());
  }

  /** Be signed in with a token, or not any more (null). */
  use(token: string | null): void {
    this.token.value = token;
    if (token) this.parts.onSignIn();
    else this.parts.askForToken();
  }
}
