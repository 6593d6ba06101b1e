"""Errors for a program when something goes wrong on the way to its engine."""

import asyncio
import logging
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import chess
import chess.engine
import pytest
from helpers.bridged import Server, server
from helpers.client_server import TRANSPORTS, address, engines
from helpers.proxy import CUTS, Proxy
from helpers.support import TIMEOUT, Running, add_token, until

from rookery_bridge.client import connect_uci, popen_uci
from rookery_protocol.address import AddressError
from rookery_protocol.tls_trust import TrustError
from rookery_server.config.config import Config
from rookery_server.config.sections import ServerConfig
from rookery_server.session.commands import SessionState

LONG = chess.engine.Limit(time=60)
DEEP = chess.engine.Limit(depth=99)  # without a clock, for which the server would find a move
START = chess.Board()
TERMINATED = chess.engine.EngineTerminatedError


def port_of(app: Running, transport: str) -> int:
    port = app.tcp_port if transport == "tcp" else app.port
    assert port
    return port


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("cut", CUTS)
async def test_analysis_survives_lost_connections(app: Running, transport: str, cut: str) -> None:
    async with Proxy(port_of(app, transport), seed=1) as proxy:
        _, engine = await popen_uci(address(app, transport, "stockfish", proxy.port))
        async with asyncio.timeout(TIMEOUT):
            with await engine.analysis(START, game=1) as analysis:
                await analysis.get()
                pids = app.engine_pids()
                for _ in range(2):
                    proxy.cut(cut)
                    while not analysis.empty():
                        await analysis.get()
                    assert await analysis.get()  # which has come over another connection
                assert app.engine_pids() == pids
                analysis.stop()
                best = await analysis.wait()
            assert best.move in START.legal_moves
            await engine.ping()
            await engine.quit()


@pytest.mark.parametrize("end", [Server.kill, Server.stop])
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_search_begins_anew_when_the_server_was_ended(
    tmp_path: Path, transport: str, end: Callable[[Server], Awaitable[None]]
) -> None:
    async with server(tmp_path) as running:
        where = running.addresses("rookery")[TRANSPORTS.index(transport)]
        _, engine = await popen_uci(where)
        await engine.configure({"Hash": 8})
        with await engine.analysis(START) as analysis:
            await analysis.get()
            await end(running)
            await running.start()
            while not analysis.empty():
                await analysis.get()
            assert await asyncio.wait_for(analysis.get(), TIMEOUT)
        result = await engine.play(START, chess.engine.Limit(depth=4))
        assert result.move in START.legal_moves
        await engine.quit()


async def test_server_that_stays_away_ends_what_runs(tmp_path: Path) -> None:
    async with server(tmp_path) as running:
        _, engine = await popen_uci(running.addresses("rookery")[0], patience=0.5)
        analysis = await engine.analysis(START)
        await analysis.get()
        began = time.monotonic()
        await running.kill()
        with pytest.raises(TERMINATED, match="ended the session: the connection was refused"):
            await asyncio.wait_for(analysis.wait(), TIMEOUT)
        assert 0.5 < time.monotonic() - began < 10
        assert engine.returncode.result() == 1
        with pytest.raises(TERMINATED, match="the connection was refused"):
            await engine.ping()


@pytest.mark.parametrize("before", ["nothing", "left", "awaited", "given up"])
async def test_analysis_that_was_not_begun_ends_with_the_server(
    tmp_path: Path, before: str
) -> None:
    """The new one waits for `readyok`, or for the end of one that was before."""
    async with server(tmp_path) as running:
        _, engine = await popen_uci(running.addresses("rookery")[0], patience=0.5)
        waiting: list[asyncio.Future[object]] = []
        if before != "nothing":
            with await engine.analysis(START) as analysis:
                await analysis.get()
                running.freeze()
                former = asyncio.ensure_future(analysis.wait())
            await asyncio.sleep(0)
            if before == "awaited":
                waiting.append(former)
            elif before == "given up":
                former.cancel()
        running.freeze()
        waiting.append(asyncio.ensure_future(engine.analysis(START)))
        await asyncio.sleep(0)
        await running.kill()
        for each in waiting:
            with pytest.raises(TERMINATED, match="ended the session: the connection was refused"):
                await asyncio.wait_for(each, TIMEOUT)
        await asyncio.wait_for(engine.quit(), TIMEOUT)
        assert engine.returncode.result() == 1


async def test_patience_is_for_each_loss_anew(app: Running) -> None:
    async with Proxy(port_of(app, "ws"), seed=1) as proxy:
        where = address(app, "ws", "stockfish", proxy.port)
        _, engine = await popen_uci(where, patience=1.5)
        for _ in range(2):
            await proxy.refuse()
            await asyncio.sleep(0.8)
            await proxy.accept()
            await asyncio.wait_for(engine.ping(), TIMEOUT)
            await asyncio.sleep(1.1)  # A connection that has held so long is a good one.
        await engine.quit()


