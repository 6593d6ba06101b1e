"""The tables of the database, and how an older database becomes one of today.

The steps from each form to the next are Alembic's, in `migrations`; what they come to
must be what stands here, and a test says so.
"""

from pathlib import Path

import sqlalchemy as sa

HEAD = "v2_used"  # the newest form

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


class FormError(Exception):
    """A database is not ours, or has a form that is not known here."""


def check(connection: sa.Connection, *, may_begin: bool) -> None:
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
