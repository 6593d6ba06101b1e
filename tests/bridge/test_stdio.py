"""The bridge as a GUI sees it: a process with stdin and stdout, in front of a real server."""

import asyncio
import errno
import os
import socket
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.support import TIMEOUT, Running, gone

from rookery_bridge import stdio
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig, SessionsConfig
from rookery_uci import MAX_LINE

BRIDGE = str(Path(sys.executable).with_name("rookery-bridge"))
OWN = [
    "option name Bridge Clock Correction type check default true",
    "option name Bridge Fallback type check default true",
    "option name Bridge Log File type string default <empty>",
]


@pytest.fixture
def habits() -> tuple[str, ...]:
    return ("polite", "flood", "latin", "chatty", "dies")


async def start(*arguments: str) -> Process:
    return await asyncio.create_subprocess_exec(
        BRIDGE, *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE
    )


async def run(address: str, said: bytes) -> tuple[int | None, list[str], str]:
    """Say all of it at once and end the input; return status, lines and stderr."""
    bridge = await start(address)
    async with asyncio.timeout(TIMEOUT):
        out, err = await bridge.communicate(said)
    return bridge.returncode, out.decode().splitlines(), err.decode()


def both(app: Running, engine: str) -> list[str]:
    """Return the addresses of an engine on either transport."""
    return [
        f"ws://127.0.0.1:{app.port}/engines/{engine}",
        f"tcp://127.0.0.1:{app.tcp_port}/{engine}",
    ]


async def hear(bridge: Process) -> str:
    assert bridge.stdout
    async with asyncio.timeout(TIMEOUT):
        return (await bridge.stdout.readline()).decode().rstrip("\n")


def say(bridge: Process, *lines: str) -> None:
    assert bridge.stdin
    bridge.stdin.write("".join(f"{line}\n" for line in lines).encode())


async def test_it_is_the_engine(app: Running) -> None:
    """Rows 2, 40, 53, 145."""
    for address in both(app, "polite"):
        status, lines, errors = await run(address, b"uci\nisready\ngo\nquit\n")
        assert lines == ["id name Odd", *OWN, "uciok", "readyok", "bestmove e2e4"]
        assert (status, errors) == (0, "")


async def test_end_of_input_ends_it(app: Running) -> None:
    """Row 240: and what was asked before, even without a line ending, is answered."""
    for address in both(app, "polite"):
        status, lines, errors = await run(address, b"uci\r\nisready")
        assert lines == ["id name Odd", *OWN, "uciok", "readyok"]
        assert (status, errors) == (0, "")


async def test_searches_with_a_limit_are_finished_at_the_end_of_input() -> None:
    """A script gives its commands in a file, and reads on."""
    engine = EngineConfig("rookery", (str(Path(BRIDGE).with_name("rookery-engine")),))
    server = ServerConfig(port=0, tcp_port=0)
    async with Running(Config(engines=(engine,), server=server)) as app:
        for address in both(app, "rookery"):
            said = b"go depth 12\nposition startpos moves e2e4\ngo nodes 100000\n"
            status, lines, errors = await run(address, said)
            assert any(line.startswith("info depth 12 ") for line in lines)
            assert sum(line.startswith("bestmove") for line in lines) == 2
            assert (status, errors) == (0, "")


async def test_search_without_end_is_given_up_at_the_end_of_input(app: Running) -> None:
    for address in both(app, "flood"):
        status, _, _ = await run(address, b"go infinite\n")
        assert status == 0


async def test_answers_come_while_input_is_open(app: Running) -> None:
    """Row 251: a GUI waits for the answer before it says more."""
    for address in both(app, "polite"):
        bridge = await start(address)
        for _ in range(3):
            say(bridge, "isready")
            assert await hear(bridge) == "readyok"
        say(bridge, "quit")
        async with asyncio.timeout(TIMEOUT):
            assert await bridge.wait() == 0


async def test_lines_are_carried_byte_for_byte(app: Running) -> None:
    for address in both(app, "latin"):
        _, lines, _ = await run(address, b"go\nquit\n")
        assert lines == ["info string caf\ufffd", "bestmove e2e4"]


async def test_line_that_is_too_long_is_left_out_and_said(app: Running) -> None:
    [address, _] = both(app, "polite")
    status, lines, err = await run(address, b"x" * (MAX_LINE + 1) + b"\nisready\nquit\n")
    assert status == 0
    assert f"info string rookery-bridge: a line of more than {MAX_LINE} bytes was left out" in lines
    assert "left out" in err
    assert "readyok" in lines


