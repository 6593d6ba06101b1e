"""Reviews of games by the SDK's own client, with a real server and engines."""

import asyncio
import json
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from helpers.bridged import BIN, server
from helpers.mcp_client import HELLO, SCHOLARS_MATE, at, call, code_of, model_client, text_of
from helpers.support import TIMEOUT, Running
from mcp import Client

QUIET_GAME = "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O d3 d6 c3 c6 h3 h6"
FEW, SOME, MANY = 40_000, 300_000, 10_000_000  # nodes


async def test_a_game_is_reviewed(client: Client) -> None:
    found = await call(client, "review_game", game=SCHOLARS_MATE, nodes=FEW, engine="stockfish")
    text = text_of(found)
    assert '("Ann" - "Ben"), 7 half-moves' in text
    assert "3...Nf6?? blunder: " in text
    assert "-> mate in 1 for White. Best: 3..." in text
    review = found.structured_content["review"]
    assert review["black"]["blunder"] == 1
    assert review["white"]["accuracy"] > review["black"]["accuracy"]
    again = await call(client, "job", id=found.structured_content["job"]["id"])
    assert text_of(again) == text


async def test_a_long_review_goes_on_as_a_job(client: Client) -> None:
    found = await call(client, "review_game", game=QUIET_GAME, nodes=MANY, seconds=1)
    id_ = found.structured_content["job"]["id"]
    assert f"Call 'job' with id {id_}" in text_of(found)
    assert id_ in text_of(await call(client, "job"))
    assert "positions done" in text_of(await call(client, "job", id=id_))
    assert "ended and deleted" in text_of(await call(client, "job", id=id_, end=True))
    assert code_of(await call(client, "job", id=id_)) == "no-job"


async def test_only_reviews_of_this_run_can_be_ended(app: Running, client: Client) -> None:
    found = await call(client, "review_game", game=QUIET_GAME, nodes=MANY, seconds=1)
    id_ = found.structured_content["job"]["id"]
    async with model_client(at(app)) as other:
        assert code_of(await call(other, "job", id=id_, end=True)) == "not-ours"
        assert "positions done" in text_of(await call(other, "job", id=id_))
        assert code_of(await call(other, "job", id=id_, end=True)) == "not-ours"


async def test_a_cancelled_review_is_deleted(client: Client) -> None:
    said = {"game": QUIET_GAME, "nodes": MANY, "seconds": 50}
    heard = asyncio.Event()

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.set()

    task = asyncio.create_task(client.call_tool("review_game", said, progress_callback=note))
    async with asyncio.timeout(TIMEOUT):
        await heard.wait()
        task.cancel()
        while "There are no reviews." not in text_of(await call(client, "job")):
            await asyncio.sleep(0.05)


async def test_a_job_that_there_is_not(client: Client) -> None:
    for id_ in ("x", "../../admin", "?" * 5000, "\x00\x1b[2J"):
        found = await call(client, "job", id=id_)
        assert found.is_error
        assert "job" in text_of(found)


async def test_a_review_outlives_its_server(tmp_path: Path) -> None:
    more = f"[cache]\nfile = {str(tmp_path / 'jobs.sqlite')!r}"
    async with (
        server(tmp_path, more) as running,
        model_client(f"http://127.0.0.1:{running.port}") as client,
    ):
        found = await call(client, "review_game", game=QUIET_GAME, nodes=SOME, seconds=1)
        id_ = found.structured_content["job"]["id"]
        await running.kill()
        gone = await call(client, "job", id=id_)
        assert code_of(gone) == "unreachable"
        await running.start()
        done = await call(client, "job", id=id_, seconds=50)
        assert "Review of game" in text_of(done)
        assert "14 half-moves" in text_of(done)


async def test_a_restart_while_a_review_is_waited_for(tmp_path: Path) -> None:
    more = f"[cache]\nfile = {str(tmp_path / 'jobs.sqlite')!r}"
    heard = asyncio.Event()

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.set()

    async with (
        server(tmp_path, more) as running,
        model_client(f"http://127.0.0.1:{running.port}") as client,
    ):
        said = {"game": QUIET_GAME, "nodes": SOME, "seconds": 50}
        task = asyncio.create_task(client.call_tool("review_game", said, progress_callback=note))
        async with asyncio.timeout(TIMEOUT):
            await heard.wait()
        await running.kill()
        await running.start()
        found = await task
        # The server may be away longer than the tools wait; then they say how it goes on.
        expected = "the review goes on: call 'job' with id" if found.is_error else "Review of game"
        assert expected in text_of(found)


@pytest.mark.parametrize("way", ["end of input", "sigterm"])
async def test_the_end_of_the_program_deletes_its_review(
    app: Running, client: Client, way: str
) -> None:
    process = await asyncio.create_subprocess_exec(
        str(BIN / "rookery-bridge"), "mcp", at(app), stdin=PIPE, stdout=PIPE
    )
    assert process.stdin
    said = {"game": QUIET_GAME, "nodes": MANY, "seconds": 50}
    params = {"name": "review_game", "arguments": said}
    call_ = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    process.stdin.write(HELLO + json.dumps(call_).encode() + b"\n")
    async with asyncio.timeout(3 * TIMEOUT):  # The program takes seconds to start.
        while "There are no reviews." in text_of(await call(client, "job")):
            await asyncio.sleep(0.05)
        if way == "sigterm":
            process.terminate()
            await process.wait()
        process.stdin.close()
        await process.communicate()
    assert process.returncode == 0
    assert "There are no reviews." in text_of(await call(client, "job"))
