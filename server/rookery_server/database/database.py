"""A database of a server: SQLite in a file, or PostgreSQL for many servers.

All calls block.  Every error of a database is a `StoreError`.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import SQLAlchemyError

from rookery_protocol.errors import ServerError
from rookery_server.config.sections import usual_file
from rookery_server.database.tables import HEAD, evaluations, metadata

_PATIENCE = 2.0  # s that another server may keep the file or a row locked
_POSTGRES_PATIENCE = {
    "connect_timeout": 5,  # s
    "options": "-c statement_timeout=5000 -c lock_timeout=2000",  # ms
    # A machine that is gone does not say so: TCP itself would wait for it for hours.
    "keepalives_idle": 5,  # s
    "keepalives_interval": 2,  # s
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # ms
}
_PASSWORDS = ("password", "sslpassword")  # as libpq takes them in a query
_READING = "rookery_reading"  # option of a connection that will not write
_PRIVATE_FOLDER, _PRIVATE_FILE = 0o700, 0o600
_ROOM = 2**18  # bytes that a batch and SQLite's own files need
_FEW_PAGES = 10  # of 4 KiB
_MIGRATIONS = Path(__file__).parent / "migrations"
_alembic = threading.Lock()  # It keeps its state in its modules.
_STORING = 0x526F6F6B  # the first number of PostgreSQL's locks; the second is the account's
_GROWING = 0x526F6F6C  # likewise, and the second is the project's
_LOCKS = 2**31  # such second numbers
_UPGRADING = 0x526F6F6B  # the number of PostgreSQL's lock, for one upgrade at a time


class StoreError(ServerError):
    """The database cannot be used now."""


class FormError(Exception):
    """A database is not ours, or has a form that is unknown; `Database.errors` names it."""


class Database:
    """An open database; `close` it."""

    def __init__(
        self, url: str, *, may_begin: bool = True, is_trial: bool = False, is_durable: bool = False
    ) -> None:
        """Open a database, and upgrade its tables.

        Args:
            url: the URL of the database.
            may_begin: create the tables if there are none yet.
            is_trial: undo all that, after a trial of everything that a server does with it.
            is_durable: what is written is there even after a loss of power.

        Raises:
            StoreError: it cannot be used, or belongs to another program.

        """
        self._url = read_url(url)
        self._is_durable = is_durable
        with self.errors():
            self.engine = self._connect(may_begin=may_begin)
            with self.engine.connect() as connection, connection.begin() as transaction:
                upgrade(connection)
                if is_trial:
                    _touch_nothing(connection)
                    transaction.rollback()

    @property
    def is_file(self) -> bool:
        """True if it is SQLite's."""
        return self._url.get_backend_name() == "sqlite"

    @property
    def location(self) -> str:
        """The file or the URL, without a password."""
        return (
            self._url.database or ""
            if self.is_file
            else str(self._url.difference_update_query(_PASSWORDS))
        )

    @property
    def now(self) -> sa.ColumnElement[int]:
        """The seconds of the epoch, by the clock of the database: those of servers may disagree."""
        clock = "strftime('%s', 'now')" if self.is_file else "extract(epoch from now())"
        return sa.cast(sa.literal_column(clock), sa.BigInteger)

    @property
    def files(self) -> list[Path]:
        """The files of SQLite that are there."""
        files = (Path(f"{self._url.database}{end}") for end in ("", "-wal", "-shm"))
        return [each for each in files if self.is_file and each.exists()]

    def close(self) -> None:
        """Close the database."""
        with self.errors():
            self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Connect for reading, which waits for nobody."""
        with self.errors(), self.engine.connect() as connection:
            yield connection.execution_options(**{_READING: True})

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Begin a transaction; it is committed at the end, and undone by an error."""
        with self.errors(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Raise errors of the database as a StoreError."""
        try:
            yield
        except (SQLAlchemyError, FormError, sqlite3.Error, OSError) as error:
            cause = getattr(error, "orig", None) or error
            text = " ".join(str(cause).split())
            raise StoreError(
                f"{self.location}: {text}{_remedy(error, text, self.location)}"
            ) from error

    def insert(self, table: sa.Table) -> sqlite.Insert:
        """Return an INSERT that may say what to do with a row that is there."""
        return insert_by(self.engine.dialect.name, table)

    def try_writing(self) -> None:
        """Check that there is room for a batch: write as much, and undo it.

        A database on a full disk can be opened and read; only writing shows it.
        """
        row = {
            each.name: "" if isinstance(each.type, sa.String) else 0 for each in evaluations.columns
        }
        row["lines"] = os.urandom(_ROOM // 2).hex()  # PostgreSQL makes shorter what repeats.
        with self.errors(), self.engine.connect() as connection:
            if self.is_file:
                connection.detach()  # It is closed then, and its files become small again.
            with connection.begin() as transaction:
                if self.is_file:
                    # SQLite is to write now, not when the transaction is committed.
                    connection.exec_driver_sql(f"PRAGMA cache_size = {_FEW_PAGES}")
                connection.execute(sa.insert(evaluations).values(row))
                transaction.rollback()

    def _connect(self, *, may_begin: bool) -> sa.Engine:
        if self.is_file:
            if may_begin and self._url.database:
                _make_private(Path(self._url.database))
            elif not Path(self._url.database or "").is_file():
                raise FormError("there is no such file; a server that keeps analyses makes it")
            engine = sa.create_engine(self._url, connect_args={"timeout": _PATIENCE})
        else:
            engine = sa.create_engine(
                self._url, connect_args=_POSTGRES_PATIENCE, pool_pre_ping=True, pool_size=1
            )
        with engine.connect() as connection:
            _check(connection, may_begin=may_begin)
        if self.is_file:
            # Only now: a prepared file is changed, and it might have belonged to another program.
            engine.dispose()
            sa.event.listen(engine, "connect", _prepare_file)
            sa.event.listen(engine, "begin", _begin)
            if self._is_durable:
                sa.event.listen(engine, "connect", _sync_always)
        return engine


def read_url(url: str) -> sa.URL:
    """Parse the URL of a database.

    Raises:
        StoreError: it cannot be read; it is not repeated, because it may have a password.

    """
    try:
        read = sa.make_url(url)
    except (SQLAlchemyError, ValueError):
        raise StoreError(
            "the database's URL cannot be read: it is 'postgresql://USER@HOST:PORT/DATABASE'"
        ) from None
    return read.set(drivername="postgresql+psycopg") if read.drivername == "postgresql" else read


def file_of(url: str) -> Path | None:
    """Return the file of an URL of SQLite, which may not be there yet; None if it has none."""
    return Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:") else None


def _touch_nothing(connection: sa.Connection) -> None:
    """Do to no row of any table what is done to rows, to see whether one may."""
    for table in metadata.sorted_tables:
        none = sa.select(table).where(sa.false())
        connection.execute(sa.insert(table).from_select(table.columns.keys(), none))
        same = {each.name: each for each in table.columns}
        connection.execute(sa.update(table).where(sa.false()).values(same))
        connection.execute(sa.delete(table).where(sa.false()))


def _make_private(path: Path) -> None:
    """Create a file, and its folder, that only this user may read: it shows what was analysed.

    One that is there is not opened: to close it again would end the locks that another thread's
    connection has on it, for POSIX locks belong to the process.  Then another process could take
    the write-ahead log away from under that connection.
    """
    path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC
        os.close(os.open(path, flags, _PRIVATE_FILE))


def _prepare_file(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None  # Transactions begin where `_begin` says so.
    connection.execute("PRAGMA journal_mode=WAL")  # Reading does not wait for writing.
    connection.execute("PRAGMA synchronous=NORMAL")  # A lost second is searched anew.


def _sync_always(connection: sqlite3.Connection, _: object) -> None:
    connection.execute("PRAGMA synchronous=FULL")


def _begin(connection: sa.Connection) -> None:
    # A connection that will write says so at once: two that find it out later would block
    # each other for good.
    reading = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _remedy(error: Exception, text: str, where: str) -> str:
    """Return what the operator can do about an error, if that is known."""
    if isinstance(error, OSError):
        return "; set cache.file to one that can be written"
    if "not a database" in text or "malformed" in text:
        if Path(where) == usual_file(os.environ).absolute():
            return (
                f"; move {where} (and -wal, -shm) aside and put a backup in its place: it has all"
                " that accounts keep (projects, jobs, libraries, shared games), not only the cache"
            )
        return "; see that it is the server's file"
    return ""


def _check(connection: sa.Connection, *, may_begin: bool) -> None:
    """Check that a database is ours, or empty and may become ours; change nothing.

    A file has no other tables; in PostgreSQL there may be tables of other programs.

    Raises:
        FormError: it is neither.

    """
    found = sa.inspect(connection)
    if found.has_table("alembic_version") and found.has_table(evaluations.name):
        return
    there = found.get_table_names()
    if not may_begin or (there and connection.dialect.name == "sqlite"):
        others = "tables of something else, but no" if there else "no"
        raise FormError(f"there are {others} analyses of a server in it; is it the right one?")


def insert_by(dialect: str, table: sa.Table) -> sqlite.Insert:
    """Return an INSERT of a dialect that may say what to do with a row that is there."""
    if dialect == "sqlite":
        return sqlite.insert(table)
    # Only now, for it takes 35 ms that a server with a file would lose at its start.
    from sqlalchemy.dialects import postgresql

    return cast(sqlite.Insert, postgresql.insert(table))  # What we use of them is the same.


def lock_account(connection: sa.Connection, account: str) -> None:
    """Let one transaction at a time store something for an account, as in a file of SQLite."""
    if connection.dialect.name == "postgresql":
        key = sa.func.hashtext(account)
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_STORING, key)))


def lock_project(connection: sa.Connection, project: int) -> None:
    """Let one transaction at a time change the tree of a project, as in a file of SQLite."""
    if connection.dialect.name == "postgresql":
        key = project % _LOCKS
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_GROWING, key)))


def upgrade(connection: sa.Connection, to: str = HEAD) -> None:
    """Bring a database to a form, from an older one or from nothing, within a transaction.

    Raises:
        FormError: it has a form that is not known here, of a newer server.

    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_UPGRADING)))
    if to == HEAD == _form(connection):
        return
    # Only now, for it takes 0.3 s and 12 MB that a server hardly ever needs.
    from alembic import command
    from alembic.config import Config
    from alembic.util.exc import CommandError

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        with _alembic:
            command.upgrade(config, to)
    except CommandError as error:
        raise FormError(
            f"{error}; a newer server has made it: use another database, or a newer server"
        ) from error


def _form(connection: sa.Connection) -> str | None:
    """Return the form that a database has; None if it has none yet."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    form = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if form is None else str(form)
