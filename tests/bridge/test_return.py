"""A bridge whose connection or server is lost: the GUI is answered, once, and hears why."""

import asyncio
import re
import signal
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import chess
import pytest
from helpers.bridged import ENGINE, bridge, server
from helpers.proxy import CUTS, Proxy
from helpers.support import TIMEOUT, Running, numbered

from rookery_protocol.notices import Close, Code
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig

NONE = "--no-fallback"
SEARCH = ("position startpos moves e2e4", "go infinite")


def address(proxy: Proxy, transport: str, engine: str) -> str:
    if transport == "tcp":
        return f"tcp://127.0.0.1:{proxy.port}/{engine}"
    return f"ws://127.0.0.1:{proxy.port}/engines/{engine}"


def target(app: Running, transport: str) -> int:
    port = app.tcp_port if transport == "tcp" else app.port
    assert port
    return port


@pytest.fixture
async def app() -> AsyncIterator[Running]:
    config = Config(
        (EngineConfig("numbered", numbered()),),
        ServerConfig(port=0, tcp_port=0, drain_timeout=0.5),
    )
    async with Running(config) as app:
        yield app


@pytest.mark.parametrize("transport", ["tcp", "websocket"])
@pytest.mark.parametrize("cut", CUTS)
async def test_search_goes_on_over_another_connection(
    app: Running, transport: str, cut: str
) -> None:
    """Row 146: and what was said meanwhile comes to it in order, once."""
    async with (
        Proxy(target(app, transport), seed=1) as proxy,
        bridge(address(proxy, transport, "numbered"), NONE) as gui,
    ):
        gui.say("go nodes 7 infinite")
        await gui.until("info depth")
        pids = app.engine_pids()
        proxy.cut(cut)
        gui.say("stop", "isready", "go nodes 1", "isready")
        await gui.until("bestmove n1")
        async with asyncio.timeout(TIMEOUT):
            while gui.count("readyok") < 2:  # The second may come before the move or after it.
                await gui.hear()
        await gui.drain()
        answers = [line for line in gui.heard if not line.startswith("info ")]
        assert [line for line in answers if line.startswith("bestmove")] == [
            "bestmove n7",
            "bestmove n1",
        ]
        assert answers.count("readyok") == 3
        assert app.engine_pids() == pids
        notes = [line for line in gui.heard if line.startswith("info string rookery-bridge")]
        assert len(notes) == 2
        assert notes[0].endswith("; connecting again")
        assert "connected again after" in notes[1]


@pytest.mark.parametrize("transport", ["tcp", "websocket"])
async def test_idle_bridge_comes_back_by_itself(app: Running, transport: str) -> None:
    async with (
        Proxy(target(app, transport), seed=1) as proxy,
        bridge(address(proxy, transport, "numbered"), NONE) as gui,
    ):
        await gui.drain()
        for _ in range(3):
            proxy.cut("reset")
            await gui.until("info string rookery-bridge: connected again")
        gui.say("go nodes 2")
        await gui.until("bestmove n2")


@pytest.mark.parametrize("which", [0, 1])
async def test_killed_server_is_told_again(tmp_path: Path, which: int) -> None:
    """Options, position and search are what they were, in a session of another server."""
    async with (
        server(tmp_path) as running,
        bridge(running.addresses("numbered")[which], NONE) as gui,
    ):
        gui.say("uci", "setoption name Hash value 77", "go nodes 7 infinite")
        await gui.until("info depth")
        await running.kill()
        gui.say("setoption name Threads value 2")
        await gui.until("info string rookery-bridge: ")
        await running.start()
        lines = await gui.until("info depth")
        assert "info string heard setoption name Hash value 77" in lines
        assert any("a new one is begun" in line for line in lines)
        gui.say("stop")
        await gui.until("bestmove n7")
        await gui.drain()
        assert gui.count("bestmove") == 1
        assert gui.count("uciok") == 1


async def test_without_server_a_clock_is_kept_by_what_is_known(tmp_path: Path) -> None:
    """Rows 146, 147: the move is legal, and there is one, though no engine is left."""
    async with (
        server(tmp_path) as running,
        bridge(running.addresses("rookery")[1], NONE) as gui,
    ):
        await gui.drain()
        gui.say("position startpos moves e2e4", "go wtime 9000 btime 9000")
        await gui.until("info depth")
        await running.kill()
        began = time.monotonic()
        move = (await gui.until("bestmove"))[-1].split()[1]
        assert time.monotonic() - began < 9
        board = chess.Board()
        board.push_uci("e2e4")
        board.push_uci(move)
        gui.say(f"position startpos moves e2e4 {move} d2d4", "go wtime 2000 btime 2000")
        board.push_uci("d2d4")
        reply = (await gui.until("bestmove"))[-1].split()[1]
        assert chess.Move.from_uci(reply) in board.legal_moves
        await gui.drain()
        await running.start()
        board.push_uci(reply)
        gui.say("position " + "startpos moves " + " ".join(map(str, board.move_stack)))
        gui.say("go depth 3")
        lines = await gui.until("bestmove")
        assert any(line.startswith("info depth 3 ") for line in lines)
        assert gui.count("bestmove") == 3


