"""The way in: what a connection has to show before an engine is started for it.

Here meet what the operator has set, what a request or a hello says, the files of
tokens, and the clock.  What is decided, and why, stands in `admission`, `auth`, `origin`
and `peer`.

Who is one too many is told so, and then given a moment to read it, as long as there are
descriptors for that; so a flood is answered, and costs no more than the answers.
"""

import asyncio
import logging
import math
import time
from collections import Counter
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidHeader
from websockets.headers import parse_subprotocol
from websockets.http11 import Request, Response

from rookery_protocol.engine_names import TOKEN_SUBPROTOCOL
from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access import login, peer
from rookery_server.access.account import ANYBODY, LOCAL, VISITOR, Account, Role
from rookery_server.access.admission import Admission
from rookery_server.access.origin import Door, name_in
from rookery_server.access.token_file import TokenWatcher
from rookery_server.config.addresses import is_loopback
from rookery_server.config.config import Config
from rookery_server.log import about
from rookery_server.scheduling.machine_resources import Machine
from rookery_server.transport.eviction import Guest, Usher
from rookery_server.transport.input_queue import RoundRobin

logger = logging.getLogger(__name__)

MIN_CROWD = 16  # connections that may linger at their end even where descriptors are scarce
RETRY_AFTER = 5.0  # s; what is full may have room then

_STATUS = {
    Code.UNAUTHORIZED: HTTPStatus.UNAUTHORIZED,
    Code.TOO_MANY_TRIES: HTTPStatus.TOO_MANY_REQUESTS,
    Code.TOKEN_IN_URL: HTTPStatus.BAD_REQUEST,
    Code.WRONG_HOST: HTTPStatus.MISDIRECTED_REQUEST,
    Code.WRONG_ORIGIN: HTTPStatus.FORBIDDEN,
    Code.UNKNOWN_ENGINE: HTTPStatus.NOT_FOUND,
    Code.TOO_MANY_STARTS: HTTPStatus.TOO_MANY_REQUESTS,
    Code.QUOTA_SESSIONS: HTTPStatus.TOO_MANY_REQUESTS,
    Code.QUOTA_CPU: HTTPStatus.TOO_MANY_REQUESTS,
}


