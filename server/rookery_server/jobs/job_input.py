"""The input of jobs: lines or games that come in pieces, as items to store.

Lines are never whole in memory, and of games there is a file until they are stored.
"""

import json
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice

from rookery_analysis.game import parse_game
from rookery_analysis.pgn_splitter import split_games
from rookery_analysis.text_decoding import HEAD, WIDE, TextLines, encoding_shown_by
from rookery_server.analysis.position_reading import USUAL
from rookery_server.database.database import StoreError
from rookery_server.jobs.job_items import SOURCE, game_input

MAX_LINE = 1 << 16  # bytes; the longest position with its moves has 12 KB
GAMES = 100  # that are divided at once: it takes 10 ms
_EPD_FIELDS = 4
_OPERATION = re.compile(r'\s*(\w+)((?:\s+(?:"[^"]*"|[^;"\s]+))*)\s*;')


class SpoolError(StoreError):
    """The games of a body cannot be kept in a file now; the text is for the operator."""


class InputError(Exception):
    """The input is not what it says it is; the text says where, and what was expected."""


class LineItems:
    """The items of lines, which come in pieces."""

    def __init__(self, read_line: Callable[[str, int], str]) -> None:
        """Read lines.

        Args:
            read_line: returns the item of a line that has a number; it may raise an error.

        """
        self._read_line = read_line
        self._rest = b""
        self._number = 0

    def receive(self, piece: bytes) -> list[str]:
        """Return the items of the lines that are complete.

        Raises:
            InputError: a line is too long, or no text.

        """
        *lines, self._rest = (self._rest + piece).split(b"\n")
        if len(self._rest) > MAX_LINE:
            raise InputError(
                f"line {self._number + len(lines) + 1} is longer than {MAX_LINE} bytes"
            )
        return [item for line in lines if (item := self._item_of(line)) is not None]

    def finish(self) -> list[str]:
        """Return the item of the last line, if it has no end.

        Raises:
            InputError: it is no text.

        """
        item = self._item_of(self._rest)
        return [] if item is None else [item]

    def _item_of(self, line: bytes) -> str | None:
        self._number += 1
        if len(line) > MAX_LINE:
            raise InputError(f"line {self._number} is longer than {MAX_LINE} bytes")
        if self._number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        try:
            text = line.decode().strip()
        except UnicodeDecodeError:
            raise InputError(f"line {self._number} is not UTF-8") from None
        return self._read_line(text, self._number) if text else None


def position_of_text(text: str, _: int = 0, *, variant: str = USUAL) -> str:
    """Return the item of a line with a FEN, or with an EPD and perhaps its `id`."""
    rules = {} if variant == USUAL else {"variant": variant}
    words = text.split(maxsplit=_EPD_FIELDS)
    if ";" not in text or len(words) <= _EPD_FIELDS:
        counters = " 0 1" * (len(words) == _EPD_FIELDS and ";" not in text)
        return json.dumps({"fen": text + counters, **rules})
    operations = {found[1]: found[2].strip() for found in _OPERATION.finditer(words[_EPD_FIELDS])}
    clock, number = operations.get("hmvc", "0"), operations.get("fmvn", "1")
    item = {"fen": " ".join([*words[:_EPD_FIELDS], clock, number])}
    if name := operations.get("id", "").strip('"'):
        item["id"] = name[:200]
    return json.dumps({**item, **rules})


@contextmanager
def _disk_errors() -> Iterator[None]:
    """Raise an error of the disk as a SpoolError."""
    try:
        yield
    except OSError as error:
        where = tempfile.gettempdir()
        text = f"games cannot be kept in {where}: {error}; free some room there, or set TMPDIR"
        raise SpoolError(text) from error


class GameItems:
    """The games of a body, which is kept in a file until all of it is there; `close` it."""

    def __init__(self) -> None:
        """Make a file.

        Raises:
            SpoolError: there is no room for it.

        """
        with _disk_errors():
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  # `close` closes it
        self._games: Iterator[str] | None = None

    def receive(self, piece: bytes) -> None:
        """Keep a piece.

        Raises:
            SpoolError: there is no room for it.

        """
        with _disk_errors():
            self._file.write(piece)

    def close(self) -> None:
        """Remove the file."""
        with suppress(OSError):  # Its last piece could not be written.
            self._file.close()

    def next_items(self) -> list[str]:
        """Return some more games; none at the end.  It takes a while.

        Raises:
            InputError: it is no PGN.
            SpoolError: there was no room for them.

        """
        self._games = self._games or self._read_games()
        with _disk_errors():
            return list(islice(self._games, GAMES))

    def _read_games(self) -> Iterator[str]:
        self._file.seek(0)
        shown, length = encoding_shown_by(self._file.read(HEAD)) or (None, 0)
        if shown and shown.startswith("utf-32"):
            raise InputError("the games are in UTF-32: send them in UTF-8")
        self._file.seek(length)
        lines = TextLines(self._file, shown if shown in WIDE else None, offset=length)
        first = None
        for number, text in enumerate(split_games(self._file, lines=lines), 1):
            if number == 1:
                first = text
                continue
            if first:
                yield game_input(first)
                first = None
            yield game_input(text)
        if first:  # It is the only one.
            obstacle = parse_game(first, 1, SOURCE).obstacle
            if obstacle and "no PGN" in obstacle:
                raise InputError(f"the body is no PGN: {obstacle}")
            yield game_input(first)
