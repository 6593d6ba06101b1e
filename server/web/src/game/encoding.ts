/**
 * The text of a file of games in any encoding: UTF-8, UTF-16, or an 8-bit encoding that is guessed.
 *
 * An 8-bit file does not name its code page, and names are too short for statistics of letters.  The
 * guess is by alphabets: in the right encoding, all letters of a word are in the alphabet of one
 * language, and their case is that of a name or of a word.  The command `analyse` guesses in the
 * same way.
 */

const LATIN = [
  "äöüß", // German
  "àâæçéèêëîïôœùûüÿ", // French
  "áéíóúüñªº", // Spanish
  "àáâãçéêíóôõúü", // Portuguese
  "àèéìíîòóùú", // Italian
  "àçèéíïòóúü", // Catalan
  "áäéëíïóöúü", // Dutch
  "åæøéòó", // Danish, Norwegian
  "åäöé", // Swedish, Finnish
  "áðéíóúýþæö", // Icelandic
];
const CENTRAL = [
  "äöüß",
  "ąćęłńóśźż", // Polish
  "áčďéěíňóřšťúůýž", // Czech
  "áäčďéíĺľňóôŕšťúýž", // Slovak
  "áéíóöőúüű", // Hungarian
  "čćđšž", // Croatian, Slovene, Serbian
  "ăâîşţșț", // Romanian
];
const RUSSIAN = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя";
const CYRILLIC = [
  RUSSIAN,
  "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", // Ukrainian
  "абвгдеёжзійклмнопрстуўфхцчшыьэюя", // Belarusian
  "абвгдђежзијклљмнњопрстћуфхцчџш", // Serbian
];
// The upper halves of code pages that browsers do not know.
const CODE_PAGES: Readonly<Record<string, string>> = {
  cp850:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  cp852:
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0",
  cp437:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
};
const UNKNOWN = "windows-1252";
// Of encodings with the same score, the first is guessed.
const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  [UNKNOWN]: LATIN,
  "windows-1250": CENTRAL,
  "windows-1251": CYRILLIC,
  "windows-1253": ["αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώ"],
  "windows-1254": ["çğıöşüâîiİ"],
  "windows-1257": ["āčēģīķļņšūž", "ąčęėįšųūž", "äõöüšž"],
  "iso-8859-2": CENTRAL,
  "koi8-r": [RUSSIAN],
  ibm866: [RUSSIAN],
  "x-mac-cyrillic": CYRILLIC,
  "iso-8859-5": CYRILLIC,
  cp850: LATIN,
  cp852: CENTRAL,
  cp437: LATIN,
  macintosh: LATIN,
};
/** The encodings from which to choose, and their names. */
export const CODINGS: Readonly<Record<string, string>> = {
  [UNKNOWN]: "Western (Windows-1252)",
  "windows-1250": "Central European (Windows-1250)",
  "iso-8859-2": "Central European (Latin-2)",
  "windows-1251": "Cyrillic (Windows-1251)",
  "koi8-r": "Cyrillic (KOI8-R)",
  ibm866: "Cyrillic (DOS, 866)",
  "iso-8859-5": "Cyrillic (ISO-8859-5)",
  "x-mac-cyrillic": "Cyrillic (Mac)",
  "windows-1253": "Greek (Windows-1253)",
  "windows-1254": "Turkish (Windows-1254)",
  "windows-1257": "Baltic (Windows-1257)",
  cp850: "Western (DOS, 850)",
  cp852: "Central European (DOS, 852)",
  cp437: "Western (DOS, 437)",
  macintosh: "Western (Mac)",
};
const DECLARED = /^%.{0,20}?coding\s*[:=]\s*([\w-]+)/im;
const SAMPLE = 1 << 20; // bytes by which the encoding is guessed
const MOST_WORDS = 4000; // different ones that are scored
const LONGEST_WORD = 40; // bytes
const HEAD = 1 << 10; // bytes by which UTF-16 without a byte order mark is recognized

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of a file. */
export interface DecodedText {
  readonly text: string;
  /** The 8-bit encoding in which it was read; null if the file leaves no choice. */
  readonly coding: string | null;
}

/** Decode a file; one that is neither UTF-8 nor UTF-16 in an encoding, or else in the likely one. */
export function readText(source: ArrayBuffer | Uint8Array, coding?: string): DecodedText {
  const bytes = source instanceof Uint8Array ? source : new Uint8Array(source);
  const wide = utf16Of(bytes.subarray(0, HEAD));
  if (wide) return { text: new TextDecoder(wide).decode(bytes), coding: null };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), coding: null };
  } catch {
    const used = coding ?? declaredCoding(bytes) ?? guessCoding(bytes);
    return { text: decodeLines(bytes, used).replace(/^\ufeff/, ""), coding: used };
  }
}

/** Encode a text in an 8-bit encoding; null if that has no letter for some of it. */
export function encodeText(text: string, coding: string): Uint8Array | null {
  const letters = decode(
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
    coding,
  );
  const bytes = new Map([...letters].map((letter, byte) => [letter, byte]));
  const encoded = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const byte = bytes.get(text[at] ?? "");
    if (byte === undefined || text[at] === "\ufffd") return null;
    encoded[at] = byte;
  }
  return encoded;
}