class Entrance:
    """Decides whether a connection may come in, and as whom."""

    def __init__(self, config: Config, machine: Machine) -> None:
        """Read the tokens, if the operator has set a file of them.

        Raises:
            ConfigError: it cannot be used.

        """
        self.refusals: Counter[Code] = Counter()
        self.turns = RoundRobin()  # of all who have come in
        self.shaking: set[asyncio.Transport] = set()  # whose TLS handshake is not done
        self.admission: Admission[Guest] = Admission(config.connections, machine.sessions)
        self.usher = Usher(self.admission)
        self._machine = machine
        self._crowd: set[Guest] = set()  # refused or ended, and reading why
        self._login = login.Login()
        self.reconfigure(config)

    def reconfigure(self, config: Config) -> None:
        """Take another configuration; who is in stays in, and who has to wait waits.

        Raises:
            ConfigError: the tokens cannot be used; then all is as before.

        """
        server = config.server
        roster = TokenWatcher(server.tokens) if server.tokens else None
        self._login.keyring = roster.keyring if roster else None
        self._login.shared_account = LOCAL if config.is_local else ANYBODY
        self._roster = roster
        self.admission.reconfigure(config.connections)
        self.dead_after = config.connections.dead_after
        self._most_told = config.connections.unauthenticated
        self._proxies = server.trusted_proxies
        self._has_visitors = roster is not None and server.watch_without_token
        self._by_certificate = bool(config.tls and config.tls.client_ca and not server.tokens)
        self._door = Door(
            addresses=config.hosts,
            local=config.is_local,
            login=roster is not None,
            tls=config.tls is not None,
            hosts=server.hosts,
            origins=server.origins,
        )

    @property
    def there(self) -> int:
        """How many connections there are, with those that are over and read why."""
        return len(self.admission) + len(self._crowd)

    def reload(self) -> None:
        """Read the tokens again; if they cannot be used the former ones go on."""
        if self._roster:
            self._roster.reload()
            self._login.keyring = self._roster.keyring

    def look(self) -> None:
        """Read the tokens again if their file is another; called twice a second."""
        if self._roster:
            self._roster.poll()
            self._login.keyring = self._roster.keyring

    def _learn(self) -> None:
        if self._roster:
            self._roster.add_new()
            self._login.keyring = self._roster.keyring

    def still_admits(self, account: Account) -> bool:
        """Say whether an account that has come in could do so again."""
        if account == VISITOR:
            return self._has_visitors
        return self._login.still_admits(account, now=time.time())

    def admits_secret(self, account: Account) -> bool:
        """Say whether a secret that was made for an account is still good.

        One from when nobody was asked for a token is not, once tokens are wanted.
        """
        nobody_is_asked = self._login.keyring is None
        return (nobody_is_asked or account.token is not None) and self.still_admits(account)

    # --- every connection

    def arrive(self, guest: Guest, transport: asyncio.BaseTransport) -> None:
        """Take note of a new connection; `leave` when it is gone, whether this raises or not.

        Raises:
            RefusedError: it is one too many.

        """
        guest.address = self._address(transport, [])
        # A proxy is no source: for whom it asks is known when it has said so.
        self._enter(guest, "" if peer.is_trusted(guest.address, self._proxies) else guest.address)

    def excuse(self, guest: Guest) -> bool:
        """Say whether a connection need not say who it is; it counts as known then.

        That is so where nobody is asked, for programs of this machine: who has opened the
        connection by hand may think before the first line.
        """
        asked = self._login.keyring is not None or self._by_certificate
        is_proxy = peer.is_trusted(guest.address, self._proxies)
        if asked or is_proxy or not is_loopback(guest.address):
            return False
        self.admission.admit(guest)
        return True

    def vouch(self, guest: Guest, account: Account | None = None) -> None:
        """Count a connection as one that is known: it has shown a token, or a secret.

        Raises:
            RefusedError: there are too many from its address.

        """
        if objection := self.admission.admit(guest, visits=account == VISITOR):
            raise RefusedError(*objection, wait=RETRY_AFTER)

    def asked(self, guest: Guest) -> None:
        """Record that a connection has said what it wants, and is answered."""
        self.admission.asked(guest, asyncio.get_running_loop().time())

    def leave(self, guest: Guest) -> None:
        """Take note that a connection is gone."""
        self.admission.leave(guest)
        self._crowd.discard(guest)

    def refused(self, guest: Guest, code: Code) -> bool:
        """Count a refusal; say whether there is room for its connection to linger."""
        self.refusals[code] += 1
        self.admission.leave(guest)
        return self.sees_out(guest)

    def sees_out(self, guest: Guest) -> bool:
        """Say whether there is room for a connection to linger; if so it counts no more."""
        if len(self._crowd) >= self._room_for_crowd():
            return False
        self.admission.leave(guest)
        self._crowd.add(guest)
        return True

    def admit_session(self, address: str, account: Account, now: float) -> None:
        """Take note that an engine will be started.

        Raises:
            RefusedError: too many have been, for that address or account.

        """
        # Those who are not asked are not told apart, but by their addresses.
        name = None if account in (LOCAL, ANYBODY, VISITOR) else account.name
        if objection := self.admission.objection_to_start(address, name, now):
            raise RefusedError(*objection, wait=RETRY_AFTER)

    def _room_for_crowd(self) -> int:
        return max(MIN_CROWD, self._machine.spare(self.admission.total))

    def _enter(self, guest: Guest, source: str) -> None:
        if objection := self.admission.objection(source):
            raise RefusedError(*objection, wait=RETRY_AFTER)
        if self.admission.enter(guest, source, asyncio.get_running_loop().time()):
            self.usher.make_room()

    def _address(self, transport: asyncio.BaseTransport, forwarded: list[str]) -> str:
        name = transport.get_extra_info("peername")
        # The socket of a path has no address, or an empty one.
        return peer.client_of(name[0] if name else "", forwarded, self._proxies)

    # --- TLS

    def may_be_told(self, guest: Guest, code: Code) -> bool:
        """Say whether a connection that is one too many may shake hands, to be told so.

        So many may as may log in at once; a handshake costs more than a refusal.
        """
        if len(self._crowd) >= min(self._most_told, self._room_for_crowd()):
            self.refusals[code] += 1
            return False
        self._crowd.add(guest)
        return True

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
                f"this server is not called {_shown(hosts)}: its operator adds it to server.hosts",
            )
        if login.has_token(request.path):
            raise RefusedError(
                Code.TOKEN_IN_URL,
                "a token does not belong in a URL, where it is logged: send it in the header"
                " 'Authorization: Bearer TOKEN'; this one may have been seen, so revoke it",
            )

    def locate(self, guest: Guest, request: Request, transport: asyncio.BaseTransport) -> None:
        """Take note for whom a proxy asks; a connection may do so for one after the other.

        Raises:
            RefusedError: those are too many.

        """
        address = self._address(transport, request.headers.get_all("X-Forwarded-For"))
        if address != guest.address:
            self.admission.leave(guest)
            guest.address = ""  # until it is counted
            self._enter(guest, address)
            guest.address = address

    def admit_request(
        self,
        guest: Guest,
        request: Request,
        transport: asyncio.BaseTransport,
        *,
        role: Role | None = None,
    ) -> Account:
        """Return who asks for a WebSocket; `role` is the one that it is for.

        Raises:
            RefusedError: nobody who may.

        """
        self.locate(guest, request, transport)
        headers = request.headers
        origins = headers.get_all("Origin")
        if not self._door.welcomes(origins, headers.get_all("Host")):
            raise RefusedError(
                Code.WRONG_ORIGIN,
                f"pages of {_shown(origins)} may not use this server: its operator adds them"
                " to server.origins",
            )
        account = self._admit(guest, _token_of(request), transport, role)
        if account == LOCAL and not _is_of_this_machine(request, transport):
            return ANYBODY  # A proxy asks, of which the operator has not said that it is there.
        return account

    def admit_operator(
        self, guest: Guest, request: Request, transport: asyncio.BaseTransport
    ) -> None:
        """Check that who asks may know what goes on: from this machine, or an admin.

        Raises:
            RefusedError: it is neither.

        """
        if _is_of_this_machine(request, transport):
            return
        guest.address = self._address(transport, request.headers.get_all("X-Forwarded-For"))
        account = self._identify(guest.address, _token_of(request), transport)
        if account.role is not Role.ADMIN or account.token is None:
            raise RefusedError(Code.UNAUTHORIZED, "this wants the token of an admin")

    def admit_admin(
        self, guest: Guest, request: Request, transport: asyncio.BaseTransport
    ) -> Account:
        """Return who asks to operate the server: an admin by a token, or who works on this machine.

        Raises:
            RefusedError: nobody who may.

        """
        account = self.admit_request(guest, request, transport)
        headers = request.headers
        if not self._door.is_own(headers.get_all("Origin"), headers.get_all("Host")):
            raise RefusedError(
                Code.WRONG_ORIGIN, "only the server's own page, /admin, may operate it"
            )
        is_known = account.token is not None
        is_here = _is_of_this_machine(request, transport)
        if account.role is not Role.ADMIN or not (is_known or is_here):
            raise RefusedError(
                Code.UNAUTHORIZED,
                f"{account.name} is no admin: this wants a token that was made with '--role admin'",
            )
        return account

    def admit_host(
        self, guest: Guest, request: Request, transport: asyncio.BaseTransport
    ) -> Account:
        """Return whose machine wants to join: one with the role for it.

        Raises:
            RefusedError: nobody who may.

        """
        account = self.admit_request(guest, request, transport, role=Role.HOST)
        # Where no token is wanted, who works on this machine may do all.
        if account.role is not Role.HOST and account != LOCAL:
            raise RefusedError(
                Code.UNAUTHORIZED,
                f"{account.name} may not join: this wants a token that was made with '--role host'",
            )
        return account

    # --- TCP

    def admit_hello(
        self, guest: Guest, token: str | None, transport: asyncio.BaseTransport
    ) -> Account:
        """Return who speaks over TCP.

        Raises:
            RefusedError: nobody who may.

        """
        return self._admit(guest, token, transport)

    def _admit(
        self,
        guest: Guest,
        token: str | None,
        transport: asyncio.BaseTransport,
        role: Role | None = None,
    ) -> Account:
        if token is None and self._has_visitors:
            account = VISITOR
        else:
            account = self._identify(guest.address, token, transport)
        if account.role is Role.HOST and role is not Role.HOST:
            raise RefusedError(
                Code.UNAUTHORIZED, "this token is for 'rookery-server join', and for nothing else"
            )
        self.vouch(guest, account)
        return account

    def _identify(
        self, address: str, token: str | None, transport: asyncio.BaseTransport
    ) -> Account:
        if self._by_certificate:
            return login.certified_account(transport.get_extra_info("peercert"))
        # A proxy that does not say for whom it asks must not be held up for all.
        exempt = peer.is_trusted(address, self._proxies)
        source = None if exempt else peer.source_of(address)
        if token:  # Who was given one a moment ago comes at once.
            self._learn()
        try:
            return self._login.admit(token, source, now=time.time(), ticks=time.monotonic())
        except RefusedError as error:
            fields = about(address=address[:60], code=error.notice.code)
            logger.info("refused %.60s: %s", address, error, extra=fields)
            raise


