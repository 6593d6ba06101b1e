"""The policy of connections: which of them may come in, as which account, and which has to go.

It combines the configuration, what a request or a hello says, the file of tokens, and the clock.
The decisions themselves, and their reasons, are in `access`.  Transports ask here and act.

A connection that is one too many is told so, and then given a moment to read it, as long as there
are descriptors for that; so a flood is answered, and costs no more than the answers.
"""

import asyncio
import logging
import time
from collections import Counter

from websockets.exceptions import InvalidHeader
from websockets.headers import parse_subprotocol
from websockets.http11 import Request

from rookery_protocol.engine_names import TOKEN_SUBPROTOCOL
from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import ANYBODY, LOCAL, VISITOR, Account, Role
from rookery_server.access.admission import EVICTED, Admission
from rookery_server.access.login import Login, bearer, certified_account, has_token
from rookery_server.access.origin import (
    OriginPolicy,
    client_of,
    comes_by_proxy,
    is_trusted,
    name_in,
)
from rookery_server.access.sign_in_codes import SignInCodes
from rookery_server.access.token_file import TokenWatcher
from rookery_server.config.addresses import host_name, is_loopback
from rookery_server.config.config import Config
from rookery_server.log import about
from rookery_server.scheduling.machine_resources import Machine
from rookery_server.transport.eviction import Evictor, PolicedConnection, SocketPeer
from rookery_server.transport.input_queue import RoundRobin
from rookery_server.transport.liveness import prepare

logger = logging.getLogger(__name__)

MIN_LINGERING = 16  # connections that may linger at their end even where descriptors are scarce
RETRY_AFTER = 5.0  # s; what is full may have room then