/** Decode a file in the likely encoding. */
export function decodeText(source: ArrayBuffer | Uint8Array): string {
  return readText(source).text;
}

/** Return the encoding that a file names in an escaped line (`% coding: windows-1251`). */
function declaredCoding(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD));
  const label = DECLARED.exec(head)?.[1]?.toLowerCase() ?? "";
  const known = Object.keys(CODINGS).find((each) => each === label);
  try {
    const name = known ?? new TextDecoder(label).encoding;
    return name in CODINGS ? name : null;
  } catch {
    return null;
  }
}

/** Return the byte order of UTF-16, if the first bytes look like it. */
function utf16Of(head: Uint8Array): string | null {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const zeros = [0, 0];
  head.forEach((byte, at) => {
    if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (head.length < 4 || Math.max(even, odd) <= head.length >> 3) return null;
  if (even > 4 * odd) return "utf-16be";
  return odd > 4 * even ? "utf-16le" : null;
}

/** Decode each line by itself: as UTF-8, or else in an 8-bit encoding. */
function decodeLines(bytes: Uint8Array, coding: string): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = endOfLine(bytes, start);
    const line = bytes.subarray(start, end);
    parts.push(decodeUtf8(line) ?? decode(line, coding));
    start = end;
  }
  return parts.join("");
}

/** Guess the encoding of a file by its lines that are not UTF-8, from the first one on. */
function guessCoding(bytes: Uint8Array): string {
  for (let start = 0; start < bytes.length; start = endOfLine(bytes, start)) {
    const isUtf8 = decodeUtf8(bytes.subarray(start, endOfLine(bytes, start))) !== null;
    if (!isUtf8) return guessEncoding(bytes.subarray(start, start + SAMPLE));
  }
  return UNKNOWN;
}

/** Return the index after a line and its line break. */
function endOfLine(bytes: Uint8Array, start: number): number {
  let end = start;
  while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end++;
  return Math.min(end + 1, bytes.length);
}

/** Decode a line as UTF-8, perhaps with broken bytes; null if it is in another encoding. */
function decodeUtf8(line: Uint8Array): string | null {
  try {
    return utf8.decode(line);
  } catch {
    const text = lenient.decode(line);
    const broken = text.split("\ufffd").length - 1;
    const good = [...text].filter((each) => each > "\x7f").length - broken;
    return broken <= good ? text : null;
  }
}

function decode(bytes: Uint8Array, coding: string): string {
  const codePage = CODE_PAGES[coding];
  if (!codePage) return new TextDecoder(coding).decode(bytes);
  return Array.from(bytes, (byte) =>
    byte < 128 ? String.fromCharCode(byte) : codePage[byte - 128],
  ).join("");
}

/** Guess the encoding in which most words make sense. */
function guessEncoding(sample: Uint8Array): string {
  const words = wordsIn(sample);
  let [best, most] = [UNKNOWN, 0];
  for (const [coding, alphabets] of Object.entries(ALPHABETS)) {
    const sets = alphabets.map((each) => new Set(each + each.toUpperCase()));
    const score = words.reduce((sum, word) => sum + scoreOf(decode(word, coding), sets), 0);
    if (score > most) [best, most] = [coding, score];
  }
  return best;
}

/** Return the words with letters beyond ASCII, from lines that are not UTF-8. */
function wordsIn(sample: Uint8Array): Uint8Array[] {
  const words = new Map<string, Uint8Array>();
  for (let start = 0; start < sample.length && words.size < MOST_WORDS; ) {
    const end = endOfLine(sample, start);
    const line = sample.subarray(start, end);
    start = end;
    if (decodeUtf8(line) !== null) continue;
    const plain = String.fromCharCode(...line.subarray(0, 10_000));
    for (const { 0: word, index } of plain.matchAll(/[A-Za-z\x80-\xff]{2,}/g)) {
      if (word.length <= LONGEST_WORD && /[\x80-\xff]/.test(word))
        words.set(word, line.subarray(index, index + word.length));
    }
  }
  return [...words.values()];
}

/** Score a word in an encoding: by its letters if it makes sense, below 0 if not. */
function scoreOf(text: string, alphabets: readonly ReadonlySet<string>[]): number {
  const foreign = [...text].filter((each) => each > "\x7f");
  if (foreign.some((each) => !/\p{L}/u.test(each))) return -foreign.length;
  const isLatin = foreign.every((each) => each < "\u0370");
  if (!isLatin && foreign.length < text.length) return -foreign.length; // two scripts in a word
  const rest = text.slice(1);
  const isUpper = rest === rest.toUpperCase();
  if (!isUpper && rest !== rest.toLowerCase()) return -foreign.length;
  if (rest && isUpper && text[0] !== text[0]?.toUpperCase()) return -foreign.length;
  if (!alphabets.some((each) => foreign.every((letter) => each.has(letter)))) return -1;
  // A word without ASCII letters is in another script, or short.
  const isOdd = isLatin && foreign.length === text.length && text.length > 1;
  return isOdd ? -foreign.length : 2 * foreign.length;
}
