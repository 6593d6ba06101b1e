"""A fake of Lichess and its broker, strict as the API's description is, for a provider's tests."""

import asyncio
import re
from collections import deque
from contextlib import suppress

from aiohttp import web

from helpers.support import until

TOKEN = "lip_fake"
# All that the broker's parser knows.
_WORDS = {
    "multipv", "depth", "seldepth", "time", "nodes", "score", "cp", "mate", "lowerbound",
    "upperbound", "currmove", "currmovenumber", "hashfull", "nps", "tbhits", "sbhits", "cpuload",
    "refutation", "currline", "pv", "string",
}  # fmt: skip
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbnk]?|[PNBRQK]@[a-h][1-8]|-?\d+|info")


def work(**fields: object) -> dict[str, object]:
    """Return work as a requester asks for it; None leaves a field out."""
    given = {
        "sessionId": "abcd",
        "threads": 1,
        "hash": 16,
        "multiPv": 1,
        "variant": "chess",
        "initialFen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "moves": ["e2e4"],
        "movetime": 86_400_000,
        **fields,
    }
    return {key: value for key, value in given.items() if value is not None}


class Request:
    """Somebody who has asked for work and hears what comes."""

    def __init__(self, job: dict[str, object]) -> None:
        self.job = job
        self.lines: list[str] = []
        self.news = asyncio.Event()
        self.taken = asyncio.Event()
        self.status: int | None = None  # of the upload, once it is over
        self.over = asyncio.Event()
        self.left = asyncio.Event()  # the requester is gone
        self.rudely = False  # and the broker does not even answer the upload

    async def until(self, start: str, number: int = 1) -> list[str]:
        """Return all lines once so many that start so have come."""
        async with asyncio.timeout(20):
            while sum(line.startswith(start) for line in self.lines) < number:
                self.news.clear()
                await self.news.wait()
        return self.lines

    async def end(self) -> int | None:
        """Wait for the end of the upload; return the status that it was answered with."""
        async with asyncio.timeout(20):
            await self.over.wait()
        return self.status


