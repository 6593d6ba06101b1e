"""The input of a job: the games of files, or of standard input, one after the other.

A thread reads a few games ahead, so that engines are busy while it waits for a slow pipe.
"""

import asyncio
import contextlib
import hashlib
import io
import stat
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from rookery_analysis.pgn_splitter import GameText, Mark, split_games
from rookery_analysis.text_decoding import HEAD, SAMPLE, WIDE, TextLines, encoding_shown_by
from rookery_protocol.errors import ConfigError

STANDARD_INPUT = "-"
GAMES_AHEAD = 4  # that are read before they are asked for
_COMPRESSED = {
    b"\x28\xb5\x2f\xfd": "zstdcat", b"\x1f\x8b": "zcat", b"BZh": "bzcat", b"\xfd7zXZ": "xzcat",
    b"PK\x03\x04": "unzip -p",
}  # fmt: skip
_MAGIC = max(map(len, _COMPRESSED))  # bytes
_PIECE = 1 << 20  # bytes
_AHEAD = 4 * SAMPLE  # bytes of a pipe that are kept: a game may end there

Game = TypeVar("Game")


@dataclass(frozen=True, slots=True)
class InputGame:
    """A game, the index of its input, and the digest of a pipe up to its end."""

    source: int
    text: GameText
    number: int  # among all games of all inputs, from 1
    digest: str = ""

    @property
    def before(self) -> int:
        """The number of games in the inputs before its own."""
        return self.number - self.text.end.games


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of all games: those whose number, from 0, has this remainder."""

    index: int = 0
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Read `I/N`, with I from 0 to N - 1."""
        index, _, count = text.partition("/")
        if not (index.isdecimal() and count.isdecimal() and int(index) < int(count)):
            raise ValueError(f"needs I/N with I from 0 to N - 1, not {text!r}")
        return cls(int(index), int(count))

    def contains(self, number: int) -> bool:
        """Return whether a game is in it, by its number from 1."""
        return (number - 1) % self.count == self.index


def sizes(sources: Sequence[str], encoding: str | None = None) -> list[int | None]:
    """Check the inputs; return their sizes in bytes, None for standard input.

    Raises:
        ConfigError: one does not exist, is a pipe, or is packed.

    """
    if list(sources).count(STANDARD_INPUT) > 1:
        raise ConfigError("standard input (-) can be read only once")
    found: list[int | None] = []
    for each in sources:
        if each == STANDARD_INPUT:
            found.append(None)
            continue
        with _open(each) as file:
            _encoding_of(each, file.read(HEAD), encoding)
            found.append(file.seek(0, io.SEEK_END))
    return found


def _encoding_of(name: str, head: bytes, encoding: str | None) -> tuple[str | None, int]:
    """Return the encoding that an input's first bytes show, and the length of its mark.

    Raises:
        ConfigError: it is packed, or in an encoding that cannot be read.

    """
    source, file = ("standard input", "FILE") if name == STANDARD_INPUT else (name, name)
    for magic, program in _COMPRESSED.items():
        if head.startswith(magic):
            raise ConfigError(
                f"{source} is packed: {program} {file} | rookery-server analyse - ..."
            )
    shown, length = encoding_shown_by(head) or (None, 0)
    if shown in ("utf-32-le", "utf-32-be"):
        raise ConfigError(
            f"{source} is in UTF-32: iconv -f UTF-32 -t UTF-8 {file} | rookery-server analyse - ..."
        )
    if shown in WIDE and (length or not encoding):
        return shown, length
    if encoding in WIDE or (encoding and shown in WIDE):
        return encoding, 0
    return encoding, length


def identity(source: str) -> object:
    """Return a value that changes when an input does."""
    if source == STANDARD_INPUT:
        return source
    found = Path(source).stat()
    return [str(Path(source).absolute()), found.st_size, found.st_mtime_ns]


def input_games(
    sources: Sequence[str],
    shard: Shard,
    *,
    source: int = 0,
    mark: Mark | None = None,
    digest: str = "",
    before: int = 0,
    encoding: str | None = None,
) -> Iterator[InputGame]:
    """Yield the games of a shard from a place on.

    Args:
        sources: the inputs.
        shard: the part of their games that is wanted.
        source: the index of the first input,
        mark: and the place in it.
        digest: the digest of a pipe up to there.
        before: games in the inputs before this one.
        encoding: of the inputs; None to find it out.

    Raises:
        ConfigError: an input cannot be read, or is not what it was.

    """
    for index in range(source, len(sources)):
        name = sources[index]
        start = mark if index == source and mark else Mark()
        with _open(name) as opened:
            file = _Pipe(opened) if name == STANDARD_INPUT else opened
            lines = _lines(name, file, start, digest, encoding)
            games = 0
            for text in split_games(file, start, lines):
                games = text.end.games
                if shard.contains(before + games):
                    reached = file.digest_at(text.end.offset) if isinstance(file, _Pipe) else ""
                    yield InputGame(index, text, before + games, reached)
        before += games or start.games


