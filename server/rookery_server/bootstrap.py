"""Starts the program with the allocator that gives memory back.

Python's own keeps what a crowd has used: a few hundred small objects that live on hold
its arenas of 1 MiB each.  The C library's gives back each page that is free.  Measured after
2,000 idle WebSocket sessions: 54.5 MiB before and 77.7 after with Python's, 56.3 and 60.6
with the library's.  Lines are split and decoded in 1.7 us instead of 1.3, of about 20 that a
line costs with the system's part.

An allocator is chosen before the first object is made, so the program replaces itself,
before it has loaded anything.  Who sets `PYTHONMALLOC` decides; then nothing is replaced.

What may happen before all is loaded is seen to here, too: signals, streams that are closed, and
too few descriptors to load it with.  And so is how every command ends when it is interrupted, or
when nobody hears it.
"""

import os
import signal
import sys

from rookery_protocol import console

CHOICE = "PYTHONMALLOC"
_DONE = "ROOKERY_ALLOCATOR_CHOSEN"
CANNOT_SERVE = 1
INTERRUPTED, READER_GONE = 130, 141  # as shells have it for SIGINT and SIGPIPE

# Descriptors.  A server that does nothing has 20 open, one with a client and its engine 22, and
# for a moment it takes 6 to start another.
FEWEST = 32


def main() -> int:
    """Run `rookery-server`; returns its exit status."""
    if sys.platform == "win32":
        sys.stderr.write("rookery-server is for Linux (here in WSL); rookery-bridge runs here\n")
        return CANNOT_SERVE
    console.prepare()
    if os.environ.pop(_DONE, None):
        os.environ.pop(CHOICE, None)  # It is not for engines.
    elif serves(sys.argv[1:]) and has_glibc() and CHOICE not in os.environ:
        words = (sys.executable, *sys.orig_argv[1:])
        if not has_terminal():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # A handler would be lost on the way.
        os.execve(words[0], words, os.environ | {CHOICE: "malloc", _DONE: "1"})  # noqa: S606  # It is itself.
    if serves(sys.argv[1:]):
        _expect_signals()
        if shortage := _shortage():
            console.complain(f"rookery-server: {shortage}")
            return CANNOT_SERVE
    try:
        from rookery_server.__main__ import main as run  # Only now, for it takes 0.3 s.

        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
    except console.ReaderGoneError:
        return READER_GONE
    finally:
        console.settle()


def serves(arguments: list[str]) -> bool:
    """Say whether this is going to be the server, and not one of the other commands."""
    return not arguments or arguments[0] == "serve" or arguments[0].startswith("-")


def has_glibc() -> bool:
    """Say whether the C library is the one that is measured here."""
    try:
        return sys.platform == "linux" and bool(os.confstr("CS_GNU_LIBC_VERSION"))
    except ValueError:  # This library has not even heard of the name.
        return False


def has_terminal() -> bool:
    """Say whether there is a terminal: SIGHUP also says that it has been closed."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return False
    return True


def _expect_signals() -> None:
    """See to signals that come before the configuration has been read.

    Ctrl-C is the end without a traceback.  SIGHUP asks for nothing, as the configuration is
    still to be read, unless the terminal is closed.
    """
    had_terminal = has_terminal()

    def hang_up(*_: object) -> None:
        if had_terminal and not has_terminal():
            os._exit(CANNOT_SERVE)

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, hang_up)


def _shortage() -> str:
    """Say what the server is short of, so that it cannot even be loaded; nothing if it is not."""
    from rookery_server.scheduling.machine_resources import raise_descriptors

    if (descriptors := raise_descriptors()) >= FEWEST:
        return ""
    return (
        f"a server needs {FEWEST} open files at least, and may have {descriptors};"
        " raise the limit (ulimit -n, LimitNOFILE=)"
    )
