"""The API of external engines over HTTP, at a port of its own: the site's part and the broker's.

An account, by its token, registers engines and sees them.  A provider takes work for them
by its secret, and a requester asks for work by the engine's: so programs that are written
for Lichess need only another URL.
"""

import asyncio
import json
import logging
import os
import ssl
from contextlib import suppress
from functools import partial
from http import HTTPStatus

from aiohttp import web
from websockets.exceptions import InvalidHeader

from rookery_protocol.errors import RefusedError, ServerError
from rookery_protocol.lichess_api import (
    ENGINES,
    KEEPALIVE,
    SILENCE,
    WORK,
    ExternalEngine,
    LichessApiError,
    LichessRegistration,
    LichessWork,
    selector,
)
from rookery_protocol.notices import Code
from rookery_server.access.account import ONLY_WATCHES, VISITOR, Account
from rookery_server.config.config import Config
from rookery_server.lichess_broker import own_engines
from rookery_server.lichess_broker.analysis_stream import prepare_work
from rookery_server.lichess_broker.registrations import EngineRegistry, RegisteredEngine, place_for
from rookery_server.lichess_broker.work_exchange import AnalysisChannel, WorkExchange
from rookery_server.manager import SessionManager
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.front_door import FrontDoor
from rookery_server.transport.http_connection import (
    HEAD,
    Handler,
    check_head,
    connection_of,
    start_application,
)
from rookery_server.transport.http_message import status_of
from rookery_server.transport.request_body import check_encoding
from rookery_server.transport.tls_handshake import secured
from rookery_server.transport.websocket import OpenConnections, WebPort

logger = logging.getLogger(__name__)

BACKLOG = 1024  # connections that the kernel keeps until they are taken, as at the other ports
MAX_BODY = 65536  # bytes of JSON
BODY_TIMEOUT = 10.0  # s in which it has to come
MAX_LINE = 65536  # bytes of a provider's
AT_ONCE = 1.0  # s in which a search has begun, or is known not to
CLOSE_TIMEOUT = 1.0  # s that requests have to end, when the server does

_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Vary": "Origin",
}
_ID = "{id:ee[is]_[A-Za-z0-9._-]+}"
_ACCOUNT = web.RequestKey("account", Account)


