"""How far a job has come, so that it goes on there after whatever has ended it.

A file of SQLite beside the results has the place in the input up to which all is done, how
long the results were then, and the players' tallies.  All of it changes in one transaction,
after the results are on the disk.  What is behind that in the results, of a run that was
killed, is cut off before the next one goes on.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from rookery_analysis.pgn_text import Mark
from rookery_analysis.player_tally import Tally
from rookery_protocol.errors import ConfigError, ServerError

FORM = "form"  # of the results, in what is said of a job
_PATIENCE = 1.0  # s that another may keep the file
_COLUMNS = tuple(each.name for each in fields(Tally))
_LOCKED = "locked"  # what SQLite says then
_ENDS = ("-journal", "-wal", "-shm")  # of SQLite's own files beside it


@dataclass(frozen=True, slots=True)
class State:
    """What is done: inputs before `source` wholly, which have `before` games; that one to `mark`.

    `digest` is that of the input up to there, if it is no file that could be looked at again.
    `lengths` are those of the results, in bytes.  `games` and the rest count.
    """

    source: int = 0
    before: int = 0
    mark: Mark = Mark()  # noqa: RUF009  # frozen
    digest: str = ""
    lengths: tuple[int, ...] = ()
    games: int = 0
    skipped: int = 0
    positions: int = 0


class Progress:
    """The file; `close` it, or `remove` it when all is done."""

    def __init__(self, path: Path, job: Mapping[str, object]) -> None:
        """Open the file of a job, or begin one.

        Raises:
            ConfigError: it is another job's, or another program is at work on it.
            ServerError: it cannot be used.

        """
        self._path = path
        self.is_new = not path.exists()
        self.state = State()
        with self._errors():
            self._base = sqlite3.connect(
                path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            self._base.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._base.execute("PRAGMA synchronous=FULL")
            self._base.execute("BEGIN EXCLUSIVE")
            self._base.execute("CREATE TABLE IF NOT EXISTS job (said TEXT, state TEXT)")
            columns = ", ".join(f"{name} REAL NOT NULL" for name in _COLUMNS)
            self._base.execute(
                f"CREATE TABLE IF NOT EXISTS players (name TEXT PRIMARY KEY, {columns})"
            )
            row = self._base.execute("SELECT said, state FROM job").fetchone()
            if row is None:
                self._base.execute(
                    "INSERT INTO job VALUES (?, ?)", (_text(job), _state(self.state))
                )
            self._base.execute("COMMIT")
        if row is not None:
            self._check(json.loads(row[0]), json.loads(_text(job)))
            found = json.loads(row[1])
            found["mark"], found["lengths"] = Mark(**found["mark"]), tuple(found["lengths"])
            self.state = replace(self.state, **found)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def commit(self, state: State, players: Mapping[str, Tally]) -> None:
        """Keep how far it has come, and what players have added to their tallies."""
        names = ", ".join(_COLUMNS)
        marks = ", ".join("?" * (len(_COLUMNS) + 1))
        sums = ", ".join(f"{name} = {name} + excluded.{name}" for name in _COLUMNS)
        add = (
            f"INSERT INTO players (name, {names}) VALUES ({marks})"  # noqa: S608  # our own names
            f" ON CONFLICT (name) DO UPDATE SET {sums}"
        )
        with self._errors():
            self._base.execute("BEGIN")
            self._base.executemany(
                add, [(_storable(name), *tally.values()) for name, tally in players.items()]
            )
            self._base.execute("UPDATE job SET state = ?", (_state(state),))
            self._base.execute("COMMIT")
        self.state = state

    def players(self) -> Iterator[tuple[str, Tally]]:
        """Yield all players, who has played most first."""
        names = ", ".join(_COLUMNS)
        query = f"SELECT name, {names} FROM players ORDER BY games DESC, name"  # noqa: S608
        with self._errors():
            for name, *values in self._base.execute(query):
                whole = (
                    value if type(sample) is float else int(value)
                    for value, sample in zip(values, Tally().values(), strict=True)
                )
                yield name, Tally(*whole)

    def close(self) -> None:
        """Let go of it."""
        self._base.close()

    def remove(self) -> None:
        """Remove it: the job is done."""
        self.close()
        for path in _files(self._path):
            path.unlink(missing_ok=True)

    def _check(self, before: Mapping[str, object], now: Mapping[str, object]) -> None:
        if before.get(FORM) != now.get(FORM):
            self.close()
            raise ConfigError(
                f"{self._path} is of another version of this program; go on with that one,"
                " or say --restart to begin anew"
            )
        for key in now:
            if before.get(key) != now[key]:
                self.close()
                raise ConfigError(
                    f"{self._path} is of another job: {key} was {before.get(key)!r}, and now is"
                    f" {now[key]!r}; go on with that, or say --restart to begin anew"
                )

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            text = str(error)
            if _LOCKED in text:
                raise _at_work(self._path) from error
            if "not a database" in text or "malformed" in text:
                raise ConfigError(
                    f"{self._path} is no progress of a job; remove it, or say --restart"
                ) from error
            if "unable to open" in text:
                raise ConfigError(f"{self._path} cannot be written: {text}") from error
            raise ServerError(
                f"{self._path} cannot be written: {text};"
                " when that is mended, the same command goes on where it was"
            ) from error


def discard(path: Path, results: Iterable[Path]) -> None:
    """Remove what a former job has left: its results, and how far it was.

    Raises:
        ConfigError: another program is at work on it, or something cannot be removed.

    """
    if not path.exists():
        _unlink(results)
        return
    with ExitStack() as stack:
        try:
            base = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
            stack.enter_context(closing(base))
            base.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if _LOCKED in str(error):
                raise _at_work(path) from error
            # Whatever else it is, no job is at work on it.
        _unlink([*_files(path), *results])


def _unlink(paths: Iterable[Path]) -> None:
    for path in paths:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise ConfigError(f"{path} cannot be removed: {error.strerror}") from error


def _files(path: Path) -> list[Path]:
    return [path, *(Path(f"{path}{end}") for end in _ENDS)]


def _at_work(path: Path) -> ConfigError:
    return ConfigError(
        f"{path}: another program is at work on this job; wait until it has ended, or give this"
        " one results of its own"
    )


def _text(job: Mapping[str, object]) -> str:
    return json.dumps(job, sort_keys=True)


def _state(state: State) -> str:
    return json.dumps(asdict(state))


def _storable(name: str) -> str:
    return name.encode(errors="replace").decode()
