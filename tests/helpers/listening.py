"""A connection that keeps what it is told, for the parts of a session that need one."""

from collections.abc import Hashable

from rookery_protocol.notices import Close
from rookery_server.session.client_channel import LineHandler


class Connection:
    """A client that listens until it is closed; `holds` are the reasons why it is not heard."""

    def __init__(self) -> None:
        self.relay: LineHandler | None = None
        self.address = ""
        self.told = b""
        self.closed: Close | None = None
        self.holds: set[Hashable] = set()

    @property
    def is_held(self) -> bool:
        return bool(self.holds)

    def send_lines(self, piece: bytes) -> None:
        assert self.closed is None
        self.told += piece

    def finish(self, code: Close, reason: str) -> None:
        assert self.closed is None
        self.closed = code

    def hold_input(self, why: Hashable) -> None:
        self.holds.add(why)

    def release_input(self, why: Hashable) -> None:
        self.holds.discard(why)
