/** The people in a room, as the page shows them.  Pure. */

import { OWNER } from "../settings";
import type { Member } from "./board";

/** The reason why a control is disabled. */
export const NO_CONTROL = "Someone else has control";

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
  return id === OWNER ? "Owner" : `Guest ${id}`;
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
      account: account === name ? null : account,
      mayWrite: member?.mayWrite ?? false,
      isMember: member !== undefined,
    };
  });
}

/** Return what someone may do, in words; empty for one who only watches. */
export function rightsOf(id: string, control: string, mayWrite: boolean): string {
  const hasControl = id === control;
  if (hasControl && mayWrite) return "has control, writes";
  if (hasControl) return "has control";
  return mayWrite ? "writes" : "";
}
