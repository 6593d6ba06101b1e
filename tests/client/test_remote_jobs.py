"""Jobs of the client library and of the bridge's commands, with real servers that are killed."""

import asyncio
import json
import re
import shlex
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import aclosing
from itertools import islice
from pathlib import Path

import chess
import chess.pgn
import pytest
from helpers.bridged import Server, server
from helpers.proxy import Proxy
from helpers.support import TIMEOUT

from rookery_bridge.client import (
    AnalysisClient,
    AnalysisPosition,
    ItemAnswer,
    ServiceError,
    SimpleAnalysisClient,
)

PAGE = Path(__file__).parents[2] / "docs" / "remote-analysis.md"
PATIENCE = 3 * TIMEOUT  # s for what engines do meanwhile
GAMES = (
    '[Event "a"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n[Event "b"]\n[White "Ann"]\n\n1. d4 d5 *\n'
)
EMPTY_BOARD = "8/8/8/8/8/8/8/8 w - - 0 1"


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Server]:
    cache = f"[cache]\nfile = {str(tmp_path / 'cache.sqlite')!r}"
    async with server(tmp_path, cache) as found:
        yield found


def web(running: Server, port: int | None = None) -> str:
    return f"http://127.0.0.1:{port or running.port}/engines/rookery"


def positions(count: int) -> list[chess.Board]:
    """Return positions two half-moves into a game."""
    found = []
    for first in chess.Board().legal_moves:
        board = chess.Board()
        board.push(first)
        for second in board.legal_moves:
            found.append(board.copy())
            found[-1].push(second)
    return list(islice(found, count))


async def test_each_position_has_one_answer(running: Server) -> None:
    async with AnalysisClient(web(running)) as client, asyncio.timeout(PATIENCE):
        asked = (AnalysisPosition.of(board) for board in positions(5))
        named = [AnalysisPosition(each.fen, each.moves, id=f"p{n}") for n, each in enumerate(asked)]
        job = await client.jobs.create(
            positions=[*named, EMPTY_BOARD], nodes=200, lines=2, name="five", priority=3
        )
        assert (job.total, job.kind, job.name, job.lines) == (6, "positions", "five", 2)
        answers = [each async for each in client.jobs.results(job, follow=True)]
        assert [each.index for each in answers] == list(range(6))
        assert [each.id for each in answers] == ["p0", "p1", "p2", "p3", "p4", None]
        for each, board in zip(answers, positions(5), strict=False):
            assert each.analysis
            assert each.analysis.move in board.legal_moves
            assert len(each.analysis.lines) == 2
        assert answers[5].error
        assert answers[5].error.code == "illegal-position"
        job = await client.jobs.get(job)
        assert (job.state, job.done, job.failed, job.limits.nodes) == ("finished", 6, 1, 200)
        assert job.cost.nodes >= 1000
        again = [each.index async for each in client.jobs.results(job.id, after=3)]
        assert again == [4, 5]
        assert [each.id for each in await client.jobs.list()] == [job.id]
        await client.jobs.delete(job)
        with pytest.raises(ServiceError) as caught:
            await client.jobs.get(job)
        assert caught.value.status == 404


async def test_games_come_back_with_evaluations(running: Server) -> None:
    async with AnalysisClient(web(running)) as client, asyncio.timeout(PATIENCE):
        made = await client.jobs.create(games=GAMES, nodes=200)
        job = [each async for each in client.jobs.watch(made)][-1]
        assert job.kind == "games"
        assert (job.state, job.total, job.done) == ("finished", 2, 2)
        text = await client.jobs.annotated_pgn(job)
        assert text.count("[%eval") >= 6
        assert '[White "Ann"]' in text
        games = [each.game async for each in client.jobs.results(job)]
        assert [each and each["white"] for each in games] == ["?", "Ann"]


async def test_job_is_paused_and_goes_on(running: Server) -> None:
    async with AnalysisClient(web(running)) as client, asyncio.timeout(PATIENCE):
        job = await client.jobs.create(positions=positions(400), nodes=20_000)
        assert (await client.jobs.pause(job)).state == "paused"
        job = await client.jobs.resume(job)
        assert job.state in ("queued", "running")
        async with aclosing(client.jobs.results(job, follow=True)) as results:
            assert (await anext(results)).index == 0
        await client.jobs.delete(job)


async def test_same_key_is_the_same_job(running: Server) -> None:
    async with AnalysisClient(web(running)) as client, asyncio.timeout(PATIENCE):
        first = await client.jobs.create(positions=positions(2), nodes=5, idempotency_key="k")
        second = await client.jobs.create(positions=positions(2), nodes=5, idempotency_key="k")
        assert first.id == second.id
        with pytest.raises(ServiceError) as caught:
            await client.jobs.create(positions=positions(2), nodes=6, idempotency_key="k")
        assert caught.value.status == 409


