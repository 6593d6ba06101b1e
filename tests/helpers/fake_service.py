"""An analysis service that gives the answers it was told, for tests of its clients."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web
from aiohttp.test_utils import TestServer

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LINE = {"cp": 31, "wdl": [100, 850, 50], "depth": 8, "nodes": 900, "pv": ["e2e4"], "san": ["e4"]}
FINAL = {"fen": FEN, "engine": "rookery", "final": True, "best": "e2e4", "lines": [LINE]}
JOB = {
    "id": "a1",
    "name": "mine",
    "kind": "positions",
    "state": "running",
    "engine": "rookery",
    "limits": {"nodes": 200},
    "lines": 1,
    "options": {"Hash": 16},
    "priority": 0,
    "total": 3,
    "done": 1,
    "failed": 0,
    "positions_done": 1,
    "cost": {"nodes": 200, "time": 4},
    "created": "2026-11-25T22:00:00Z",
}

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Seen:
    """A request as it came."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


def document(found: object, status: int = 200, **headers: str) -> Answer:
    """Answer with a document of JSON."""

    async def respond(_: web.Request) -> web.StreamResponse:
        return web.json_response(found, status=status, headers=headers)

    return respond


def problem(status: int, code: str, detail: str, *, wait: str = "", **members: object) -> Answer:
    """Answer with a problem document."""
    found = {"type": f"/docs#{code}", "title": "No", "status": status, "detail": detail}
    headers = {"Content-Type": "application/problem+json"} | ({"Retry-After": wait} if wait else {})

    async def respond(_: web.Request) -> web.StreamResponse:
        text = json.dumps({**found, "code": code, **members})
        return web.Response(status=status, body=text.encode(), headers=headers)

    return respond


def plain(status: int, text: str = "", **headers: str) -> Answer:
    """Answer as another program would."""

    async def respond(_: web.Request) -> web.StreamResponse:
        return web.Response(status=status, text=text, headers=headers)

    return respond


def lines(*documents: object, cut: bool = False) -> Answer:
    """Answer with a document a line; `cut` loses the connection behind them."""

    async def respond(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        for each in documents:
            text = each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n"
            await response.write(text)
        if cut:
            assert request.transport
            request.transport.abort()
        return response

    return respond


async def hang_up(request: web.Request) -> web.StreamResponse:
    """Lose the connection instead of an answer."""
    assert request.transport
    request.transport.abort()
    return web.Response()


class FakeService:
    """A server; `async with FakeService() as service:`."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self._answers: dict[tuple[str, str], list[Answer]] = {}
        self._server: TestServer

    def script(self, request: str, *answers: Answer) -> None:
        """Set the answers to a request, as `GET /v1/jobs`, in turn; the last one stays."""
        method, _, path = request.partition(" ")
        self._answers[method, path] = list(answers)

    async def __aenter__(self) -> "FakeService":
        application = web.Application(client_max_size=1 << 30)
        application.router.add_route("*", "/{path:.*}", self._handle)
        self._server = TestServer(application)
        await self._server.start_server()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.port}"

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        headers, query = dict(request.headers), dict(request.query)
        self.seen.append(Seen(request.method, request.path, query, headers, body))
        answers = self._answers.get((request.method, request.path))
        if not answers:
            return await problem(404, "", "not found")(request)
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return await answer(request)
