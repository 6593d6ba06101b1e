"""WebSocket frames as a client sends and hears them (RFC 6455), made by hand.

A library would not send what is wrong, and that is what is needed here: frames without
a mask, with reserved bits, in pieces, of a length that does not come.  No I/O.
"""

import base64
import struct

TEXT, BINARY, CLOSE, PING, PONG = 0x1, 0x2, 0x8, 0x9, 0xA
_KEY = base64.b64encode(b"0123456789abcdef").decode()
_MASK = b"\x5a\xa5\x3c\xc3"  # no secret: it only has to be there


def frame(payload: bytes, opcode: int = TEXT, *, masked: bool = True, last: bool = True) -> bytes:
    """Return one frame of a client's; `last` of its message unless another follows."""
    first, size = (0x80 if last else 0) | opcode, len(payload)
    bit = 0x80 if masked else 0
    if size < 126:
        head = struct.pack("!BB", first, bit | size)
    elif size < 65536:
        head = struct.pack("!BBH", first, bit | 126, size)
    else:
        head = struct.pack("!BBQ", first, bit | 127, size)
    if not masked:
        return head + payload
    # As one number: byte by byte, 4 MB take a second.
    mask = (_MASK * (size // len(_MASK) + 1))[:size]
    changed = int.from_bytes(payload) ^ int.from_bytes(mask)
    return head + _MASK + changed.to_bytes(size)


def request(path: str, port: int, *headers: str) -> bytes:
    """Return a request for a WebSocket."""
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {_KEY}",
        *headers,
    )
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Frames:
    """The frames of a server, out of bytes as they come."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return the frames that are complete now: (opcode, payload)."""
        self._data += data
        found = []
        while (ends := _extent(self._data)) and ends[1] <= len(self._data):
            start, stop = ends
            found.append((self._data[0] & 0xF, bytes(self._data[start:stop])))
            del self._data[:stop]
        return found


def _extent(data: bytearray) -> tuple[int, int] | None:
    """Return where the first frame's payload begins and ends; None if the head is cut."""
    if len(data) < 2:
        return None
    size = data[1] & 0x7F
    start = {126: 4, 127: 10}.get(size, 2)
    if len(data) < start:
        return None
    if size >= 126:
        size = int.from_bytes(data[2:start], "big")
    return start, start + size
