"""What the kernel is told about a client's connection.

A machine that has lost its power or its network says no goodbye.  TCP would notice after
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
_CLOSED, _ENDED = 7, 8


def prepare(transport: asyncio.BaseTransport, dead_after: int | None) -> None:
    """Set up a connection that has just come.

    Args:
        transport: the connection.
        dead_after: s without any sign of the peer until it counts as gone, or without
            progress while something is to be sent; None leaves that to the system.

    """
    sock = transport.get_extra_info("socket")
    if sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    for name, value in {"TCP_NOTSENT_LOWAT": _BACKLOG, **_patience(dead_after)}.items():
        if hasattr(socket, name):  # Not every system has all of them.
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    if dead_after is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


def is_gone(transport: asyncio.BaseTransport, *, may_end: bool) -> bool:
    """Say whether the peer of a connection that is not read has left it, as far as is known.

    Args:
        transport: the connection.
        may_end: whether one that has ended what it says may still listen.

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
    return state == _CLOSED or (state == _ENDED and not may_end)


def _patience(dead_after: int | None) -> dict[str, int]:
    if dead_after is None:
        return {}
    return {
        "TCP_KEEPIDLE": max(1, dead_after // 2),  # s
        "TCP_KEEPINTVL": max(1, dead_after // 2 // _PROBES),  # s
        "TCP_KEEPCNT": _PROBES,
        "TCP_USER_TIMEOUT": dead_after * 1000,  # ms
    }
