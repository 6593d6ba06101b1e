"""Engines that serve one session after the other, where their operator allows it."""

import os
import signal
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from helpers.support import Lines, Running, empty, odd, offer_of, session_of, until

from rookery_server.config.config import Config, from_toml
from rookery_server.config.engines import EngineConfig, Policy
from rookery_server.config.resources import ANY_SIZE, Size
from rookery_uci import EngineIdentity

STOCKFISH = "/usr/games/stockfish"


@pytest.fixture
async def app(config: Config) -> AsyncIterator[Running]:
    engines = (
        EngineConfig("stockfish", (STOCKFISH,), Policy(commands=("bench", "d")), reuse=True),
        EngineConfig("dies", odd("dies"), reuse=True),
        EngineConfig("polite", odd("polite")),
    )
    async with Running(replace(config, engines=engines)) as running:
        yield running


async def served(client: Lines, *lines: str) -> None:
    client.say(*lines, "isready")
    assert (await client.hear_until("readyok"))[-1] == "readyok"


async def spare(app: Running, name: str) -> list[int]:
    """Wait until nobody is there and an engine is ready; return the pids of those that are."""
    await empty(app)
    pool = app.host.fleet.pools[name]
    await until(lambda: pool.spares and pool.spares == len(pool._coming))
    return [each.engine.pid for each in pool._coming]


@pytest.mark.parametrize("end", ["quit", "close"])
async def test_next_session_has_the_engine_as_if_it_were_new(app: Running, end: str) -> None:
    async with app.tcp() as first:
        await served(
            first,
            "debug on",
            "setoption name MultiPV value 3",
            "setoption name UCI_Chess960 value true",
            "setoption name Hash value 32",
            "position startpos moves e2e4",
        )
        first.say("go depth 3")
        assert any(" multipv 3 " in line for line in await first.hear_until("bestmove"))
        [pid] = app.engine_pids()
        if end == "quit":
            first.say("quit")
            assert await first.hear() == ""
    assert pid in await spare(app, "stockfish")
    async with app.tcp() as second:
        await served(second)
        assert app.engine_pids() == [pid]
        second.say("go depth 3")
        lines = await second.hear_until("bestmove")
        assert not any(" multipv 2 " in line for line in lines)
        second.say("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1", "d")
        assert any("R4RK1 b kq" in line for line in await second.hear_until("Checkers"))


@pytest.mark.parametrize(
    "lines",
    [("go infinite", "quit"), ("go infinite",), ("bench 16 1 4",), ("isready", "d")],
    ids=["quit in a search", "gone in a search", "bench", "no part of uci"],
)
async def test_engine_that_may_not_be_as_before_is_not_used_again(
    app: Running, lines: tuple[str, ...]
) -> None:
    async with app.tcp() as client:
        await served(client)
        [pid] = app.engine_pids()
        client.say(*lines)
        if lines == ("isready", "d"):
            await client.hear_until("Checkers")
    assert pid not in await spare(app, "stockfish")


async def test_engine_of_a_session_that_saw_one_die_is_not_used_again(app: Running) -> None:
    async with app.tcp() as client:
        await served(client)
        os.kill((await app.one_engine())[0], signal.SIGKILL)
        await client.hear_until("info string rookery engine-died")
        await served(client)
        [pid] = app.engine_pids()
    assert pid not in await spare(app, "stockfish")


async def test_engine_is_used_once_unless_the_operator_says_otherwise(app: Running) -> None:
    async with app.tcp() as client:
        await served(client, "rookery engine polite")
        [pid] = app.engine_pids()
    assert pid not in await spare(app, "polite")
    engines = {"a": {"command": "a"}, "b": {"command": "b", "reuse": True}}
    assert [each.reuse for each in from_toml({"engines": engines}).engines] == [False, True]


async def test_cpu_time_is_that_of_one_session(app: Running) -> None:
    async with app.tcp() as first:
        await served(first)
        first.say("go nodes 300000")
        await first.hear_until("bestmove")
        [actor] = app.host.actors
    await empty(app)
    assert actor.totals.cpu_seconds > 0
    async with app.tcp() as second:
        await served(second)
        [again] = app.host.actors
    await empty(app)
    assert again.totals.cpu_seconds < actor.totals.cpu_seconds


def test_what_a_quota_has_clamped_is_undone_too() -> None:
    answer = EngineIdentity.parse(
        [
            "option name Hash type spin default 1024 min 1 max 4096",
            "option name MultiPV type spin default 1 min 1 max 500",
            "option name Odd type spin",
        ]
    )
    offer = offer_of(ceiling=Size(1024, 16), answer=answer)
    undo = offer.undo(["multipv"])
    assert undo
    assert [str(each) for each in undo] == [
        "setoption name MultiPV value 1",
        "setoption name Hash value 1024",
    ]
    assert offer.undo(["odd"]) is None


def test_engine_that_owes_something_cannot_be_handed_on() -> None:
    session = session_of()
    session.attach(ANY_SIZE)
    assert session.undo() == b"ucinewgame\nposition startpos\nisready\n"
    session.client_said(b"isready")
    assert session.undo() is None
    session.for_engine()
    session.engine_said(b"readyok\n")
    assert session.undo()
    session.client_said(b"go infinite")
    assert session.undo() is None
