"""The tools by the SDK's own client, with a real server and engines."""

import asyncio
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from helpers.bridged import BIN, server
from helpers.client_server import engines
from helpers.mcp_client import HELLO, MODES, SCHOLARS_MATE, at, call, code_of, model_client, text_of
from helpers.support import TIMEOUT, Running, add_token, until
from mcp import Client

from rookery_server.config.config import Config
from rookery_server.config.sections import CacheConfig, ServerConfig

LONG = {"fen": "startpos", "seconds": 50}
SEARCH = (
    b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"analyse","arguments":'
    b'{"fen":"startpos","seconds":50}}}\n'
)

# The tests share a server and a program, in the loop in which these were started.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    settings = ServerConfig(port=0, tcp_port=0, drain_timeout=0.5)
    cache = CacheConfig(file=tmp_path_factory.mktemp("cache") / "jobs.sqlite")
    async with Running(Config(engines(), settings, cache=cache)) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(shared_app: Running) -> AsyncIterator[Client]:
    """Return a program that all tests use, for it takes more than a second to start."""
    async with model_client(at(shared_app)) as client:
        yield client


@pytest_asyncio.fixture(loop_scope="module")
async def app(shared_app: Running) -> Running:
    """Return the server, in which the tests before have left no session."""
    await until(lambda: not shared_app.host.actors)
    return shared_app


async def test_engines_are_listed(client: Client) -> None:
    found = await call(client, "engines")
    assert 'rookery: "Rookery' in text_of(found)
    names = [each["name"] for each in found.structured_content["engines"]]
    assert names == ["rookery", "stockfish", "numbered", "dies"]
    assert [each["default"] for each in found.structured_content["engines"]].count(True) == 1


@pytest.mark.parametrize("mode", MODES)
async def test_a_mate_is_found(app: Running, mode: str) -> None:
    async with model_client(f"{at(app)}/engines/stockfish", mode=mode) as client:
        # The time of the call is for the search: a busy machine may need more to start the engine.
        await until(lambda: app.host.fleet.pools["stockfish"].spares)
        found = await call(client, "analyse", game=SCHOLARS_MATE, before="4", lines=2, seconds=5)
        text = text_of(found)
        assert "Position after 3...Nf6: White to move" in text
        assert "mate in 1 for White: 4. Qxf7#" in text
        lines = found.structured_content["lines"]
        assert lines[0]["uci"] == "h5f7"
        assert len(lines) == 2
        assert 'Engine "stockfish", depth ' in text


async def test_scores_are_whites(client: Client) -> None:
    fen = "4k3/8/8/8/8/8/1q6/4K3 b - - 0 1"
    found = await call(client, "analyse", fen=fen, seconds=1)
    assert found.structured_content["lines"][0].get("mate", -1) < 0
    assert "Black" in text_of(found).partition("Scores are White's")[2]


async def test_the_answer_comes_in_time(client: Client) -> None:
    started = time.monotonic()
    found = await call(client, "analyse", fen="startpos", seconds=1)
    assert not found.is_error, text_of(found)
    assert time.monotonic() - started < 1 + TIMEOUT / 4


async def test_moves_are_compared(client: Client) -> None:
    found = await call(
        client, "compare_moves", game=SCHOLARS_MATE, before="3...", engine="stockfish",
        moves=["Nf6", "g6"], seconds=6,
    )  # fmt: skip
    rows = found.structured_content["moves"]
    named = [row["move"] for row in rows if row["named"]]
    assert named == ["3...g6", "3...Nf6"]
    assert rows[-1]["score"] == "mate in 1 for White"
    assert "far behind): mate in 1 for White; 3...Nf6 4. Qxf7#" in text_of(found)


async def test_progress_is_told(client: Client) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    await client.call_tool("analyse", {"fen": "startpos", "seconds": 4}, progress_callback=note)
    assert len(heard) >= 2
    assert [each[0] for each in heard] == sorted(each[0] for each in heard)
    assert any("depth " in (each[2] or "") for each in heard)


