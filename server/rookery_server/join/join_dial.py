"""Connections to the server that is joined."""

from dataclasses import dataclass
from typing import TypeVar

from websockets.asyncio.client import ClientConnection

from rookery_protocol.dialer import dial_websocket
from rookery_protocol.tls_trust import Trust
from rookery_server.joined.joining_messages import PATH, SUBPROTOCOL

PING = 10.0  # s from one ping to the next, and as long until a connection counts as dead

C = TypeVar("C", bound=ClientConnection)


@dataclass(frozen=True, slots=True)
class JoinTarget:
    """The address of the server (`wss://rook.example`), and what is shown to it."""

    url: str
    trust: Trust

    async def dial(self, kind: type[C], headers: dict[str, str] | None = None) -> C:
        """Return a connection of that kind.

        Raises:
            DialError: the server cannot be reached, or refuses.

        """
        return await dial_websocket(
            f"{self.url}{PATH}",
            self.trust,
            kind,
            subprotocol=SUBPROTOCOL,
            headers=headers,
            ping=PING,
        )
