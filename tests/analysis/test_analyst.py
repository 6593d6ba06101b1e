"""How a worker goes on when it has lost its engine, or finds no room for one."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.batch_bench import write_games
from helpers.batch_seats import Room, answering

from rookery_analysis import retry_pause, worker
from rookery_analysis.checkpoint import Progress
from rookery_analysis.job import Job, Order
from rookery_analysis.job_record import Results
from rookery_analysis.uci_conversation import BusyError, Talk
from rookery_server.batch.cache_lookup import NoMemory
from rookery_uci import Limits


async def run(folder: Path, make: Callable[[int], Talk]) -> tuple[int, list[str]]:
    """Have one worker analyse three games; return how many are done, and what is said."""
    games, notes = write_games(folder / "games.pgn", 3, 4), list[str]()
    order = Order([str(games)], [games.stat().st_size], Limits(nodes=1))
    with Progress(folder / "progress", {}) as progress:
        job = Job(
            order, Results(None, None), progress,
            engine="x", note=notes.append, show=lambda _: None,
        )  # fmt: skip
        done = await job.run(Room(make), NoMemory())
    return done.games, notes


async def test_a_server_without_room_is_asked_until_it_has_some_and_that_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry_pause, "FIRST", 0.001)
    monkeypatch.setattr(retry_pause, "LONGEST", 0.001)

    def make(before: int) -> Talk:
        if before < 2 * worker.RECONNECTS:
            raise BusyError("queue-full: 8 wait")
        return answering()

    assert await run(tmp_path, make) == (
        3,
        [
            "queue-full: 8 wait; a worker waits until there is room; if it always does,"
            " fewer --workers do as well"
        ],
    )


async def test_who_loses_its_engine_waits_longer_each_time_until_a_game_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    sleep = asyncio.sleep

    async def soon(seconds: float) -> None:
        waited.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", soon)
    monkeypatch.setattr(retry_pause, "FIRST", 4.0)
    lost_in = [1, 1, 2, 1, None]  # the game that it is lost in, engine by engine
    done, _ = await run(tmp_path, lambda before: answering(lost_in[before]))
    assert done == 3
    assert [seconds for seconds in waited if seconds >= 4] == [4.0, 8.0, 4.0, 8.0]
