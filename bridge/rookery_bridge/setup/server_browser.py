"""The servers that announce themselves on the local network, and what to do with each.

What is found is shown and nothing more: whoever is on the network can announce anything, so
only the operator's link, or the user's own choice of an address, leads to a pairing.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rookery_bridge.one_file import IS_EXECUTABLE
from rookery_protocol.console import complain, print_line, print_table
from rookery_protocol.discovery import SERVICE_TYPE, Announcement, printable
from rookery_protocol.engine_names import authority
from rookery_protocol.invitation import Invitation

BROWSE_TIME = 3.0  # s: an answer takes a second at most (RFC 6762, 6), and may be lost once
_MOST = 20  # servers that are shown
_ANSWER_TIME = 1.0  # s for the record of one that was found at the last moment
_MISSING = (
    "servers of the local network are not looked for, which needs zeroconf:"
    ' pip install "rookery-chess[discovery]" (beside the one file: pip install zeroconf)'
)
_NOT_IN_IT = (
    "this program does not look for servers of the local network, as that installed by pip does"
)


class BrowseError(Exception):
    """The local network cannot be searched; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class NearbyServer:
    """A server of the local network, as it announces itself."""

    name: str
    host: str
    port: int
    announcement: Announcement

    @property
    def address(self) -> str:
        """Its address, as an address of the bridge without an engine."""
        return f"{self._transport}://{authority(self.host, self.port)}"

    @property
    def link(self) -> str | None:
        """The link that pairs with it; None if only its operator can give one."""
        if self.announcement.needs_token or self.announcement.needs_certificate:
            return None
        return str(Invitation(self._transport, self.host, self.port))

    @property
    def _transport(self) -> str:
        return "wss" if self.announcement.has_tls else "ws"


async def browse(seconds: float, interfaces: Sequence[str] = ()) -> list[NearbyServer]:
    """Look for servers on the local network for so many seconds; return them by name.

    Args:
        seconds: how long.
        interfaces: the addresses of the network interfaces to look at; all, if there are none.

    Raises:
        BrowseError: it cannot be done here.

    """
    try:
        import zeroconf
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf
    except ImportError:
        raise BrowseError(_NOT_IN_IT if IS_EXECUTABLE else _MISSING) from None
    names: set[str] = set()

    def notice(
        zeroconf: zeroconf.Zeroconf,
        service_type: str,
        name: str,
        state_change: zeroconf.ServiceStateChange,
    ) -> None:
        """Note a server that came or went; zeroconf calls it by these keywords."""
        if state_change.name == "Removed":
            names.discard(name)
        elif len(names) < _MOST:
            names.add(name)

    try:
        where = list(interfaces) or zeroconf.InterfaceChoice.All
        async with AsyncZeroconf(interfaces=where) as zone:
            async with AsyncServiceBrowser(zone.zeroconf, SERVICE_TYPE, handlers=[notice]):
                await asyncio.sleep(seconds)
            infos = [AsyncServiceInfo(SERVICE_TYPE, name) for name in sorted(names)]
            await asyncio.gather(
                *(info.async_request(zone.zeroconf, _ANSWER_TIME * 1000) for info in infos)
            )
    except (OSError, zeroconf.Error) as error:
        raise BrowseError(
            f"servers of the local network cannot be looked for: {str(error) or 'no network'};"
            " ask the operator for a link"
        ) from error
    return [
        server
        for info in infos
        if (server := read_server(info.name, info.parsed_addresses(), info.port, info.properties))
    ]


def read_server(
    name: str, addresses: Sequence[str], port: int | None, record: dict[bytes, bytes | None]
) -> NearbyServer | None:
    """Return what an announcement says, or None if it cannot be used."""
    hosts = sorted(addresses, key=lambda each: ":" in each)  # IPv4 first: it is shorter
    if not hosts or not port:
        return None
    try:
        announcement = Announcement.parse(record)
    except ValueError:
        return None
    return NearbyServer(
        printable(name.removesuffix(f".{SERVICE_TYPE}")), hosts[0], port, announcement
    )


def show_nearby() -> None:
    """Look for servers on the local network, and print what is found and the next step."""
    if sys.stderr.isatty():
        complain(f"looking for servers on the local network, {BROWSE_TIME:g} s ...")
    try:
        servers = asyncio.run(browse(BROWSE_TIME))
    except BrowseError as error:
        print_line(f"note: {error}")
        return
    for line in describe(servers):
        print_line(line)
    if servers:
        print_table(table(servers))
        for server in servers:
            print_line(next_step(server))


def describe(servers: Sequence[NearbyServer]) -> list[str]:
    """Return the lines above the table of what was found."""
    if not servers:
        return [
            "no server announces itself on the local network (only those do whose operator wants"
            " it); the operator's link is needed"
        ]
    return ["on the local network, as they say themselves:"]


def table(servers: Sequence[NearbyServer]) -> list[tuple[str, ...]]:
    """Return the rows of the table of what was found."""
    rows: list[tuple[str, ...]] = [("NAME", "ADDRESS", "TLS", "TOKEN", "VERSION")]
    for each in servers:
        said = each.announcement
        tls = "yes" if said.has_tls else "no"
        login = "needed" if said.needs_token else "none"
        if said.needs_certificate:
            login = "certificate"
        rows.append((each.name, each.address, tls, login, said.version or "-"))
    return rows


def next_step(server: NearbyServer) -> str:
    """Return what the user does next to play there."""
    if server.announcement.needs_certificate:
        return (
            f"{server.name} is for clients with a certificate of its operator, which this program"
            " cannot show: ask its operator for another way in"
        )
    if server.link is None:
        return f"{server.name}: ask its operator for a link, which 'rookery-server invite' prints"
    return f'{server.name} needs no token; pair with it: rookery-bridge pair "{server.link}"'