async def test_position_that_is_too_long_is_not_the_one_before_it(app: Running) -> None:
    long = b"position startpos moves" + b" e2e4" * (MAX_LINE // 5)
    for address in both(app, "polite"):
        said = b"position startpos\n" + long + b"\ngo depth 1\nposition startpos\ngo depth 1\n"
        _, lines, _ = await run(address, said)
        moves = [line for line in lines if line.startswith("bestmove")]
        assert moves[0] == "bestmove 0000"
        assert len(moves) == 2
        assert moves[1] != "bestmove 0000"


async def test_flood_comes_through_in_order(app: Running) -> None:
    for address in both(app, "flood"):
        bridge = await start(address)
        say(bridge, "go", "isready")
        depths = []
        while (line := await hear(bridge)).startswith("info "):
            if line.startswith("info depth "):  # A connection that was lost is told of, too.
                depths.append(int(line.split()[2]))
        assert depths == sorted(depths)
        assert depths[-1] == 199_999
        assert [line, await hear(bridge)] == ["bestmove e2e4", "readyok"]
        say(bridge, "quit")
        await bridge.wait()


async def test_quit_in_a_search_ends_the_engine(app: Running) -> None:
    """Rows 142, 246."""
    for address in both(app, "polite"):
        bridge = await start(address)
        say(bridge, "go infinite", "isready")
        assert await hear(bridge) == "readyok"
        (pid,) = await app.one_engine()
        say(bridge, "quit")
        async with asyncio.timeout(TIMEOUT):
            assert await bridge.wait() == 0
        await gone(pid)


async def test_killed_bridge_takes_its_engine_along(app: Running) -> None:
    """It cannot say that it will not come back, so that takes as long as sessions are kept."""
    await app.host.reconfigure(replace(app.config, sessions=SessionsConfig(grace=0.2)))
    for address in both(app, "polite"):
        bridge = await start(address)
        say(bridge, "go infinite", "isready")
        assert await hear(bridge) == "readyok"
        (pid,) = await app.one_engine()
        bridge.kill()
        await bridge.wait()
        await gone(pid)


async def test_terminated_bridge_says_quit(app: Running) -> None:
    """Row 242: and its engine ends at once, though the session could be come back to."""
    for address in both(app, "polite"):
        bridge = await start(address)
        say(bridge, "go infinite", "isready")
        assert await hear(bridge) == "readyok"
        (pid,) = await app.one_engine()
        bridge.terminate()
        async with asyncio.timeout(TIMEOUT):
            assert await bridge.wait() == 0
        await gone(pid)


async def test_closed_stdout_ends_it(app: Running) -> None:
    """Row 243."""
    for address in both(app, "polite"):
        reading, writing = os.pipe()
        bridge = await asyncio.create_subprocess_exec(BRIDGE, address, stdin=PIPE, stdout=writing)
        os.close(writing)
        os.close(reading)
        say(bridge, "isready")
        async with asyncio.timeout(TIMEOUT):
            assert await bridge.wait() == 0


async def test_pipes_that_do_not_wait_are_waited_for(app: Running) -> None:
    """A GUI may have opened them so, and a terminal may have been left so by another program."""
    said, stdin = socket.socketpair()
    stdout, heard = socket.socketpair()
    for end in (stdin, stdout):
        end.setblocking(False)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    bridge = await asyncio.create_subprocess_exec(
        BRIDGE, both(app, "flood")[1], "--no-fallback", stdin=stdin, stdout=stdout
    )
    stdin.close()
    stdout.close()
    with said:
        said.sendall(b"go\nisready\n")
        await app.one_engine()  # Meanwhile it finds nothing on stdin, and little room on stdout.
        reader, writer = await asyncio.open_connection(sock=heard)
        async with asyncio.timeout(TIMEOUT):
            lines = []
            while not lines or lines[-1] != "readyok":
                lines.append((await reader.readline()).decode().rstrip("\n"))
                assert lines[-1]
            said.sendall(b"quit\n")
            assert await bridge.wait() == 0
        writer.close()
    assert [line for line in lines if not line.startswith("info ")] == ["bestmove e2e4", "readyok"]


async def test_gui_that_is_gone_takes_its_engine_along(app: Running) -> None:
    """Row 243: at once, though the session could be come back to; its stdin may still be open."""
    for address in both(app, "chatty"):
        reading, writing = os.pipe()
        bridge = await asyncio.create_subprocess_exec(BRIDGE, address, stdin=PIPE, stdout=writing)
        os.close(writing)
        say(bridge, "go infinite")
        (pid,) = await app.one_engine()
        os.close(reading)
        say(bridge, "isready")
        async with asyncio.timeout(TIMEOUT):
            assert await bridge.wait() == 0
        await gone(pid)


def test_closed_pipe_of_windows_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int, __: bytes) -> int:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "write", refuse)
    assert not stdio.write(b"readyok\n")


