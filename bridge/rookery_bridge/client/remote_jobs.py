"""Jobs of the analysis service: many positions or games, searched while no program waits."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable, Mapping
from contextlib import aclosing
from io import SEEK_END
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

from chess.engine import Limit

from rookery_bridge.client.position_input import (
    AnalysisPosition,
    OptionValue,
    Position,
    SearchSettings,
    limits_of,
)
from rookery_bridge.client.service_connection import (
    Attempts,
    Body,
    ServiceConnection,
    ServiceRequest,
    path_to,
)
from rookery_bridge.client.service_error import DocumentError, ServiceError, SilentServerError
from rookery_bridge.client.service_results import (
    FAILED,
    ItemAnswer,
    RemoteJob,
    read_document,
    read_list,
)

JOBS = "/v1/jobs"
NDJSON, PGN, FENS = "application/x-ndjson", "application/x-chess-pgn", "text/plain"
WATCH = 1.0  # s from one look at a job to the next
_FIRST_LOOK = 0.1  # s until the second look: a job may be short
_SILENCE = 60.0  # s without a result, after which they are asked for anew
_IN_MEMORY = 1 << 23  # bytes of the input of a job; more goes into a temporary file
_PIECE = 1 << 16  # bytes
_AT_ONCE = 500  # positions that are written before other tasks have their turn

Positions = Iterable[Position] | AsyncIterable[Position]


class RemoteJobs:
    """The jobs of an account on one server.  A job may be given by its id."""

    def __init__(self, connection: ServiceConnection, default_engine: str | None) -> None:
        self._connection = connection
        self._default_engine = default_engine

    async def create(
        self,
        limits: Limit | None = None,
        *,
        positions: Positions | Path | None = None,
        games: str | Path | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        movetime: int | None = None,
        mate: int | None = None,
        engine: str | None = None,
        lines: int = 1,
        options: Mapping[str, OptionValue] | None = None,
        name: str = "",
        priority: int = 0,
        idempotency_key: str | None = None,
    ) -> RemoteJob:
        """Begin a job, and return it; what is sent twice is one job.

        Args:
            limits: the end of each search, for python-chess; or one of the following.
            positions: what is searched, one after the other; millions may come out of a
                generator, or a file with a FEN or EPD in each line.
            games: instead of positions: PGN as text, or a file of it.
            nodes: the end of each search, as `depth` and `mate` (in so many moves).
            depth: likewise.
            movetime: likewise, in milliseconds.
            mate: likewise.
            engine: its name; None is that of the address, or the server's default.
            lines: how many variations are wanted.
            options: of the engine, as UCI has them.
            name: what the job is called.
            priority: from -10 to 10, among the jobs of this account.
            idempotency_key: by which the server knows the same job when it comes again; a random
                one, if none is given.

        Raises:
            ServiceError: the server refuses it, or cannot be reached.
            ValueError: there is no limit, or not one of `positions` and `games`.
            OSError: the file cannot be read.

        """
        if (positions is None) == (games is None):
            raise ValueError("a job has either positions or games")
        search = SearchSettings(
            limits_of(limits, nodes=nodes, depth=depth, movetime=movetime, mate=mate),
            engine or self._default_engine,
            lines,
            options,
        )
        query = search.query()
        query |= {"name": name} if name else {}
        query |= {"priority": str(priority)} if priority else {}
        return await self._post(query, positions, games, idempotency_key)

    async def _post(
        self,
        query: Mapping[str, str],
        positions: Positions | Path | None,
        games: str | Path | None,
        idempotency_key: str | None,
    ) -> RemoteJob:
        """Send the positions or the games of a job."""
        kind = NDJSON if games is None else PGN
        with _opened(positions if games is None else games) as file:
            if isinstance(positions, Path):
                kind = FENS
            elif positions is not None:
                await _write_positions(file, positions)
            headers = {
                "Content-Type": kind,
                "Content-Length": str(file.seek(0, SEEK_END)),
                "Idempotency-Key": idempotency_key or secrets.token_urlsafe(16),
            }
            # An answer may take long when much is sent.
            request = ServiceRequest("POST", JOBS, query, headers, _body_of(file), patience=None)
            return await self._call(request)

    async def list(self) -> tuple[RemoteJob, ...]:
        """Return the jobs of this account, the newest first."""
        document = await self._connection.call(ServiceRequest("GET", JOBS))
        return tuple(read_list(RemoteJob, document, "jobs"))

    async def get(self, job: str | RemoteJob) -> RemoteJob:
        """Return a job as it is now."""
        return await self._call(ServiceRequest("GET", _path(job)))

    async def pause(self, job: str | RemoteJob) -> RemoteJob:
        """Have a job wait until it is resumed."""
        return await self._change(job, "pause")

    async def resume(self, job: str | RemoteJob) -> RemoteJob:
        """Have a job go on that was paused or has failed."""
        return await self._change(job, "resume")

    async def delete(self, job: str | RemoteJob) -> None:
        """End a job, and remove it with its results."""
        await self._connection.call(ServiceRequest("DELETE", _path(job)))

    async def _change(self, job: str | RemoteJob, action: str) -> RemoteJob:
        request = ServiceRequest("POST", f"{_path(job)}/{action}")
        document = await self._connection.call(request)
        return await self.get(job) if document is None else read_document(RemoteJob, document)

    async def _call(self, request: ServiceRequest) -> RemoteJob:
        return read_document(RemoteJob, await self._connection.call(request))

    async def watch(
        self, job: str | RemoteJob, every: float = WATCH
    ) -> AsyncGenerator[RemoteJob, None]:
        """Yield a job as it is, every so many seconds (sooner at first), until it is over."""
        wait = min(_FIRST_LOOK, every)
        while True:
            found = await self.get(job)
            yield found
            if found.is_over:
                return
            await asyncio.sleep(wait)
            wait = min(2 * wait, every)

    async def results(
        self, job: str | RemoteJob, after: int = -1, *, follow: bool = False
    ) -> AsyncGenerator[ItemAnswer, None]:
        """Yield the results of a job in the order of its input.

        A lost connection is made again, and no result comes twice.

        Args:
            job: the job, or its id.
            after: the index of the last result that is known.
            follow: wait for those that are not there yet, until the last.

        Raises:
            ServiceError: the server refuses, or does not come back in time.

        """
        async with aclosing(self.result_documents(job, after, follow=follow)) as documents:
            async for document in documents:
                yield read_document(ItemAnswer, document)

    async def result_documents(
        self, job: str | RemoteJob, after: int = -1, *, follow: bool = False
    ) -> AsyncGenerator[dict[str, object], None]:
        """Yield the same as they came, with all their members.

        Raises:
            ServiceError: as `results`.

        """
        attempts = Attempts(self._connection)
        while True:
            query = {"follow": "true"} if follow else {}
            query |= {"after": str(after)} if after >= 0 else {}
            request = ServiceRequest("GET", f"{_path(job)}/results", query, patience=_SILENCE)
            try:
                async with aclosing(self._connection.documents(request)) as documents:
                    async for document in documents:
                        index = document.get("index")
                        if not isinstance(index, int):
                            raise DocumentError("$ has no 'index'")
                        if index > after:
                            after = index
                            attempts.reset()
                            yield document
                if not follow:
                    return
                state = await self.get(job)
                if after + 1 >= state.total or state.state == FAILED:
                    return
                raise ServiceError("the results have ended before the last one")
            except ServiceError as error:
                if follow and isinstance(error, SilentServerError):
                    attempts.reset()  # A search may take longer; a dead peer is found so.
                await attempts.wait_after(error)

    async def annotated_pgn(self, job: str | RemoteJob) -> str:
        """Return the games of a job, as far as they are done, with evaluations."""
        with SpooledTemporaryFile(_IN_MEMORY) as file:
            await self.save_annotated_pgn(job, file)
            file.seek(0)
            return file.read().decode(errors="replace")

    async def save_annotated_pgn(self, job: str | RemoteJob, file: IO[bytes]) -> None:
        """Write the same into a file, which is written anew if the connection is lost.

        Raises:
            OSError: the file cannot be written.
            ServiceError: as `results`.

        """
        path = f"{_path(job)}/annotated.pgn"
        await self._connection.save(ServiceRequest("GET", path, patience=_SILENCE), file)


def _path(job: str | RemoteJob) -> str:
    return path_to(JOBS, job.id if isinstance(job, RemoteJob) else job)


def _opened(source: object) -> IO[bytes]:
    """Return the file of a job's input, or one with the text, or to write positions into."""
    if isinstance(source, Path):
        return source.open("rb")
    file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # The caller closes it.
    if isinstance(source, str):
        file.write(source.encode())
    return file


async def _write_positions(file: IO[bytes], positions: Positions) -> None:
    """Write positions as NDJSON, so that they can be sent twice."""
    count = 0
    async for position in _asynchronous(positions):
        file.write(AnalysisPosition.of(position).line())
        count += 1
        if count % _AT_ONCE == 0:
            await asyncio.sleep(0)
    if not count:
        raise ValueError("a job has at least one position")


async def _asynchronous(positions: Positions) -> AsyncIterator[Position]:
    if isinstance(positions, AsyncIterable):
        async for position in positions:
            yield position
    else:
        for position in positions:
            yield position


def _body_of(file: IO[bytes]) -> Body:
    async def pieces() -> AsyncIterator[bytes]:
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece

    return pieces
