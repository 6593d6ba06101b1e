"""The encoding of a file of games: what is known of it, or else a good guess.  No I/O.

PGN is UTF-8 today and was ISO 8859-1 by the standard of 1994; most old files are in the code
page of the machine on which they were made.  An 8-bit file does not say which one that is,
and names are too short for statistics of letters.  The guess is by alphabets: in the right
encoding, the letters of each word are all in the alphabet of one language, and their case is
that of a name or of a word.  `server/web/src/game/charset.ts` guesses in the same way.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from functools import cache

MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # begins as that of UTF-16 does
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
WIDE = ("utf-16-le", "utf-16-be")
HEAD = 1 << 10  # bytes by which UTF-16 without a mark is known
# What a line means in them depends on those before it, or they are no encodings of texts.
_NO_TEXTS = ("iso2022", "hz", "utf-7", "punycode", "idna")
UNKNOWN = "cp1252"  # where nothing speaks for any: what HTML takes for ISO 8859-1, too

_LATIN = (
    "äöüß",  # German
    "àâæçéèêëîïôœùûüÿ",  # French
    "áéíóúüñªº",  # Spanish
    "àáâãçéêíóôõúü",  # Portuguese
    "àèéìíîòóùú",  # Italian
    "àçèéíïòóúü",  # Catalan
    "áäéëíïóöúü",  # Dutch
    "åæøéòó",  # Danish, Norwegian
    "åäöé",  # Swedish, Finnish
    "áðéíóúýþæö",  # Icelandic
)
_CENTRAL = (
    "äöüß",
    "ąćęłńóśźż",  # Polish
    "áčďéěíňóřšťúůýž",  # Czech
    "áäčďéíĺľňóôŕšťúýž",  # Slovak
    "áéíóöőúüű",  # Hungarian
    "čćđšž",  # Croatian, Slovene, Serbian
    "ăâîşţșț",  # Romanian
)
_RUSSIAN = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
_CYRILLIC = (
    _RUSSIAN,
    "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",  # Ukrainian
    "абвгдеёжзійклмнопрстуўфхцчшыьэюя",  # Belarusian
    "абвгдђежзијклљмнњопрстћуфхцчџш",  # Serbian
)
# The order decides between encodings in which as many words can be read.
ALPHABETS: dict[str, tuple[str, ...]] = {
    "cp1252": _LATIN,
    "cp1250": _CENTRAL,
    "cp1251": _CYRILLIC,
    "cp1253": ("αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώ",),
    "cp1254": ("çğıöşüâîiİ",),
    "cp1257": ("āčēģīķļņšūž", "ąčęėįšųūž", "äõöüšž"),
    "iso8859-2": _CENTRAL,
    "koi8-r": (_RUSSIAN,),
    "cp866": (_RUSSIAN,),
    "mac-cyrillic": _CYRILLIC,
    "iso8859-5": _CYRILLIC,
    "cp850": _LATIN,
    "cp852": _CENTRAL,
    "cp437": _LATIN,
    "mac-roman": _LATIN,
}
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
_MOST = 4000  # words that are looked at
_LONGEST = 40  # bytes of a word


def of_mark(head: bytes) -> tuple[str, int] | None:
    """Return the encoding of which a file's first bytes speak, and the length of its mark."""
    for mark, name in MARKS.items():
        if head.startswith(mark):
            return name, len(mark)
    even, odd = head[0::2].count(0), head[1::2].count(0)
    least = len(head) // 8  # most of tags and moves is ASCII, even where names are not
    if len(head) >= 4 and max(even, odd) > least:
        if even > 4 * odd:
            return "utf-16-be", 0
        if odd > 4 * even:
            return "utf-16-le", 0
    return None


def check(name: str) -> str:
    """Return an encoding as Python calls it.

    Raises:
        ValueError: there is none of that name, or none in which PGN can be.

    """
    try:
        found = codecs.lookup(name).name
        if found in ("utf-16", *WIDE):
            return WIDE[0] if found == "utf-16" else found
        if found == "utf-8-sig":  # whose mark would be written before each line
            return "utf-8"
        if found.startswith(_NO_TEXTS) or "escape" in found:
            raise ValueError(found)
        known = bytes(range(32, 127)).decode(found)
    except (LookupError, UnicodeError, ValueError):
        found = known = ""
    if known != bytes(range(32, 127)).decode():
        raise ValueError(
            f"needs the name of an encoding, as utf-8, windows-1251 or cp437, not {name!r}"
        )
    return found


def decoded(line: bytes, fallback: str | None) -> tuple[str, str] | None:
    """Return a line as text, and its encoding; None if it is not in UTF-8 and there is no other.

    What cannot be decoded becomes surrogates, so that the same encoding gives the bytes back.
    """
    try:
        return line.decode(), "utf-8"
    except UnicodeDecodeError:
        text = line.decode(errors="surrogateescape")
    broken = sum("\udc80" <= each <= "\udcff" for each in text)
    # Two letters of an 8-bit encoding are hardly ever one of UTF-8.
    if broken <= sum(each > "\x7f" for each in text) - broken:
        return text, "utf-8"
    if fallback is None:
        return None
    return line.decode(fallback, errors="surrogateescape"), fallback


def guess(lines: Iterable[bytes]) -> str:
    """Return the encoding in which most words of some lines are words.

    Lines that are in UTF-8 say nothing of the others.
    """
    words = set(_words(lines))
    scores = {name: sum(_worth(word, name) for word in words) for name in ALPHABETS}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] > 0 else UNKNOWN


def _words(lines: Iterable[bytes]) -> Iterator[bytes]:
    count = 0
    for line in lines:
        if not line.isascii() and decoded(line, None) is None:
            for word in _WORD.findall(line):
                # One letter alone may be anything, as a blank that does not break lines.
                if 1 < len(word) <= _LONGEST:
                    yield word
                    count += 1
            if count > _MOST:
                return


@cache
def _alphabets(name: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(each + each.upper()) for each in ALPHABETS[name])


def _worth(word: bytes, name: str) -> int:
    """Say how well a word reads in an encoding: its letters if it is one, less than 0 if not."""
    try:
        text = word.decode(name)
    except UnicodeDecodeError:
        return -3 * len(word)
    foreign = [each for each in text if each > "\x7f"]
    if not all(each.isalpha() for each in foreign):
        return -len(foreign)
    is_latin = all(each < "\u0370" for each in foreign)
    if not is_latin and len(foreign) < len(text):
        return -len(foreign)  # two scripts in one word
    rest = text[1:]
    if not (rest.islower() or rest.isupper() or not rest):
        return -len(foreign)
    if rest.isupper() and text[0].islower():
        return -len(foreign)
    if any(set(foreign) <= each for each in _alphabets(name)):
        # A word without any letter of ASCII is one of another script, or a short one.
        odd = is_latin and len(foreign) == len(text) > 1
        return -len(foreign) if odd else 2 * len(foreign)
    return -1
