"""Device ports: bare TCP for chess programs that know no tokens, as DroidFish.

A port is one account's, and lets in only the addresses that this account has paired with a token
(`access/pairings`).  Any other connection is closed unread and unanswered.  Only UCI is spoken:
what an account does besides (`rookery ...`) is for the other ports.  There is no TLS, for these
programs have none.
"""

import asyncio
import logging
import time
from functools import partial

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code, Notice
from rookery_server.access.account import Account
from rookery_server.access.pairings import Pairing, Pairings, paired_source
from rookery_server.actor.actor import SessionActor
from rookery_server.config.devices import DeviceConfig
from rookery_server.log import Repetition, about
from rookery_server.session.client_channel import LineHandler
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.tcp import Opener, TcpClient

logger = logging.getLogger(__name__)

DAY = 86_400  # s
_NOT_PAIRED = "this address is not paired any more"
_ONLY_UCI = Notice(
    Code.WRONG_PROTOCOL,
    "this port is for UCI alone: programs that know tokens have the server's other ports",
)


class DevicePort:
    """One device port; `port` is known once the server listens."""

    port = 0

    def __init__(
        self,
        config: DeviceConfig,
        pairings: Pairings,
        policy: ConnectionPolicy,
        opener: Opener,
        patience: float,
    ) -> None:
        self.config = config
        self._pairings = pairings
        self._policy = policy
        self._refusals = Repetition()  # in the log
        self._clients: set[DeviceClient] = set()
        self.make_client = partial(DeviceClient, self, policy, opener, patience=patience)

    # --- for its account and the operator

    @property
    def pairings(self) -> list[Pairing]:
        """The pairings that are good, the oldest first."""
        found = self._pairings.of(self.config.name, time.time())
        return [each for each in found if self._account_of(each)]

    async def pair(self, address: str, account: Account) -> None:
        """Let an address in from now on, as long as the account's token is good.

        Raises:
            ServerError: that cannot be kept.

        """
        assert account.token
        assert account.name == self.config.owner
        now = time.time()
        until = int(now) + self.config.days * DAY
        pairing = Pairing(self.config.name, paired_source(address), account.token, until)
        await self._pairings.add(pairing, now)
        text = "%s lets %s in at the device port %s, for %d days"
        fields = about(account=account.name, address=pairing.source)
        days = self.config.days
        logger.info(text, account.name, pairing.source, self.config.name, days, extra=fields)

    async def unpair(self, by: str) -> None:
        """Let no address in any more, and end the sessions of those that are there.

        `by` is the account, for the log.

        Raises:
            ServerError: that cannot be kept.

        """
        await self._pairings.remove(self.config.name)
        logger.info("%s lets nobody in at the device port %s", by, self.config.name)
        self.end_unpaired()

    # --- for its clients

    def account_at(self, address: str) -> Account | None:
        """Return the account as which an address is let in; None if it is not."""
        pairing = self._pairings.at(self.config.name, address, time.time())
        return self._account_of(pairing) if pairing else None

    def end_unpaired(self) -> None:
        """End the sessions of clients that would not be let in now."""
        for client in list(self._clients):
            if self.account_at(client.address) is None:
                client.dismiss()

    def count_at(self, source: str) -> int:
        """Return how many clients are there of a source of pairings."""
        return sum(paired_source(each.address) == source for each in self._clients)

    def add_client(self, client: "DeviceClient") -> None:
        """Record a client that is let in."""
        self._refusals.over()
        self._clients.add(client)

    def remove_client(self, client: "DeviceClient") -> None:
        """Forget a client that is gone."""
        self._clients.discard(client)

    def log_refusal(self, address: str) -> None:
        """Log that an address is refused, now and then."""
        reason = f"refused {address[:60]} at the device port {self.config.name}: it is not paired"
        if text := self._refusals.again(reason, time.monotonic()):
            logger.info("%s", text, extra=about(address=address[:60], code=Code.UNAUTHORIZED))

    def _account_of(self, pairing: Pairing) -> Account | None:
        account = self._policy.account_of_token(pairing.token)
        return account if account and account.name == self.config.owner else None


class DeviceClient(TcpClient):
    """A connection to a device port."""

    def __init__(
        self, port: DevicePort, policy: ConnectionPolicy, opener: Opener, *, patience: float
    ) -> None:
        super().__init__(policy, opener, patience=patience)
        self._port = port

    def dismiss(self) -> None:
        """End the session of a client that is not let in any more."""
        if isinstance(self.relay, SessionActor):
            self.relay.dismiss(_NOT_PAIRED)
        else:
            self._drop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, and close it if its address is not paired."""
        super().connection_made(transport)
        if not self._is_over:
            self._port.add_client(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._port.remove_client(self)
        super().connection_lost(exc)

    def _is_let_in(self) -> bool:
        is_paired = self._port.account_at(self.address) is not None
        if not is_paired:
            self._port.log_refusal(self.address)
        return is_paired

    def _read_line(self, line: bytes) -> None:
        if line.split(maxsplit=1)[:1] == [b"rookery"] and not self._is_over:
            self._refuse(_ONLY_UCI)
        else:
            super()._read_line(line)

    def _begin_session(self, line: bytes) -> tuple[LineHandler, bytes | None]:
        account = self._port.account_at(self.address)
        if account is None:
            raise RefusedError(Code.UNAUTHORIZED, _NOT_PAIRED)
        self._policy.count_as_known(self, account)
        return self._open(self._port.config.engine, self, account, False), line
