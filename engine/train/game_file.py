"""A file of games that grows by whole games, and can be continued after any end.

Each game is handed to the system as soon as it is played, so a run that is killed loses
only the game that it is playing.  A last game that is not whole is cut off when the file
is opened again.  `recorded_game.py` describes the bytes of a game.
"""

import fcntl
import mmap
from collections.abc import Iterator
from pathlib import Path

KIND = b"rookery games 1\n"
HEADER = 4 + 32  # bytes before the plies: numbers and the position, as in recorded_game.pxd
PLY = 4  # bytes
MOST_PLIES = 600
MOST_HALF_POINTS = 2


class GameFileError(Exception):
    """A file that cannot be continued."""


class GameFile:
    """A file of games open for more, which no other process may write at the same time.

    Attributes:
        games: How many it holds.
        positions: How many these have, of which each has a move.

    Raises:
        GameFileError: another process writes it, or it holds something else.
        OSError: it cannot be opened or written; the error names the path.

    """

    def __init__(self, path: Path) -> None:
        self.games = self.positions = 0
        self._path = path
        # Without a buffer: what is written is with the system, whatever becomes of us.
        self._file = path.open("a+b", buffering=0)
        try:
            self._go_on()
        except BaseException:
            self._file.close()
            raise

    def add(self, game: bytes) -> None:
        """Write a game."""
        self._write(game)
        self.games += 1
        self.positions += plies_of(game)

    def close(self) -> None:
        """Close the file, so that others may write it."""
        self._file.close()

    def _go_on(self) -> None:
        """Lock the file, and cut off an incomplete game."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise GameFileError(
                f"{self._path} is being written by another run; end that one first"
            ) from None
        self._file.seek(0)
        head = self._file.read(len(KIND))
        if head == KIND:
            with mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                end = self._count(data)
            self._file.truncate(end)
        elif KIND.startswith(head):  # empty, or killed at once
            self._file.truncate(0)
            self._write(KIND)
        else:
            raise GameFileError(
                f"{self._path} holds no games: its first line is not {KIND!r};"
                " move it away or choose another name"
            )

    def _count(self, data: mmap.mmap) -> int:
        """Count the games; return the offset of the end of the last whole one."""
        at = len(KIND)
        while at + HEADER <= len(data):
            plies = plies_of(data[at : at + HEADER])
            if not 1 <= plies <= MOST_PLIES or data[at + 2] > MOST_HALF_POINTS or data[at + 3]:
                raise GameFileError(
                    f"{self._path}: game {self.games} is damaged, at byte {at};"
                    f" `truncate -s {at}` keeps those before it"
                )
            following = at + HEADER + PLY * plies
            if following > len(data):
                break
            self.games += 1
            self.positions += plies
            at = following
        return at

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._path)) from error


def games_of(path: Path) -> Iterator[bytes]:
    """Yield the games of a file, without an incomplete last one.

    Raises:
        GameFileError: the file holds something else.
        OSError: it cannot be read.

    """
    with path.open("rb") as file:
        if file.read(len(KIND)) != KIND:
            raise GameFileError(f"{path} holds no games: its first line is not {KIND!r}")
        while len(head := file.read(HEADER)) == HEADER:
            plies = file.read(PLY * plies_of(head))
            if len(plies) < PLY * plies_of(head):
                return
            yield head + plies


def plies_of(game: bytes) -> int:
    """Return the number of plies in the bytes of a game."""
    return game[0] | game[1] << 8