def test_pipe_that_does_not_wait_is_waited_for_without_set_blocking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python for Windows has it from 3.12 on."""
    answers: list[int | OSError] = [BlockingIOError(), 3, BlockingIOError(), 5]
    written: list[bytes] = []

    def write_some(_: int, piece: bytes) -> int:
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        written.append(piece[:answer])
        return answer

    monkeypatch.setattr(os, "write", write_some)
    monkeypatch.delattr(os, "set_blocking")
    assert stdio.write(b"readyok\n")
    assert b"".join(written) == b"readyok\n"
    assert answers == []


async def test_engine_that_dies_is_told_of(app: Running) -> None:
    for address in both(app, "dies"):
        bridge = await start(address)
        say(bridge, "go depth 1")  # The engine of this machine does it in the end.
        heard = [await hear(bridge)]
        while not heard[-1].startswith("bestmove "):
            heard.append(await hear(bridge))
        assert heard[0].startswith("info string rookery engine-died: ")
        assert "exited with status 3" in heard[0]
        say(bridge, "isready", "quit")
        # The session that is over may still answer, or the one after it.
        while (line := await hear(bridge)).startswith("info string "):
            pass
        assert line == "readyok"
        async with asyncio.timeout(TIMEOUT):
            assert await bridge.wait() == 0


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("ws://127.0.0.1:1/engines/a", "the connection was refused: is rookery-server running"),
        ("tcp://127.0.0.1:1", "the connection was refused: is rookery-server running"),
        ("ws://no-such-host.invalid/engines/a", "no-such-host.invalid"),
    ],
)
async def test_why_it_cannot_connect_is_said_to_gui_and_terminal(address: str, reason: str) -> None:
    bridge = await start(address)
    async with asyncio.timeout(TIMEOUT):
        out, err = await bridge.communicate(None)
    assert bridge.returncode == 1
    assert err.decode().startswith("rookery-bridge: cannot reach ")
    assert out.decode().startswith("info string rookery-bridge: cannot reach ")
    if "invalid" not in reason:
        assert reason in err.decode()
        assert reason in out.decode()


async def test_unknown_engine_names_those_there_are(app: Running) -> None:
    _, lines, _ = await run(f"ws://127.0.0.1:{app.port}/engines/nobody", b"")
    assert "there is no engine 'nobody'; there are: polite" in lines[0]


async def test_port_of_something_else(app: Running) -> None:
    _, lines, _ = await run(f"ws://127.0.0.1:{app.tcp_port}/engines/polite", b"")
    assert "there is no WebSocket" in lines[0]


async def test_port_of_the_other_transport_is_said(app: Running) -> None:
    _, lines, _ = await run(f"tcp://127.0.0.1:{app.port}/polite", b"")
    assert "this port is for http and ws://; tcp:// has the other one" in lines[-1]
    assert not any("HTTP/1.1" in line for line in lines)
    for address in both(app, "polite"):
        secure = address.replace("ws:", "wss:").replace("tcp:", "tls:")
        _, lines, errors = await run(secure, b"")
        assert "the server does not speak TLS on that port: use ws:// or tcp://" in lines[-1]
        assert "_ssl.c" not in errors


async def test_bad_address_is_a_usage_error() -> None:
    status, lines, errors = await run("http://host/", b"")
    assert status == 2
    assert "use ws://HOST:PORT/engines/NAME" in lines[0]
    assert "use ws://HOST:PORT/engines/NAME" in errors


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ('"/no/end', "No closing quotation"),
        ("", "there is no word in it"),
        (" ", "there is no word in it"),
    ],
)
async def test_fallback_that_is_no_command_is_a_usage_error(command: str, why: str) -> None:
    bridge = await start("tcp://127.0.0.1:1", "--fallback", command)
    async with asyncio.timeout(TIMEOUT):
        out, err = await bridge.communicate(b"uci\n")
    assert bridge.returncode == 2
    assert why in out.decode()
    assert err.decode().startswith("rookery-bridge: --fallback")


async def test_fallback_that_cannot_be_started_is_said_at_once(
    app: Running, tmp_path: Path
) -> None:
    """And not in the game in which the server is lost; until then it does no harm."""
    (tmp_path / "text").write_text("not executable")
    for command in ("/nowhere/engine", "no-such-engine", str(tmp_path), f"'{tmp_path}/text' x"):
        bridge = await start(both(app, "polite")[0], "--fallback", command)
        async with asyncio.timeout(TIMEOUT):
            out, err = await bridge.communicate(b"isready\nquit\n")
        said, *lines = out.decode().splitlines()
        assert said.startswith(f"info string rookery-bridge: --fallback {command!r} cannot be")
        assert err.decode() == said.removeprefix("info string ") + "\n"
        assert (bridge.returncode, lines) == (0, ["readyok"])


async def test_help_names_every_command() -> None:
    bridge = await start("--help")
    async with asyncio.timeout(TIMEOUT):
        out, _ = await bridge.communicate()
    for name in ("pair", "list", "doctor", "lichess"):
        assert name in out.decode().split("positional", 1)[1].split("options:")[0]
