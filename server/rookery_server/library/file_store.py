"""The files of accounts' libraries in the database.  All calls block, and belong to one thread.

No clock: `now` is in seconds of the epoch.  The id of a file is its client's, and one of its
account alone.  A file that was removed keeps its row for a while: other machines are told, and it
can be written again.
"""

import zlib
from dataclasses import dataclass

import sqlalchemy as sa

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.database.database import Database, lock_account
from rookery_server.database.tables import library_files

_WITHOUT_CONTENT = [each for each in library_files.columns if each.name != "content"]


@dataclass(frozen=True, slots=True)
class LibraryFile:
    """A file; `size` is in bytes, `stored` are those that it takes in the database.

    `version` counts its changes.  `removed` is the time when it was removed, or None.
    """

    id: str
    account: str
    path: str
    size: int
    stored: int
    version: int
    updated: int
    removed: int | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """The most that an account may keep; `stored` is in bytes of the database."""

    files: int
    stored: int


class VersionError(Exception):
    """A file has another version than its client expects; `version` is None if there is no file."""

    def __init__(self, version: int | None) -> None:
        super().__init__("the file was changed elsewhere")
        self.version = version


class FileStore:
    """The table of files; `close` it."""

    def __init__(self, url: str) -> None:
        """Open the database.

        Raises:
            StoreError: it cannot be used.

        """
        self._database = Database(url, is_durable=True)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def files_of(self, account: str) -> list[LibraryFile]:
        """Return the files of an account by their paths, those among them that were removed."""
        query = sa.select(*_WITHOUT_CONTENT).where(library_files.c.account == account)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(library_files.c.path, library_files.c.id))
            return [LibraryFile(**row._asdict()) for row in rows]

    def read_file(self, account: str, id_: str) -> tuple[LibraryFile, bytes] | None:
        """Read a file and its content, even one that was removed; return None if there is none."""
        query = sa.select(*_WITHOUT_CONTENT, library_files.c.content).where(_is(account, id_))
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        values = row._asdict()
        content = zlib.decompress(values.pop("content"))
        return LibraryFile(**values), content

    def write(
        self, file: tuple[str, str], path: str, content: bytes,
        *, expected: int | None, now: int, room: Room,
    ) -> LibraryFile:  # fmt: skip
        """Write a file of an account, by its account and id.

        Args:
            file: the account and the id.
            path: its name, with its folders.
            content: its bytes.
            expected: the version that it has; None if there is none yet.
            now: the time.
            room: what the account may keep.

        Raises:
            VersionError: it has another version.
            RefusedError: there is no room for it.

        """
        account, id_ = file
        packed = zlib.compress(content)
        with self._database.writing() as connection:
            lock_account(connection, account)
            version = _version_of(connection, account, id_)
            if version != expected:
                raise VersionError(version)
            _check_room(connection, account, id_, len(packed), room)
            new = LibraryFile(
                id_, account, path, len(content), len(packed), (version or 0) + 1, now
            )
            values = {each.name: getattr(new, each.name) for each in _WITHOUT_CONTENT}
            values["content"] = packed
            if version is None:
                connection.execute(sa.insert(library_files).values(values))
            else:
                connection.execute(sa.update(library_files).where(_is(account, id_)).values(values))
        return new

    def remove(self, account: str, id_: str, *, expected: int, now: int) -> bool:
        """Remove a file; return whether there is one.

        Raises:
            VersionError: it has another version.

        """
        with self._database.writing() as connection:
            lock_account(connection, account)
            version = _version_of(connection, account, id_)
            if version is None:
                return False
            if version != expected:
                raise VersionError(version)
            values = {"removed": now, "updated": now, "version": version + 1}
            connection.execute(sa.update(library_files).where(_is(account, id_)).values(values))
        return True

    def clean(self, before: int) -> int:
        """Forget files that were removed before a time; return how many are left in use."""
        files = library_files.c
        with self._database.writing() as connection:
            connection.execute(sa.delete(library_files).where(files.removed < before))
            query = sa.select(sa.func.count()).where(files.removed.is_(None))
            return int(connection.execute(query).scalar_one())


def _is(account: str, id_: str) -> sa.ColumnElement[bool]:
    return (library_files.c.account == account) & (library_files.c.id == id_)


def _version_of(connection: sa.Connection, account: str, id_: str) -> int | None:
    query = sa.select(library_files.c.version).where(_is(account, id_))
    version: int | None = connection.execute(query).scalar()
    return version


def _check_room(connection: sa.Connection, account: str, id_: str, size: int, room: Room) -> None:
    """Check that an account has room for a file.

    A file that was removed takes room until it is forgotten, as otherwise writing and removing
    would fill the database.

    Raises:
        RefusedError: it has not.

    """
    files = library_files.c
    others = (files.account == account) & (files.id != id_)
    sums = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(files.stored), 0))
    count, stored = connection.execute(sums.where(others)).one()
    if count >= room.files:
        text = f"you keep {count} files, removed ones among them, and may keep {room.files}"
        raise RefusedError(Code.QUOTA_LIBRARY, text)
    if stored + size > room.stored:
        text = f"your files would take {stored + size} bytes, and may take {room.stored}"
        raise RefusedError(Code.QUOTA_LIBRARY, text)