async def test_engine_of_this_machine_goes_on_and_gives_way(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as running,
        bridge(running.addresses("numbered")[0]) as gui,
    ):
        gui.say("position startpos", "go nodes 1000000 infinite")
        await gui.until("info depth")
        await running.kill()
        await gui.until("info string rookery-bridge: the engine of this machine goes on")
        await gui.until("info depth 5 ")  # of an engine that knows chess
        await running.start()
        await gui.until("info string rookery-bridge: connected again")
        await gui.until("info depth 20 multipv 1 nodes 1000000 ")  # of one that does not
        gui.say("stop")
        await gui.until("bestmove n1000000")
        await gui.drain()
        assert gui.count("bestmove") == 1


async def test_game_goes_on_with_the_engine_of_this_machine(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as running,
        bridge(running.addresses("rookery")[1]) as gui,
    ):
        await gui.drain()
        await running.kill()
        board = chess.Board()
        for _ in range(4):
            moves = " ".join(map(str, board.move_stack))
            gui.say(f"position startpos moves {moves}".removesuffix(" moves "))
            gui.say("go wtime 3000 btime 3000 winc 100 binc 100")
            lines = await gui.until("bestmove")
            board.push_uci(lines[-1].split()[1])
            assert any(line.startswith("info depth") for line in lines)
        assert gui.count("bestmove") == 4
        gui.say("quit")
        async with asyncio.timeout(TIMEOUT):
            assert await gui.bridge.wait() == 0


@pytest.mark.parametrize("which", [0, 1])
async def test_refusal_after_an_outage_is_told_of(tmp_path: Path, which: int) -> None:
    """Else a game would go on with the engine of this machine, and nobody would know why."""
    async with (
        server(tmp_path) as running,
        bridge(running.addresses("numbered")[which]) as gui,
    ):
        await gui.drain()
        await running.kill()
        running.withdraw("numbered")
        await running.start()
        lines = await gui.until("info string rookery-bridge: cannot reach ")
        assert "there is no engine 'numbered'; there are: " in lines[-1]
        gui.say("position startpos", "go wtime 3000 btime 3000")
        await gui.until("bestmove")


async def test_server_without_a_free_engine_costs_no_game(tmp_path: Path) -> None:
    async with (
        server(tmp_path, "[budget]\nthreads = 1\n") as running,
        bridge(running.addresses("rookery")[0], NONE) as other,
        bridge(running.addresses("rookery")[0]) as gui,
    ):
        other.say("go infinite")
        await other.until("info depth")
        gui.say("position startpos", "go wtime 8000 btime 8000")
        lines = await gui.until("bestmove")
        assert any(line.startswith("info string rookery waiting: ") for line in lines)
        assert any(line.startswith("info depth") for line in lines)
        await gui.drain()
        assert gui.count("bestmove") == 1


async def test_isready_and_uci_are_answered_without_server(tmp_path: Path) -> None:
    """Rows 52, 53: within a bound, and once even when the server is back."""
    async with (
        server(tmp_path) as running,
        bridge(running.addresses("polite")[0], NONE) as gui,
    ):
        gui.say("uci")
        first = await gui.until("uciok")
        await running.kill()
        await gui.until("info string rookery-bridge: ")
        gui.say("isready", "uci")
        assert "readyok" in await gui.until("uciok")
        assert gui.heard[-len(first) :] == first
        await running.start()
        gui.say("go depth 1")
        await gui.until("bestmove")
        await gui.drain()
        assert (gui.count("uciok"), gui.count("readyok")) == (2, 2)


async def test_stop_is_answered_without_server(tmp_path: Path) -> None:
    """Row 133."""
    async with (
        server(tmp_path) as running,
        bridge(running.addresses("rookery")[0], NONE) as gui,
    ):
        gui.say(*SEARCH)
        await gui.until("info depth 3 ")
        await running.kill()
        gui.say("stop")
        await gui.until("bestmove")
        assert gui.count("bestmove") == 1