class Broker:
    """`async with Broker(config, host, entrance, tls) as broker:` listens on its port."""

    def __init__(
        self,
        config: Config,
        host: SessionManager,
        policy: ConnectionPolicy,
        tls: ssl.SSLContext | None,
        connections: OpenConnections,
    ) -> None:
        self._config = config
        self._host = host
        self._policy = policy
        self._tls = tls
        self._connections = connections
        self._registry: EngineRegistry
        self._exchange = WorkExchange()
        self._runner: web.AppRunner
        self._listening: asyncio.Server

    @property
    def port(self) -> int:
        """The port that it listens on."""
        port: int = self._listening.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> "Broker":
        """Listen.

        Raises:
            ServerError: the file of engines cannot be used.
            OSError: the port cannot be listened on.

        """
        self._registry = EngineRegistry(place_for(self._config.broker.file, os.environ))
        app = web.Application(client_max_size=MAX_BODY, middlewares=[check_head, self._admit])
        app.add_routes(
            [
                web.get(ENGINES, self._list),
                web.post(ENGINES, self._register),
                web.post(WORK, self._take),
                web.post(f"{WORK}/{{job}}", self._submit),
                web.post(f"{ENGINES}/{_ID}/analyse", self._analyse),
                web.get(f"{ENGINES}/{_ID}", self._show),
                web.put(f"{ENGINES}/{_ID}", self._update),
                web.delete(f"{ENGINES}/{_ID}", self._delete),
            ]
        )
        app.on_response_prepare.append(self._welcome)
        self._runner = await start_application(app, CLOSE_TIMEOUT)
        try:
            self._listening = await self._listen()
        except OSError:
            await self._runner.cleanup()
            raise
        return self

    async def _listen(self) -> asyncio.Server:
        patience = self._config.server.handshake_timeout
        assert self._runner.server
        port = WebPort(self._policy, self._runner.server, patience, self._connections)
        return await asyncio.get_running_loop().create_server(
            secured(partial(FrontDoor, port), self._policy, self._tls, patience),
            self._config.server.host,
            self._config.broker.port,
            backlog=BACKLOG,
        )

    async def __aexit__(self, *_: object) -> None:
        """End all requests."""
        self._listening.close()
        await self._runner.cleanup()

    # --- who asks

    @web.middleware
    async def _admit(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let a request in, or say why not; what is wrong with it is said as JSON."""
        connection, asked = connection_of(request), request[HEAD]
        try:
            self._policy.check_request(asked)
            self._policy.follow_proxy(connection, asked)
            check_encoding(request)
            if request.method == "OPTIONS":
                return web.Response(status=HTTPStatus.NO_CONTENT)
            if not _has_secret(request):
                account = self._policy.admit_request(connection, asked)
                if account == VISITOR:
                    raise RefusedError(Code.UNAUTHORIZED, ONLY_WATCHES)
                request[_ACCOUNT] = account
            return await handler(request)
        except RefusedError as error:
            self._policy.refusals[error.notice.code] += 1
            return _problem(status_of(error.notice.code), f"{error.notice.code}: {error}")
        except LichessApiError as error:
            return _problem(HTTPStatus.BAD_REQUEST, str(error))
        except InvalidHeader:  # Its text has the header's, and so perhaps a token.
            return _problem(HTTPStatus.BAD_REQUEST, "headers are text in ASCII")
        except web.RequestPayloadError:
            return _problem(HTTPStatus.BAD_REQUEST, "the body is not encoded as it says")
        except ServerError as error:
            logger.warning("the broker's engines cannot be kept: %s", error)
            return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, "it cannot be kept")
        except web.HTTPUnsupportedMediaType as error:
            return _problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, error.text or error.reason)
        except web.HTTPException as error:
            return _problem(HTTPStatus(error.status), error.reason)

    async def _welcome(self, request: web.Request, response: web.StreamResponse) -> None:
        """Let a browser show the answer to a page that the operator has listed."""
        origin = request.headers.get("Origin")
        if origin in self._host.config.server.origins:
            response.headers.update({"Access-Control-Allow-Origin": origin, **_PREFLIGHT})

    # --- the site

    async def _list(self, request: web.Request) -> web.Response:
        return web.json_response([each.json() for each in self._engines_of(request)])

    async def _show(self, request: web.Request) -> web.Response:
        for engine in self._engines_of(request):
            if engine.id == request.match_info["id"]:
                return web.json_response(engine.json())
        raise web.HTTPNotFound(reason="there is no such engine")

    async def _register(self, request: web.Request) -> web.Response:
        registration = LichessRegistration.parse(await _body(request))
        registered = await self._registry.add(registration, request[_ACCOUNT])
        logger.info("%s has registered %s", request[_ACCOUNT].name, registered.engine.id)
        return web.json_response(registered.engine.json(), status=HTTPStatus.CREATED)

    async def _update(self, request: web.Request) -> web.Response:
        known = self._known(request)
        registration = LichessRegistration.parse(await _body(request))
        registered = await self._registry.update(known, registration, request[_ACCOUNT])
        return web.json_response(registered.engine.json())

    async def _delete(self, request: web.Request) -> web.Response:
        await self._registry.delete(self._known(request))
        return web.json_response({"ok": True})

    def _known(self, request: web.Request) -> RegisteredEngine:
        known = self._registry.owned_engine(request.match_info["id"], request[_ACCOUNT])
        if known is None:
            raise web.HTTPNotFound(reason="there is no such engine")
        return known

    def _engines_of(self, request: web.Request) -> list[ExternalEngine]:
        """Return the engines that an account sees: the server's own, and its own."""
        account = request[_ACCOUNT]
        engines = []
        # The host has those of today: its configuration may have been read again.
        for engine in self._host.fleet.engines_for(account) if self._config.broker.engines else ():
            with suppress(RefusedError):  # It is broken; the log says so.
                offer = self._host.offer(engine, account)
                engines.append(own_engines.external(engine, offer, account, self._registry.key))
        return [*engines, *(each.engine for each in self._registry.of(account))]

    # --- providers

    async def _take(self, request: web.Request) -> web.Response:
        secret = _text(await _body(request), "providerSecret")
        found_by = selector(secret)
        if self._registry.knows(found_by):
            self._policy.count_as_known(connection_of(request))
        job = await self._exchange.wait_for_work(found_by)
        if job is None:
            return web.Response(status=HTTPStatus.NO_CONTENT)
        return web.json_response(job.json())

    async def _submit(self, request: web.Request) -> web.Response:
        channel = self._exchange.claim(request.match_info["job"])
        if channel is None:
            raise web.HTTPNotFound(reason="there is no such work, or not any more")
        self._policy.count_as_known(connection_of(request))
        try:
            async with asyncio.timeout(0 if channel.is_abandoned else None) as channel.upload:
                await _read_upload(request, channel)
            return web.Response()
        except TimeoutError:
            # A provider that still has something to say hears that it is not wanted.
            return web.Response(headers={"Connection": "close"})
        finally:
            channel.close()

    # --- requesters

    async def _analyse(self, request: web.Request) -> web.StreamResponse:
        try:
            body = await _body(request)
            secret = _text(body, "clientSecret")
            asked = LichessWork.parse(body.get("work"))
        except LichessApiError as error:
            return _problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        engine_id = request.match_info["id"]
        if name := own_engines.name_of(engine_id):
            return await self._analyse_here(request, name, secret, asked)
        found = self._registry.for_requester(engine_id, secret)
        if found is None or not self._policy.admits_secret(found.owner):
            raise web.HTTPNotFound(reason="there is no such engine, or the secret is another")
        self._policy.count_as_known(connection_of(request))
        work, channel = _begin(asked, found.engine)
        try:
            if not await self._exchange.offer_work(found, work, channel):
                raise web.HTTPServiceUnavailable(reason="no provider has taken the work")
            return await _stream(request, channel)
        finally:
            channel.abandon()

    async def _analyse_here(
        self, request: web.Request, name: str, secret: str, asked: LichessWork
    ) -> web.StreamResponse:
        """Let an engine of the server's search, as a session of who asks."""
        account = own_engines.account_of(secret, self._registry.key)
        engines = (
            self._host.fleet.engines_for(account) if account and self._config.broker.engines else []
        )
        config = next((each for each in engines if each.name == name), None)
        if account is None or config is None or not self._policy.admits_secret(account):
            raise web.HTTPNotFound(reason="there is no such engine, or the secret is another")
        connection = connection_of(request)
        self._policy.count_as_known(connection)
        offer = self._host.offer(config, account)
        engine = own_engines.external(config, offer, account, self._registry.key)
        work, channel = _begin(asked, engine)
        self._policy.admit_session(connection, account)
        search = own_engines.OwnEngineSearch(connection.address, channel)
        search.start(self._host.open(name, search.session, account), offer, work)
        try:
            return await _stream(request, channel)
        finally:
            search.session.end()


def _has_secret(request: web.Request) -> bool:
    """Say whether a request is for those who show a secret in its body, and no token."""
    path = request.path
    return path == WORK or path.startswith(f"{WORK}/") or path.endswith("/analyse")


def _problem(status: HTTPStatus, text: str) -> web.Response:
    """Return the answer that says what is wrong."""
    return web.json_response({"error": text}, status=status)


def _begin(asked: LichessWork, engine: ExternalEngine) -> tuple[LichessWork, AnalysisChannel]:
    """Check what is asked for, and bring it within what the engine may."""
    if asked.variant not in engine.variants:
        raise LichessApiError(f"{engine.name} plays {', '.join(engine.variants)}")
    work, stream = prepare_work(asked.within(engine))
    return work, AnalysisChannel(stream)


async def _read_upload(request: web.Request, channel: AnalysisChannel) -> None:
    """Hear a provider until it has said all, a bestmove or not: Lichess's own says none.

    Raises:
        LichessApiError: it says what it may not.

    """
    rest = b""
    async for chunk in request.content.iter_any():
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > MAX_LINE:
            raise LichessApiError(f"a line has {MAX_LINE} bytes at most")
        for line in lines:
            _take_line(line, channel)
    _take_line(rest, channel)


def _take_line(line: bytes, channel: AnalysisChannel) -> None:
    if found := channel.stream.read_upload(line.rstrip(b"\r")):
        channel.send_object(found)


async def _stream(request: web.Request, channel: AnalysisChannel) -> web.StreamResponse:
    """Tell a requester what is found, as it is; or why there is nothing, if that is soon known."""
    piece = await _next(channel, AT_ONCE, b"")
    if piece is None and channel.objection:
        return _problem(HTTPStatus.SERVICE_UNAVAILABLE, channel.objection)
    response = web.StreamResponse(headers={"X-Accel-Buffering": "no"})
    response.content_type = "application/x-ndjson"
    await response.prepare(request)
    while piece is not None:
        if piece:
            await response.write(piece)
        piece = await _next(channel, SILENCE, KEEPALIVE)
    await response.write_eof()
    return response


async def _next(channel: AnalysisChannel, patience: float, late: bytes) -> bytes | None:
    """Return what is found next, `late` if that takes so many seconds; None at the end."""
    try:
        async with asyncio.timeout(patience):
            return await channel.next()
    except TimeoutError:
        return late


async def _body(request: web.Request) -> dict[str, object]:
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            body = json.loads(_utf8(await request.read(), request.charset))
        json.dumps(body, ensure_ascii=False).encode()  # Half a character is none.
    except TimeoutError as error:
        raise LichessApiError(f"the body has not come within {BODY_TIMEOUT:g} s") from error
    except (ValueError, RecursionError) as error:
        raise LichessApiError(f"the body is no JSON: {error}") from error
    if not isinstance(body, dict):
        raise LichessApiError("the body is a JSON object")
    return body


def _utf8(body: bytes, charset: str | None) -> str:
    """Read a body; others' charsets are not, for some take minutes for 64 KiB."""
    if (charset or "utf-8").lower() not in ("utf-8", "utf8", "us-ascii"):
        raise LichessApiError("the body is JSON in UTF-8")
    return body.decode()


def _text(body: dict[str, object], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise LichessApiError(f"{key} needs a text")
    return value
