"""The record of a job on the disk: its results game by game, and its progress.

A file of SQLite beside the results has the place in the input up to which all is done, how
long the results were then, and the players' tallies.  All of it changes in one transaction,
after the results are on the disk.  What a run that was killed has written to the results
after that is cut off before the next run goes on.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, astuple, dataclass, fields, replace
from functools import partial
from pathlib import Path

from rookery_analysis.analysed_game import AnalysedGame
from rookery_analysis.annotation import annotated, json_record
from rookery_analysis.game_source import STANDARD_INPUT, InputGame
from rookery_analysis.pgn_splitter import Mark
from rookery_analysis.player_tally import PlayerTally, tallies_of
from rookery_protocol.errors import ConfigError, ServerError

FORM = "form"  # of the results: a key of the description of a job
_VERSION = 2  # of that form; a job of another one cannot be resumed
_PATIENCE = 1.0  # s that another program may keep the file locked
_COLUMNS = tuple(each.name for each in fields(PlayerTally))
_LOCKED = "locked"  # part of SQLite's error
_ENDS = ("-journal", "-wal", "-shm")  # of SQLite's own files beside it
_GO_ON = "when that is mended, the same command goes on where it was"


@dataclass(frozen=True, slots=True)
class JobState:
    """The finished part: inputs before `source`, with `before` games; `source` up to `mark`.

    `digest` is that of the input up to there, if it is a pipe, which cannot be read again.
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


@dataclass(frozen=True, slots=True)
class JobFiles:
    """The files that a job writes: annotated games, records, and a report of the players."""

    games: Path | None
    records: Path | None
    report: Path | None

    @property
    def results(self) -> list[Path]:
        """The files that grow with each game."""
        return [path for path in (self.games, self.records) if path]

    @property
    def checkpoint(self) -> Path:
        """The file with the progress of the job."""
        first = self.games or self.records or self.report
        assert first
        return first.with_name(first.name + ".progress")

    def check(self, sources: Iterable[str], *, restart: bool) -> None:
        """Refuse files that a job cannot write; remove those of a former job for a restart.

        Raises:
            ConfigError: a file cannot be written, is one of the sources, or is of something else.

        """
        files = [*self.results, *([self.report] if self.report else [])]
        taken = {Path(name).resolve() for name in sources if name != STANDARD_INPUT}
        for number, path in enumerate(files):
            if path.resolve() in {other.resolve() for other in files[:number]}:
                raise ConfigError(f"{path} is to have two results: give each a file of its own")
            if path.resolve() in taken:
                raise ConfigError(f"{path} is to be read, and cannot be written")
            _check_place(path)
        if restart:
            self._discard()
        if self.checkpoint.exists():
            return
        for path in self.results:
            if path.exists() and path.stat().st_size:
                raise ConfigError(
                    f"{path} is there already, and no job that goes on with it: name another"
                    " file, or say --restart to write over it"
                )

    def _discard(self) -> None:
        """Remove the results and the checkpoint of a former job, unless it is at work."""
        path = self.checkpoint
        with ExitStack() as stack:
            try:
                existing = f"{path.absolute().as_uri()}?mode=rw"
                base = sqlite3.connect(existing, uri=True, timeout=_PATIENCE, isolation_level=None)
                stack.enter_context(closing(base))
                base.execute("BEGIN EXCLUSIVE")
            except sqlite3.DatabaseError as error:
                if _LOCKED in str(error):
                    raise _at_work(path) from error
                # Whatever else it is, if it exists, no job is at work on it.
            for each in (*_files(path), *self.results):
                try:
                    each.unlink(missing_ok=True)
                except OSError as error:
                    raise ConfigError(f"{each} cannot be removed: {error.strerror}") from error


class Checkpoint:
    """The file of a job's progress; `close` it, or `remove` it when all is done."""

    def __init__(self, path: Path, job: Mapping[str, object]) -> None:
        """Open the file of a job, or create it.

        Raises:
            ConfigError: it is another job's, or another program is at work on it.
            ServerError: it cannot be used.

        """
        self._path = path
        description = json.dumps({FORM: _VERSION, **job}, sort_keys=True)
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
            self._base.execute(
                "INSERT INTO job SELECT ?, ? WHERE NOT EXISTS (SELECT * FROM job)",
                (description, _as_json(JobState())),
            )
            said, state = self._base.execute("SELECT said, state FROM job").fetchone()
            self._base.execute("COMMIT")
        try:
            self._check(json.loads(said), json.loads(description))
        except ConfigError:
            self.close()
            raise
        found = json.loads(state)
        found["mark"], found["lengths"] = Mark(**found["mark"]), tuple(found["lengths"])
        self.state = JobState(**found)

    def commit(self, state: JobState, players: Mapping[str, PlayerTally]) -> None:
        """Write the state, and add to the players' tallies."""
        names = ", ".join(_COLUMNS)
        marks = ", ".join("?" * (len(_COLUMNS) + 1))
        sums = ", ".join(f"{name} = {name} + excluded.{name}" for name in _COLUMNS)
        add = (
            f"INSERT INTO players (name, {names}) VALUES ({marks})"  # noqa: S608  # our own names
            f" ON CONFLICT (name) DO UPDATE SET {sums}"
        )
        rows = [
            (name.encode(errors="replace").decode(), *astuple(tally))
            for name, tally in players.items()
        ]
        with self._errors():
            self._base.execute("BEGIN")
            self._base.executemany(add, rows)
            self._base.execute("UPDATE job SET state = ?", (_as_json(state),))
            self._base.execute("COMMIT")
        self.state = state

    def players(self) -> Iterator[tuple[str, PlayerTally]]:
        """Yield all players, those with most games first."""
        names = ", ".join(_COLUMNS)
        query = f"SELECT name, {names} FROM players ORDER BY games DESC, name"  # noqa: S608
        with self._errors():
            zeros = astuple(PlayerTally())
            for name, *values in self._base.execute(query):
                counts = (type(zero)(value) for zero, value in zip(zeros, values, strict=True))
                yield name, PlayerTally(*counts)

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def remove(self) -> None:
        """Remove the file: the job is done."""
        self.close()
        for path in _files(self._path):
            path.unlink(missing_ok=True)

    def _check(self, before: Mapping[str, object], now: Mapping[str, object]) -> None:
        if before.get(FORM) != now.get(FORM):
            raise ConfigError(
                f"{self._path} is of another version of this program; go on with that one,"
                " or say --restart to begin anew"
            )
        for key in now:
            if before.get(key) != now[key]:
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
            raise ServerError(f"{self._path} cannot be written: {text}; {_GO_ON}") from error