class ConnectionPolicy:
    """The policy of one server, for all its ports."""

    def __init__(self, config: Config, machine: Machine) -> None:
        """Read the tokens, if the operator has set a file of them.

        Raises:
            ConfigError: it cannot be used.

        """
        self.refusals: Counter[Code] = Counter()
        self.round_robin = RoundRobin()  # of the input of all connections
        self.handshakes: set[asyncio.Transport] = set()  # of TLS, that are not done
        self.admission: Admission[PolicedConnection] = Admission(
            config.connections, machine.sessions
        )
        self.evictor = Evictor(self.admission)
        self._machine = machine
        self._lingering: set[PolicedConnection] = set()  # refused or ended, and not counted else
        self._login = Login()
        self.sign_in_codes = SignInCodes()
        self.reconfigure(config)

    def reconfigure(self, config: Config) -> None:
        """Set another configuration; connections stay, and so do the waits of log-ins.

        Raises:
            ConfigError: the tokens cannot be used; then nothing has changed.

        """
        server = config.server
        watcher = TokenWatcher(server.tokens) if server.tokens else None
        self._login.watcher = watcher
        self._login.shared_account = LOCAL if config.is_local else ANYBODY
        self.admission.config = config.connections
        self._dead_after = config.connections.dead_after
        self._max_refused_handshakes = config.connections.unauthenticated
        self._proxies = server.trusted_proxies
        self._has_visitors = watcher is not None and server.watch_without_token
        self._has_hsts = config.tls is not None and config.tls.hsts
        self._by_certificate = bool(config.tls and config.tls.client_ca and not server.tokens)
        self._origins = OriginPolicy(
            addresses=config.hosts,
            local=config.is_local,
            login=watcher is not None,
            tls=config.tls is not None,
            hosts=server.hosts,
            origins=server.origins,
        )

    @property
    def tokens(self) -> TokenWatcher | None:
        """The tokens that are accepted; None if none is wanted."""
        return self._login.watcher

    @property
    def connection_count(self) -> int:
        """The number of connections, with those that are over and linger."""
        return len(self.admission) + len(self._lingering)

    def reload_tokens(self) -> None:
        """Read the tokens again; if they cannot be used the former ones stay in use."""
        if self._login.watcher:
            self._login.watcher.reload()

    def poll_tokens(self) -> None:
        """Read the tokens again if their file has changed; to be called twice a second."""
        if self._login.watcher:
            self._login.watcher.poll()

    def still_admits(self, account: Account) -> bool:
        """Return whether an account that has come in could do so again."""
        if account == VISITOR:
            return self._has_visitors
        return self._login.still_admits(account, now=time.time())

    def admits_secret(self, account: Account) -> bool:
        """Return whether a secret that was made for an account is still good.

        One from the time when no token was wanted is not, once tokens are wanted.
        """
        is_open = self._login.watcher is None
        return (is_open or account.token is not None) and self.still_admits(account)

    def account_of_token(self, token_id: str) -> Account | None:
        """Return the account of a token by its id alone; None if the token is no longer good."""
        return self._login.account_of_token(token_id, now=time.time())

    # --- every connection

    def connect(
        self, connection: PolicedConnection, transport: asyncio.BaseTransport
    ) -> RefusedError | None:
        """Count a new connection, and set its socket up; return an error if it is one too many.

        In either case `disconnect` is called when it is gone.
        """
        prepare(transport, self._dead_after)
        connection.peer = SocketPeer.of(transport)
        connection.address = host = connection.peer.host
        # A proxy is no source: it says later for which client it asks.
        return self._count(connection, "" if self.is_proxy(host) else host)

    def disconnect(self, connection: PolicedConnection) -> None:
        """Forget a connection that is gone."""
        self.admission.remove(connection)
        self._lingering.discard(connection)

    def needs_no_hello(self, connection: PolicedConnection) -> bool:
        """Return whether a connection may be silent for as long as it likes; then it is a member.

        It may if it is of this machine, and no token is wanted: a person who has opened it by
        hand may think before typing the first line.
        """
        is_asked = self._login.watcher is not None or self._by_certificate
        host = connection.address
        if is_asked or self.is_proxy(host) or not is_loopback(host):
            return False
        self.admission.admit(connection)
        return True

    def count_as_known(self, connection: PolicedConnection, account: Account | None = None) -> None:
        """Count a connection that has shown a token, or a secret, as no stranger any more.

        Raises:
            RefusedError: there are too many from its address.

        """
        if refusal := self.admission.admit(connection, is_visitor=account == VISITOR):
            raise RefusedError(*refusal, wait=RETRY_AFTER)

    def requested(self, connection: PolicedConnection) -> None:
        """Record that a connection has said what it wants, and is answered."""
        self.admission.renew(connection, time.monotonic())

    def pass_on(self, former: PolicedConnection, heir: PolicedConnection) -> None:
        """Count a connection as its heir's from now on: it has just said what it wants."""
        heir.peer, heir.address = former.peer, former.address
        if former in self._lingering:
            self._lingering.remove(former)
            self._lingering.add(heir)
        else:
            self.admission.pass_on(former, heir, time.monotonic())

    def release(self, connection: PolicedConnection) -> RefusedError | None:
        """Count a connection that waits for its next request; return an error if it may not.

        That of a proxy is no client's meanwhile, and has shown nothing for the next one.
        """
        if not self.is_proxy(connection.peer.host):
            return None
        self.admission.remove(connection)
        connection.address = connection.peer.host
        return self._count(connection, "")

    def is_known(self, connection: PolicedConnection) -> bool:
        """Return whether a connection is no stranger's."""
        return connection not in self.admission.strangers

    def reject(self, connection: PolicedConnection, code: Code) -> bool:
        """Count a refusal; return whether there is room for its connection to linger."""
        self.refusals[code] += 1
        self.admission.remove(connection)
        return self.may_linger(connection)

    def may_linger(self, connection: PolicedConnection) -> bool:
        """Return whether there is room for a connection to linger; if so it is counted so."""
        if len(self._lingering) >= self._max_lingering():
            return False
        self.admission.remove(connection)
        self._lingering.add(connection)
        return True

    def may_shake_hands_to_be_refused(self, connection: PolicedConnection, code: Code) -> bool:
        """Return whether a connection that is one too many may do the handshake of TLS.

        It would be told of the refusal only then.  As many may as may log in at once; a handshake
        costs more than a refusal.
        """
        if len(self._lingering) >= min(self._max_refused_handshakes, self._max_lingering()):
            self.refusals[code] += 1
            return False
        self._lingering.add(connection)
        return True

    def admit_session(self, connection: PolicedConnection, account: Account) -> None:
        """Count the start of an engine.

        Raises:
            RefusedError: there were too many of late, for that address or account.

        """
        # Clients that show no token are told apart by their addresses only.
        name = None if account in (LOCAL, ANYBODY, VISITOR) else account.name
        if refusal := self.admission.count_start(connection, name, time.monotonic()):
            raise RefusedError(*refusal, wait=RETRY_AFTER)

    def _max_lingering(self) -> int:
        return max(MIN_LINGERING, self._machine.spare(self.admission.total))

    def _count(self, connection: PolicedConnection, source: str) -> RefusedError | None:
        if refusal := self.admission.add(connection, source, time.monotonic()):
            return RefusedError(*refusal, wait=RETRY_AFTER)
        if self.admission.is_crowded:
            self.evictor.make_room(connection)
            if self.is_known(connection):  # It was itself the one that had to go.
                return RefusedError(*EVICTED, wait=RETRY_AFTER)
        return None

    def is_proxy(self, address: str) -> bool:
        """Return whether an address is of a proxy that the operator trusts."""
        return bool(self._proxies) and is_trusted(address, self._proxies)

    # --- HTTP and WebSocket

    def wants_only_tls(self, transport: asyncio.BaseTransport, host: str | None) -> bool:
        """Return whether a browser that has come by this name is to use only TLS from now on.

        Not by `localhost`: it would use TLS for everything else that its machine serves, too.
        """
        has_tls = transport.get_extra_info("ssl_object") is not None
        return has_tls and self._has_hsts and (host is None or host_name(host) != "localhost")

    def check_request(self, request: Request) -> None:
        """Check what holds for every request, whatever it is for.

        Raises:
            RefusedError: it is for another server, or has a token where none may be.

        """
        hosts = request.headers.get_all("Host")
        if not self._origins.is_own_host(hosts):
            raise RefusedError(
                Code.WRONG_HOST,
                f"this server is not called {_shown(hosts)}: its operator adds it to server.hosts",
            )
        if "?" in request.path and has_token(request.path):
            raise RefusedError(
                Code.TOKEN_IN_URL,
                "a token does not belong in a URL, where it is logged: send it in the header"
                " 'Authorization: Bearer TOKEN'; this one may have been seen, so revoke it",
            )

    def follow_proxy(self, connection: PolicedConnection, request: Request) -> None:
        """Count a connection for the client for which its proxy asks, now perhaps another one.

        Raises:
            RefusedError: that client has too many.

        """
        address = self._client_address(connection, request)
        if address != connection.address:
            self.admission.remove(connection)
            connection.address = ""  # until it is counted
            if error := self._count(connection, address):
                raise error
            connection.address = address

    def own_address(self, connection: PolicedConnection, request: Request) -> str | None:
        """Return the address of the client itself, as it has it at other ports of this server.

        None is that of a proxy, which does not say for which client it asks, or is not trusted to.
        """
        self.follow_proxy(connection, request)
        address, is_direct = connection.address, not comes_by_proxy(request.headers)
        is_own = is_direct or address != connection.peer.host
        return address if address and is_own and not self.is_proxy(address) else None

    def admit_request(
        self, connection: PolicedConnection, request: Request, *, role: Role | None = None
    ) -> Account:
        """Return the account that asks for a WebSocket, which is for those with a `role`, if any.

        Raises:
            RefusedError: it may not have one.

        """
        self.follow_proxy(connection, request)
        headers = request.headers
        origins = headers.get_all("Origin")
        if origins and not self._origins.admits(origins, headers.get_all("Host")):
            raise RefusedError(
                Code.WRONG_ORIGIN,
                f"pages of {_shown(origins)} may not use this server: its operator adds them"
                " to server.origins",
            )
        account = self.admit_token(connection, _token_of(request), role)
        if account == LOCAL and not _is_of_this_machine(connection, request):
            return ANYBODY  # A proxy asks that the operator has not named.
        return account

    def admit_operator(self, connection: PolicedConnection, request: Request) -> None:
        """Check that a request may read what goes on: it is from this machine, or an admin's.

        Raises:
            RefusedError: it is neither.

        """
        if _is_of_this_machine(connection, request):
            return
        connection.address = self._client_address(connection, request)
        account = self._identify(connection, _token_of(request))
        if account.role is not Role.ADMIN or account.token is None:
            raise RefusedError(Code.UNAUTHORIZED, "this wants the token of an admin")

    def admit_admin(self, connection: PolicedConnection, request: Request) -> Account:
        """Return the account that asks to operate the server: an admin's, or of this machine.

        Raises:
            RefusedError: it is neither.

        """
        account = self.admit_request(connection, request)
        self.check_own_page(request, "only the server's own page, /admin, may operate it")
        is_known = account.token is not None or _is_of_this_machine(connection, request)
        if account.role is not Role.ADMIN or not is_known:
            raise RefusedError(
                Code.UNAUTHORIZED,
                f"{account.name} is no admin: this wants a token that was made with '--role admin'",
            )
        return account

    def check_own_page(self, request: Request, refusal: str) -> None:
        """Check that a request is of the server's own page, or of no page at all.

        Raises:
            RefusedError: it is of another; `refusal` says so.

        """
        headers = request.headers
        if not self._origins.is_own_page(headers.get_all("Origin"), headers.get_all("Host")):
            raise RefusedError(Code.WRONG_ORIGIN, refusal)

    def admit_host(self, connection: PolicedConnection, request: Request) -> Account:
        """Return the account of a machine that wants to join: one with the role for it.

        Raises:
            RefusedError: it has not that role.

        """
        account = self.admit_request(connection, request, role=Role.HOST)
        # Where no token is wanted, programs of this machine may do everything.
        if account.role is not Role.HOST and account != LOCAL:
            raise RefusedError(
                Code.UNAUTHORIZED,
                f"{account.name} may not join: this wants a token that was made with '--role host'",
            )
        return account

    def _client_address(self, connection: PolicedConnection, request: Request) -> str:
        host, forwarded = connection.peer.host, request.headers.get_all("X-Forwarded-For")
        return client_of(host, forwarded, self._proxies) if forwarded else host

    # --- tokens

    def admit_token(
        self, connection: PolicedConnection, token: str | None, role: Role | None = None
    ) -> Account:
        """Return the account that a token is for; without one, that of a visitor, if it may be.

        Raises:
            RefusedError: it may not come in.

        """
        if token is None and self._has_visitors:
            account = VISITOR
        else:
            account = self._identify(connection, token)
        if account.role is Role.HOST and role is not Role.HOST:
            raise RefusedError(
                Code.UNAUTHORIZED, "this token is for 'rookery-server join', and for nothing else"
            )
        self.count_as_known(connection, account)
        return account

    def _identify(self, connection: PolicedConnection, token: str | None) -> Account:
        if self._by_certificate:
            return certified_account(connection.peer.certificate)
        if token and self._login.watcher:
            self._login.watcher.add_new()  # It may have been made a moment ago.
        source = self._source_of(connection)
        try:
            return self._login.admit(token, source, now=time.time(), ticks=time.monotonic())
        except RefusedError as error:
            _log_refusal(connection, error)
            raise

    def refuse_code(self, connection: PolicedConnection, text: str) -> RefusedError:
        """Return the refusal of a one-use code, which counts as a wrong token does."""
        error = self._login.refusal(text, self._source_of(connection), ticks=time.monotonic())
        _log_refusal(connection, error)
        return error

    def _source_of(self, connection: PolicedConnection) -> str | None:
        # A proxy that does not say for which client it asks must not wait for the faults of one.
        return None if self.is_proxy(connection.address) else connection.address


def _log_refusal(connection: PolicedConnection, error: RefusedError) -> None:
    address = connection.address
    fields = about(address=address[:60], code=error.notice.code)
    logger.info("refused %.60s: %s", address, error, extra=fields)


def _is_of_this_machine(connection: PolicedConnection, request: Request) -> bool:
    """Return whether a program of this machine asks, and no proxy for another one.

    A proxy shows itself by a header field, by the name of a server that it stands for, or by
    HTTP/1.0, which nginx speaks unless it is told otherwise.
    """
    called = name_in(request.headers.get_all("Host"))
    return (
        is_loopback(connection.peer.host)
        and called is not None
        and is_loopback(called)
        and request.protocol != "HTTP/1.0"
        and not comes_by_proxy(request.headers)
    )


def _token_of(request: Request) -> str | None:
    """Return the token that a request has in a header, or among its subprotocols."""
    authorizations = request.headers.get_all("Authorization")
    if authorizations:
        return bearer(authorizations[0]) if len(authorizations) == 1 else ""
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
