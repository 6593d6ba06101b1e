"""A connection to a server that may not fill the memory of who has dialled it.

What is heard has bounds of its own; what has to be said to it, answers to pings among that, waits
here for a server that does not read.
"""

from websockets.asyncio.client import ClientConnection

MAX_UNSENT = 1 << 22  # bytes


class Bounded(ClientConnection):
    """A connection of the library that ends where too much waits to be sent."""

    def data_received(self, data: bytes) -> None:
        """Take bytes, unless their sender leaves too much of ours unread."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MAX_UNSENT:
            self.transport.abort()
