"""The libraries of accounts: files that the page keeps here for all machines of an account.

`async with LibraryService(...) as service:` forgets removed files now and then.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import ANYBODY, Account
from rookery_server.config.resources import Quota
from rookery_server.database.store_service import StoreCounts, StoreService
from rookery_server.library.file_store import FileStore, LibraryFile, Room
from rookery_server.token_bucket import TokenBuckets, TooOftenError

DAY = 86_400  # s
KEPT = 30 * DAY  # after which a removed file is forgotten
WRITES = (0.5, 60)  # of one account: in a second in the long run, and at once
READS = (5.0, 200)  # a machine that begins reads all files

_NO_ACCOUNTS = (
    "this server has no accounts, so it could not tell whose files are whose: it keeps files only"
    " where it wants tokens, or on its own machine"
)


class LibraryService(StoreService[FileStore]):
    """The files of all accounts."""

    name = "library"
    cleaning = 3600.0

    def __init__(
        self,
        url: str,
        quota_of: Callable[[Account], Quota],
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Make a service.

        Args:
            url: of the database.
            quota_of: returns what an account may store.
            clock: returns the seconds of the epoch.

        """
        super().__init__(url, FileStore, clock)
        self.counts = StoreCounts()
        self._quota_of = quota_of
        self._writes = TokenBuckets[str](*WRITES)
        self._reads = TokenBuckets[str](*READS)
        self._reading: set[str] = set()  # accounts
        self._writing: set[str] = set()

    def room_of(self, account: Account) -> Room:
        """Return what an account may keep."""
        quota = self._quota_of(account)
        return Room(quota.library_files, quota.library_bytes)

    async def files_of(self, account: Account) -> list[LibraryFile]:
        """Return the files of an account, those among them that were removed of late."""
        self._check(account, self._reads)
        if not self._may_have_rows:
            return []
        return await self._store.run(FileStore.files_of, account.name)

    @contextmanager
    def reader(self, account: Account) -> Iterator[None]:
        """Let an account receive one file at a time, which is in memory meanwhile.

        Raises:
            TooOftenError: it receives another one, or has read too much of late.
            RefusedError: it may not.

        """
        self._check(account, self._reads)
        with _alone(self._reading, account, "you are reading another file: wait a moment"):
            yield

    async def read_file(self, account: Account, id_: str) -> tuple[LibraryFile, bytes] | None:
        """Read a file and its content, as a `reader`; return None if there is none."""
        if not self._may_have_rows:
            return None
        return await self._store.run(FileStore.read_file, account.name, id_)

    @contextmanager
    def writer(self, account: Account) -> Iterator[None]:
        """Let an account send one file at a time, which is in memory meanwhile.

        Raises:
            TooOftenError: it sends another one, or has written too much of late.
            RefusedError: it may not.

        """
        self._check(account, self._writes)
        with _alone(self._writing, account, "you are writing another file: wait a moment"):
            yield

    async def write(
        self, account: Account, id_: str, path: str, content: bytes, expected: int | None
    ) -> LibraryFile:
        """Write a file, as a `writer`; the expected version None is that there is none yet.

        Raises:
            VersionError: it has another version.
            RefusedError: there is no room for it.
            StoreError: the database cannot be used.

        """
        return await self._store.run(
            FileStore.write, (account.name, id_), path, content,
            expected=expected, now=self._now(), room=self.room_of(account),
        )  # fmt: skip

    async def remove(self, account: Account, id_: str, expected: int) -> bool:
        """Remove a file, as a `writer`; return whether there is one."""
        if not self._may_have_rows:
            return False
        return await self._store.run(
            FileStore.remove, account.name, id_, expected=expected, now=self._now()
        )

    def _check(self, account: Account, buckets: TokenBuckets[str]) -> None:
        if account == ANYBODY:
            raise RefusedError(Code.LIBRARY_OFF, _NO_ACCOUNTS)
        if wait := buckets.spend(account.name, time.monotonic()):
            raise TooOftenError("you use the library too often: wait a moment", wait)

    async def _clean(self) -> int:
        """Forget what was removed long ago; return the number of files."""
        return await self._store.run(FileStore.clean, self._now() - KEPT)


@contextmanager
def _alone(busy: set[str], account: Account, text: str) -> Iterator[None]:
    """Let an account do one thing at a time, or raise a `TooOftenError`."""
    if account.name in busy:
        raise TooOftenError(text, 1.0)
    busy.add(account.name)
    try:
        yield
    finally:
        busy.discard(account.name)