async def test_no_move_is_made_up(tmp_path: Path) -> None:
    """A GUI would get the best move that is known when its clock runs down."""
    clock = chess.engine.Limit(white_clock=0.4, black_clock=0.4)
    async with server(tmp_path) as running:
        _, engine = await popen_uci(running.addresses("rookery")[1], patience=1.0)
        await engine.play(START, chess.engine.Limit(depth=1), game=1)
        running.freeze()
        playing = asyncio.ensure_future(engine.play(START, clock, game=1))
        try:
            with pytest.raises(TERMINATED, match="ended the session"):
                await asyncio.wait_for(playing, TIMEOUT)
        finally:
            running.thaw()


@pytest.mark.parametrize("waits", [True, False])
async def test_move_that_the_server_has_made_up_is_an_error(tmp_path: Path, waits: bool) -> None:
    async with server(tmp_path, f"[budget]\nthreads = 1\nwaiting = {int(waits)}") as running:
        _, other = await popen_uci(running.addresses("rookery")[0])
        _, engine = await popen_uci(running.addresses("rookery")[1])
        analysis = await other.analysis(START)
        await analysis.get()
        refused = await engine.analysis(START)
        if waits:
            refused.stop()
        why = "no engine has searched" if waits else "no engine is free"
        with pytest.raises(chess.engine.EngineError, match=why):
            await asyncio.wait_for(refused.wait(), TIMEOUT)
        analysis.stop()
        await analysis.wait()
        await other.quit()
        result = await engine.play(START, chess.engine.Limit(depth=3))
        assert result.move in START.legal_moves
        await engine.quit()


