/** Signing in and out.  The token is kept for this tab, or on this device for all of its tabs. */

import type { App } from "../app";
import { probe } from "../engine/probe";
import { loadLater, text } from "../language/catalogue";
import { wordsOf } from "../language/problems";
import { pathOf } from "../server";
import { ServiceError } from "../service";
import { forgetToken, saveToken } from "../settings";
import { revokeToken } from "./client";

/** Try a token, and keep it; return what is wrong with it, or null. */
export async function signIn(app: App, token: string, isOfDevice = false): Promise<string | null> {
  await loadLater().catch(() => {}); // The server's own sentence is better than none.
  if (!/^[\x21-\x7e]+$/.test(token)) return text("sign-in-no-token");
  const verdict = await probe(pathOf(app.chosen.peek()), token);
  if (verdict && verdict.retry === null) return wordsOf(verdict.problem).text;
  if (isOfDevice) forgetToken(app.account.token.peek()); // That of the tab would come first.
  saveToken(token, isOfDevice);
  app.account.use(token);
  return null;
}

/** Sign out here at once; the server hears of it if it can be reached. */
export function signOut(app: App): void {
  const token = app.account.token.peek();
  app.analysis.disconnect();
  app.account.forget();
  revokeToken(token).catch((error) => {
    const isKept = error instanceof ServiceError && error.status === 503;
    if (isKept) app.toasts.addNote(text("sign-out-not-revoked"), error.problem.text);
  });
}