class Fake:
    """`async with Fake() as fake:` is the site and the broker at `fake.url`."""

    def __init__(self) -> None:
        self.registered: dict[str, dict[str, object]] = {}
        self.polls = 0
        self.polling = 0  # now
        self.most_polling = 0
        self.patience = 0.3  # s that a poll waits
        self.failures: deque[int] = deque()  # statuses that polls are answered with
        self.garbage: deque[bytes] = deque()  # what polls are answered with
        self.hangs = False
        self.calls: list[str] = []
        self._port = 0
        self._waiting: deque[Request] = deque()
        self._jobs: dict[str, Request] = {}
        self._asked = asyncio.Condition()
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    async def __aenter__(self) -> "Fake":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Listen, on the same port as before."""
        app = web.Application()
        app.add_routes(
            [
                web.get("/api/external-engine", self._list),
                web.post("/api/external-engine", self._register),
                web.put("/api/external-engine/{id:eei_.*}", self._update),
                web.delete("/api/external-engine/{id:eei_.*}", self._delete),
                web.post("/api/external-engine/work", self._work),
                web.post("/api/external-engine/work/{id}", self._submit),
            ]
        )
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Be gone."""
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    async def ready(self, number: int = 1) -> None:
        """Wait until so many engines are registered and somebody polls."""
        await until(lambda: len(self.registered) >= number and self.polling, 20)

    async def ask(self, name: str, **fields: object) -> Request:
        """Ask an engine for work."""
        engine = next(each for each in self.registered.values() if each["name"] == name)
        shown = {key: value for key, value in engine.items() if key != "providerSecret"}
        request = Request({"id": f"job{len(self._jobs)}", "work": work(**fields), "engine": shown})
        self._jobs[str(request.job["id"])] = request
        async with self._asked:
            self._waiting.append(request)
            self._asked.notify_all()
        return request

    # --- the site

    def _check(self, request: web.Request) -> None:
        self.calls.append(f"{request.method} {request.path}")
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            raise web.HTTPUnauthorized(text='{"error":"No such token"}')

    async def _list(self, request: web.Request) -> web.Response:
        self._check(request)
        engines = [
            {key: value for key, value in each.items() if key != "providerSecret"}
            for each in self.registered.values()
        ]
        return web.json_response(engines)

    async def _register(self, request: web.Request) -> web.Response:
        self._check(request)
        return await self._keep(request, f"eei_{len(self.registered) + 1}")

    async def _update(self, request: web.Request) -> web.Response:
        self._check(request)
        if request.match_info["id"] not in self.registered:
            raise web.HTTPNotFound
        return await self._keep(request, request.match_info["id"])

    async def _keep(self, request: web.Request, key: str) -> web.Response:
        body = await request.json()
        good = (
            3 <= len(body["name"]) <= 200
            and 1 <= body["maxThreads"] <= 65536
            and 1 <= body["maxHash"] <= 1048576
            and 16 <= len(body["providerSecret"]) <= 1024
        )
        if not good:
            raise web.HTTPBadRequest(text='{"error":"bad registration"}')
        engine = {**body, "id": key, "clientSecret": f"ees_{key}", "userId": "somebody"}
        self.registered[key] = engine
        return web.json_response({k: v for k, v in engine.items() if k != "providerSecret"})

    async def _delete(self, request: web.Request) -> web.Response:
        self._check(request)
        del self.registered[request.match_info["id"]]
        return web.json_response({"ok": True})

    # --- the broker

    async def _work(self, request: web.Request) -> web.Response:
        self.polls += 1
        secret = (await request.json())["providerSecret"]
        assert any(each["providerSecret"] == secret for each in self.registered.values())
        if self.failures:
            return web.Response(status=self.failures.popleft(), text="not now")
        if self.garbage:
            body = self.garbage.popleft()
            return web.Response(body=body, content_type="application/json")
        self.polling += 1
        self.most_polling = max(self.most_polling, self.polling)
        try:
            if self.hangs:
                await asyncio.sleep(3600)
            async with asyncio.timeout(self.patience), self._asked:
                await self._asked.wait_for(lambda: bool(self._waiting))
                asked = self._waiting.popleft()
                asked.taken.set()
                return web.json_response(asked.job)
        except TimeoutError:
            return web.Response(status=204)
        finally:
            self.polling -= 1

    async def _submit(self, request: web.Request) -> web.Response:
        asked = self._jobs.get(request.match_info["id"])
        if asked is None or asked.over.is_set() or asked.status is not None:
            raise web.HTTPNotFound
        reading = asyncio.ensure_future(self._read(request, asked))
        leaving = asyncio.ensure_future(asked.left.wait())
        try:
            await asyncio.wait((reading, leaving), return_when=asyncio.FIRST_COMPLETED)
            if leaving.done():
                asked.status = 200
                if asked.rudely and request.transport:
                    request.transport.abort()
            else:
                asked.status = reading.result()
            return web.Response(status=asked.status, headers={"Connection": "close"})
        finally:
            for task in (reading, leaving):
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task
            asked.over.set()

    async def _read(self, request: web.Request, asked: Request) -> int:
        rest = b""
        async for chunk in request.content.iter_any():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if not _is_known(line.decode()):
                    asked.lines.append(f"refused {line.decode()}")
                    return 400
                asked.lines.append(line.decode())
            asked.news.set()
        is_ended = not rest and asked.lines and asked.lines[-1].startswith("bestmove ")
        return 200 if is_ended else 400


def _is_known(line: str) -> bool:
    if line == '{"keepalive":true}' or line.startswith("bestmove "):
        return True
    words = line.partition(" string ")[0].split()
    return words[:1] == ["info"] and all(word in _WORDS or _MOVE.fullmatch(word) for word in words)
