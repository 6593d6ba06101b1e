"""The service manager's side of a service: sockets that systemd hands over, and states.

It needs no library: the sockets are descriptors from 3 on, which the environment counts
and names (sd_listen_fds(3)), and a state is a datagram (sd_notify(3)).
"""

import asyncio
import logging
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, repeat

from rookery_protocol.errors import ServerError
from rookery_server.log import Repetition

logger = logging.getLogger(__name__)

_deafness = Repetition()  # of a manager that cannot be told, in the log

_FIRST = 3  # the descriptor of the first socket
_SIGNS = 3  # of life in the time in which one is wanted: a machine may be busy
_VARIABLES = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")


def take_sockets(names: tuple[str, ...]) -> dict[str, socket.socket]:
    """Return the sockets that were handed over, by name; nothing if there are none.

    One whose name is none of these has the first that nobody has: so the names matter
    only where there are several.  The first of them is of what there is in any case: it must
    not be opened at a port that nobody has said.

    Raises:
        ServerError: there is none of the first name, or one that cannot be listened on.

    """
    # Engines must not take them for theirs.
    pid, number, given = (os.environ.pop(variable, "") for variable in _VARIABLES)
    if pid != str(os.getpid()) or not number.isdecimal():
        return {}
    labels = chain(given.split(":"), repeat(""))
    found: dict[str, socket.socket] = {}
    others = []
    for index, label in zip(range(int(number)), labels, strict=False):
        taken = _socket(_FIRST + index)
        if label in names and label not in found:
            found[label] = taken
        else:
            others.append(taken)
    free = [name for name in names if name not in found]
    if len(others) > len(free):
        raise ServerError(f"{number} sockets were handed over, and there is use for {len(names)}")
    found |= dict(zip(free, others, strict=False))
    if found and names[0] not in found:
        raise ServerError(
            f"a socket was handed over as {', '.join(found)}, and none as {names[0]}: start that"
            " unit, too"
        )
    return found


def notify(*states: str) -> None:
    """Send states of the service to the manager, if there is one that listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # an abstract one
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sock:
            sock.sendto("\n".join(states).encode(), address)
    except OSError as error:
        if text := _deafness.again(str(error.strerror), time.monotonic()):
            logger.warning("cannot tell the service manager: %s", text)
    else:
        _deafness.over()


def ready() -> None:
    """Report that the server serves."""
    notify("READY=1")


def reloading() -> None:
    """Report that the server reads its configuration; `ready` follows."""
    notify("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")


def stopping(patience: float) -> None:
    """Report that the server ends, and how many seconds longer than usual it may take."""
    notify("STOPPING=1", f"EXTEND_TIMEOUT_USEC={int(patience * 1e6)}")


def watched_for() -> float | None:
    """Return the seconds within which the manager wants a sign of life; None if it wants none.

    The variables are removed from the environment: they are for this process alone.
    """
    pid, number = (os.environ.pop(name, "") for name in ("WATCHDOG_PID", "WATCHDOG_USEC"))
    if not number.isdecimal() or int(number) == 0 or pid not in ("", str(os.getpid())):
        return None
    return int(number) / 1e6


@contextmanager
def alive(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Report to the manager again and again that the loop turns, if it wants that.

    A loop that stands still reports nothing, and the manager restarts the service.
    """
    within = watched_for()
    if within is None:
        yield
        return

    timer: asyncio.Handle | None = None

    def report() -> None:
        nonlocal timer
        notify("WATCHDOG=1")
        timer = loop.call_later(within / _SIGNS, report)

    report()
    try:
        yield
    finally:
        if timer:
            timer.cancel()


def _socket(descriptor: int) -> socket.socket:
    try:
        taken = socket.socket(fileno=descriptor)
    except OSError as error:
        raise ServerError(f"descriptor {descriptor} is no socket: {error.strerror}") from error
    if taken.family not in (socket.AF_INET, socket.AF_INET6):
        raise ServerError(f"descriptor {descriptor} is no socket of an IP address")
    if not taken.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        raise ServerError(
            f"descriptor {descriptor} is no socket that can be listened on: the unit wants"
            " ListenStream=, and no Accept=yes"
        )
    taken.set_inheritable(False)
    taken.setblocking(False)
    return taken
