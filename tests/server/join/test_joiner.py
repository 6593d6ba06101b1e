"""A machine that joins, within the test's own process: what it does with what a server says."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from bench.child import free_port
from helpers.joining import PATIENCE, joining
from helpers.support import Running, gone, odd, until
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol
from websockets.utils import accept_key

from rookery_protocol.dialer import DialError
from rookery_protocol.line_connection import BoundedConnection
from rookery_protocol.tls_trust import Trust
from rookery_server.commands.join import _parser, config_of
from rookery_server.join.engine_link import EngineLink, JoinTarget
from rookery_server.join.joiner import Joiner, Proposal
from rookery_server.joined import joining_messages
from rookery_server.joined.joining_messages import (
    LINK_HEADER,
    MAX_ENGINES,
    SUBPROTOCOL,
    EngineTrouble,
    Message,
    Sorry,
    Wanted,
    Welcome,
    parse,
    text_of,
)

NOBODY = "x" * 64  # an engine that there is not
Talk = Callable[[ServerConnection], Awaitable[None]]


@asynccontextmanager
async def joined(talk: Talk, *arguments: str) -> AsyncIterator[list[str]]:
    """Run a machine that joins a server which talks so; give what it shows."""
    shown: list[str] = []
    engine = f"odd={' '.join(odd('polite'))}"
    config = config_of(_parser().parse_args(["-", "--engine", engine, *arguments]))
    async with (
        serve(talk, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)]) as server,
        asyncio.TaskGroup() as tasks,
    ):
        url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        machine = Joiner(config, JoinTarget(url, Trust()), Proposal("pc", 2), shown.append)
        tasks.create_task(machine.run(), name="machine")
        yield shown
        machine.end()


def say_all(connection: ServerConnection, messages: list[Message]) -> None:
    """Say much without waiting until it is heard."""
    for each in messages:
        connection.protocol.send_text(text_of(each))
    connection.send_data()


async def test_server_that_asks_and_does_not_read_is_heard_no_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(joining_messages, "SILENCE", 2.0)
    wanted = Frame(Opcode.TEXT, text_of(Wanted(NOBODY, NOBODY))).serialize(mask=False)

    async def talk(connection: ServerConnection) -> None:
        await connection.recv()
        connection.transport.write(wanted * 100_000)
        await connection.wait_closed()

    async with joined(talk) as shown:
        async with asyncio.timeout(PATIENCE):
            while not any("trying again in" in line for line in shown):
                assert len(asyncio.all_tasks()) < 50
                await asyncio.sleep(0.01)


async def test_troubles_and_welcomes_without_end_do_not_fill_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    heard = asyncio.Event()

    async def talk(connection: ServerConnection) -> None:
        await connection.recv()
        say_all(connection, [Welcome(f"anna{number}") for number in range(1000)])
        say_all(connection, [EngineTrouble("odd", f"reason {number}") for number in range(1000)])
        say_all(
            connection,
            [EngineTrouble(NOBODY, "it is none of yours"), Wanted(NOBODY, "link")],
        )
        async for said in connection:
            if isinstance(parse(str(said).encode()), Sorry):
                heard.set()

    async with joined(talk) as shown:
        async with asyncio.timeout(PATIENCE):
            await heard.wait()
        troubles = [each for each in caplog.messages if "is not offered there" in each]
        assert 1 <= len(troubles) <= 2 * MAX_ENGINES
        assert not any(NOBODY in each for each in troubles)
        assert len([line for line in shown if "joined" in line]) <= 2


async def test_quota_of_the_machine_is_told_as_its_reason(tmp_path: Path) -> None:
    quota = tmp_path / "rookery.toml"
    quota.write_text("[quota]\nsessions = 1\n")
    has_session = asyncio.Event()
    told: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def talk(connection: ServerConnection) -> None:
        assert connection.request
        if LINK_HEADER in connection.request.headers:
            await connection.send("isready")
            while await connection.recv(decode=False) != b"readyok":
                pass
            has_session.set()
            await connection.wait_closed()
            return
        await connection.recv()
        say_all(connection, [Wanted("odd", "first")])
        await has_session.wait()
        say_all(connection, [Wanted("odd", "second")])
        async for said in connection:
            if isinstance(sorry := parse(str(said).encode()), Sorry):
                told.set_result(f"{sorry.link}: {sorry.why}")

    async with joined(talk, "--config", str(quota)):
        async with asyncio.timeout(PATIENCE):
            assert await told == (
                "second: you have 1 sessions, and may have 1: end one, then connect again"
            )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_can_be_abandoned_while_its_engines_start(number: signal.Signals) -> None:
    async with joining("ws://127.0.0.1:1", "--engine", "odd=sleep 1000") as machine:
        await until(machine.engines, PATIENCE)
        engines = machine.engines()
        machine.process.send_signal(number)
        await machine.until("once more does not wait for that")
        machine.process.send_signal(number)
        assert await machine.ended() == 0
    assert "Traceback" not in "".join(machine.said)
    for pid in engines:
        await gone(pid)


# --- what cannot be


def test_account_that_none_can_be_is_said_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        _parser().parse_args(["-", "--allow", "anna ben"])
    assert "--allow: needs one account or role, not 'anna ben'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "most"), [("--sessions", 1000), ("--threads", 1 << 16), ("--hash", 1 << 26)]
)
def test_more_than_a_server_takes_is_said_at_once(
    option: str, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = _parser()
    assert parser.parse_args(["-", option, str(most)])
    for text in (str(most + 1), "0", "-1", "x", "9" * 5000):
        with pytest.raises(SystemExit) as ended:
            parser.parse_args(["-", f"{option}={text}"])
        assert ended.value.code == 2
        assert f"argument {option}: needs a number from " in capsys.readouterr().err


async def test_what_no_server_takes_is_not_tried() -> None:
    allow = [f"--allow=friend{number}" for number in range(1001)]
    for arguments, why in (
        (allow, "joining.allow needs a list of at most 1000 accounts"),
        (["--engine", "mute=/bin/false"], "no engine answers, so there is nothing to offer"),
    ):
        async with joining("ws://127.0.0.1:1", *arguments) as machine:
            assert await machine.ended() == 1
            assert why in machine.said[-1]
            assert "Traceback" not in "".join(machine.said)


@pytest.mark.parametrize(
    ("proxy", "why"),
    [
        (
            "ftp://ben:secret@proxy.example",
            "ftp isn't supported; change it, or set NO_PROXY",
        ),
        ("http://ben:secret@proxy.example:99999", "out of range 0-65535; change it, or set"),
        ("", "that is no name of a machine: .*; compare it with the link"),
    ],
)
async def test_way_that_leads_nowhere_is_said_once(
    proxy: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if proxy:
        monkeypatch.setenv("wss_proxy", proxy)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
    else:
        monkeypatch.setenv("no_proxy", "*")
    with pytest.raises(DialError, match=why) as refused:
        await JoinTarget("wss://rook..example", Trust()).dial(ClientConnection)
    assert refused.value.is_final
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("ws://127.0.0.1:{0.tcp_port}", "what answers speaks no HTTP; is it the server's port for"),
        ("wss://127.0.0.1:{0.tcp_port}", "the server does not speak TLS on that port: use ws://"),
        ("wss://127.0.0.1:{0.port}", "the server does not speak TLS on that port: use ws://"),
    ],
)
async def test_port_of_another_protocol_is_tried_once(app: Running, address: str, why: str) -> None:
    async with joining(address.format(app)) as machine:
        assert await machine.ended() == 1
    assert why in machine.said[-1]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("ws://no-such-host.invalid", "there is no machine of that name: "),
        ("ws://127.0.0.1:{port}", "the connection was refused: is rookery-server running"),
    ],
)
async def test_what_may_get_better_is_said_in_words_and_tried_again(address: str, why: str) -> None:
    address = address.format(port=free_port())
    async with joining(address) as machine:
        line = await machine.until("; trying again in ")
    assert f"{address}: {why}" in line
    assert "Errno" not in line


async def test_port_that_hangs_up_may_be_that_of_a_server_that_starts() -> None:
    """As a proxy does whose server is not there yet."""

    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as port:
        for scheme in ("ws", "wss"):
            url = f"{scheme}://127.0.0.1:{port.sockets[0].getsockname()[1]}"
            with pytest.raises(DialError, match="the connection was closed ") as refused:
                await JoinTarget(url, Trust()).dial(ClientConnection)
            assert not refused.value.is_final


@pytest.mark.parametrize("kind", [BoundedConnection, EngineLink])
@pytest.mark.parametrize(
    ("last_words", "why"), [(b"", "the connection was lost"), (b"\x88\x06\x03\xf4full", "full")]
)
async def test_server_that_leaves_with_its_answer_is_lost(
    kind: type[ClientConnection], last_words: bytes, why: str
) -> None:
    async def leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        key = request.partition("Sec-WebSocket-Key: ")[2].split()[0]
        answer = (
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accept_key(key)}\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n"
        )
        writer.write(answer.encode() + last_words)
        writer.close()

    async with await asyncio.start_server(leave, "127.0.0.1", 0) as port:
        url = f"ws://127.0.0.1:{port.sockets[0].getsockname()[1]}"
        with pytest.raises(DialError, match=f"^{why}$") as lost:
            await JoinTarget(url, Trust()).dial(kind)
    assert not lost.value.is_final


async def test_proxy_that_wants_another_library_is_said_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ImportError("connecting through a SOCKS proxy requires python-socks")

    monkeypatch.setattr("websockets.asyncio.client.connect_socks_proxy", missing)
    monkeypatch.setenv("wss_proxy", "socks5h://127.0.0.1:1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(DialError, match="requires python-socks; change it, or set NO_") as refused:
        await JoinTarget("wss://rook.example", Trust()).dial(ClientConnection)
    assert refused.value.is_final
