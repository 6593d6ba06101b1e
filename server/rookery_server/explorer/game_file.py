"""The file of the explorer: a database of SQLite that is made once and only read afterwards.

`positions` has an entry for each position (`packing.py`), in the order of the keys, so that a
look-up reads some pages; `games` has the games, whose moves are text that zlib has packed.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from pathlib import Path

import chess

from rookery_protocol.errors import ServerError
from rookery_server.explorer.opening_reader import OpeningGame
from rookery_server.explorer.packing import (
    KEY_OFFSET,
    PositionEntry,
    decode_entry,
    encode_entry,
    key_of,
)

_APPLICATION = 0x526B4578  # "RkEx": PRAGMA application_id
_VERSION = 1
_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
CREATE TABLE positions (key INTEGER PRIMARY KEY, entry BLOB NOT NULL);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, white TEXT NOT NULL, black TEXT NOT NULL,
    white_rating INTEGER NOT NULL, black_rating INTEGER NOT NULL, result TEXT NOT NULL,
    date TEXT NOT NULL, event TEXT NOT NULL, site TEXT NOT NULL, round TEXT NOT NULL,
    moves BLOB NOT NULL
);
"""
_COLUMNS = "id, white, black, white_rating, black_rating, result, date, event, site, round, moves"
_MOST_TEXT = 200  # characters of a tag
_MOST_MOVES = 1 << 16  # characters of a game
_LINE = 79  # characters of PGN


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game of the file; a rating of 0 is not known."""

    id: int
    white: str
    black: str
    white_rating: int
    black_rating: int
    result: str
    date: str
    event: str
    site: str
    round: str
    moves: bytes

    @classmethod
    def of(cls, game: OpeningGame, number: int) -> "StoredGame":
        """Return a game as it is stored."""
        tag = {name: value[:_MOST_TEXT] for name, value in game.tags.items()}
        text = " ".join(game.sans)[:_MOST_MOVES]
        return cls(
            number,
            tag.get("White", "?"),
            tag.get("Black", "?"),
            *game.ratings,
            tag["Result"],
            tag.get("Date", "????.??.??"),
            tag.get("Event", "?"),
            tag.get("Site", "?"),
            tag.get("Round", "?"),
            zlib.compress(text.encode()),
        )

    def pgn(self) -> str:
        """Return the game as PGN."""
        tags = [
            ("Event", self.event),
            ("Site", self.site),
            ("Date", self.date),
            ("Round", self.round),
            ("White", self.white),
            ("Black", self.black),
            ("Result", self.result),
        ]
        ratings = [("WhiteElo", self.white_rating), ("BlackElo", self.black_rating)]
        tags += [(name, str(rating)) for name, rating in ratings if rating]
        lines = [f'[{name} "{_escape(value)}"]' for name, value in tags]
        words = []
        for ply, san in enumerate(zlib.decompress(self.moves).decode().split()):
            words.append(san if ply % 2 else f"{ply // 2 + 1}. {san}")
        return "\n".join([*lines, "", *_wrapped([*words, self.result]), ""])


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _LINE:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    yield line


@contextmanager
def new_file(path: Path) -> Iterator[sqlite3.Connection]:
    """Give the database that a new file will have.

    It is made beside the path and takes its place at the end: what was there is whole until then,
    and stays if this fails.
    """
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        database = sqlite3.connect(unfinished, isolation_level=None)
        try:
            database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _SCHEMA)
            database.execute("BEGIN")
            yield database
            database.execute("COMMIT")
        finally:
            database.close()
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def add_games(database: sqlite3.Connection, games: Iterable[StoredGame]) -> None:
    """Add games to a new file."""
    query = "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    database.executemany(query, map(astuple, games))


def add_positions(
    database: sqlite3.Connection, entries: Iterable[tuple[int, PositionEntry]]
) -> int:
    """Add positions to a new file, sorted by their keys; return their number."""
    rows = ((key - KEY_OFFSET, encode_entry(entry)) for key, entry in entries)
    return database.executemany("INSERT INTO positions VALUES (?, ?)", rows).rowcount


class GameFile:
    """A file that was made before, opened for reading by one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            ServerError: it does not exist, or is no such file.

        """
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        try:
            self._database = sqlite3.connect(uri, uri=True, check_same_thread=False)
            kind = self._value("PRAGMA application_id"), self._value("PRAGMA user_version")
        except sqlite3.Error as error:
            raise ServerError(f"explorer.file: cannot read {path}: {error}") from error
        if kind != (_APPLICATION, _VERSION):
            self.close()
            raise ServerError(
                f"explorer.file: {path} was not made by this version's"
                f" 'rookery-server games build FILE.pgn -o {path.name}'; the name of a Polyglot"
                " book ends in .bin"
            )

    def _value(self, query: str) -> int:
        value: int = self._database.execute(query).fetchone()[0]
        return value

    def entry(self, board: chess.Board) -> PositionEntry:
        """Return what is known of a position."""
        query = "SELECT entry FROM positions WHERE key = ?"
        row = self._database.execute(query, (key_of(board) - KEY_OFFSET,)).fetchone()
        return decode_entry(row[0]) if row else PositionEntry([], [])

    def games(self, ids: Sequence[int]) -> list[StoredGame]:
        """Return the games of some ids, in their order; those that are missing are left out."""
        query = "SELECT * FROM games WHERE id = ?"  # The columns are the fields of `StoredGame`.
        rows = [self._database.execute(query, (number,)).fetchone() for number in ids]
        return [StoredGame(*row) for row in rows if row]

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._database.close()