class ResultFile:
    """A file of results that grows game by game."""

    def __init__(self, path: Path, length: int) -> None:
        """Open a file, and cut off what is behind the length that is known to be whole.

        Raises:
            ConfigError: it cannot be opened, or it is shorter than that.

        """
        self.path = path
        self.length = length
        try:
            self._file = path.open("r+b" if path.exists() else "w+b")
            found = self._file.seek(0, os.SEEK_END)
            if found < length:
                self._file.close()
                raise ConfigError(
                    f"{path} has {found} bytes, and {length} were written:"
                    " it is not what it was; say --restart to begin anew"
                )
            self._file.truncate(length)
            self._file.seek(length)
        except OSError as error:
            raise ConfigError(f"{path} cannot be written: {error.strerror}") from error

    def write(self, text: str) -> None:
        """Append a text."""
        data = text.encode(errors="replace")
        with self._errors():
            self._file.write(data)
        self.length += len(data)

    def sync(self) -> None:
        """Put all of it on the disk."""
        with self._errors():
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; what was not synced does not count."""
        # What is left in the buffer may have no room either; that has been reported already.
        with suppress(OSError):
            self._file.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ServerError(
                f"{self.path} cannot be written: {error.strerror}; {_GO_ON}"
            ) from error


class JobRecord:
    """All that is written of a job, in the order of its games.

    It belongs to one thread while engines are at work: to write a game costs as much as to
    search a position or two.
    """

    def __init__(self, checkpoint: Checkpoint, *, engine: str, files: JobFiles) -> None:
        """Open the files of a job's results, and `close` them when it has run.

        Args:
            checkpoint: how far it has come.
            engine: its name, for the games.
            files: where the results go.

        Raises:
            ConfigError: a file cannot be opened, or it is not what it was.

        """
        self.state = checkpoint.state
        self._checkpoint = checkpoint
        forms = (files.games, partial(annotated, engine=engine)), (files.records, json_record)
        wanted = [(path, form) for path, form in forms if path]
        lengths = self.state.lengths or (0,) * len(wanted)
        self._files = [
            (ResultFile(path, length), form)
            for (path, form), length in zip(wanted, lengths, strict=True)
        ]
        self._players: dict[str, PlayerTally] = {}  # since all was on the disk
        self._is_doubtful = False  # what the disk has, since it did not take all

    def write(self, games: Iterable[tuple[InputGame, AnalysedGame]]) -> None:
        """Append games.

        Raises:
            ServerError: they cannot be written.

        """
        for source, analysed in games:
            moves = analysed.judged_moves()
            for file, form in self._files:
                file.write(form(analysed, moves))
            for name, tally in tallies_of(analysed, moves):
                self._players.setdefault(name, PlayerTally()).add(tally)
            before = self.state
            self.state = JobState(
                source=source.source,
                before=source.before,
                mark=source.text.end,
                digest=source.digest,
                lengths=tuple(file.length for file, _ in self._files),
                games=before.games + 1,
                skipped=before.skipped + (analysed.status == "skipped"),
                positions=before.positions + sum(each is not None for each in analysed.positions),
            )

    def finish(self, sources: int) -> None:
        """Record that so many sources have no more games."""
        self.state = replace(self.state, source=sources)

    def sync(self) -> None:
        """Put all on the disk, results first; after a failure do nothing.

        A disk that has failed once may report of the same data that it has them, and not
        have them: Linux tells of a page that could not be written only once.

        Raises:
            ServerError: it cannot be written.

        """
        if self._is_doubtful:
            return
        self._is_doubtful = True
        for file, _ in self._files:
            file.sync()
        self._checkpoint.commit(self.state, self._players)
        self._players = {}
        self._is_doubtful = False

    def close(self) -> None:
        """Close the files of results."""
        for file, _ in self._files:
            file.close()


def _check_place(path: Path) -> None:
    """Refuse a path at which there can be no file of results."""
    if path == Path(STANDARD_INPUT):
        raise ConfigError("results go to a file, by which they are gone on with, not to stdout (-)")
    if path.is_dir():
        raise ConfigError(f"{path} is a folder: name a file in it")
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path} is a pipe or a device, and results go to a file")
    if not path.parent.is_dir():
        raise ConfigError(f"{path} cannot be written: make the folder {path.parent} first")
    if not os.access(path.parent, os.W_OK):
        raise ConfigError(
            f"{path} cannot be written: you may not write into {path.parent.absolute()};"
            " name a file elsewhere"
        )


def _files(path: Path) -> list[Path]:
    return [path, *(Path(f"{path}{end}") for end in _ENDS)]


def _at_work(path: Path) -> ConfigError:
    return ConfigError(
        f"{path}: another program is at work on this job; wait until it has ended, or give this"
        " one results of its own"
    )


def _as_json(state: JobState) -> str:
    return json.dumps(asdict(state))
