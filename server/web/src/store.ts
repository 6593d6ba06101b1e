/**
 * Values that the browser stores for this page.
 *
 * When its storage is full, what is needed least makes room for the rest, and a listener is told what
 * cannot be stored nevertheless.  Where the browser stores nothing at all, the page goes on without.
 */

/** Whether the browser keeps what the page stores: all of it, not the newest, or nothing ever. */
export type StorageState = "kept" | "full" | "closed";

type StorageName = "localStorage" | "sessionStorage";

// What makes room when there is none, in this order; of lists, the oldest, which are the last.
export const PLAYED = "rookery.played";
export const JOBS = "rookery.jobs";
export const DRAFT = "rookery.draft";
const LEAST_NEEDED: readonly string[] = [PLAYED, JOBS, DRAFT];

const unstored = new Map<string, "full" | "closed">(); // by storage and key
let report: (state: StorageState) => void = () => {};

/** Report the state of the storage, now and whenever something was stored, or could not be. */
export function watchStorage(listener: (state: StorageState) => void): void {
  report = listener;
  report(storageState());
}

function storageState(): StorageState {
  const states = [...unstored.values()];
  return states.includes("full") ? "full" : (states[0] ?? "kept");
}

/** Return a stored value; null if there is none, or none that can be read. */
export function readStored(name: StorageName, key: string): unknown {
  try {
    return parse(globalThis[name].getItem(key));
  } catch {
    return null;
  }
}

/** Store a value, or remove it (null); return whether that succeeded. */
export function writeStored(name: StorageName, key: string, value: unknown): boolean {
  const id = `${name} ${key}`;
  const problem = problemOfWriting(name, key, value === null ? null : JSON.stringify(value));
  if (problem) unstored.set(id, problem);
  else unstored.delete(id);
  report(storageState());
  return problem === null;
}

function problemOfWriting(name: StorageName, key: string, text: string | null) {
  try {
    const storage = globalThis[name];
    if (hasStored(storage, key, text)) return null;
    // Nothing is dropped again for what did not fit in the place of all that.
    const isNew = unstored.get(`${name} ${key}`) !== "full";
    return text !== null && isNew && hasReplaced(storage, key, text) ? null : "full";
  } catch {
    return "closed";
  }
}

/** Store a text; return false if there is no room.  A storage that is empty and full is closed. */
function hasStored(storage: Storage, key: string, text: string | null): boolean {
  try {
    if (text === null) storage.removeItem(key);
    else storage.setItem(key, text);
    return true;
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
    if (isFull && storage.length > 0) return false;
    throw error;
  }
}

/** Store a text in the place of what is needed least; if that is not enough, leave all as it was. */
function hasReplaced(storage: Storage, key: string, text: string): boolean {
  const at = LEAST_NEEDED.indexOf(key);
  const others = at < 0 ? LEAST_NEEDED : LEAST_NEEDED.slice(0, at);
  const former = others.map((each) => [each, storage.getItem(each)] as const);
  for (const [other, stored] of former) {
    for (let kept = stored; kept !== null; ) {
      kept = newerHalf(kept);
      hasStored(storage, other, kept);
      if (hasStored(storage, key, text)) return true;
    }
  }
  for (const [other, stored] of former) hasStored(storage, other, stored);
  return false;
}

/** Return the first half of a list, as text; null of anything else, and of a list without a half. */
function newerHalf(text: string): string | null {
  const value = parse(text);
  const half = Array.isArray(value) ? value.slice(0, Math.floor(value.length / 2)) : [];
  return half.length ? JSON.stringify(half) : null;
}

function parse(text: string | null): unknown {
  return JSON.parse(text ?? "null");
}
