"""Detection of peers that are gone, by the kernel.

A machine that has lost its power or its network closes no connection.  TCP would notice after
two hours, or never while nothing is said; until then the session keeps its engine.
So the kernel asks a silent peer now and again, and gives one up that acknowledges nothing.
"""

import asyncio
import socket

# Bytes that the kernel takes before they can be sent.  It would take megabytes, and a
# client on a slow link would then hear what was true half a minute ago.
_BACKLOG = 65536

# A peer is asked for the first time when half of its time is over, then three times more.
_PROBES = 3

# States of TCP, as the first byte of Linux' TCP_INFO has them (include/net/tcp_states.h).
_CLOSED, _HALF_CLOSED = 7, 8


def prepare(transport: asyncio.BaseTransport, dead_after: int | None) -> None:
    """Set the socket options of a connection that has just come.

    Args:
        transport: the connection.
        dead_after: s without any sign of the peer until it counts as gone, or without
            progress while something is to be sent; None leaves that to the system.

    """
    sock = transport.get_extra_info("socket")
    if sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    options = {"TCP_NOTSENT_LOWAT": _BACKLOG}
    if dead_after is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        options |= {
            "TCP_KEEPIDLE": max(1, dead_after // 2),  # s
            "TCP_KEEPINTVL": max(1, dead_after // 2 // _PROBES),  # s
            "TCP_KEEPCNT": _PROBES,
            "TCP_USER_TIMEOUT": dead_after * 1000,  # ms
        }
    for name, value in options.items():
        if hasattr(socket, name):  # Not every system has all of them.
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def is_gone(transport: asyncio.BaseTransport, *, may_half_close: bool) -> bool:
    """Return whether the peer of a connection that is not read has left, as far as is known.

    Args:
        transport: the connection.
        may_half_close: whether a peer that has ended its input may still listen.

    """
    sock = transport.get_extra_info("socket")
    if sock is None or sock.family not in (socket.AF_INET, socket.AF_INET6):
        return False
    if not hasattr(socket, "TCP_INFO"):  # Linux has it.
        return False
    try:
        state = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    except OSError:
        return False
    return state == _CLOSED or (state == _HALF_CLOSED and not may_half_close)
