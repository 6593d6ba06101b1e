"""The libraries of accounts: files that the page keeps here for all machines of an account.

`async with LibraryService(...) as service:` forgets removed files now and then.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import ANYBODY, Account
from rookery_server.config.config import Config
from rookery_server.config.resources import Quota
from rookery_server.database.database import StoreError
from rookery_server.database.database_thread import DatabaseThread
from rookery_server.library.file_store import FileStore, LibraryFile, Room
from rookery_server.token_bucket import TokenBuckets, TooOftenError

logger = logging.getLogger(__name__)

DAY = 86_400  # s
KEPT = 30 * DAY  # after which a removed file is forgotten
CLEANING = 3600.0  # s from one look for those to the next
WRITES = (0.5, 60)  # of one account: in a second in the long run, and at once
READS = (5.0, 200)  # a machine that begins reads all files

_NO_ACCOUNTS = (
    "this server has no accounts, so it could not tell whose files are whose: it keeps files only"
    " where it wants tokens, or on its own machine"
)


@dataclass(slots=True)
class LibraryCounts:
    """The numbers for the metrics."""

    files: int = 0
    database_errors: int = 0


class LibraryService:
    """The files of all accounts."""

    def __init__(
        self,
        config: Config,
        url: str,
        quota_of: Callable[[Account], Quota],
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Make a service.

        Args:
            config: of the server; it may be replaced.
            url: of the database.
            quota_of: returns what an account may store.
            clock: returns the seconds of the epoch.

        """
        self.config = config
        self.counts = LibraryCounts()
        self._quota_of = quota_of
        self._clock = clock
        self._store = DatabaseThread("library", lambda: FileStore(url))
        self._file = Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:") else None
        self._writes = TokenBuckets[str](*WRITES)
        self._reads = TokenBuckets[str](*READS)
        self._reading: set[str] = set()  # accounts
        self._writing: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "LibraryService":
        """Begin to clean."""
        self._task = asyncio.create_task(self._clean(), name="library")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        """Close the database; a second call does nothing."""
        task, self._task = self._task, None
        if task:
            task.cancel()
            await asyncio.wait([task])
            await self._store.close()

    @property
    def is_open(self) -> bool:
        """True until the server ends."""
        return self._task is not None

    def room_of(self, account: Account) -> Room:
        """Return what an account may keep."""
        quota = self._quota_of(account)
        return Room(quota.library_files, quota.library_bytes)

    async def files_of(self, account: Account) -> list[LibraryFile]:
        """Return the files of an account, those among them that were removed of late."""
        self._check(account, self._reads)
        if not self._may_have_files:
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
        if not self._may_have_files:
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
        if not self._may_have_files:
            return False
        return await self._store.run(
            FileStore.remove, account.name, id_, expected=expected, now=self._now()
        )

    @property
    def _may_have_files(self) -> bool:
        """False as long as nothing was ever stored: no file is made to say so."""
        return self._file is None or self._file.exists()

    def _now(self) -> int:
        return int(self._clock())

    def _check(self, account: Account, buckets: TokenBuckets[str]) -> None:
        if account == ANYBODY:
            raise RefusedError(Code.LIBRARY_OFF, _NO_ACCOUNTS)
        if wait := buckets.spend(account.name, time.monotonic()):
            raise TooOftenError("you use the library too often: wait a moment", wait)

    async def _clean(self) -> None:
        """Forget what was removed long ago, now and then, whatever happens."""
        while True:
            if self._may_have_files:
                with suppress(StoreError):  # The next request tells the operator.
                    self.counts.files = await self._store.run(FileStore.clean, self._now() - KEPT)
            self.counts.database_errors = self._store.errors
            await asyncio.sleep(CLEANING)


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
