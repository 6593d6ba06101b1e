"""The routes of an account's library: `/v1/library/files` and what is below it.

A change names the version that it replaces (`If-Match`), or says that there is none yet
(`If-None-Match: *`).  A change of a file that another machine has changed meanwhile is refused.
"""

import math
import re
from collections.abc import Awaitable, Callable
from logging import getLogger

from aiohttp import web

from rookery_protocol.errors import SHUTTING_DOWN, RefusedError
from rookery_protocol.notices import Code
from rookery_server.api.documents import PGN, json_answer, read_query
from rookery_server.api.job_documents import date_text
from rookery_server.api.schema import MAX_FILE, LibraryFile, LibraryFileList, LibraryFileQuery
from rookery_server.database.database import StoreError
from rookery_server.http.problem import ProblemError, problem_answer
from rookery_server.http.web_app import ACCOUNT
from rookery_server.library import file_store
from rookery_server.library.file_store import VersionError
from rookery_server.library.library_service import LibraryService
from rookery_server.token_bucket import TooOftenError
from rookery_server.transport.request_body import read_body

logger = getLogger(__name__)

RETRY_AFTER = {"Retry-After": "5"}  # s until a database may work again
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
_TAG = re.compile(r'"(\d{1,15})"')
_NO_FILE = "there is no such file, or not any more"
_FRESH = {"Cache-Control": "no-store"}

Handler = Callable[[web.Request, LibraryService], Awaitable[web.Response]]


class LibraryRoutes:
    """The routes of libraries; `service` is there while the server keeps files."""

    def __init__(self) -> None:
        self.service: LibraryService | None = None

    @property
    def routes(self) -> list[web.RouteDef]:
        """The routes for `WebApp`."""
        one = "/v1/library/files/{id}"
        return [
            web.get("/v1/library/files", self._handler(_list)),
            web.get(one, self._handler(_read)),
            web.put(one, self._handler(_write)),
            web.delete(one, self._handler(_remove)),
        ]

    def _handler(self, handle: Handler) -> Callable[[web.Request], Awaitable[web.Response]]:
        """Return a handler whose errors are answers."""

        async def answer_request(request: web.Request) -> web.Response:
            if self.service is None:
                raise RefusedError(Code.LIBRARY_OFF, "this server keeps no files")
            if not self.service.is_open:
                raise RefusedError(*SHUTTING_DOWN)
            try:
                return await handle(request, self.service)
            except VersionError as error:
                fields = {} if error.version is None else {"ETag": _tag(error.version)}
                return problem_answer(412, str(error), None, fields)
            except TooOftenError as error:
                wait = {"Retry-After": str(math.ceil(error.wait))}
                return problem_answer(429, str(error), None, wait)
            except StoreError as error:
                logger.warning("a request for the library has no database: %s", error)
                text = "the database of the library cannot be used now"
                return problem_answer(503, text, None, RETRY_AFTER)

        return answer_request


async def _list(request: web.Request, service: LibraryService) -> web.Response:
    account = request[ACCOUNT]
    files = await service.files_of(account)
    room = service.room_of(account)
    document = LibraryFileList(
        account=account.name,
        files=[_document(each) for each in files],
        stored=sum(each.stored for each in files),
        most_files=room.files,
        most_stored=room.stored,
    )
    return json_answer(document, fields=_FRESH)


async def _read(request: web.Request, service: LibraryService) -> web.Response:
    account = request[ACCOUNT]
    with service.reader(account):
        found = await service.read_file(account, _id_of(request))
        if found is None:
            raise web.HTTPNotFound(text=_NO_FILE)
        file, content = found
        fields = {**_FRESH, "Content-Type": PGN, "ETag": _tag(file.version)}
        answer = web.Response(body=content, headers=fields)
        await answer.prepare(request)
        await answer.write_eof()  # A slow client keeps one file in memory, not many.
    return answer


async def _write(request: web.Request, service: LibraryService) -> web.Response:
    path = read_query(request, LibraryFileQuery).path
    if not path.isprintable():
        text = "a path has no control characters"
        raise ProblemError(422, text, path="?path", expected="text that can be printed")
    if request.content_type != PGN:
        raise ProblemError(415, "the body is not named as games", expected=PGN)
    id_, expected = _id_of(request), _expected(request)
    account = request[ACCOUNT]
    with service.writer(account):
        content = await read_body(request, MAX_FILE)
        file = await service.write(account, id_, path, content, expected)
    status = 201 if expected is None else 200
    return json_answer(_document(file), status, {"ETag": _tag(file.version)})


async def _remove(request: web.Request, service: LibraryService) -> web.Response:
    expected = _expected(request)
    if expected is None:
        raise ProblemError(422, "a file that is not there cannot be removed", expected="If-Match")
    account = request[ACCOUNT]
    with service.writer(account):
        is_there = await service.remove(account, _id_of(request), expected)
    if not is_there:
        raise web.HTTPNotFound(text=_NO_FILE)
    return web.Response(status=204)


def _id_of(request: web.Request) -> str:
    id_ = request.match_info["id"]
    if not _ID.fullmatch(id_):
        raise web.HTTPNotFound(text=_NO_FILE)
    return id_


def _expected(request: web.Request) -> int | None:
    """Return the version that a change replaces; None if there is to be none.

    Raises:
        ProblemError: the request does not say so.

    """
    if tag := _TAG.fullmatch(request.headers.get("If-Match", "")):
        return int(tag[1])
    if request.headers.get("If-None-Match") == "*" and "If-Match" not in request.headers:
        return None
    raise ProblemError(
        428,
        "a change says which version it replaces",
        expected="If-Match with the ETag of the file, or If-None-Match: * for a new one",
    )


def _tag(version: int) -> str:
    return f'"{version}"'


def _document(file: file_store.LibraryFile) -> LibraryFile:
    return LibraryFile(
        id=file.id,
        path=file.path,
        size=file.size,
        version=file.version,
        updated=date_text(file.updated),
        removed=None if file.removed is None else date_text(file.removed),
    )
