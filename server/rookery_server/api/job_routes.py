"""The routes of jobs: `/v1/jobs` and what is below it.

A job is one document, or lines or games whose settings are in the query.  Bodies go to the
database as they come: nothing is ever whole in memory but a document, which is bounded.
"""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, closing
from functools import partial

from aiohttp import web
from msgspec import UNSET

from rookery_protocol.errors import SHUTTING_DOWN, RefusedError
from rookery_protocol.notices import Code, legible
from rookery_server.access.account import Account
from rookery_server.analysis.position_reading import USUAL
from rookery_server.api.documents import (
    JSON,
    NDJSON,
    PGN,
    TEXT,
    json_answer,
    parse_document,
    read_json,
)
from rookery_server.api.job_documents import OPTION, job_document, new_job, request_of_query
from rookery_server.api.schema import JobList, JobRequest, PositionRequest
from rookery_server.api.search_request import read_lines, read_options
from rookery_server.database.database import StoreError
from rookery_server.http.problem import NO_FIELDS, ProblemError, problem_answer
from rookery_server.http.web_app import ACCOUNT
from rookery_server.jobs.job_input import (
    GameItems,
    InputError,
    LineItems,
    SpoolError,
    position_of_text,
)
from rookery_server.jobs.job_loading import JobConflictError, JobLoading
from rookery_server.jobs.job_service import JobService
from rookery_server.jobs.stored_job import GAMES, JobStage, NewJob, StoredJob
from rookery_server.manager import SessionManager
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.http_connection import connection_of
from rookery_server.transport.request_body import body_pieces

logger = logging.getLogger(__name__)

MAX_KEY = 200  # characters of a request's key
_KEY = re.compile("[!-~]+")
PART = 1 << 16  # bytes of an answer that are sent at once
READING_TIME = 60.0  # s that a client may take to read so much
LISTED = 1000  # jobs, the newest ones
RETRY_AFTER = {"Retry-After": "5"}  # s until a database may work again

_SEND = "send more as NDJSON, plain text or PGN, with the settings in the query"

Handler = Callable[[web.Request, Account, JobService], Awaitable[web.StreamResponse]]


