"""The server's announcement on the local network, by DNS-SD over multicast DNS.

It is the operator's wish, and never a condition: a server that cannot be announced serves all
the same, and the log says what to do.
"""

import asyncio
import ipaddress
import logging
import secrets
import socket
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec

from rookery_protocol.discovery import SERVICE_TYPE, Announcement, instance_name
from rookery_protocol.errors import ConfigError
from rookery_server.config.addresses import EVERYWHERE, Address, is_loopback
from rookery_server.config.config import Config

logger = logging.getLogger(__name__)

_END_PATIENCE = 3.0  # s to say goodbye: three datagrams, an eighth of a second apart


def check_announcement(config: Config) -> None:
    """Check that a server may be announced, if its operator wants that.

    Raises:
        ConfigError: only this machine reaches it, or the library is missing.

    """
    if not config.server.announce:
        return
    if is_loopback(config.host):
        raise ConfigError(
            f"server.announce is for a server that other machines reach, and {config.host} is"
            " reached from this one only: set server.host (--host), or leave server.announce"
            " (--announce) out"
        )
    if find_spec("zeroconf") is None:
        raise ConfigError("server.announce needs zeroconf: pip install 'rookery-chess[discovery]'")


class Announcer:
    """The announcement of one server, from entry to exit.

    `interfaces` are the addresses of the network interfaces to announce at; None is all, or the
    one that the server listens at.
    """

    def __init__(self, config: Config, port: int, interfaces: Sequence[str] | None = None) -> None:
        self._config = config
        self._port = port
        self._interfaces = interfaces
        self._task: asyncio.Task[None] | None = None
        self._is_over = asyncio.Event()
        self.is_announced = asyncio.Event()

    async def __aenter__(self) -> "Announcer":
        """Begin to announce the server, if its operator wants that; do not wait for it."""
        if self._config.server.announce:
            self._task = asyncio.create_task(self._announce(), name="announcer")
        return self

    async def __aexit__(self, *_: object) -> None:
        """Withdraw the announcement: those who look hear that the server is gone."""
        self._is_over.set()
        if self._task:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._task, _END_PATIENCE)

    async def _announce(self) -> None:
        """Announce the server until the end; log why if it cannot be."""
        # Only now: most servers are not announced, and it is an extra.
        import zeroconf

        try:
            await self._announce_until_end()
        except (OSError, zeroconf.Error) as error:
            what = str(error) or type(error).__name__
            logger.warning(
                "the server is not announced on the local network: %s; it serves all the same."
                " See that multicast DNS (UDP port 5353) may be used here, and start it again,"
                " or leave server.announce out",
                what,
            )

    async def _announce_until_end(self) -> None:
        from zeroconf import InterfaceChoice, IPVersion, ServiceInfo
        from zeroconf.asyncio import AsyncZeroconf

        config = self._config
        # A socket of the system's for `::` is for both kinds; one of asyncio's is not.
        is_dual = config.socket_host is not None
        addresses = list(self._interfaces or await _addresses(config.host, is_dual=is_dual))
        if not addresses:
            kind = "IPv6 " if ":" in self._config.host else ""
            raise OSError(f"this machine has no {kind}address on a network")
        everywhere = self._interfaces is None and self._config.host in EVERYWHERE
        has_ipv6 = any(ipaddress.ip_address(each).version == 6 for each in addresses)
        zone = AsyncZeroconf(
            interfaces=InterfaceChoice.All if everywhere else addresses,
            ip_version=IPVersion.All if has_ipv6 else IPVersion.V4Only,
        )
        tls = self._config.tls
        record = Announcement(
            version("rookery-chess"),
            tls is not None,
            self._config.server.tokens is not None,
            needs_certificate=tls is not None and tls.client_ca is not None,
        )
        host = socket.gethostname().partition(".")[0] or "rookery"
        info = ServiceInfo(
            SERVICE_TYPE,
            f"{instance_name(host, self._port)}.{SERVICE_TYPE}",
            port=self._port,
            properties=record.to_properties(),
            # Its own: of two machines of one name, each would have the other's addresses, too.
            server=f"{host}-{secrets.token_hex(4)}.local.",
            parsed_addresses=addresses,
        )
        try:
            # Where the name is taken, it gets a number.
            await (await zone.async_register_service(info, allow_name_change=True))
            logger.info(
                "announced on the local network as %r", info.name.removesuffix(f".{SERVICE_TYPE}")
            )
            self.is_announced.set()
            await self._is_over.wait()
        finally:
            await zone.async_unregister_all_services()
            await zone.async_close()


async def _addresses(host: str, *, is_dual: bool = False) -> list[str]:
    """Return the addresses at which others reach a server that listens on an address.

    One that listens on `::` is reached by IPv4 only if its socket is for both kinds, `is_dual`.
    """
    if host not in EVERYWHERE:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        own = [str(each[4][0]) for each in found]
        return [each for each in dict.fromkeys(own) if "%" not in each]
    import ifaddr  # which zeroconf brings along

    versions = {6, 4} if is_dual and ":" in host else {ipaddress.ip_address(host).version}
    found_ips = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    own = [each if isinstance(each, str) else each[0] for each in found_ips]
    read = [ipaddress.ip_address(each) for each in dict.fromkeys(own)]
    return [str(each) for each in read if each.version in versions and not _is_near(each)]


def _is_near(address: Address) -> bool:
    """Return whether an address is of this machine alone, or says nothing without an interface."""
    return address.is_loopback or (address.version == 6 and address.is_link_local)
