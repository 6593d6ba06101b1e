"""The analysis service of a remote server, for asyncio programs.

async with AnalysisClient("https://HOST", token_file="FILE") as client:
    result = await client.analyse(chess.Board(), depth=20)
"""

import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from pathlib import Path

import chess
from chess.engine import Limit

from rookery_bridge.client.position_input import (
    AnalysisPosition,
    OptionValue,
    Position,
    SearchSettings,
    limits_of,
)
from rookery_bridge.client.remote_jobs import RemoteJobs
from rookery_bridge.client.remote_projects import RemoteProjects
from rookery_bridge.client.service_connection import (
    PATIENCE,
    Attempts,
    ServiceConnection,
    ServiceRequest,
)
from rookery_bridge.client.service_error import ServiceError
from rookery_bridge.client.service_results import (
    AnalysisResult,
    ServiceEngine,
    read_document,
    read_list,
)
from rookery_bridge.command_arguments import trust_of
from rookery_protocol.address import Address, check_trust
from rookery_protocol.tls_trust import Trust

logger = logging.getLogger(__name__)

INTERVAL = 0.5  # s from one report of a search to the next
_SIGN_OF_LIFE = 10.0  # s; so often a search is reported of which only the end is wanted
_SILENCE = 60.0  # s without a sign of life, after which the server is lost
_MS = 1000


