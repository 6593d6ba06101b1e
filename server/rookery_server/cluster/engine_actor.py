"""The place of one engine on a node: an actor of Ray.

The engine's stdin and stdout are a connection to the server, so nobody stands between them
and it is as quick as a pipe.  This actor only watches: over a second connection it tells
what the engine uses and complains of, and it ends the engine when the server hangs up.  Before
the engine starts and after it has ended nobody else writes into the first connection, and so
what it was is told there, and how it ended.
"""

import contextlib
import os
import platform
import select
import signal
import socket
import subprocess
import threading

from rookery_server.cluster.driver_messages import StartOrder
from rookery_server.engines.child_process import cpu_of, describe_exit, kill_group, memory_of, spawn
from rookery_server.engines.engine_build import contents_of, stamps_of
from rookery_server.engines.socket_engine import EngineEvent
from rookery_uci import LineBuffer

WORDS, NEWS = b"words", b"news"  # what a connection is for
BACKLOG = 262144  # bytes of words that may be on their way; short packets count for far more
REPORT = 0.2  # s from one look at what it uses to the next: so much is counted late at most
_DIALLED = 5.0  # s in which the server answers
_FLUSHED = 5.0  # s in which it takes the last words
_PIECE = 16384


class EngineActor:
    """Runs one engine."""

    def serve(self, text: str) -> str:
        """Run the engine of an order until it ends; return how it did.

        Raises:
            OSError: the server cannot be reached.

        """
        order = StartOrder.parse(text)
        with _dial(order, WORDS) as words, _dial(order, NEWS) as news:
            stamps = stamps_of(order.words)  # Before it starts: what comes later it has not read.
            try:
                process = spawn(
                    order.command,
                    order.limits,
                    stdin=words.fileno(),
                    stdout=words.fileno(),
                    stderr=subprocess.PIPE,
                )
            except OSError as error:
                reason = f"it cannot be started: {error.strerror}"
            else:
                watch = _Watch(process, words, news)
                watch.tell(EngineEvent(label=f"{process.pid} at {platform.node()}"))
                reading = threading.Thread(
                    target=lambda: watch.read.append(EngineEvent(files=contents_of(stamps))),
                    daemon=True,
                )
                reading.start()
                reason = watch.until_it_ends()
            _say_last(words, EngineEvent(ended=reason))
        return reason


class _Watch:
    """Looks after a running engine."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", words: socket.socket, news: socket.socket
    ) -> None:
        self.read: list[EngineEvent] = []  # what another thread has found out
        self._process = process
        self._news = news
        self._told = EngineEvent()
        self._complaints = LineBuffer()
        assert process.stderr
        self._stderr = process.stderr.fileno()
        self._exit = os.pidfd_open(process.pid)
        self._poll = select.poll()
        for each in (words, news):  # The engine reads the words; here only their end is seen.
            self._poll.register(each, select.POLLRDHUP)
        self._poll.register(self._stderr, select.POLLIN)
        self._poll.register(self._exit, select.POLLIN)

    def until_it_ends(self) -> str:
        """Tell the server of it until it ends; return how it did."""
        has_ended = False
        while not has_ended:
            for number, _ in self._poll.poll(REPORT * 1000):
                if number == self._stderr:
                    self._hear_complaint()
                elif number == self._exit:
                    has_ended = True
                else:  # The server has hung up, or is gone.
                    kill_group(self._process.pid, signal.SIGKILL)
                    self._poll.unregister(number)
            self._report()
        # What it started goes too.  Until it is reaped it keeps its number.
        kill_group(self._process.pid, signal.SIGKILL)
        os.close(self._exit)
        code = self._process.wait()
        assert self._process.stderr
        self._process.stderr.close()
        return describe_exit(code)

    def tell(self, news: EngineEvent) -> None:
        """Tell the server; if it is gone that is seen elsewhere."""
        with contextlib.suppress(OSError):
            self._news.sendall(bytes(news))

    def _report(self) -> None:
        while self.read:
            self.tell(self.read.pop())
        pid = self._process.pid
        news = EngineEvent(cpu=cpu_of(pid), memory_mb=memory_of(pid))
        if news != self._told:
            self._told = news
            self.tell(news)

    def _hear_complaint(self) -> None:
        data = os.read(self._stderr, _PIECE)
        if not data:
            self._poll.unregister(self._stderr)
        for line in self._complaints.feed(data):
            self.tell(EngineEvent(complaint=line.decode(errors="replace")))


def _dial(order: StartOrder, role: bytes) -> socket.socket:
    """Reach the server, and say which engine it is and what the connection is for."""
    connection = socket.create_connection((order.host, order.port), timeout=_DIALLED)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BACKLOG)
    connection.sendall(b"%b %b\n" % (order.token.encode(), role))
    connection.settimeout(None)  # An engine's stdin and stdout wait.
    return connection


def _say_last(words: socket.socket, news: EngineEvent) -> None:
    """Say how the engine ended, after its last words; return when the server has taken them."""
    words.settimeout(_FLUSHED)
    with contextlib.suppress(OSError):  # of a server that has gone first
        words.sendall(bytes(news))
        words.shutdown(socket.SHUT_WR)
        # To close what is not read to its end would throw away what is not sent yet.
        while words.recv(_PIECE):
            pass