async def test_frozen_server_is_noticed(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as running,
        bridge(running.addresses("polite")[0], NONE) as gui,
    ):
        await gui.drain()
        running.freeze()
        gui.say("isready")
        await gui.until("info string rookery-bridge: the server does not answer")
        await gui.until("readyok")
        running.thaw()
        await gui.until("info string rookery-bridge: connected again")
        gui.say("go depth 1")
        await gui.until("bestmove")
        await gui.drain()
        assert gui.count("readyok") == 3


async def test_restart_in_order_ends_no_search_and_no_game(tmp_path: Path) -> None:
    """Row 125: `infinite` has no bestmove before `stop`."""
    async with (
        server(tmp_path) as running,
        bridge(running.addresses("numbered")[1], NONE) as gui,
    ):
        gui.say("go nodes 6 infinite")
        await gui.until("info depth")
        await running.stop()
        await running.start()
        await gui.until("info string rookery-bridge: connected again")
        gui.say("isready")
        await gui.until("readyok")
        assert gui.count("bestmove") == 0
        gui.say("stop")
        await gui.until("bestmove n6")
        gui.say("go nodes 2")
        await gui.until("bestmove n2")
        assert gui.count("bestmove") == 2


async def test_quit_without_server_ends_at_once(tmp_path: Path) -> None:
    """Row 141."""
    async with server(tmp_path) as running, bridge(running.addresses("polite")[0]) as gui:
        await gui.drain()
        await running.kill()
        await gui.until("info string rookery-bridge: ")
        gui.say("quit")
        async with asyncio.timeout(TIMEOUT):
            assert await gui.bridge.wait() == 0


async def test_asked_for_fallback_begins_without_server() -> None:
    async with bridge("tcp://127.0.0.1:1", "--fallback", " ".join(numbered())) as gui:
        gui.say("uci", "isready", "go nodes 3 wtime 60000 btime 60000")
        lines = await gui.until("bestmove")
        assert lines[-1] == "bestmove n3"
        assert "uciok" in lines
        assert lines[0].startswith("info string rookery-bridge: cannot reach tcp://127.0.0.1:1: ")


async def test_fallback_that_is_not_to_play_begins_nothing() -> None:
    """Else it would be legal moves that no engine has searched."""
    async with bridge("tcp://127.0.0.1:1", "--fallback", ENGINE, NONE) as gui:
        gui.say("uci", "go wtime 60000 btime 60000")
        async with asyncio.timeout(TIMEOUT):
            while await gui.hear():
                pass
            assert await gui.bridge.wait() == 1
        assert gui.count("bestmove") == 0


@contextmanager
def swallowing() -> Iterator[str]:
    """An address that packets go to, and nothing comes from: as many wait there as may."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, ExitStack() as stack:
        while True:
            client = stack.enter_context(socket.socket())
            client.settimeout(0.2)
            try:
                client.connect(server.getsockname())
            except TimeoutError:
                break
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


async def test_pondering_survives_a_restart(tmp_path: Path) -> None:
    """Rows 107, 125, 138: no move before `ponderhit`, and one after it."""
    async with server(tmp_path) as running, bridge(running.addresses("rookery")[0], NONE) as gui:
        gui.say("position startpos moves e2e4", "go ponder wtime 20000 btime 20000")
        await gui.until("info depth")
        await running.stop()
        await gui.until("info string rookery-bridge: ")
        await running.start()
        await gui.until("info string rookery-bridge: connected again")
        assert gui.count("bestmove") == 0
        gui.say("ponderhit", "stop")
        await gui.until("bestmove")
        await gui.drain()
        assert gui.count("bestmove") == 1


async def test_move_that_comes_before_ponderhit_is_said_after_it(tmp_path: Path) -> None:
    """Rows 107, 138: a server may let no search take longer, and a GUI waits for its move."""
    async with (
        server(tmp_path, "[quota]\nlongest_search = 0.5") as running,
        bridge(running.addresses("rookery")[0], NONE) as gui,
    ):
        gui.say("position startpos moves e2e4", "go ponder wtime 90000 btime 90000")
        await gui.until("info string rookery quota-search")
        await gui.drain()
        assert gui.count("bestmove") == 0
        gui.say("ponderhit")
        await gui.until("bestmove")


async def test_search_that_waits_for_an_engine_outlives_a_restart(tmp_path: Path) -> None:
    """The move that the first server makes up says nothing of the second one's."""
    async with server(tmp_path, "[budget]\nthreads = 1") as running:
        address = running.addresses("numbered")[0]
        local = f"--fallback={ENGINE}"
        async with bridge(address, NONE) as other, bridge(address, local) as gui:
            other.say("go nodes 7 infinite")
            await other.until("info depth")
            gui.say("go nodes 6 infinite")
            await gui.until("info string rookery waiting")
            other.say("quit")
            await asyncio.wait_for(running.stop(), TIMEOUT)
            await running.start()
            await gui.until("info string rookery-bridge: connected again")
            await gui.until("info depth")  # Now there is something to stop.
            gui.say("stop")
            assert (await gui.until("bestmove"))[-1] == "bestmove n6"


