/** One-use codes that sign a browser in, over HTTP (`/v1/sign-in`). */

import { requestService, type ServiceWords } from "../service";

/** A code that was made; `qr` is the QR code of `url` in SVG, `seconds` how long it is good. */
export interface OpenCode {
  readonly id: string;
  readonly account: string;
  readonly url: string;
  readonly qr: string;
  readonly seconds: number;
}

export interface CodeState {
  readonly state: "open" | "used" | "expired";
  /** What has signed in. */
  readonly device?: string;
}

export interface SignedIn {
  readonly token: string;
  readonly account: string;
}

/** Whom a code is to be for, if not the account that makes it. */
export interface CodeAccount {
  readonly account: string;
  readonly role: string;
}

const SIGN_IN = "/v1/sign-in";
const CODES = `${SIGN_IN}/codes`;
const WORDS: ServiceWords = { titles: {}, other: ["code-not-made"] };

export class CodeClient {
  constructor(private readonly token: () => string | null) {}

  async make(account: CodeAccount | null): Promise<OpenCode> {
    return (await (await this.request("POST", CODES, account ?? {})).json()) as OpenCode;
  }

  async look(id: string): Promise<CodeState> {
    return (await (await this.request("GET", `${CODES}/${id}`)).json()) as CodeState;
  }

  /** Withdraw a code, also while the page is being left. */
  async withdraw(id: string): Promise<void> {
    await this.request("DELETE", `${CODES}/${id}`);
  }

  private request(method: string, path: string, body?: object): Promise<Response> {
    const more = body ? jsonOf(body) : {};
    return requestService(WORDS, path, this.token(), { ...more, method, keepalive: true });
  }
}

/** Use a code up: the answer has a token for this browser. */
export async function signInByCode(code: string): Promise<SignedIn> {
  const more = { ...jsonOf({ code }), method: "POST" };
  return (await (await requestService(WORDS, SIGN_IN, null, more)).json()) as SignedIn;
}

/** Have the server revoke the token of this browser, if it was given for a code. */
export async function revokeToken(token: string | null): Promise<void> {
  await requestService(WORDS, SIGN_IN, token, { method: "DELETE", keepalive: true });
}

function jsonOf(body: object): RequestInit {
  return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}
