"""Sessions that do one search after the other for requests of one account.

To open a session for each request would cost more than a short search: an engine serves one
session, and so a process would be started each time.  So a session is kept for a moment, for the
next request of the same account with the same engine and options.  No other account gets it.

One that is kept counts as none of its account's sessions, and has no claim: as soon as any session
waits for a slot, it is ended.  While as many searches are under way as there are processors, a
request waits for one of them to end; it opens one more session only if none ends soon.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import chess

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.analysis.own_session import OwnSession
from rookery_server.api.pending_search import PendingSearch
from rookery_server.engines.pool import Pool
from rookery_server.manager import SessionManager
from rookery_uci import Command, Go, Limits, Position, SetOption, Word

KEPT = 2.0  # s that a session is kept for the next request
TURN = 0.1  # s without the end of a search, after which a request opens one more session


@dataclass(frozen=True)
class SearchTask:
    """A search as engines are told it: `options` hold for it, `lines` are variations.

    For one that is `fresh` the engine forgets what it has searched before.
    """

    account: Account
    pool: Pool
    options: tuple[SetOption, ...]
    lines: int
    position: Position
    board: chess.Board
    limits: Limits
    fresh: bool = False

    @property
    def source(self) -> tuple[Account, Pool, tuple[SetOption, ...]]:
        """The things that two searches of one session have in common."""
        return self.account, self.pool, self.options


@dataclass(eq=False)
class _Kept:
    """A session, what it is for, and the variations that its engine was told to search for."""

    session: OwnSession
    source: tuple[Account, Pool, tuple[SetOption, ...]]
    lines: int = 1
    timer: asyncio.TimerHandle | None = None  # until it is ended


@dataclass(eq=False)
class _Turn:
    """A request that waits for a session; None is that it may open one."""

    task: SearchTask
    session: asyncio.Future[_Kept | None]


class SearchSessions:
    """The sessions of all requests of a server."""

    def __init__(self, manager: SessionManager) -> None:
        self._manager = manager
        self._kept: dict[Account, list[_Kept]] = {}  # the newest last
        self._busy: dict[Account, int] = {}
        self._waiting: dict[Account, deque[_Turn]] = {}  # never empty
        self._ended: dict[Account, float] = {}  # s, when a search ended, while others wait

    @property
    def counts(self) -> tuple[int, int]:
        """The sessions that search, and those that are kept."""
        return sum(self._busy.values()), sum(map(len, self._kept.values()))

    @asynccontextmanager
    async def search(
        self, task: SearchTask, address: str, admit: Callable[[], None]
    ) -> AsyncIterator[PendingSearch]:
        """Begin a search; it is ended when the block is left.

        `admit` is called before a session is opened, to refuse too many.

        Raises:
            RefusedError: there can be no session for it now.

        """
        account = task.account
        try:
            kept = await self._session_for(task, address, admit)
        except BaseException:
            self._give_turn(account)  # It may have been this one's.
            raise
        search = PendingSearch()
        self._busy[account] = self._busy.get(account, 0) + 1
        try:
            self._begin(kept, task, search)
            yield search
        finally:
            self._busy[account] -= 1
            if not self._busy[account]:
                del self._busy[account]
            self._release(kept, search)

    def close(self) -> None:
        """End the sessions that are kept."""
        for each in [each for some in self._kept.values() for each in some]:
            self._end(each)

    # --- within

    async def _session_for(
        self, task: SearchTask, address: str, admit: Callable[[], None]
    ) -> _Kept:
        """Return a session that is kept, or becomes free soon, or a new one."""
        account = task.account
        if account not in self._waiting and (kept := self._take(task)):
            return kept
        most = max(1, self._manager.machine.threads)
        if self._busy.get(account, 0) >= most and (kept := await self._wait(task, TURN)):
            return kept
        while True:
            admit()
            session = OwnSession(address)
            try:
                session.start(self._manager.open(task.pool.name, session, account))
            except RefusedError as error:
                if error.notice.code is not Code.QUOTA_SESSIONS or account not in self._busy:
                    raise
                # Its own searches have the sessions that it may have: it is the next one's turn.
                if kept := await self._wait(task, None):
                    return kept
                continue
            session.send_commands(*task.options)
            return _Kept(session, task.source)

    async def _wait(self, task: SearchTask, patience: float | None) -> _Kept | None:
        """Wait for a search of the same account to end; return its session if it will do.

        While searches end, all wait for their turn; if none has for as long as `patience`, this
        one does not wait any more.
        """
        loop = asyncio.get_running_loop()
        waiting = self._waiting.setdefault(task.account, deque())
        turn = _Turn(task, loop.create_future())
        waiting.append(turn)
        since = self._ended[task.account] = loop.time()
        try:
            while not turn.session.done():
                left = None if patience is None else since + patience - loop.time()
                if left is not None and left <= 0:
                    return None
                await asyncio.wait([turn.session], timeout=left)
                since = self._ended[task.account]
            return turn.session.result()
        except asyncio.CancelledError:
            if turn.session.done() and (kept := turn.session.result()):
                self._keep(kept)
            raise
        finally:
            if turn in waiting:
                waiting.remove(turn)
            if not waiting and self._waiting.get(task.account) is waiting:
                del self._waiting[task.account]
                self._ended.pop(task.account, None)

    def _take(self, task: SearchTask) -> _Kept | None:
        """Return a session that is kept for such a search; those of other kinds make room."""
        found = self._kept.get(task.account, [])
        for kept in reversed(found):
            actor = kept.session.actor
            if kept.source == task.source and actor and not actor.is_over:
                self._forget(kept)
                actor.account = task.account  # by another of its tokens, perhaps
                if self._manager.admit(actor) is None:
                    return kept
                kept.session.end()
                return None
        if len(found) >= self._manager.machine.threads:
            self._end(found[0])
        return None

    def _begin(self, kept: _Kept, task: SearchTask, search: PendingSearch) -> None:
        session = kept.session
        session.listener = search
        commands: list[Command] = [Word.UCINEWGAME] if task.fresh else []
        if kept.lines != task.lines:
            kept.lines = task.lines
            commands.append(SetOption("MultiPV", str(task.lines)))
        if session.actor:
            session.actor.session.validator.adopt(task.position, task.board)
        session.send_commands(*commands, task.position, Go(task.limits))

    def _release(self, kept: _Kept, search: PendingSearch) -> None:
        """Hand a session whose search has ended to the next request, or keep it for one."""
        session, manager, account = kept.session, self._manager, kept.source[0]
        actor, session.listener = session.actor, None
        is_usable = actor is not None and not actor.is_over and search.is_good
        if not is_usable or manager.scheduler.waiting or manager.is_draining:
            is_usable = False
            session.end()
            if actor and not actor.is_over:  # Its search may take a moment to end.
                manager.set_aside(actor)
        if account in self._waiting:
            self._give_turn(account, kept if is_usable else None)
        elif is_usable:
            self._keep(kept)

    def _give_turn(self, account: Account, kept: _Kept | None = None) -> None:
        """Let the request that has waited longest go on, with this session if it will do."""
        if (waiting := self._waiting.get(account)) is None:
            return
        self._ended[account] = asyncio.get_running_loop().time()
        turn = waiting.popleft()
        if not waiting:
            del self._waiting[account]
        if kept and turn.task.source != kept.source:
            kept.session.end()
            kept = None
        turn.session.set_result(kept)

    def _keep(self, kept: _Kept) -> None:
        """Keep a session for a moment, unless it is over."""
        if actor := kept.session.actor:
            self._manager.set_aside(actor)
            self._kept.setdefault(kept.source[0], []).append(kept)
            kept.timer = asyncio.get_running_loop().call_later(KEPT, self._end, kept)

    def _forget(self, kept: _Kept) -> None:
        if kept.timer:
            kept.timer.cancel()
        account = kept.source[0]
        self._kept[account].remove(kept)
        if not self._kept[account]:
            del self._kept[account]

    def _end(self, kept: _Kept) -> None:
        self._forget(kept)
        kept.session.end()