async def test_results_survive_cuts_and_kills(running: Server) -> None:
    answers: list[ItemAnswer] = []
    async with (
        Proxy(running.port, seed=1) as proxy,
        AnalysisClient(web(running, proxy.port)) as client,
        asyncio.timeout(PATIENCE),
    ):
        job = await client.jobs.create(positions=positions(60), nodes=20_000)
        async for answer in client.jobs.results(job, follow=True):
            answers.append(answer)
            if len(answers) in (5, 25):
                proxy.cut("reset" if len(answers) == 5 else "end")
            if len(answers) == 15:
                await running.kill()
                await running.start()
    assert [each.index for each in answers] == list(range(60))
    assert all(each.analysis for each in answers)


async def test_blocking_jobs(running: Server) -> None:
    def use_client() -> None:
        with SimpleAnalysisClient(web(running)) as client:
            job = client.jobs.create(positions=map(chess.Board.fen, positions(3)), nodes=50)
            assert [each.index for each in client.jobs.results(job, follow=True)] == [0, 1, 2]
            assert [each.state for each in client.jobs.watch(job)] == ["finished"]
            client.jobs.delete(job)

    await asyncio.wait_for(asyncio.to_thread(use_client), PATIENCE)


# --- the commands


async def start(*arguments: object) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "rookery_bridge", *map(str, arguments)), stdout=PIPE, stderr=PIPE
    )


async def run(*arguments: object) -> tuple[int | None, str, str]:
    process = await start(*arguments)
    out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode, out.decode(), err.decode()


async def test_command_analyses_positions_though_the_server_is_killed(
    running: Server, tmp_path: Path
) -> None:
    source, whole = tmp_path / "some.epd", tmp_path / "whole.jsonl"
    source.write_text("".join(f"{board.epd()}\n" for board in positions(100)))
    where = ("analyse", web(running), source, "--nodes", 20_000, "--jsonl", whole)
    process = await start(*where)
    part = tmp_path / "whole.jsonl.part"
    async with asyncio.timeout(PATIENCE):
        while not part.exists():
            await asyncio.sleep(0.01)
    await running.kill()
    await running.start()
    _, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0, err
    found = [json.loads(line) for line in whole.read_text().splitlines()]
    assert [each["index"] for each in found] == list(range(100))
    status, _, err_text = await run(*where)
    assert status == 0
    assert "the results are there already" in err_text
    assert [json.loads(line) for line in whole.read_text().splitlines()] == found


async def test_command_analyses_games(running: Server, tmp_path: Path) -> None:
    source, result = tmp_path / "some.pgn", tmp_path / "out.pgn"
    source.write_text(GAMES)
    status, out, err = await run("analyse", web(running), source, "--depth", 3, "-o", result)
    assert (status, out) == (0, ""), err
    with result.open() as file:
        game = chess.pgn.read_game(file)
    assert game
    assert game.next()
    assert all(node.eval() for node in list(game.mainline())[:-1])


async def test_commands_follow_a_detached_job(running: Server, tmp_path: Path) -> None:
    source = tmp_path / "some.epd"
    source.write_text(f"{chess.STARTING_FEN}\nnonsense\n")
    status, out, err = await run("analyse", web(running), source, "--nodes", 100, "--detach")
    assert status == 0, err
    id_ = out.strip()
    status, out, _ = await run("jobs", web(running), "results", id_, "--follow")
    assert status == 0
    assert [each["index"] for each in map(json.loads, out.splitlines())] == [0, 1]
    status, out, _ = await run("jobs", web(running))
    assert (status, out.splitlines()[1].split()[0]) == (0, id_)
    status, out, _ = await run("jobs", web(running), "show", id_)
    assert "2 of 2 positions" in out
    assert (await run("jobs", web(running), "delete", id_))[0] == 0
    assert (await run("jobs", web(running)))[1] == "no jobs\n"


async def test_examples_of_the_page(
    running: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(GAMES)
    (tmp_path / "positions.epd").write_text(f"{chess.STARTING_FEN}\n")
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    examples = [line for block in blocks for line in block.splitlines()]
    assert len(examples) == 8
    id_ = "none"
    for example in examples:
        program, *words = shlex.split(example)
        assert program == "rookery-bridge"
        words = [each.replace("https://chess.example", web(running)) for each in words]
        status, out, err = await run(*(id_ if each == "ID" else each for each in words))
        assert status == 0, f"{example}: {err}"
        if out.startswith("ID "):
            id_ = out.splitlines()[1].split()[0]
    for name in ("annotated.pgn", "results.jsonl"):
        assert (tmp_path / name).stat().st_size > 0
