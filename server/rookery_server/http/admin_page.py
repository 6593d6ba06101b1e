"""The operator's page: a browser's connection that asks and orders as the socket does.

Each message is a JSON object, and so is each answer (see `orders`).  Who may connect has
been decided at the entrance: an admin, and nobody else.
"""

from rookery_protocol.notices import Close
from rookery_server.access.account import Account
from rookery_server.http.admin_commands import Orders
from rookery_server.session.client_channel import Client

PATH = "/admin/orders"
SUBPROTOCOL = "rookery.operator"


class Console:
    """A connection's partner while it is an operator's."""

    may_return = False  # nothing is kept: the page asks again

    def __init__(self, client: Client, account: Account, orders: Orders) -> None:
        self.client = client
        self.account = account
        self._orders = orders
        self._is_paused = False
        self.is_open = True

    def finish(self, close: Close, reason: str) -> None:
        """Say why it may go on no more, and close the connection."""
        self.client.finish(close, reason)

    # --- for the connection

    def client_said(self, line: bytes) -> None:
        """Answer a request; who does not read what was answered is not answered."""
        if not self._is_paused:
            self.client.send_lines(self._orders.answer_text(line) + b"\n")

    def client_overlong(self) -> None:
        """Take note that the client sent more than a line may hold."""
        self.finish(Close.TOO_BIG, "a request has at most 65536 bytes")

    def client_sent_binary(self) -> None:
        """Take note of a message that is no text."""
        self.finish(Close.POLICY, "a request is a text message, not a binary one")

    def client_ended(self) -> None:
        """Take note that the client will say nothing more."""
        self.finish(Close.DONE, "")

    def client_gone(self, client: Client) -> None:
        """Take note that the connection is lost."""
        self.is_open = False

    def client_paused(self) -> None:
        """Take note that the client does not read as fast as it is told."""
        self._is_paused = True

    def client_resumed(self) -> None:
        """Take note that the client reads again."""
        self._is_paused = False