class AnalysisClient:
    """The analysis service of one server.  `jobs` and `projects` are those of this account.

    Args:
        address: `https://HOST` or `wss://HOST`, `http://HOST:PORT` or `ws://HOST:PORT` without
            TLS; with `/engines/NAME` that engine is meant where none is named.
        token: the token, if the server wants one; or else it is
        token_file: in this file; or else in `ROOKERY_TOKEN`.
        ca: the file of an authority to trust besides the system's.
        pin: the SHA-256 of the only certificate to trust.
        insecure: send the token to another machine even without TLS.
        patience: s that a lost or busy server has before a call fails.

    Raises:
        AddressError: the address is none.  It is a `ValueError`.
        TrustError: the token, the authority or the pin cannot be used.  Likewise.

    """

    def __init__(
        self,
        address: str,
        *,
        token: str | None = None,
        token_file: str | Path | None = None,
        ca: str | Path | None = None,
        pin: str | None = None,
        insecure: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        place = Address.parse_server(address)
        trust = trust_of(token, token_file, ca, pin, logger.warning)
        self._prepare(place, trust, insecure=insecure, patience=patience, report=logger.info)

    @classmethod
    def at(
        cls,
        address: Address,
        trust: Trust,
        *,
        insecure: bool = False,
        patience: float = PATIENCE,
        report: Callable[[str], None] = logger.info,
    ) -> "AnalysisClient":
        """Return a client for an address and trust that are read already.

        `report` is told why a request has to be repeated.
        """
        client = cls.__new__(cls)
        client._prepare(address, trust, insecure=insecure, patience=patience, report=report)
        return client

    def _prepare(
        self,
        address: Address,
        trust: Trust,
        *,
        insecure: bool,
        patience: float,
        report: Callable[[str], None],
    ) -> None:
        check_trust(address, trust, insecure=insecure)
        self.address = address
        self._connection = ServiceConnection(address, trust, patience=patience, report=report)
        self.jobs = RemoteJobs(self._connection, address.engine)
        self.projects = RemoteProjects(self._connection)

    async def __aenter__(self) -> "AnalysisClient":
        """Get ready; the first call connects."""
        await self._connection.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all connections: searches end, and jobs go on."""
        await self._connection.__aexit__()

    async def engines(self) -> list[ServiceEngine]:
        """Return the engines that this account may use.

        Raises:
            ServiceError: the server refuses, or cannot be reached.

        """
        document = await self._connection.call(ServiceRequest("GET", "/v1/engines"))
        return read_list(ServiceEngine, document, "engines")

    async def analyse(
        self,
        position: Position,
        limits: Limit | None = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        movetime: int | None = None,
        mate: int | None = None,
        engine: str | None = None,
        lines: int = 1,
        options: Mapping[str, OptionValue] | None = None,
        search_moves: Iterable[str | chess.Move] = (),
        san: bool = False,
        fresh: bool = False,
    ) -> AnalysisResult:
        """Search a position, and return the result.  A task that is cancelled ends the search.

        Args:
            position: a FEN, a board of python-chess with its moves, or an `AnalysisPosition`.
            limits: the end of the search, for python-chess; or one of the following.
            nodes: the end of the search, as `depth` and `mate` (in so many moves).
            depth: likewise.
            movetime: likewise, in milliseconds.
            mate: likewise.
            engine: its name; None is that of the address, or the server's default.
            lines: how many variations are wanted.
            options: of the engine, as UCI has them.
            search_moves: the only moves to consider.
            san: have the moves of each line as people write them, too.
            fresh: search as if it were the first search, without what earlier ones have found.

        Raises:
            ServiceError: the server refuses, or is not there.
            ValueError: there is no limit.

        """
        stream = self.analyse_stream(
            position, limits, nodes=nodes, depth=depth, movetime=movetime, mate=mate,
            engine=engine, lines=lines, options=options, search_moves=search_moves, san=san,
            fresh=fresh, interval=_SIGN_OF_LIFE,
        )  # fmt: skip
        async with aclosing(stream) as results:
            async for result in results:
                if result.final:
                    return result
        raise AssertionError("a stream ends with a final result or an error")

    async def analyse_stream(
        self,
        position: Position,
        limits: Limit | None = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        movetime: int | None = None,
        mate: int | None = None,
        engine: str | None = None,
        lines: int = 1,
        options: Mapping[str, OptionValue] | None = None,
        search_moves: Iterable[str | chess.Move] = (),
        san: bool = False,
        fresh: bool = False,
        interval: float = INTERVAL,
    ) -> AsyncGenerator[AnalysisResult, None]:
        """Search a position, and yield what is found so far; the last result is final.

        If the connection is lost, the search begins anew.  To end it early, close the iterator
        (`contextlib.aclosing`).

        Args:
            position: as `analyse` has it, and so are those that are not named here.
            limits: likewise.
            nodes: likewise.
            depth: likewise.
            movetime: likewise.
            mate: likewise.
            engine: likewise.
            lines: likewise.
            options: likewise.
            search_moves: likewise.
            san: likewise.
            fresh: likewise.
            interval: s from one result to the next, at least.

        Raises:
            ServiceError: as `analyse`.
            ValueError: likewise.

        """
        search = SearchSettings(
            limits_of(limits, nodes=nodes, depth=depth, movetime=movetime, mate=mate),
            engine or self.address.engine,
            lines,
            options,
        )
        request = AnalysisPosition.of(position).document() | search.document()
        if moves := [str(move) for move in search_moves]:
            request["search_moves"] = moves
        request |= {name: True for name, wanted in (("san", san), ("fresh", fresh)) if wanted}
        request["interval"] = round(interval * _MS)
        async with aclosing(self._search(request)) as results:
            async for result in results:
                yield result

    async def _search(self, document: Mapping[str, object]) -> AsyncGenerator[AnalysisResult, None]:
        """Yield the results of a request, which is sent again if the answer was cut off."""
        attempts = Attempts(self._connection)
        # The server gives a sign of life each ten seconds, as long as the search takes.
        request = ServiceRequest.of_document("POST", "/v1/analyse", document, patience=_SILENCE)
        while True:
            try:
                async with aclosing(self._connection.documents(request)) as documents:
                    async for found in documents:
                        result = read_document(AnalysisResult, found)
                        attempts.reset()
                        yield result
                        if result.final:
                            return
                raise ServiceError("the answer has ended before the result")
            except ServiceError as error:
                await attempts.wait_after(error)

    async def evaluations(
        self, position: Position, *, engine: str | None = None, lines: int = 1
    ) -> list[AnalysisResult]:
        """Return what the server's cache knows of a position, the deepest first.

        Args:
            position: as `analyse` has it.
            engine: the only one that is meant; None is that of the address, or each.
            lines: the most variations.

        Raises:
            ServiceError: as `engines`.

        """
        asked = AnalysisPosition.of(position)
        query = {"variant": asked.variant}
        query |= {"fen": asked.fen} if asked.fen else {}
        query |= {"engine": found} if (found := engine or self.address.engine) else {}
        query |= {"lines": str(lines)} if lines != 1 else {}
        if asked.moves:
            query["moves"] = " ".join(asked.moves)
        document = await self._connection.call(ServiceRequest("GET", "/v1/evaluations", query))
        return read_list(AnalysisResult, document, "evaluations")
