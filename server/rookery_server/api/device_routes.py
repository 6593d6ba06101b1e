"""The routes of device ports, `/v1/devices`: an account pairs the address that it asks from."""

import logging
import math
import time
from collections.abc import Awaitable, Callable, Sequence

from aiohttp import web

from rookery_protocol.errors import ServerError
from rookery_server.access.account import Account
from rookery_server.access.pairings import paired_source
from rookery_server.api.device_schema import Device, DeviceList, PairedAddress
from rookery_server.api.documents import json_answer
from rookery_server.api.job_documents import date_text
from rookery_server.config.addresses import host_name
from rookery_server.http.problem import ProblemError, problem_answer
from rookery_server.http.web_app import ACCOUNT
from rookery_server.manager import SessionManager
from rookery_server.token_bucket import TokenBuckets
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.device_port import DevicePort
from rookery_server.transport.http_connection import HEAD, connection_of

logger = logging.getLogger(__name__)

WRITES = (0.2, 20)  # of one account: in a second in the long run, and at once
_FRESH = {"Cache-Control": "no-store"}
_RETRY_AFTER = {"Retry-After": "5"}  # s until a file may be written again
_NO_PORT = "this account has no device port of that name: the operator makes one, [devices.NAME]"
_NO_ADDRESS = (
    "this request comes through a proxy that does not say, or is not trusted to say, for which"
    " address it asks: open the page without the proxy, or have the operator list it in"
    " server.trusted_proxies"
)

Handler = Callable[[web.Request], Awaitable[web.Response]]


class DeviceRoutes:
    """The routes of the device ports of one server."""

    def __init__(
        self, host: SessionManager, policy: ConnectionPolicy, ports: Sequence[DevicePort]
    ) -> None:
        self._host = host
        self._policy = policy
        self._ports = ports
        self._writes = TokenBuckets[str](*WRITES)

    @property
    def routes(self) -> list[web.RouteDef]:
        """The routes for `WebApp`."""
        one = "/v1/devices/{name}"
        return [
            web.get("/v1/devices", self._list),
            web.post(one, self._writing(self._pair)),
            web.delete(one, self._writing(self._unpair)),
        ]

    def _writing(self, handle: Handler) -> Handler:
        """Return a handler that is not called too often, and whose errors are answers."""

        async def answer_request(request: web.Request) -> web.Response:
            if wait := self._writes.spend(request[ACCOUNT].name, time.monotonic()):
                fields = {"Retry-After": str(math.ceil(wait))}
                return problem_answer(429, "you change this too often: wait a moment", None, fields)
            try:
                return await handle(request)
            except ServerError as error:
                logger.warning("addresses cannot be paired: %s", error)
                text = "the server cannot write down which addresses are paired; its log says why"
                return problem_answer(503, text, None, _RETRY_AFTER)

        return answer_request

    async def _list(self, request: web.Request) -> web.Response:
        ports = self._ports_of(request[ACCOUNT])
        address = self._address_of(request)
        documents = [self._document(each, request, address) for each in ports]
        return json_answer(DeviceList(devices=documents, address=address), fields=_FRESH)

    async def _pair(self, request: web.Request) -> web.Response:
        port, address = self._port_of(request), self._address_of(request)
        if address is None:
            raise ProblemError(409, _NO_ADDRESS)
        await port.pair(address, request[ACCOUNT])
        return json_answer(self._document(port, request, address), fields=_FRESH)

    async def _unpair(self, request: web.Request) -> web.Response:
        await self._port_of(request).unpair(request[ACCOUNT].name)
        return web.Response(status=204)

    def _ports_of(self, account: Account) -> list[DevicePort]:
        is_known = account.token is not None
        return [each for each in self._ports if is_known and each.config.owner == account.name]

    def _port_of(self, request: web.Request) -> DevicePort:
        name = request.match_info["name"]
        for each in self._ports_of(request[ACCOUNT]):
            if each.config.name == name:
                return each
        raise web.HTTPNotFound(text=_NO_PORT)

    def _address_of(self, request: web.Request) -> str | None:
        return self._policy.own_address(connection_of(request), request[HEAD])

    def _document(self, port: DevicePort, request: web.Request, address: str | None) -> Device:
        config, hosts = self._host.config, request[HEAD].headers.get_all("Host")
        host = (host_name(hosts[0]) if hosts else None) or config.server.host
        own = paired_source(address) if address else None
        return Device(
            name=port.config.name,
            engine=port.config.engine or config.engines[0].name,
            host=host,
            port=port.port,
            days=port.config.days,
            file=f"NETE\n{host}\n{port.port}\n",
            addresses=[
                PairedAddress(
                    address=each.source, expires=date_text(each.until), yours=each.source == own
                )
                for each in port.pairings
            ],
        )
