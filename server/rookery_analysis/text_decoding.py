"""The lines of a file of games as text, whatever their encoding and their ends.  No I/O.

A line ends with LF, CR LF, CR CR LF (written twice in text mode) or CR.  Each is decoded by
itself: UTF-8, or else the encoding of the file, which is guessed at the first line that is
not UTF-8.  A place in the text can be converted to one in the file, to go on there.

PGN is UTF-8 today and was ISO 8859-1 by the standard of 1994; most old files are in the code
page of the machine on which they were made.  An 8-bit file does not say which one that is,
and names are too short for statistics of letters.  The guess is by alphabets: in the right
encoding, the letters of each word are all in the alphabet of one language, and their case is
that of a name or of a word.  `server/web/src/game/encoding.ts` guesses in the same way.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Protocol

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
_PRINTABLE = bytes(range(32, 127)).decode()
UNKNOWN = "cp1252"  # if nothing speaks for any: HTML reads ISO 8859-1 as that, too

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
_MAX_WORDS = 4000  # that a guess is made of
_MAX_WORD = 40  # bytes

MAX_PIECE = 1 << 16  # characters of a line that are read at once
SAMPLE = 1 << 20  # bytes by which the encoding is guessed
_LINE_END = re.compile(r"\r{0,2}\n|\r")
_ERRORS = dict.fromkeys(WIDE, "surrogatepass")


class ByteReader(Protocol):
    """A file or a pipe."""

    def read1(self, size: int, /) -> bytes:
        """Return some bytes, `size` at most; none at the end."""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A line, or a part of a long one; `ends` is true if its end is in it.

    `offset` is its beginning in the file.
    """

    text: str
    offset: int
    coding: str
    ends: bool

    def offset_of(self, index: int) -> int:
        """Return the place of a character in the file."""
        errors = _ERRORS.get(self.coding, "surrogateescape")
        return self.offset + len(self.text[:index].encode(self.coding, errors))


class TextLines:
    """The pieces of a file from an offset on.

    `coding` is that of the file: one of `WIDE`, or that of lines which are not UTF-8, or None
    to guess it.  With `strictly`, it is that of all lines.
    """

    def __init__(
        self, file: ByteReader, coding: str | None, *, offset: int = 0, strictly: bool = False
    ) -> None:
        self.coding = coding
        self.file = file
        self._offset = offset
        self._strictly = strictly
        # What is not wide is ASCII but for letters: as Latin 1, each byte is a character.
        self._units = coding if coding in WIDE else "latin-1"
        self._decoder = codecs.getincrementaldecoder(self._units)("surrogatepass")
        self._buffer = ""
        self._at = 0  # characters of the buffer that were yielded
        self._is_over = False

    def __iter__(self) -> Iterator[TextPiece]:
        """Yield the rest of the file."""
        while True:
            found = _LINE_END.search(self._buffer, self._at)
            size = len(self._buffer) - self._at
            if found and self._is_end(found):
                yield self._piece(found.end(), ends=True)
            elif not found and size >= MAX_PIECE:
                yield self._piece(self._cut(), ends=False)
            elif not self._is_over:
                self._fill()
            elif size:
                yield self._piece(len(self._buffer), ends=True)
            else:
                return

    def _is_end(self, found: re.Match[str]) -> bool:
        """Return whether an end of a line is whole: CR may be the beginning of a longer one."""
        is_known = found[0].endswith("\n") or found.end() + 2 <= len(self._buffer)
        return is_known or self._is_over

    def _fill(self) -> None:
        data = self.file.read1(MAX_PIECE)
        self._is_over = not data
        try:
            more = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError:  # Half a character, at the end of the file.
            more = ""
        self._buffer = self._buffer[self._at :] + more
        self._at = 0

    def _cut(self) -> int:
        """Return the place to cut a long line: behind a blank, if there is one."""
        end = self._at + MAX_PIECE
        return self._buffer.rfind(" ", self._at, end) + 1 or end

    def _piece(self, end: int, *, ends: bool) -> TextPiece:
        text = self._buffer[self._at : end]
        self._at = end
        coding = self._units
        if coding == "latin-1":
            text, coding = self._decode(text)
        piece = TextPiece(text, self._offset, coding, ends)
        self._offset = piece.offset_of(len(text))
        return piece

    def _decode(self, text: str) -> tuple[str, str]:
        if text.isascii():
            return text, "ascii"
        raw = text.encode("latin-1")
        if self._strictly and self.coding:
            return raw.decode(self.coding, errors="surrogateescape"), self.coding
        found = decode_line(raw, self.coding)
        if found is None:
            self.coding = guess_encoding(self._sample(text))
            found = decode_line(raw, self.coding)
        assert found
        return found

    def _sample(self, line: str) -> Iterator[bytes]:
        """Yield a line and those behind it, which stay in the buffer."""
        while not self._is_over and len(self._buffer) - self._at < SAMPLE:
            self._fill()
        sample = line + self._buffer[self._at : self._at + SAMPLE]
        return (line.encode("latin-1") for line in re.split(r"[\r\n]+", sample))


def encoding_shown_by(head: bytes) -> tuple[str, int] | None:
    """Return the encoding that a file's first bytes show, and the length of its mark."""
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


def check_encoding(name: str) -> str:
    """Return an encoding as Python calls it.

    Raises:
        ValueError: there is none of that name, or none in which PGN can be.

    """
    try:
        found = codecs.lookup(name).name
        # The second one's mark would be written before each line.
        found = {"utf-16": WIDE[0], "utf-8-sig": "utf-8"}.get(found, found)
        is_text = not found.startswith(_NO_TEXTS) and "escape" not in found
        if found in WIDE or (is_text and _PRINTABLE.encode().decode(found) == _PRINTABLE):
            return found
    except (LookupError, ValueError):
        pass  # It is none, and refused as all others.
    raise ValueError(
        f"needs the name of an encoding, as utf-8, windows-1251 or cp437, not {name!r}"
    )


def decode_line(line: bytes, fallback: str | None) -> tuple[str, str] | None:
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


def guess_encoding(lines: Iterable[bytes]) -> str:
    """Return the encoding in which most words of some lines are words.

    Lines in UTF-8 say nothing about the others.
    """
    words = set(_words(lines))
    scores = {name: sum(_worth(word, name) for word in words) for name in ALPHABETS}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] > 0 else UNKNOWN


def _words(lines: Iterable[bytes]) -> Iterator[bytes]:
    count = 0
    for line in lines:
        if not line.isascii() and decode_line(line, None) is None:
            for word in _WORD.findall(line):
                # One letter alone may be anything, as a blank that does not break lines.
                if 1 < len(word) <= _MAX_WORD:
                    yield word
                    count += 1
            if count > _MAX_WORDS:
                return


@cache
def _alphabets(name: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(each + each.upper()) for each in ALPHABETS[name])


def _worth(word: bytes, name: str) -> int:
    """Return the worth of a word in an encoding: its letters, or less than 0 if it is none."""
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