async def test_a_cancelled_call_ends_its_search(app: Running, client: Client) -> None:
    task = asyncio.create_task(client.call_tool("analyse", LONG))
    await until(lambda: len(app.host.actors) == 1)
    task.cancel()
    await until(lambda: not app.host.actors)
    assert not (await call(client, "position", fen="startpos")).is_error


async def test_the_end_of_the_program_ends_its_searches(app: Running) -> None:
    async with model_client(at(app)) as client:
        task = asyncio.create_task(client.call_tool("analyse", LONG))
        await until(lambda: len(app.host.actors) == 1)
        task.cancel()
    await until(lambda: not app.host.actors)


async def test_sigterm_ends_its_searches(app: Running) -> None:
    process = await asyncio.create_subprocess_exec(
        str(BIN / "rookery-bridge"), "mcp", at(app), stdin=PIPE, stdout=PIPE
    )
    assert process.stdin
    process.stdin.write(HELLO + SEARCH)
    await until(lambda: len(app.host.actors) == 1)
    process.terminate()
    async with asyncio.timeout(TIMEOUT):
        await process.communicate()
    await until(lambda: not app.host.actors)
    assert process.returncode == 0


async def test_an_unknown_engine_is_named(client: Client) -> None:
    found = await call(client, "analyse", fen="startpos", engine="deep-blue")
    assert code_of(found) == "unknown-engine"
    assert "call 'engines'" in text_of(found)


async def test_an_engine_that_dies_is_said(client: Client) -> None:
    found = await call(client, "analyse", fen="startpos", engine="dies", seconds=3)
    assert found.is_error
    text_of(found)


async def test_fifty_searches_at_once_have_an_answer_each(client: Client) -> None:
    async with asyncio.TaskGroup() as tasks:
        calls = [
            tasks.create_task(call(client, "analyse", fen="startpos", seconds=2)) for _ in range(50)
        ]
    results = [each.result() for each in calls]
    assert all(text_of(each) for each in results)
    assert any(not each.is_error for each in results)
    assert {code_of(each) for each in results if each.is_error} <= {"no-answer", "no-result"}


async def test_a_wrong_token_is_said(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    token = add_token(tokens)
    settings = ServerConfig(port=0, tcp_port=0, tokens=tokens, drain_timeout=0.5)
    async with Running(Config(engines(), settings)) as app:
        for wrong in ({}, {"ROOKERY_TOKEN": token[:-4] + "AAAA"}):
            async with model_client(at(app), environment=wrong) as client:
                found = await call(client, "analyse", fen="startpos", seconds=2)
                assert code_of(found) == "unauthorized"
                assert "ask the user for a good token" in text_of(found)
                assert token[:-4] not in text_of(found)
        async with model_client(at(app), environment={"ROOKERY_TOKEN": token}) as client:
            assert not (await call(client, "analyse", fen="startpos", seconds=5)).is_error


async def analysed(client: Client) -> None:
    """Ask for an analysis until there is one.

    The time of a call is for the search, and a busy machine may need more to start an engine.
    """
    async with asyncio.timeout(2 * TIMEOUT):
        while (found := await call(client, "analyse", fen="startpos", seconds=5)).is_error:
            assert code_of(found) == "no-answer"


async def test_a_server_that_restarts_is_found_again(tmp_path: Path) -> None:
    async with server(tmp_path) as running, model_client(running.addresses("rookery")[0]) as client:
        await analysed(client)
        search = asyncio.create_task(call(client, "analyse", fen="startpos", seconds=4))
        await asyncio.sleep(0)
        await running.kill()
        await running.start()
        text_of(await search)
        await analysed(client)
        await running.kill()
        gone = await call(client, "analyse", fen="startpos", seconds=2)
        assert code_of(gone) in ("unreachable", "no-answer")
