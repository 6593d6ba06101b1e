"""Workers without an engine, and games that an engine cannot analyse."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from helpers.analyse_program import write_games
from helpers.fake_engines import FakeEngines, answering, run_job

from rookery_analysis import worker
from rookery_analysis.engine_conversation import BusyServerError, EngineConversation
from rookery_analysis.engine_supply import RetryPause
from rookery_analysis.game import parse_game
from rookery_analysis.game_source import InputGame
from rookery_analysis.job_record import Checkpoint
from rookery_analysis.pgn_splitter import GameText, Mark
from rookery_analysis.worker import MAX_POISON, PendingGame


async def run(folder: Path, make: Callable[[int], EngineConversation]) -> tuple[int, list[str]]:
    """Analyse three games with one worker; return how many are done, and all reports."""
    games = write_games(folder / "games.pgn", 3, 4)
    with closing(Checkpoint(folder / "progress", {})) as checkpoint:
        done, reports = await run_job(games, checkpoint, FakeEngines(make))
    return done.games, reports


async def test_server_without_room_is_asked_until_it_has_some_and_that_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RetryPause, "FIRST", 0.001)
    monkeypatch.setattr(RetryPause, "LONGEST", 0.001)

    def make(before: int) -> EngineConversation:
        if before < 2 * worker.RECONNECTS:
            raise BusyServerError("queue-full: 8 wait")
        return answering()

    assert await run(tmp_path, make) == (
        3,
        [
            "queue-full: 8 wait; a worker waits until there is room; if it always does,"
            " fewer --workers do as well"
        ],
    )


async def test_pause_grows_with_each_lost_engine_until_a_game_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def skip(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", skip)
    monkeypatch.setattr(RetryPause, "FIRST", 4.0)
    lost_in = [1, 1, 2, 1, None]  # the game in which each engine is lost
    done, _ = await run(tmp_path, lambda before: answering(lost_in[before]))
    assert done == 3
    assert [seconds for seconds in pauses if seconds >= 4] == [4.0, 8.0, 4.0, 8.0]


@pytest.fixture
async def pending() -> PendingGame:
    text = GameText("1. e4 e5 2. Nf3 *\n", 1, Mark())
    return PendingGame.of(parse_game(text, 1, "x"), InputGame(0, text, 1))


async def test_position_is_skipped_after_two_failures(pending: PendingGame) -> None:
    pending.add_failure(2, "it hangs")
    pending.add_failure(1, "it hangs")
    assert pending.poison == {}
    pending.add_failure(2, "it is dead")
    assert (pending.poison, pending.gave_up) == ({2: "it is dead"}, None)


async def test_game_with_too_many_such_positions_is_given_up(pending: PendingGame) -> None:
    for ply in range(MAX_POISON):
        pending.add_failure(ply, "it hangs")
        pending.add_failure(ply, "it hangs")
    pending.add_failure(MAX_POISON, "it hangs")
    assert pending.gave_up is None
    pending.add_failure(MAX_POISON, "it is dead")
    assert pending.gave_up == f"given up after {MAX_POISON + 1} positions: it is dead"
