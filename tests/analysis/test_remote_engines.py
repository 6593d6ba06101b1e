"""The same over a server: a session for each worker, by a token, behind interactive ones."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.analyse_program import DATA, AnalyseProgram, write_games
from helpers.support import Running, add_token, until

from rookery_analysis.remote_engines import check_secrecy
from rookery_protocol.errors import SHUTTING_DOWN, ConfigError
from rookery_protocol.notices import Code
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import BudgetConfig, Quotas
from rookery_server.config.sections import ServerConfig

JUDGING = EngineConfig("judging", (sys.executable, str(DATA / "judging_engine.py")))
WRITE = ("-o", "out.pgn", "--jsonl", "out.jsonl")
SERVER = ServerConfig(port=0, tcp_port=0, drain_timeout=1.0)


@asynccontextmanager
async def serving(config: Config | None = None) -> AsyncIterator[Running]:
    async with Running(config or Config(engines=(JUDGING,), server=SERVER)) as app:
        yield app


def address(app: Running) -> str:
    return f"ws://127.0.0.1:{app.port}/engines/judging"


@pytest.fixture
def local(bench: AnalyseProgram) -> list[bytes]:
    """Return what the engine finds without a server."""
    write_games(bench.folder / "games.pgn", 30, 10)
    bench.run("games.pgn", *WRITE)
    return bench.bytes_of("out.pgn", "out.jsonl")


async def test_server_has_the_same_results(bench: AnalyseProgram, local: list[bytes]) -> None:
    async with serving() as app:
        options = ("--engine", address(app), "--workers", "2", "--restart")
        await asyncio.to_thread(bench.run, "games.pgn", *WRITE, *options)
    assert bench.bytes_of("out.pgn", "out.jsonl") == local


async def test_lost_sessions_are_started_again(bench: AnalyseProgram, local: list[bytes]) -> None:
    async with serving() as app:
        options = ("--engine", address(app), "--workers", "2", "--restart")
        job = asyncio.create_task(asyncio.to_thread(bench.run, "games.pgn", *WRITE, *options))
        await until(lambda: len(app.engine_pids()) >= 2)
        for actor in list(app.host.actors):
            actor.refuse(SHUTTING_DOWN)
        await job
    assert bench.bytes_of("out.pgn", "out.jsonl") == local


async def test_interactive_sessions_go_first_and_waiting_is_no_hanging(
    bench: AnalyseProgram, local: list[bytes]
) -> None:
    one = Config(engines=(JUDGING,), server=SERVER, budget=BudgetConfig(threads=1))
    one = replace(one, sessions=replace(one.sessions, warm=0))
    async with serving(one) as app, app.tcp() as client:
        client.say("isready")
        assert await client.hear() == "readyok"
        options = ("--engine", address(app), "--workers", "1", "--restart", "--patience", "1")
        job = asyncio.create_task(asyncio.to_thread(bench.run, "games.pgn", *WRITE, *options))
        await until(lambda: app.host.scheduler.waiting)
        await asyncio.sleep(1.5)  # longer than its patience
        client.say("quit")
        await job
    assert bench.bytes_of("out.pgn", "out.jsonl") == local


@pytest.mark.parametrize("quota", [{"waiting": 1}, {"sessions": 1}])
async def test_worker_without_room_tries_again(
    bench: AnalyseProgram, local: list[bytes], quota: dict[str, object]
) -> None:
    one = Config(
        engines=(JUDGING,), server=SERVER, budget=BudgetConfig(threads=1), quotas=Quotas(quota)
    )
    one = replace(one, sessions=replace(one.sessions, warm=0))
    async with serving(one) as app:
        options = ("--engine", address(app), "--workers", "4", "--restart")
        job = await asyncio.to_thread(bench.run, "games.pgn", *WRITE, *options)
    assert bench.bytes_of("out.pgn", "out.jsonl") == local
    assert "if it always does, fewer --workers do as well" in job.stderr


async def test_job_without_any_room_waits_for_some(
    bench: AnalyseProgram, local: list[bytes]
) -> None:
    alone = Config(engines=(JUDGING,), server=SERVER, quotas=Quotas({"sessions": 1}))
    async with serving(alone) as app, app.tcp() as client:
        client.say("isready")
        assert await client.hear() == "readyok"
        options = ("--engine", address(app), "--workers", "1", "--restart")
        job = asyncio.create_task(asyncio.to_thread(bench.run, "games.pgn", *WRITE, *options))
        await until(lambda: app._policy.refusals[Code.QUOTA_SESSIONS])
        client.say("quit")
        assert "quota-sessions" in (await job).stderr
    assert bench.bytes_of("out.pgn", "out.jsonl") == local


async def test_a_token_is_shown_and_a_wrong_one_is_an_error(
    bench: AnalyseProgram, tmp_path: Path
) -> None:
    write_games(bench.folder / "games.pgn", 1, 2)
    tokens = tmp_path / "tokens"
    token = add_token(tokens)
    config = Config(engines=(JUDGING,), server=replace(SERVER, tokens=tokens))
    async with serving(config) as app:
        for name, text, mode in (("mine", token, 0o644), ("other", f"{token[:-4]}aaaa", 0o600)):
            (tmp_path / name).write_text(f"{text}\n")
            (tmp_path / name).chmod(mode)
        options = ("--engine", address(app), "--token-file")
        known = await asyncio.to_thread(bench.run, "games.pgn", *WRITE, *options, "mine")
        refused = await asyncio.to_thread(
            bench.run, "games.pgn", *WRITE, *options, "other", "--restart", status=2
        )
    assert "others of this machine can use mine (mode 0644)" in known.stderr
    assert "HTTP status 401" in refused.stderr
    assert "others of this machine" not in refused.stderr


async def test_no_server_at_all(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 1, 2)
    gone = ("--engine", "ws://127.0.0.1:1/engines/judging")
    failed = await asyncio.to_thread(bench.run, "games.pgn", *WRITE, *gone, status=1)
    assert "ws://127.0.0.1:1/engines/judging cannot be reached" in failed.stderr


def test_a_token_leaves_the_machine_only_over_tls() -> None:
    for safe in ("ws://localhost:8080/engines/a", "ws://[::1]:1/engines/a", "wss://b/engines/a"):
        check_secrecy(safe)
    with pytest.raises(ConfigError, match="only over TLS"):
        check_secrecy("ws://10.0.0.1/engines/a")