async def test_killed_engine_is_replaced(app: Running) -> None:
    _, engine = await popen_uci(address(app, "ws", "stockfish"))
    with await engine.analysis(START) as analysis:
        await analysis.get()
        os.kill(app.engine_pids()[0], signal.SIGKILL)
        while not analysis.empty():
            await analysis.get()
        assert await asyncio.wait_for(analysis.get(), TIMEOUT)
    await engine.quit()


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_engine_that_always_dies_is_an_error(app: Running, transport: str) -> None:
    _, engine = await popen_uci(address(app, transport, "dies"))
    with pytest.raises(chess.engine.EngineError, match="no engine has searched"):
        await asyncio.wait_for(engine.play(START, DEEP), TIMEOUT)
    assert await asyncio.wait_for(asyncio.shield(engine.returncode), TIMEOUT) == 1
    with pytest.raises(TERMINATED, match="ended the session: the engine is gone again"):
        await engine.ping()


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_wrong_token_and_right_one(
    tmp_path: Path,
    transport: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    tokens = tmp_path / "tokens.toml"
    token = add_token(tokens)
    config = Config(engines(), ServerConfig(port=0, tcp_port=0, drain_timeout=0.5, tokens=tokens))
    async with Running(config) as app:
        where = address(app, transport, "rookery")
        with pytest.raises(TERMINATED, match="the server wants a token"):
            await popen_uci(where)
        with pytest.raises(TERMINATED, match="token"):
            await popen_uci(where, token=f"{token[:-4]}abcd")
        file = tmp_path / "token"
        file.write_text(f"{token}\n")
        file.chmod(0o640)
        monkeypatch.setenv("ROOKERY_TOKEN", token)
        for given in ({"token": token}, {"token_file": file}, {}):
            _, engine = await popen_uci(where, **given)  # type: ignore[arg-type]
            await engine.ping()
            await engine.quit()
        assert caplog.text.count(f"others of this machine can use {file} (mode 0640)") == 1
        monkeypatch.setenv("ROOKERY_TOKEN", "rk_wrong")
        _, engine = await popen_uci(where, token=token)  # the argument comes first
        await engine.quit()


@pytest.mark.parametrize(
    ("where", "given", "text", "kind"),
    [
        ("stockfish", {}, "is no address of an engine", AddressError),
        (
            "ws://127.0.0.1:1/engines/x?token=rk_1",
            {},
            "a token does not belong there",
            AddressError,
        ),
        ("ws://rk_1@127.0.0.1:1/engines/x", {}, "a token does not belong there", AddressError),
        ("ws://chess.example/engines/x", {"token": "rk_1"}, "unencrypted", TrustError),
        ("ws://127.0.0.1:1/engines/x", {"token": "a b"}, "token needs a token", TrustError),
        ("ws://127.0.0.1:1/engines/x", {"token_file": "nowhere"}, "nowhere", TrustError),
        ("wss://127.0.0.1:1/engines/x", {"pin": "12"}, "64 digits", TrustError),
        ("ws://127.0.0.1:1/engines/x", {}, "cannot be reached: .* refused", TERMINATED),
    ],
)
async def test_what_cannot_be_used_is_said(
    where: str, given: dict[str, str], text: str, kind: type[Exception]
) -> None:
    with pytest.raises(kind, match=text):
        await popen_uci(where, **given)  # type: ignore[arg-type]
    with pytest.raises(kind, match=text):
        await asyncio.to_thread(connect_uci, where, **given)


async def test_unknown_engine_is_said(app: Running) -> None:
    for transport in TRANSPORTS:
        with pytest.raises(TERMINATED, match="there is no engine 'deep'; there are: rookery"):
            await popen_uci(address(app, transport, "deep"))


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_refused_position_is_an_error_and_the_engine_goes_on(
    app: Running, transport: str
) -> None:
    _, engine = await popen_uci(address(app, transport, "stockfish"))
    nonsense = chess.Board("8/8/8/8/8/8/8/8 w - - 0 1")
    with pytest.raises(chess.engine.EngineError, match="white needs one king, not 0"):
        await engine.play(nonsense, LONG)
    analysis = await engine.analysis(nonsense)
    with pytest.raises(chess.engine.EngineError, match="white needs one king, not 0"):
        await asyncio.wait_for(analysis.wait(), TIMEOUT)
    lost = asyncio.ensure_future(engine.analysis(nonsense))
    await asyncio.sleep(0)
    result = await engine.play(START, chess.engine.Limit(depth=5))
    assert result.move in START.legal_moves
    await asyncio.wait({lost})
    await engine.quit()


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_cancellation_stops_the_search(app: Running, transport: str) -> None:
    _, engine = await popen_uci(address(app, transport, "stockfish"))

    def is_searching() -> bool:
        return app.sessions[0].state is SessionState.SEARCHING

    playing = asyncio.ensure_future(engine.play(START, LONG))
    async with asyncio.timeout(TIMEOUT):
        while not is_searching():
            await asyncio.sleep(0.01)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        await engine.ping()
    assert not is_searching()
    await engine.quit()


async def test_two_engines_at_once(app: Running) -> None:
    transport, first = await popen_uci(address(app, "ws", "rookery"))
    _, second = await popen_uci(address(app, "tcp", "stockfish"))
    limit = chess.engine.Limit(depth=6)
    results = await asyncio.gather(first.play(START, limit), second.play(START, limit))
    assert all(result.move in START.legal_moves for result in results)
    assert "Rookery" in first.id["name"]
    assert "Stockfish" in second.id["name"]
    transport.close()
    assert await asyncio.wait_for(first.returncode, TIMEOUT) == 0
    await second.ping()
    await second.quit()


async def test_blocking_engine_is_closed_with_its_block(app: Running) -> None:
    def example() -> None:
        with connect_uci(address(app, "ws", "rookery")) as engine:
            engine.ping()
            analysis = engine.analysis(START)
            analysis.get()
        with pytest.raises(TERMINATED):
            engine.ping()

    await asyncio.to_thread(example)
    await until(lambda: not app.sessions)


async def test_notices_are_logged_and_no_information(
    app: Running, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "rookery_bridge.client")
    async with Proxy(port_of(app, "ws"), seed=1) as proxy:
        _, engine = await popen_uci(address(app, "ws", "stockfish", proxy.port))
        with await engine.analysis(START) as analysis:
            await analysis.get()
            proxy.cut("reset")
            strings = []
            async with asyncio.timeout(TIMEOUT):
                while "connected again" not in caplog.text:
                    strings.append((await analysis.get()).get("string", ""))
        assert not any("rookery" in text for text in strings)
        await engine.quit()


async def test_a_line_that_is_too_long_is_an_error(app: Running) -> None:
    _, engine = await popen_uci(address(app, "ws", "stockfish"))
    board = chess.Board()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 3500:
        board.push_uci(move)
    with pytest.raises(chess.engine.EngineError, match="at most are sent"):
        await engine.play(board, LONG)
    await engine.ping()
    await engine.quit()


def test_a_users_code_is_checked_strictly(tmp_path: Path) -> None:
    from mypy import api

    code = tmp_path / "user.py"
    code.write_text(
        "import chess\nimport chess.engine\n"
        "from rookery_bridge.client import connect_uci, popen_uci\n"
        "async def main() -> chess.Move | None:\n"
        "    transport, engine = await popen_uci('ws://h/engines/x', token='rk_')\n"
        "    transport.close()\n"
        "    result = await engine.play(chess.Board(), chess.engine.Limit(time=1))\n"
        "    return result.move\n"
        "def blocking() -> str:\n"
        "    with connect_uci('ws://h/engines/x') as engine:\n"
        "        return engine.id['name']\n"
        "reveal_type(popen_uci)\n"
    )
    said, _, status = api.run(["--strict", str(code)])
    assert status == 0, said
    assert "RemoteProtocol" in said


async def test_program_that_is_idle_answers_the_server(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over TCP, where the server would else not know whether it is there."""
    monkeypatch.setattr("rookery_bridge.session.conversation.ALIVE", 1)
    _, engine = await popen_uci(address(app, "tcp", "stockfish"))
    await engine.ping()
    (actor,) = app.host.actors
    pulse = actor.flow.channel
    assert pulse
    began = pulse.asked_at
    await until(lambda: pulse.asked_at >= began + 2)
    await engine.ping()
    await engine.quit()