def status_of(code: Code) -> HTTPStatus:
    """Return the HTTP status of a refusal."""
    return _STATUS.get(code, HTTPStatus.SERVICE_UNAVAILABLE)


def refusal(connection: ServerConnection, error: RefusedError) -> Response:
    """Return the answer to a request that is refused."""
    code = error.notice.code
    response = connection.respond(status_of(code), f"{code}: {error}\n")
    if code is Code.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="rookery"'
    if error.wait is not None or code is Code.DRAINING:
        response.headers["Retry-After"] = str(math.ceil(error.wait or RETRY_AFTER))
    return response


def _is_of_this_machine(request: Request, transport: asyncio.BaseTransport) -> bool:
    """Say whether a program of this machine asks, and no proxy for somebody else.

    A proxy shows itself by a header field, by the name of a server that it stands for, or by
    HTTP/1.0, which nginx speaks unless it is told otherwise.
    """
    name = transport.get_extra_info("peername")
    called = name_in(request.headers.get_all("Host"))
    return (
        bool(name)
        and is_loopback(name[0])
        and called is not None
        and is_loopback(called)
        and request.protocol != "HTTP/1.0"
        and not peer.comes_by_proxy(request.headers)
    )


def _token_of(request: Request) -> str | None:
    """Return the token that a request has in a header, or among its subprotocols."""
    authorizations = request.headers.get_all("Authorization")
    if authorizations:
        return login.bearer(authorizations[0]) if len(authorizations) == 1 else ""
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
