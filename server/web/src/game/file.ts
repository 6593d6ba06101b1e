/** Files that a user drops or chooses: which of them cannot have games, and what they are.  Pure. */

import { InputError } from "./fen";

/** The first bytes of kinds of files, with the ids of what to say, in Latin-1; control characters as their pictures (`␀` is 0). */
const BEGINNINGS: readonly [beginning: RegExp, id: string][] = [
  [/^\x89PNG|^\xff\xd8\xff|^GIF8|^BM.{4}␀␀␀␀|^RIFF.{4}WEBP|^II\*␀|^MM␀\*/s, "file-picture"],
  [/^.{4}ftyp(heic|heif|avif|mif1)/s, "file-picture"],
  [/^.{4}ftyp|^ID3|^OggS|^RIFF|^␚E\xdf\xa3|^fLaC/s, "file-sound"],
  [/^%PDF/, "file-pdf"],
  [/^PK␃␄.{26}(word|xl|ppt|\[Content_Types)/s, "file-office"],
  [/^PK[␃␅]/, "file-zip"],
  [/^␟\x8b|^BZh|^\xfd7zXZ|^7z\xbc\xaf|^Rar!|^\(\xb5\x2f\xfd/, "file-compressed"],
  [/^\s*<(!doctype html|html)/i, "file-web-page"],
];
const DATABASES = /\.(cbh|cbv|cbg|cbf|si[345]|sg[345]|sn[345]|scid|ctg|abk|bin)$/i;
const PICTURES = 0x2400; // of control characters
const HEAD = 4096; // bytes that are looked at

/** Return why a file has no games, and what to do; null if it may have some. */
export function fileProblem(name: string, content: ArrayBuffer): InputError | null {
  const bytes = new Uint8Array(content, 0, Math.min(HEAD, content.byteLength));
  const head = Array.from(bytes, characterOf).join("");
  if (!head) return new InputError("file-empty", { name });
  const [, kind] = BEGINNINGS.find(([beginning]) => beginning.test(head)) ?? [];
  if (kind) return new InputError(kind, { name });
  if (!isBinary(head)) return head.trim() ? null : new InputError("file-blank", { name });
  return new InputError(DATABASES.test(name) ? "file-database" : "file-binary", { name });
}

function characterOf(byte: number): string {
  const isControl = byte < 32 && !"\t\n\f\r".includes(String.fromCharCode(byte));
  return String.fromCharCode(isControl ? PICTURES + byte : byte);
}

export function folderProblem(name: string): InputError {
  return new InputError("file-folder", { name });
}

/** Return whether it is neither text in 8 bits nor in UTF-16, by its control characters. */
function isBinary(head: string): boolean {
  if (/^(\xff\xfe|\xfe\xff)/.test(head) || isWide(head)) return false;
  const controls = head.match(/[␀-␈␎-␙]/g) ?? [];
  return controls.length > head.length / 200;
}

/** Return whether nearly every other byte is 0, as in UTF-16. */
function isWide(head: string): boolean {
  const zeros = [...head].flatMap((each, at) => (each === "␀" ? [at & 1] : []));
  const odd = zeros.filter(Boolean).length;
  return zeros.length > head.length / 4 && Math.min(odd, zeros.length - odd) * 4 < zeros.length;
}
