"""One registered engine, and its searches, one after the other.

A requester sees the newest search: one that is under way when another comes is stopped, and
ends with what it has found.
"""

import asyncio
import logging
from collections.abc import Callable

from rookery_bridge.lichess.provider_engine import ProviderEngine, ProviderSource
from rookery_protocol.legality import standard_castling
from rookery_protocol.lichess_api import (
    NO_MOVE,
    LichessRegistration,
    LichessWork,
    maximum_of,
    variants_of,
    with_known_moves,
)
from rookery_uci import BestMove, Info, Position, SetOption, UciError, parse_reply
from rookery_uci.uci_client import UciClient, UciRequest, UciSearch

logger = logging.getLogger(__name__)

READY_TIMEOUT = 30.0  # s for `uciok` and `readyok`: a large hash takes a while
STOP_TIMEOUT = 5.0  # s from `stop` to `bestmove`; then the engine is ended
LineSink = Callable[[bytes], None]  # receives a line for the broker, with its newline


class EngineLostError(Exception):
    """The engine is gone, or answers no more; the text says why."""


class JobPlayer:
    """An engine that is started when it is needed, and ended when it has not been for long.

    Searches have numbers, from 1 on, in the order in which they were asked for.
    """

    def __init__(self, source: ProviderSource) -> None:
        self.source = source
        self._client = UciClient()
        self._engine: ProviderEngine | None = None
        self._running: asyncio.Task[None] | None = None
        self._news = asyncio.Event()  # the engine has written, or is gone
        self._lost = ""  # why it is gone
        self._session: str | None = None  # of the last work
        self._used_at = 0.0  # s of the loop's clock
        self._turn = asyncio.Lock()
        self._asked = 0  # searches
        self._stopped = 0  # all up to this one are to end
        self._searching = 0  # the number of the running search; 0 is none, or one that is stopped
        self._search: UciSearch | None = None  # the running one
        self._output = SearchOutput(lambda _: None)  # of the running one
        self._patience: asyncio.Timeout  # of the newest request

    @property
    def idle(self) -> float:
        """The seconds since the engine was last of use; 0 if it is, or is not up."""
        if self._engine is None or self._turn.locked():
            return 0.0
        return asyncio.get_running_loop().time() - self._used_at

    def registration(self, secret: str, *, max_threads: int, max_hash: int) -> LichessRegistration:
        """Return the registration of the engine: no more than it has, and than is allowed."""
        option = self._client.option
        return LichessRegistration(
            self.source.name,
            max_threads=min(max_threads, maximum_of(option("Threads"))),
            max_hash=min(max_hash, maximum_of(option("Hash"))),
            provider_secret=secret,
            variants=variants_of(option("UCI_Variant")),
        )

    async def start(self) -> None:
        """Start the engine, unless it is up.

        Raises:
            EngineLostError: it cannot be started.

        """
        if self._engine and not self._lost:
            return
        await self.end_engine()
        self._lost, self._client, self._session = "", UciClient(), None
        handshake = self._client.handshake()
        self._engine = self.source.create_engine(self._receive, self._lose)
        self._send()
        # It outlives the search that has started it; `end_engine` ends it.
        self._running = asyncio.create_task(self._run(self._engine), name=f"run {self.source.name}")
        try:
            await self._until_answered(handshake, "uci", READY_TIMEOUT)
        except EngineLostError:
            await self.end_engine()  # It is not up, and its options are not known.
            raise
        finally:
            self._used_at = asyncio.get_running_loop().time()

    async def end_engine(self) -> None:
        """End the engine; it is started again when it is needed."""
        engine, self._engine = self._engine, None
        if (running := self._running) is None:
            return
        if engine:  # Else it is told to end already, and may be at it.
            running.cancel()
        # To await it would raise that it was cancelled, as if this were; or hide that this is.
        await asyncio.wait([running])
        self._running = None
        if not running.cancelled():
            running.result()

    def add_search(self) -> int:
        """Ask for a search, whose number is returned; those before it end."""
        self.stop_searches(self._asked)
        self._asked += 1
        return self._asked

    def stop_searches(self, number: int | None = None) -> None:
        """End all searches up to one, or all that were asked for, each with its bestmove."""
        self._stopped = max(self._stopped, self._asked if number is None else number)
        if self._engine and self._search and 0 < self._searching <= self._stopped:
            self._searching = 0
            self._client.stop(self._search)
            self._send()
            self._patience.reschedule(asyncio.get_running_loop().time() + STOP_TIMEOUT)

    async def search(self, number: int, work: LichessWork, sink: LineSink) -> Info | None:
        """Search, and pass on the lines for the broker: the last is always a bestmove.

        Return the last `info` of the best variation.

        Raises:
            EngineLostError: the engine was lost; the lines until then are passed on.

        """
        async with self._turn:
            output = SearchOutput(sink)
            try:
                await self._play(number, work, output)
            except (EngineLostError, asyncio.CancelledError):
                await self.end_engine()
                raise
            finally:
                output.end()
                self._searching, self._search = 0, None
                self._used_at = asyncio.get_running_loop().time()
        return output.info

    async def _play(self, number: int, work: LichessWork, output: "SearchOutput") -> None:
        if number <= self._stopped:
            return
        await self.start()
        if (preparation := self._prepare(work)) is not None:
            self._send()
            await self._until_answered(preparation, "isready", READY_TIMEOUT)
        if number <= self._stopped:  # Meanwhile a newer one has come.
            return
        self._searching, self._output = number, output
        self._search = self._client.search(position_for(self._client, work), work.limits)
        self._send()
        await self._until_answered(self._search, "stop", None)

    def _prepare(self, work: LichessWork) -> UciRequest | None:
        """Set the options that have changed, and begin a game; None if nothing has changed."""
        options = self._client.changed(
            SetOption(option.name, value)
            for name, value in work.options().items()
            if (option := self._client.option(name))
        )
        is_new = work.session_id != self._session
        self._session = work.session_id
        return self._client.prepare(options, new_game=is_new) if options or is_new else None

    # --- the engine

    async def _run(self, engine: ProviderEngine) -> None:
        """Run an engine; a fault of ours ends this one, and no other."""
        try:
            await engine.run()
        except Exception as error:
            logger.exception("%s: running the engine has failed", self.source.name)
            while isinstance(error, ExceptionGroup):
                error = error.exceptions[0]
            self._lose(f"{type(error).__name__}: {error}")

    async def _until_answered(self, request: UciRequest, command: str, limit: float | None) -> None:
        """Wait for the answer, `limit` seconds at most; a search has a limit once it is stopped.

        Raises:
            EngineLostError: there is none.

        """
        try:
            async with asyncio.timeout(limit) as self._patience:
                while not request.is_over:
                    if self._lost:
                        raise EngineLostError(self._lost)
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError as error:
            within = f" within {limit:g} s" if limit else ""
            raise EngineLostError(f"it does not answer {command!r}{within}") from error

    def _send(self) -> None:
        if self._engine and (data := self._client.data_to_send()):
            self._engine.send_lines(data.splitlines())

    def _receive(self, piece: bytes) -> None:
        request = self._client.current
        try:
            answer = self._client.receive(piece)
        except UciError as error:
            self._lose(str(error))
            return
        if request is self._search:
            for line in answer.splitlines():
                self._output.add_line(line)
        self._send()
        self._news.set()

    def _lose(self, reason: str) -> None:
        self._lost = reason
        self._news.set()