class JobRoutes:
    """The routes of jobs of one server; `service` is there while the server works at jobs."""

    def __init__(self, manager: SessionManager, policy: ConnectionPolicy) -> None:
        self.service: JobService | None = None
        self._manager = manager
        self._policy = policy

    @property
    def routes(self) -> list[web.RouteDef]:
        """The routes for `WebApp`."""
        one = "/v1/jobs/{id}"
        return [
            web.post("/v1/jobs", self._handler(self._post)),
            web.get("/v1/jobs", self._handler(self._list)),
            web.get(one, self._handler(self._show_job)),
            web.delete(one, self._handler(self._delete)),
            web.get(f"{one}/results", self._handler(self._results)),
            web.get(f"{one}/annotated.pgn", self._handler(self._annotated)),
            web.post(f"{one}/pause", self._handler(self._pause)),
            web.post(f"{one}/resume", self._handler(self._resume)),
        ]

    def _handler(self, handle: Handler) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """Return a handler whose errors are answers."""

        async def answer_request(request: web.Request) -> web.StreamResponse:
            if self.service is None:
                raise RefusedError(Code.JOBS_OFF, "this server works at no jobs")
            if not self.service.is_open:
                raise RefusedError(*SHUTTING_DOWN)
            try:
                return await handle(request, request[ACCOUNT], self.service)
            except InputError as error:
                if request.content_type == JSON:  # What is no PGN is a text, all the same.
                    return problem_answer(422, str(error), path="$.games", expected="PGN")
                return problem_answer(400, str(error))
            except web.HTTPRequestEntityTooLarge as error:
                if request.content_type == JSON:
                    return problem_answer(413, f"{error.text}: {_SEND}")
                raise RefusedError(Code.QUOTA_STORED, f"{error.text}: send fewer") from error
            except JobConflictError as error:
                fields = NO_FIELDS if error.wait is None else {"Retry-After": str(error.wait)}
                return problem_answer(409, str(error), None, fields)
            except SpoolError as error:
                logger.warning("%s", error)
                text = "the server has no room for so many games now: send fewer at once, or later"
                return problem_answer(503, text, None, RETRY_AFTER)
            except StoreError as error:
                logger.warning("a request for jobs has no database: %s", error)
                text = "the database of jobs cannot be used now"
                return problem_answer(503, text, None, RETRY_AFTER)

        return answer_request

    # --- new jobs

    async def _post(
        self, request: web.Request, account: Account, service: JobService
    ) -> web.StreamResponse:
        """Store a job."""
        kind = request.content_type
        if kind == JSON:
            for name in request.query:
                where = f"$.{name}" if "." not in name else "$.options"
                text = f"a job in JSON has {name[:100]!r} in its body, not in the query"
                raise ProblemError(422, text, path=f"?{name[:100]}", expected=where[:100])
            wanted, variant = await read_json(request, JobRequest), USUAL
        elif kind in (NDJSON, PGN, TEXT):
            wanted, variant = request_of_query(request.query, games=kind == PGN)
        else:
            expected = ", ".join((JSON, NDJSON, PGN, TEXT))
            raise ProblemError(415, f"a job is no {kind[:100]!r}", expected=expected)
        async with service.load(self._new_job(wanted, account, request)) as loading:
            await self._fill(loading, request, wanted, variant)
            if not loading.total:
                raise ProblemError(422, "a job needs a position or a game at least", path="$")
            job = await loading.submit()
        return _job_answer(service, job, 201 if loading.is_new else 200)

    def _new_job(self, wanted: JobRequest, account: Account, request: web.Request) -> NewJob:
        """Return the job that is asked for, after the same checks as for a single search."""
        path = "$." if request.content_type == JSON else "?"
        if not wanted.name.isprintable():
            raise ProblemError(422, "a name has no control characters", path=f"{path}name")
        engine = self._manager.fleet.engine_for(account, wanted.engine)
        offer = self._manager.offer(engine, account)
        read_options(offer, wanted.options, path="$.options." if path == "$." else f"?{OPTION}")
        read_lines(offer, wanted.lines, path=f"{path}lines")
        return new_job(wanted, account, engine.name, _key_of(request))

    async def _fill(
        self, loading: JobLoading, request: web.Request, wanted: JobRequest, variant: str
    ) -> None:
        """Store the items of a job as they come; `variant` is that of positions that name none."""
        kind = request.content_type
        if kind == JSON and wanted.positions is not UNSET:
            for first in range(0, len(wanted.positions), 1000):
                some = wanted.positions[first : first + 1000]
                await loading.add([_item_of(each, variant) for each in some])
        elif kind in (NDJSON, TEXT):
            read_line = _position_of_line if kind == NDJSON else position_of_text
            lines = LineItems(partial(read_line, variant=variant))
            async for piece in body_pieces(request, loading.most):
                await loading.add(lines.receive(piece))
            await loading.add(lines.finish())
        elif wanted.games is not UNSET:
            with closing(GameItems()) as games:
                if kind == JSON:
                    games.receive(wanted.games.encode(errors="replace"))
                else:
                    async for piece in body_pieces(request, loading.most):
                        await asyncio.to_thread(games.receive, piece)
                while some_games := await asyncio.to_thread(games.next_items):
                    await loading.add(some_games)

    # --- jobs that are there

    async def _list(
        self, _: web.Request, account: Account, service: JobService
    ) -> web.StreamResponse:
        """Return the jobs of the account."""
        jobs = await service.jobs_of(account, LISTED)
        return json_answer(
            JobList(jobs=[job_document(each, *service.rate_of(each)) for each in jobs])
        )

    async def _show_job(
        self, request: web.Request, account: Account, service: JobService
    ) -> web.StreamResponse:
        """Return a job."""
        return _job_answer(service, await _job_of(request, account, service))

    async def _pause(
        self, request: web.Request, account: Account, service: JobService
    ) -> web.StreamResponse:
        """Work at a job no more for now."""
        job = await _job_of(request, account, service)
        if job.stage not in (JobStage.ACTIVE, JobStage.PAUSED):
            raise JobConflictError(f"a job that is {job.stage} cannot be paused")
        await service.pause(job)
        return _job_answer(service, await _job_of(request, account, service))

    async def _resume(
        self, request: web.Request, account: Account, service: JobService
    ) -> web.StreamResponse:
        """Work at a job again."""
        job = await _job_of(request, account, service)
        if job.stage is JobStage.FINISHED:
            raise JobConflictError("a job that is finished cannot be resumed")
        await service.resume(job, account)
        return _job_answer(service, await _job_of(request, account, service))

    async def _delete(
        self, request: web.Request, account: Account, service: JobService
    ) -> web.StreamResponse:
        """Delete a job."""
        await service.delete(await _job_of(request, account, service))
        return web.Response(status=204)

    async def _results(
        self, request: web.Request, account: Account, service: JobService
    ) -> web.StreamResponse:
        """Send the results of a job behind one of its items, in the order of the items."""
        after = _number(request, "after", -1)
        follow = _flag(request, "follow")
        job = await _job_of(request, account, service)
        pages = service.results(job, after, follow=follow)
        return await self._send_all(request, NDJSON, pages, "\n")

    async def _annotated(
        self, request: web.Request, account: Account, service: JobService
    ) -> web.StreamResponse:
        """Send the games of a job that are analysed, up to the first that is not."""
        job = await _job_of(request, account, service)
        if job.kind != GAMES:
            raise JobConflictError("this job has positions, and no games")
        return await self._send_all(request, PGN, service.results(job, annotated=True), "")

    async def _send_all(
        self, request: web.Request, kind: str, pages: AsyncIterator[list[tuple[int, str]]], end: str
    ) -> web.StreamResponse:
        """Send results, as long as the client reads them and its token is good."""
        response = web.StreamResponse(headers={"Content-Type": f"{kind}; charset=utf-8"})
        await response.prepare(request)
        async with aclosing(pages) as found:  # type: ignore[type-var]  # it is a generator
            async for page in found:
                if not self._policy.still_admits(request[ACCOUNT]):
                    raise ConnectionResetError("the token is not good any more")
                await _send(
                    request, response, "".join(f"{content}{end}" for _, content in page).encode()
                )
        await response.write_eof()
        return response


