"""The way in: what a connection has to show before an engine is started for it.

Here meet what the operator has set, what a request or a hello says, the files of
tokens, and the clock.  What is decided, and why, stands in `auth`, `origin`, `peer`.
"""

import asyncio
import logging
import math
import time
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidHeader
from websockets.headers import parse_subprotocol
from websockets.http11 import Request, Response

from rookery_server import auth, peer
from rookery_server.account import ANYBODY, LOCAL, Account
from rookery_server.config import Config
from rookery_server.errors import ConfigError, RefusedError
from rookery_server.origin import Door
from rookery_server.tokens import TokenFile
from rookery_server.wire import TOKEN_SUBPROTOCOL, Code

logger = logging.getLogger(__name__)

_STATUS = {
    Code.UNAUTHORIZED: HTTPStatus.UNAUTHORIZED,
    Code.TOO_MANY_TRIES: HTTPStatus.TOO_MANY_REQUESTS,
    Code.TOKEN_IN_URL: HTTPStatus.BAD_REQUEST,
    Code.WRONG_HOST: HTTPStatus.MISDIRECTED_REQUEST,
    Code.WRONG_ORIGIN: HTTPStatus.FORBIDDEN,
    Code.UNKNOWN_ENGINE: HTTPStatus.NOT_FOUND,
}


class Entrance:
    """Decides whether a connection may come in, and as whom."""

    def __init__(self, config: Config) -> None:
        """Read the tokens, if the operator has set a file of them.

        Raises:
            ConfigError: it cannot be used.

        """
        server = config.server
        self._proxies = server.trusted_proxies
        self._by_certificate = bool(config.tls and config.tls.client_ca and not server.tokens)
        self._file = TokenFile(server.tokens) if server.tokens else None
        self._login = auth.Login(
            self._file.read() if self._file else None, LOCAL if config.is_local else ANYBODY
        )
        self._door = Door(
            address=server.host,
            local=config.is_local,
            login=self._file is not None,
            tls=config.tls is not None,
            hosts=server.hosts,
            origins=server.origins,
        )

    def reload(self) -> None:
        """Read the tokens again; if they cannot be used the former ones go on."""
        if self._file is None:
            return
        try:
            self._login.keyring = self._file.read()
        except ConfigError as error:
            logger.error("the tokens are as before: %s", error)
        else:
            logger.info("%d tokens read", len(self._login.keyring))

    def reload_if_changed(self) -> None:
        """Read the tokens again if their file is another."""
        if self._file and self._file.has_changed():
            self.reload()

    def still_admits(self, account: Account) -> bool:
        """Say whether an account that has come in could do so again."""
        return self._login.still_admits(account, now=time.time())

    # --- HTTP and WebSocket

    def check(self, request: Request) -> None:
        """Check what every request has to be, whatever it is for.

        Raises:
            RefusedError: it is for another server, or has a token where none may be.

        """
        hosts = request.headers.get_all("Host")
        if not self._door.knows(hosts):
            raise RefusedError(
                Code.WRONG_HOST,
                f"this server is not called {_shown(hosts)}; its names are in server.hosts",
            )
        if auth.has_token(request.path):
            raise RefusedError(
                Code.TOKEN_IN_URL,
                "a token does not belong in a URL, where it is logged: send it in the header"
                " 'Authorization: Bearer TOKEN'; this one may have been seen, so revoke it",
            )

    def admit_request(self, request: Request, transport: asyncio.BaseTransport) -> Account:
        """Return who asks for a WebSocket.

        Raises:
            RefusedError: nobody who may.

        """
        headers = request.headers
        origins = headers.get_all("Origin")
        if not self._door.welcomes(origins, headers.get_all("Host")):
            raise RefusedError(
                Code.WRONG_ORIGIN,
                f"pages of {_shown(origins)} may not use this server; those that may are in"
                " server.origins",
            )
        return self._admit(_token_of(request), transport, headers.get_all("X-Forwarded-For"))

    # --- TCP

    def admit_hello(self, token: str | None, transport: asyncio.BaseTransport) -> Account:
        """Return who speaks over TCP.

        Raises:
            RefusedError: nobody who may.

        """
        return self._admit(token, transport, [])

    def _admit(
        self, token: str | None, transport: asyncio.BaseTransport, forwarded: list[str]
    ) -> Account:
        if self._by_certificate:
            return auth.certified(auth.common_name(transport.get_extra_info("peercert")))
        name = transport.get_extra_info("peername")
        address = peer.client_of(name[0] if name else "", forwarded, self._proxies)
        # A proxy that does not say for whom it asks must not be held up for all.
        exempt = peer.is_trusted(address, self._proxies)
        source = None if exempt else peer.source_of(address)
        try:
            return self._login.admit(token, source, now=time.time())
        except RefusedError as error:
            logger.info("refused %.60s: %s", address, error)
            raise


def refusal(connection: ServerConnection, error: RefusedError) -> Response:
    """Return the answer to a request that is refused."""
    code = error.notice.code
    response = connection.respond(
        _STATUS.get(code, HTTPStatus.SERVICE_UNAVAILABLE), f"{code}: {error}\n"
    )
    if code is Code.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="rookery"'
    if error.wait is not None:
        response.headers["Retry-After"] = str(math.ceil(error.wait))
    return response


def _token_of(request: Request) -> str | None:
    """Return the token that a request has in a header, or among its subprotocols."""
    authorizations = request.headers.get_all("Authorization")
    if authorizations:
        return auth.bearer(authorizations[0]) if len(authorizations) == 1 else ""
    try:
        offered = [
            name
            for value in request.headers.get_all("Sec-WebSocket-Protocol")
            for name in parse_subprotocol(value)
        ]
    except InvalidHeader:  # The handshake fails by it next.
        return None
    tokens = [name for name in offered if name.startswith(TOKEN_SUBPROTOCOL)]
    return tokens[0].removeprefix(TOKEN_SUBPROTOCOL) if tokens else None


def _shown(values: list[str]) -> str:
    return repr(", ".join(values)[:60])