class SearchOutput:
    """The lines of one search, in words that the broker knows.

    A bestmove is the last: if the engine gives none, it is the first move of the best line so
    far.  `info` is the last that had a score, of the best variation.
    """

    def __init__(self, sink: LineSink) -> None:
        self.info: Info | None = None
        self._sink = sink
        self._is_over = False

    def add_line(self, line: bytes) -> None:
        """Pass on a line of the engine, if the broker knows such."""
        if self._is_over:
            return
        try:
            reply = parse_reply(line.decode(errors="replace"))
        except UciError:
            return
        if isinstance(reply, BestMove):
            self._end(reply)
        elif isinstance(reply, Info) and reply.score is not None:
            if reply.pv and reply.multipv in (None, 1):
                self.info = reply
            # The broker knows no `wdl`, and refuses lines with words that it does not know.
            self._sink(f"{reply._replace(wdl=None, string=None)}\n".encode())

    def end(self) -> None:
        """Pass on the bestmove that an engine has not given."""
        if not self._is_over:
            self._end(BestMove(self.info.pv[0] if self.info else NO_MOVE))

    def _end(self, best: BestMove) -> None:
        self._is_over = True
        self._sink(f"{with_known_moves(best)}\n".encode())


def position_for(client: UciClient, work: LichessWork) -> Position:
    """Return the position of some work as an engine knows it."""
    # A line end in a FEN would begin a command to a program of this machine.
    position = Position(" ".join(work.initial_fen.split()), work.moves)
    if client.option("UCI_Chess960") is None:
        return position._replace(moves=standard_castling(position, variant=work.variant))
    return position