async def _job_of(request: web.Request, account: Account, service: JobService) -> StoredJob:
    id_ = request.match_info["id"][:100]
    # PostgreSQL refuses some characters that no id has.
    job = await service.job_of(account, id_) if id_.isprintable() else None
    if job is None:
        raise web.HTTPNotFound(text=f"this account has no job {legible(id_)!r}")
    return job


async def _send(request: web.Request, response: web.StreamResponse, content: bytes) -> None:
    """Send a part of an answer; a client that reads too slowly is left."""
    for first in range(0, len(content), PART):
        try:
            async with asyncio.timeout(READING_TIME):
                await response.write(content[first : first + PART])
        except TimeoutError:
            connection_of(request).abort()  # What waits for it would keep it open.
            raise ConnectionResetError("the client does not read") from None


def _job_answer(service: JobService, job: StoredJob, status: int = 200) -> web.Response:
    where = {"Location": f"/v1/jobs/{job.id}"}
    return json_answer(job_document(job, *service.rate_of(job)), status, where)


# --- what was sent


def _key_of(request: web.Request) -> str | None:
    keys = request.headers.getall("Idempotency-Key", [])
    if not keys:
        return None
    key = keys[0]
    if len(keys) > 1 or not 0 < len(key) <= MAX_KEY or not _KEY.fullmatch(key):
        raise ProblemError(
            422, "the key of the request cannot be used", path="Idempotency-Key",
            expected=f"one header of 1 to {MAX_KEY} visible characters of ASCII",
        )  # fmt: skip
    return key


def _number(request: web.Request, name: str, default: int) -> int:
    text = request.query.get(name)
    if text is None:
        return default
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 16 and int(text) >= -1):
        raise ProblemError(
            422, f"{name} cannot be {text[:20]!r}", path=f"?{name}", expected="a number, from -1 on"
        )
    return int(text)


def _flag(request: web.Request, name: str) -> bool:
    text = request.query.get(name, "false")
    if text not in ("true", "false"):
        raise ProblemError(
            422, f"{name} cannot be {text[:20]!r}", path=f"?{name}", expected="true or false"
        )
    return text == "true"


def _item_of(position: PositionRequest, variant: str) -> str:
    item: dict[str, object] = {}
    if position.id is not None:
        item["id"] = position.id
    if position.fen is not None:
        item["fen"] = position.fen
    if position.moves:
        item["moves"] = position.moves
    if position.variant is not UNSET:
        variant = position.variant
    if variant != USUAL:
        item["variant"] = variant
    return json.dumps(item)


def _position_of_line(text: str, number: int, *, variant: str) -> str:
    try:
        return _item_of(parse_document(text.encode(), PositionRequest), variant)
    except ProblemError as problem:
        detail = f"line {number}: {problem}"
        raise ProblemError(
            problem.status, detail, path=problem.path, expected=problem.expected
        ) from None
