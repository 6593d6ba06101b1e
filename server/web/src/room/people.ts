/** The people in a room, as the page shows them.  Pure. */

import { text } from "../language/catalogue";
import { OWNER } from "../settings";
import type { Member } from "./board";

const EVERYBODY = "local"; // the account of all where no token is wanted

/** Someone in the room; `account` is known to the owner only. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly account: string | null;
  readonly mayWrite: boolean;
  /** Whether the page of this person knows of the shared game, so that it may write there. */
  readonly isMember: boolean;
}

/** Return the name of a member: the own one, or a number for a guest. */
export function nameOf(id: string, members: readonly Member[]): string {
  const name = members.find((each) => each.id === id)?.name;
  if (name) return name;
  return id === OWNER ? text("room-owner-name") : text("room-guest", { id });
}

/** Return the viewers for the owner, with what is known of each. */
export function viewersOf(
  viewers: readonly { readonly id: string; readonly account: string }[],
  members: readonly Member[],
): Person[] {
  return viewers.map(({ id, account }) => {
    const member = members.find((each) => each.id === id);
    const name = nameOf(id, members);
    return {
      id,
      name,
      account: account === name || account === EVERYBODY ? null : account,
      mayWrite: member?.mayWrite ?? false,
      isMember: member !== undefined,
    };
  });
}

/** Return what someone may do, in words; empty for one who only watches.  Control includes writing. */
export function rightsOf(id: string, control: string, mayWrite: boolean): string {
  if (id === control) return text("room-has-control");
  return mayWrite ? text("room-writes") : "";
}
