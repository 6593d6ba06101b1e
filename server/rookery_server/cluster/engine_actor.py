"""The place of one engine on a node: an actor of Ray, and the order that it carries out.

The engine's stdin and stdout are a connection to the server, so nothing stands between them
and it is as quick as a pipe.  This actor only watches: over a second connection it reports
the engine's usage and its stderr, and it ends the engine when the server hangs up.  Before
the engine starts and after it has ended no other process writes into the first connection, and so
the actor reports over it how the engine ended.
"""

import contextlib
import json
import os
import platform
import select
import signal
import socket
import subprocess
import threading
from dataclasses import asdict, dataclass

from rookery_server.config.engines import ResourceLimits
from rookery_server.engines.child_process import cpu_of, describe_exit, kill_group, memory_of, spawn
from rookery_server.engines.engine_build import contents_of, stamps_of
from rookery_server.engines.socket_engine import EngineEvent
from rookery_uci import LineBuffer

LINES, EVENTS = b"lines", b"events"  # the purposes of a connection
BACKLOG = 262144  # bytes of lines that may be on their way; short packets count for far more
REPORT = 0.2  # s from one look at the usage to the next: so much is counted late at most
_DIAL_TIMEOUT = 5.0  # s in which the server accepts
_FLUSH_TIMEOUT = 5.0  # s in which it takes the last lines
_PIECE = 16384


@dataclass(frozen=True, slots=True)
class StartOrder:
    """An engine that is wanted, for the driver and for its actor: a line of JSON.

    Attributes:
        number: of the engine, the server's own.
        command: the program, on the node, and its arguments.
        words: the command, and the files beside it.
        limits: of the process.
        threads: that a node sets aside.
        memory: bytes that a node sets aside.
        host: address at which the server waits for the engine's lines.
        port: likewise.
        token: opens that port, for this engine alone.

    """

    number: int
    command: tuple[str, ...]
    words: tuple[str, ...]
    limits: ResourceLimits
    threads: int
    memory: int
    host: str
    port: int
    token: str

    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, text: str) -> "StartOrder":
        """Read what the server has written."""
        fields = json.loads(text)
        fields["command"], fields["words"] = tuple(fields["command"]), tuple(fields["words"])
        fields["limits"] = ResourceLimits(**fields["limits"])
        return cls(**fields)


class EngineActor:
    """The actor, which runs one engine."""

    def run_engine(self, text: str) -> str:
        """Run the engine of an order until it ends; return how it did.

        Raises:
            OSError: the server cannot be reached.

        """
        order = StartOrder.parse(text)
        with _dial(order, LINES) as lines, _dial(order, EVENTS) as events:
            stamps = stamps_of(order.words)  # Before it starts: what comes later it has not read.
            try:
                process = spawn(
                    order.command,
                    order.limits,
                    stdin=lines.fileno(),
                    stdout=lines.fileno(),
                    stderr=subprocess.PIPE,
                )
            except OSError as error:
                reason = f"it cannot be started: {error.strerror}"
            else:
                watch = _Watch(process, lines, events)
                watch.report(EngineEvent(label=f"{process.pid} at {platform.node()}"))
                threading.Thread(
                    target=lambda: watch.found.append(EngineEvent(files=contents_of(stamps))),
                    daemon=True,
                ).start()
                reason = watch.until_it_ends()
            _send_last(lines, EngineEvent(ended=reason))
        return reason


class _Watch:
    """The watch over a running engine."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", lines: socket.socket, events: socket.socket
    ) -> None:
        self.found: list[EngineEvent] = []  # by another thread
        self._process = process
        self._events = events
        self._usage = EngineEvent()  # that was reported last
        self._stderr_lines = LineBuffer()
        assert process.stderr
        self._stderr = process.stderr.fileno()
        self._exit = os.pidfd_open(process.pid)
        self._poll = select.poll()
        for each in (lines, events):  # The engine reads the lines; here only their end is seen.
            self._poll.register(each, select.POLLRDHUP)
        self._poll.register(self._stderr, select.POLLIN)
        self._poll.register(self._exit, select.POLLIN)

    def until_it_ends(self) -> str:
        """Report on the engine until it ends; return how it did."""
        has_ended = False
        while not has_ended:
            for number, _ in self._poll.poll(REPORT * 1000):
                if number == self._stderr:
                    self._report_stderr()
                elif number == self._exit:
                    has_ended = True
                else:  # The server has hung up, or is gone.
                    kill_group(self._process.pid, signal.SIGKILL)
                    self._poll.unregister(number)
            self._report_usage()
        # What it started goes too.  Until it is reaped it keeps its number.
        kill_group(self._process.pid, signal.SIGKILL)
        os.close(self._exit)
        code = self._process.wait()
        assert self._process.stderr
        self._process.stderr.close()
        return describe_exit(code)

    def report(self, event: EngineEvent) -> None:
        """Send an event to the server; if that is gone, `until_it_ends` notices."""
        with contextlib.suppress(OSError):
            self._events.sendall(bytes(event))

    def _report_usage(self) -> None:
        while self.found:
            self.report(self.found.pop())
        pid = self._process.pid
        usage = EngineEvent(cpu=cpu_of(pid), memory_mb=memory_of(pid))
        if usage != self._usage:
            self._usage = usage
            self.report(usage)

    def _report_stderr(self) -> None:
        data = os.read(self._stderr, _PIECE)
        if not data:
            self._poll.unregister(self._stderr)
        for line in self._stderr_lines.feed(data):
            self.report(EngineEvent(complaint=line.decode(errors="replace")))


def _dial(order: StartOrder, purpose: bytes) -> socket.socket:
    """Connect to the server, and say which engine it is of and what the connection is for."""
    connection = socket.create_connection((order.host, order.port), timeout=_DIAL_TIMEOUT)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BACKLOG)
    connection.sendall(b"%b %b\n" % (order.token.encode(), purpose))
    connection.settimeout(None)  # An engine's stdin and stdout block.
    return connection


def _send_last(lines: socket.socket, event: EngineEvent) -> None:
    """Send how the engine ended, after its last lines; return when the server has them."""
    lines.settimeout(_FLUSH_TIMEOUT)
    with contextlib.suppress(OSError):  # of a server that has gone first
        lines.sendall(bytes(event))
        lines.shutdown(socket.SHUT_WR)
        # To close what is not read to its end would throw away what is not sent yet.
        while lines.recv(_PIECE):
            pass