def _lines(
    name: str, file: "_Pipe | io.BufferedReader", mark: Mark, digest: str, encoding: str | None
) -> TextLines:
    """Return the lines of an input from a place on."""
    head = file.head() if isinstance(file, _Pipe) else file.read(HEAD)
    coding, length = _encoding_of(name, head, encoding)
    offset = mark.offset or length
    if isinstance(file, _Pipe):
        file.skip(mark.offset, digest)
        file.skip(offset, None)
    else:
        file.seek(offset)
    strictly = encoding is not None
    return TextLines(file, coding or mark.coding, offset=offset, strictly=strictly)


class _Pipe:
    """A pipe, and the digest of all that was read."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._file = file
        self._whole = hashlib.blake2b(digest_size=16)
        self._hashed = 0  # bytes in the digest
        self._ahead = bytearray()  # returned, and not in the digest yet
        self._head = b""  # read, and not returned yet

    def head(self) -> bytes:
        """Return the first bytes, which `read1` returns again."""
        while len(self._head) < _MAGIC and (data := self._file.read1(HEAD)):
            self._head += data
        return self._head

    def read1(self, size: int, /) -> bytes:
        """Return some bytes, `size` at most; none at the end."""
        data, self._head = self._head[:size], self._head[size:]
        data = data or self._file.read1(size)
        self._ahead += data
        if len(self._ahead) > _AHEAD:  # No game ends that far behind what is read.
            self._hash(_AHEAD // 2)
        return data

    def digest_at(self, offset: int) -> str:
        """Return the digest up to an offset; offsets never decrease."""
        self._hash(offset - self._hashed)
        return self._whole.hexdigest()

    def skip(self, offset: int, digest: str | None) -> None:
        """Read on up to an offset; the part that is analysed already must be the same."""
        while (left := offset - self._hashed) > 0 and (data := self.read1(min(_PIECE, left))):
            self._hash(len(data))
        if offset and digest is not None and self._whole.hexdigest() != digest:
            raise ConfigError(
                "standard input is not what it was: give the same again, or say --restart"
            )

    def _hash(self, count: int) -> None:
        self._whole.update(self._ahead[:count])
        del self._ahead[:count]
        self._hashed += count


def _open(name: str) -> io.BufferedReader:
    try:
        if name == STANDARD_INPUT:
            # Not sys.stdin, whose lock a thread that still reads would hold at the end.
            return open(0, "rb", closefd=False)  # a descriptor; others close it
        path = Path(name)
        mode = path.stat().st_mode
        # Opening a pipe waits for its writer, and a job cannot go on in the middle of one.
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise ConfigError(
                f"{name} is a pipe or a device, and games are read from a file or from standard"
                " input: COMMAND | rookery-server analyse - ..."
            )
        return path.open("rb")
    except OSError as error:
        raise ConfigError(f"{name} cannot be read: {error.strerror}") from error


class ReadAhead(Generic[Game]):
    """A thread that reads games ahead: `next_game` returns the next one, None at the end."""

    def __init__(self, games: Iterator[Game]) -> None:
        self._games = games
        self._loop = asyncio.get_running_loop()
        self._room = threading.Semaphore(GAMES_AHEAD)
        self._queue: asyncio.Queue[Game | Exception | None] = asyncio.Queue()
        self._is_over = False
        # A daemon, because a thread that waits for a pipe cannot be woken.
        threading.Thread(target=self._read, name="reader", daemon=True).start()

    async def next_game(self) -> Game | None:
        """Return the next game.

        Raises:
            ConfigError: the input cannot be read.
            Exception: a fault of ours has ended the thread.

        """
        item = await self._queue.get()
        self._room.release()
        if isinstance(item, Exception):
            raise item
        return item

    def close(self) -> None:
        """Stop reading."""
        self._is_over = True
        self._room.release()

    def _read(self) -> None:
        end: Exception | None = None
        try:
            for item in self._games:
                self._room.acquire()
                if self._is_over:
                    return
                self._pass_on(item)
        except OSError as error:
            end = ConfigError(f"the games cannot be read: {error.strerror}")
        except Exception as error:  # `next_game` raises it
            end = error
        self._pass_on(end)

    def _pass_on(self, item: Game | Exception | None) -> None:
        # The loop may have been closed meanwhile.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._queue.put_nowait, item)
