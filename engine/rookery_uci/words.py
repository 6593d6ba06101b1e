"""Reading a line word by word: what commands and replies have in common."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")

_WORD = re.compile(r"[^\s\ufeff]+")  # a byte order mark is no part of a word
# `P@e4` drops a pawn, in crazyhouse; which moves there are is a matter of the rules.
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][a-z]?|[A-Z]@[a-h][1-8]|0000")
_NUMBER = re.compile(r"[+-]?[0-9]+")
# What scripts write for a number: `1,000`, `1_000.5`, `1e3`, `1000ms`.
_LOOSE = re.compile(r"([+-]?[0-9]+(?:[,_'][0-9]{3})*)((?:\.[0-9]*)?[eE]\+?[0-9]{1,2})?")
_SEPARATORS = str.maketrans("", "", ",_'")
_MAX_DIGITS = 20  # of a 64-bit number; Python reads long ones in quadratic time
_LARGEST = 2**64 - 1  # what a number that is larger is read as
_MAX_QUOTED = 60  # characters of a peer's text in an error, which is sent back and logged


class UciError(ValueError):
    """A line has a UCI keyword but no meaning; the text says what was expected."""


def parse(line: str, readers: Mapping[str, Callable[[str], T]]) -> T | None:
    """Return the value that the reader of the first keyword makes of the text behind it.

    Words before it are skipped, as the specification asks: `joho isready` is
    `isready`.  None if no word has a reader.
    """
    for word in _WORD.finditer(line):
        reader = readers.get(word.group())
        if reader is not None:
            return reader(line[word.end() :])
    return None


def keyword_of(line: str, readers: Mapping[str, Callable[[str], T]]) -> str | None:
    """Return the first word that has a reader; None if no word has."""
    return next((word for word in _WORD.findall(line) if word in readers), None)


def always(value: T) -> Callable[[str], T]:
    """Return the reader of a message that is a single word: it ignores what follows."""
    return lambda _: value


def cut(text: str, keyword: str) -> tuple[str, str | None]:
    """Divide a line at a word: what is before it, and what follows it (None: no such word)."""
    # Most lines have it nowhere, and that is seen far sooner than word by word.
    for word in _WORD.finditer(text) if keyword in text else ():
        if word.group() == keyword:
            return text[: word.start()], text[word.end() :].strip()
    return text, None


def quote(text: str) -> str:
    """Return a peer's text as an error shows it: quoted, and cut if it is long."""
    text = text.strip()
    return repr(text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}...")


def to_number(text: str) -> int | None:
    """Return the whole number that a word is, or None if it is none."""
    if len(text) > _MAX_DIGITS or not _NUMBER.fullmatch(text):
        return None
    return int(text)


def to_loose_number(text: str) -> int | None:
    """Return the whole number that a word begins with, or None; one too large is the largest."""
    match = _LOOSE.match(text)
    if match is None:
        return None
    digits, power = match[1].translate(_SEPARATORS), match[2]
    if len(digits) > _MAX_DIGITS:
        number = -_LARGEST if digits[0] == "-" else _LARGEST
    else:
        number = int(float(digits + power)) if power else int(digits)
    return max(-_LARGEST, min(number, _LARGEST))


def to_move(text: str) -> str | None:
    """Return the move that a word looks like, or None; a promotion may be a capital."""
    move = text[:4] + text[4:].lower()
    return move if _MOVE.fullmatch(move) else None


def key_of(name: str) -> str:
    """Return what names of options are compared by: neither case nor white space matters."""
    return " ".join(name.split()).casefold()


class Words(Iterator[str]):
    """The words of a line, read one after the other with a look at the next."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._next = 0

    def __next__(self) -> str:
        if self._next == len(self._words):
            raise StopIteration
        self._next += 1
        return self._words[self._next - 1]

    def peek(self) -> str:
        """Return the next word without taking it; "" at the end."""
        return self._words[self._next] if self._next < len(self._words) else ""

    def number(self) -> int | None:
        """Take the next word if it is a whole number."""
        number = to_number(self.peek())
        if number is not None:
            self._next += 1
        return number

    def loose_number(self) -> int | None:
        """Take the next word if it begins as a number; what cannot be read of it is left out."""
        number = to_loose_number(self.peek())
        if number is not None:
            self._next += 1
        return number

    def word(self) -> str | None:
        """Take the next word; None at the end."""
        return next(self, None)

    def moves(self) -> tuple[str, ...]:
        """Take words as long as they look like moves."""
        words, start = self._words, self._next
        while self._next < len(words) and _MOVE.fullmatch(words[self._next]):
            self._next += 1
        return tuple(words[start : self._next])
