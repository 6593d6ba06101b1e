"""The database of evaluations: SQLite in a file, or PostgreSQL for many servers.

All calls block, and belong to one thread.  Every error of a database is a `StoreError`.  The steps
from each form of its tables to the next are Alembic's, in `migrations`; what they come to must be
what stands here, and a test says so.
"""

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from rookery_analysis.evaluation import PositionEvaluation
from rookery_protocol.errors import ServerError
from rookery_server.cache.cache_query import StoredEvaluation
from rookery_server.config.sections import usual_file

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
_SPARE = 100  # one of so many is removed beyond the surplus, so that it is not done each time
_ROOM = 2**18  # bytes that a batch and SQLite's own files need
_FEW_PAGES = 10  # of 4 KiB
HEAD = "v2_used"  # the newest form of the tables
_MIGRATIONS = Path(__file__).parent / "migrations"
_UPGRADING = 0x526F6F6B  # the number of PostgreSQL's lock, for one upgrade at a time

metadata = sa.MetaData()

# An evaluation: of a key, the deepest with so many variations.  `position`, `engine` and
# `account` are for people; `account` is empty where all have them in common.  `lines` is
# UCI; times are seconds of the epoch, and `spent` is in ms.
evaluations = sa.Table(
    "evaluations",
    metadata,
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("variations", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("account", sa.String(64), nullable=False),
    sa.Column("engine", sa.Text, nullable=False),
    sa.Column("position", sa.Text, nullable=False),
    sa.Column("depth", sa.Integer, nullable=False),
    sa.Column("nodes", sa.BigInteger, nullable=False),
    sa.Column("spent", sa.BigInteger, nullable=False),
    sa.Column("lines", sa.Text, nullable=False),
    sa.Column("stored", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger, nullable=False),
    sa.Index("evaluations_used", "used"),
)


class StoreError(ServerError):
    """The database cannot be used now."""


class FormError(Exception):
    """A database is not ours, or has a form that is not known here; `_errors` says which it is."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The number of evaluations in a database, by engine; times are of the epoch."""

    rows: int
    oldest: int | None
    newest: int | None
    engines: Mapping[str, int]


class EvaluationStore:
    """An open database; `close` it."""

    def __init__(self, url: str, *, may_begin: bool = True, is_trial: bool = False) -> None:
        """Open a database, and upgrade its tables.

        Args:
            url: the URL of the database.
            may_begin: create the tables if there are none yet.
            is_trial: undo all that, after a trial of everything that a server does with it.

        Raises:
            StoreError: it cannot be used, or belongs to another program.

        """
        self._url = read_url(url)
        with self._errors():
            self._engine = self._connect(may_begin=may_begin)
            with self._engine.connect() as connection, connection.begin() as transaction:
                upgrade(connection)
                if is_trial:
                    _touch_nothing(connection)
                    transaction.rollback()

    @property
    def location(self) -> str:
        """The file or the URL, without a password."""
        return (
            self._url.database or ""
            if self._is_file
            else str(self._url.difference_update_query(_PASSWORDS))
        )

    def size(self) -> int:
        """Return the size in bytes."""
        if self._is_file:
            files = (Path(f"{self._url.database}{end}") for end in ("", "-wal", "-shm"))
            return sum(each.stat().st_size for each in files if each.exists())
        name = sa.cast(evaluations.name, postgresql.REGCLASS)
        with self._read() as connection:
            found = connection.execute(sa.select(sa.func.pg_total_relation_size(name)))
            return int(found.scalar_one())

    def close(self) -> None:
        """Close the database."""
        with self._errors():
            self._engine.dispose()

    def evaluations_of(self, key: str) -> list[PositionEvaluation]:
        """Return the evaluations of a key, each with another number of variations."""
        query = sa.select(evaluations.c.lines, evaluations.c.stored).where(evaluations.c.key == key)
        with self._read() as connection:
            found = [PositionEvaluation.parse(*row) for row in connection.execute(query)]
        return [each for each in found if each is not None]

    def count(self) -> int:
        """Return the number of evaluations."""
        with self._read() as connection:
            return _count(connection)

    def store_rows(
        self, rows: Sequence[StoredEvaluation], used: Mapping[str, int], most: int
    ) -> int:
        """Store evaluations that are better than those that are there; return how many there are.

        Args:
            rows: the evaluations.
            used: the keys that were used, and the times, in seconds of the epoch.
            most: the number of evaluations to keep: those that were used last.

        """
        with self._errors(), self._engine.begin() as connection:
            if rows:
                connection.execute(self._upsert(), [each.values() for each in rows])
            for key, when in used.items():
                here = evaluations.c.key == key
                connection.execute(sa.update(evaluations).where(here).values(used=when))
            count = _count(connection)
            if count > most:
                count -= _remove_least_used(connection, count - most + most // _SPARE)
        return count

    def try_writing(self) -> None:
        """Check that there is room for a batch: write as much, and undo it.

        A database on a full disk can be opened and read; only writing shows it.
        """
        row = {
            each.name: "" if isinstance(each.type, sa.String) else 0 for each in evaluations.columns
        }
        row["lines"] = os.urandom(_ROOM // 2).hex()  # PostgreSQL makes shorter what repeats.
        with self._errors(), self._engine.connect() as connection:
            if self._is_file:
                connection.detach()  # It is closed then, and its files become small again.
            with connection.begin() as transaction:
                if self._is_file:
                    # SQLite is to write now, not when the transaction is committed.
                    connection.exec_driver_sql(f"PRAGMA cache_size = {_FEW_PAGES}")
                connection.execute(sa.insert(evaluations).values(row))
                transaction.rollback()

    def prune(self, most: int | None = None, before: int | None = None) -> int:
        """Remove evaluations beyond a number, and those that were last used before a time."""
        with self._errors(), self._engine.begin() as connection:
            removed = 0
            if before is not None:
                old = sa.delete(evaluations).where(evaluations.c.used < before)
                removed += connection.execute(old).rowcount
            if most is not None and (surplus := _count(connection) - most) > 0:
                removed += _remove_least_used(connection, surplus)
        return removed

    def clear(self, engine: str | None = None, account: str | None = None) -> int:
        """Remove all, or those of an engine or an account; return how many."""
        query = sa.delete(evaluations)
        if engine is not None:
            query = query.where(evaluations.c.engine == engine)
        if account is not None:
            query = query.where(evaluations.c.account == account)
        with self._errors(), self._engine.begin() as connection:
            return connection.execute(query).rowcount

    def summary(self) -> Summary:
        """Return the numbers of evaluations."""
        table = evaluations.c
        ages = sa.select(sa.func.count(), sa.func.min(table.stored), sa.func.max(table.stored))
        names = sa.select(table.engine, sa.func.count()).group_by(table.engine)
        with self._read() as connection:
            rows, oldest, newest = connection.execute(ages.select_from(evaluations)).one()
            engines = {str(name): int(count) for name, count in connection.execute(names)}
        return Summary(rows, oldest, newest, dict(sorted(engines.items())))

    # --- private

    @property
    def _is_file(self) -> bool:
        return self._url.get_backend_name() == "sqlite"

    def _connect(self, *, may_begin: bool) -> sa.Engine:
        if self._is_file:
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
        if self._is_file:
            # Only now: a prepared file is changed, and it might have belonged to another program.
            engine.dispose()
            sa.event.listen(engine, "connect", _prepare_file)
            sa.event.listen(engine, "begin", _begin)
        return engine

    def _upsert(self) -> sa.Insert:
        table = evaluations.c
        insert = (sqlite.insert if self._is_file else postgresql.insert)(evaluations)
        new = insert.excluded
        is_better = (new.depth > table.depth) | (
            (new.depth == table.depth) & (new.nodes > table.nodes)
        )
        fresh = {each.name: new[each.name] for each in evaluations.columns if not each.primary_key}
        return insert.on_conflict_do_update(
            index_elements=[table.key, table.variations], set_=fresh, where=is_better
        )

    @contextmanager
    def _read(self) -> Iterator[sa.Connection]:
        with self._errors(), self._engine.connect() as connection:
            yield connection.execution_options(**{_READING: True})

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise errors of the database as a StoreError."""
        try:
            yield
        except (SQLAlchemyError, FormError, sqlite3.Error, OSError) as error:
            cause = getattr(error, "orig", None) or error
            text = " ".join(str(cause).split())
            raise StoreError(
                f"{self.location}: {text}{_remedy(error, text, self.location)}"
            ) from error


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


def _touch_nothing(connection: sa.Connection) -> None:
    """Do to no row what is done to rows, to see whether one may."""
    none = sa.select(evaluations).where(sa.false())
    connection.execute(sa.insert(evaluations).from_select(evaluations.columns.keys(), none))
    connection.execute(sa.update(evaluations).where(sa.false()).values(used=0))
    connection.execute(sa.delete(evaluations).where(sa.false()))


def _count(connection: sa.Connection) -> int:
    return connection.execute(sa.select(sa.func.count()).select_from(evaluations)).scalar_one()


def _remove_least_used(connection: sa.Connection, count: int) -> int:
    table = evaluations.c
    row = table.key, table.variations
    oldest = sa.select(*row).order_by(table.used, table.depth).limit(count)
    return connection.execute(sa.delete(evaluations).where(sa.tuple_(*row).in_(oldest))).rowcount


def _make_private(path: Path) -> None:
    """Create a file, and its folder, that only this user may read: it shows what was analysed."""
    path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, _PRIVATE_FILE))


def _prepare_file(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None  # Transactions begin where `_begin` says so.
    connection.execute("PRAGMA journal_mode=WAL")  # Reading does not wait for writing.
    connection.execute("PRAGMA synchronous=NORMAL")  # A lost second is searched anew.


def _begin(connection: sa.Connection) -> None:
    # A connection that will write says so at once: two that find it out later would block
    # each other for good.
    reading = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _remedy(error: Exception, text: str, where: str) -> str:
    """Return what the operator can do about an error, if that is known."""
    if isinstance(error, OSError):
        return "; set cache.file to one that can be written, or cache.enabled = false"
    if "not a database" in text or "malformed" in text:
        if Path(where) == usual_file(os.environ).absolute():
            return f"; remove {where} (and -wal, -shm): it is only a cache"
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
