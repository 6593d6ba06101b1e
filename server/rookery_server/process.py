"""The process of a command: its event loop, its terminal, and what it needs before all is loaded.

Nothing is imported here that takes time, for signals may come while the rest is loaded.
"""

import os
import signal
from collections.abc import Coroutine
from typing import TypeVar

CANNOT_SERVE = 1  # exit status

# Descriptors.  A server that does nothing has 20 open, one with a client and its engine 22, and
# for a moment it takes 6 to start another.
FEWEST = 32

T = TypeVar("T")


def run(program: Coroutine[None, None, T]) -> T:
    """Run a program on an event loop to its end."""
    import asyncio

    try:
        import uvloop  # Its loop turns in half the time of asyncio's own; it is for Unix only.
    except ImportError:
        return asyncio.run(program)
    return uvloop.run(program)


def has_terminal() -> bool:
    """Return whether there is a terminal: without one, SIGHUP says that it has been closed."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return False
    return True


def handle_early_signals() -> None:
    """Handle signals that come before the server has read its configuration.

    Ctrl-C is the end without a traceback.  SIGHUP asks for nothing, as the configuration is
    still to be read, unless the terminal is closed.
    """
    had_terminal = has_terminal()

    def hang_up(*_: object) -> None:
        if had_terminal and not has_terminal():
            os._exit(CANNOT_SERVE)

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, hang_up)


def shortage() -> str:
    """Return what the server is short of, so that it cannot even be loaded; "" if it is not."""
    from rookery_server.scheduling.machine_resources import raise_descriptors

    if (descriptors := raise_descriptors()) >= FEWEST:
        return ""
    return (
        f"a server needs {FEWEST} open files at least, and may have {descriptors};"
        " raise the limit (ulimit -n, LimitNOFILE=)"
    )
