/** Files that a user drops or chooses: which of them cannot have games, and what they are.  Pure. */

/** The first bytes of kinds of files, in Latin-1; control characters as their pictures (`␀` is 0). */
const BEGINNINGS: readonly [beginning: RegExp, kind: string, hint?: "unpack"][] = [
  [/^\x89PNG|^\xff\xd8\xff|^GIF8|^BM.{4}␀␀␀␀|^RIFF.{4}WEBP|^II\*␀|^MM␀\*/s, "a picture"],
  [/^.{4}ftyp(heic|heif|avif|mif1)/s, "a picture"],
  [/^.{4}ftyp|^ID3|^OggS|^RIFF|^␚E\xdf\xa3|^fLaC/s, "sound or video"],
  [/^%PDF/, "a PDF document"],
  [/^PK␃␄.{26}(word|xl|ppt|\[Content_Types)/s, "an office document"],
  [/^PK[␃␅]/, "a zip archive", "unpack"],
  [/^␟\x8b|^BZh|^\xfd7zXZ|^7z\xbc\xaf|^Rar!|^\(\xb5\x2f\xfd/, "a compressed file", "unpack"],
  [/^\s*<(!doctype html|html)/i, "a web page"],
];
const DATABASES = /\.(cbh|cbv|cbg|cbf|si[345]|sg[345]|sn[345]|scid|ctg|abk|bin)$/i;
const EXPECTED = "a text file with games (PGN) or positions (FEN, EPD)";
const PICTURES = 0x2400; // of control characters
const HEAD = 4096; // bytes that are looked at

/** Return why a file has no games, and what to do; null if it may have some. */
export function fileProblem(name: string, content: ArrayBuffer): string | null {
  const bytes = new Uint8Array(content, 0, Math.min(HEAD, content.byteLength));
  const head = Array.from(bytes, characterOf).join("");
  if (!head) return `“${name}” is empty: choose ${EXPECTED}`;
  const [, kind, hint] = BEGINNINGS.find(([beginning]) => beginning.test(head)) ?? [];
  if (hint) return `“${name}” is ${kind}: unpack it first, and open the file of games in it`;
  if (kind) return `“${name}” is ${kind}: choose ${EXPECTED}`;
  if (!isBinary(head)) return head.trim() ? null : `“${name}” has only blanks: choose ${EXPECTED}`;
  return DATABASES.test(name)
    ? `“${name}” is a database of a chess program: export its games as PGN there, and open that`
    : `“${name}” is not text: choose ${EXPECTED}`;
}

function characterOf(byte: number): string {
  const isControl = byte < 32 && !"\t\n\f\r".includes(String.fromCharCode(byte));
  return String.fromCharCode(isControl ? PICTURES + byte : byte);
}

export function folderProblem(name: string): string {
  return `“${name}” is a folder, or cannot be read: choose ${EXPECTED}`;
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
