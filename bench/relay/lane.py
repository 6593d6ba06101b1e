"""The servers that are compared: each relays lines to the same stand-in of an engine.

Three lanes run side by side: a baseline that everybody can install, the floor (the
simplest relay in C, which does nothing else), and ours.
"""

import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from bench.child import find, free_port, running, wait_for_port
from bench.relay import policy
from bench.relay.build import build

# The servers of a race: the baseline, the C floor, ours.
Lanes = tuple[str, str, str]
WS: Lanes = ("websocketd", "crelay", "rookery")
TCP: Lanes = ("socat", "crelay-tcp", "rookery-tcp")
# For what policy costs: ours without, its twin, and ours with all of it.
POLICY_WS: Lanes = ("no policy", "no policy, again", "policy")
POLICY_TCP: Lanes = ("tcp no policy", "tcp no policy, again", "tcp policy")

Start = tuple[tuple[str, str], list[str]]  # the generator's address, the server's command


@dataclass(frozen=True, slots=True)
class Lane:
    """A running server: where the load generator finds it, and its process."""

    name: str
    where: tuple[str, str]
    process: subprocess.Popen[bytes]


def open_lane(name: str, stack: ExitStack, *, files: int | None = None) -> Lane:
    """Start a server, which lives as long as the stack, and wait until it listens."""
    port = free_port()
    where, command = _SERVERS[name](port)
    process = stack.enter_context(running(command, files=files))
    wait_for_port(port, process)
    return Lane(name, where, process)


def _websocketd(port: int) -> Start:
    command = [find("websocketd"), "--address", "127.0.0.1", "--port", str(port)]
    return _ws(port), [*command, "--loglevel", "fatal", build("fakeengine")]


def _crelay(port: int) -> Start:
    return _ws(port), [build("crelay"), str(port), build("fakeengine")]


def _socat(port: int) -> Start:
    listen = f"TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork,nodelay,backlog=1024"
    return _tcp(port), [find("socat"), listen, f"EXEC:{build('fakeengine')}"]


def _crelay_tcp(port: int) -> Start:
    return _tcp(port), [build("crelay"), str(port), build("fakeengine"), "tcp"]


def _rookery(port: int) -> Start:
    return _ws(port, "/engines/fake"), _serve(port, free_port())


def _rookery_tcp(port: int) -> Start:
    return _tcp(port), _serve(free_port(), port)


def _with(*, judges: bool) -> Callable[[int], Start]:
    return lambda port: (
        _ws(port, "/engines/fake"),
        policy.serve(port, free_port(), judges=judges),
    )


def _tcp_with(*, judges: bool) -> Callable[[int], Start]:
    return lambda port: (_tcp(port), policy.serve(free_port(), port, judges=judges))


def _serve(port: int, tcp_port: int) -> list[str]:
    command = [find("rookery-server"), "serve", "--host", "127.0.0.1", "--port", str(port)]
    return [*command, "--tcp-port", str(tcp_port), "--engine", f"fake={build('fakeengine')}"]


def _ws(port: int, path: str = "/") -> tuple[str, str]:
    return "--ws", f"ws://127.0.0.1:{port}{path}"


def _tcp(port: int) -> tuple[str, str]:
    return "--tcp", f"127.0.0.1:{port}"


_SERVERS: dict[str, Callable[[int], Start]] = {
    "websocketd": _websocketd,
    "crelay": _crelay,
    "rookery": _rookery,
    "socat": _socat,
    "crelay-tcp": _crelay_tcp,
    "rookery-tcp": _rookery_tcp,
    "no policy": _with(judges=False),
    "no policy, again": _with(judges=False),
    "policy": _with(judges=True),
    "tcp no policy": _tcp_with(judges=False),
    "tcp no policy, again": _tcp_with(judges=False),
    "tcp policy": _tcp_with(judges=True),
}