async def test_fallback_plays_where_the_server_has_no_room(tmp_path: Path) -> None:
    """The server's own move, `a7a5`, lets White mate at once."""
    lines = "position startpos moves e2e4 e7e5 d1h5 b8c6 f1c4", "go wtime 60000 btime 60000"
    async with server(tmp_path, "[budget]\nthreads = 1\nwaiting = 0") as running:
        address = running.addresses("rookery")[0]
        async with bridge(address) as other, bridge(address, "--fallback", ENGINE) as gui:
            other.say("go infinite")
            await other.until("info depth")
            gui.say(*lines)
            heard = await gui.until("bestmove")
            assert any(" no-search: " in line for line in heard)
            assert heard[-1].split()[1] in {"g7g6", "d8e7", "d8f6", "g8h6"}  # no mate


async def test_fallback_does_not_wait_for_a_server_that_may_not_be_there() -> None:
    """Row 3: a GUI that hears no `uciok` for 5 s ends the engine."""
    with swallowing() as nowhere:
        async with bridge(nowhere, "--fallback", " ".join(numbered())) as gui:
            gui.say("uci")
            notice = (await gui.until("uciok"))[0]
            assert notice == f"info string rookery-bridge: {nowhere} is not reached within 2 s yet"
            gui.say("isready", "go nodes 3 wtime 60000 btime 60000")
            assert (await gui.until("bestmove"))[-1] == "bestmove n3"
            why = (await gui.until(f"info string rookery-bridge: cannot reach {nowhere}: "))[-1]
            assert "no answer within 10 s" in why
            gui.say("isready")
            await gui.until("readyok")


async def test_quit_does_not_wait_for_a_server_that_may_not_be_there() -> None:
    """Rows 141, 144."""
    with swallowing() as nowhere:
        async with bridge(nowhere, NONE) as gui:
            gui.say("uci", "quit")
            why = (await gui.until(f"info string rookery-bridge: cannot reach {nowhere}: "))[-1]
            assert re.search("no answer within [2-5] s", why)
            async with asyncio.timeout(TIMEOUT):
                assert await gui.bridge.wait() == 1


async def test_quit_ends_who_began_without_a_server() -> None:
    """Row 145."""
    with swallowing() as nowhere:
        async with bridge(nowhere, "--fallback", ENGINE) as gui:
            gui.say("uci")
            await gui.until("uciok")
            gui.bridge.send_signal(signal.SIGTERM)
            async with asyncio.timeout(TIMEOUT):
                assert await gui.bridge.wait() == 0


async def test_quit_does_not_wait_for_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 145: where no name server answers, looking a name up takes a minute."""
    slow = "import socket, time\nsocket.getaddrinfo = lambda *_, **__: time.sleep(600)\n"
    (tmp_path / "sitecustomize.py").write_text(slow)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    async with bridge("tcp://rook.example:1", "--fallback", " ".join(numbered())) as gui:
        gui.say("uci")
        await gui.until("uciok")
        gui.say("quit")
        async with asyncio.timeout(TIMEOUT):
            assert await gui.bridge.wait() == 0


async def test_fallback_that_does_not_start_is_told_of(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as running,
        bridge(running.addresses("polite")[0], "--fallback", "/nowhere/engine") as gui,
    ):
        await gui.drain()
        await running.kill()
        await gui.until("info string rookery-bridge: the engine of this machine cannot be used")
        gui.say("position startpos", "go wtime 1000 btime 1000")
        await gui.until("bestmove")


@pytest.mark.parametrize("transport", ["tcp", "websocket"])
async def test_session_that_is_ended_is_not_begun_again(app: Running, transport: str) -> None:
    """And no search is left without an end."""
    async with (
        Proxy(target(app, transport), seed=1) as proxy,
        bridge(address(proxy, transport, "numbered"), NONE) as gui,
    ):
        gui.say("go nodes 7 infinite")
        await gui.until("info depth")
        (actor,) = app.host.actors
        actor.close(Close.POLICY, Code.ENDED, "the operator has ended the session")
        await gui.until("info string rookery ended: ")
        note = "info string rookery-bridge: the operator has ended the session"
        assert [await gui.hear(), await gui.hear()] == [note, "bestmove e2e4"]
        assert "ended the session: the operator has ended the session" in await gui.hear()
        async with asyncio.timeout(TIMEOUT):
            assert await gui.bridge.wait() == 1
