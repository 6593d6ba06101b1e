"""A job whose engines come and go: another engine analyses the games of a lost one."""

import asyncio
import json
import threading
from contextlib import closing
from pathlib import Path

import pytest
from helpers.analyse_program import write_games
from helpers.fake_engines import FakeEngines, answering, run_job
from helpers.support import until

from rookery_analysis.engine_supply import ReadyEngine
from rookery_analysis.job import AnalysisJob, AnalysisOrder
from rookery_analysis.job_record import Checkpoint, JobFiles, JobRecord
from rookery_uci import Limits

GAMES, PLIES = 40, 4
LIMIT = 60.0  # s


class TwoPlaces(FakeEngines):
    """A host with one place, and another that is lost in its third game and never comes back."""

    async def acquire(self) -> ReadyEngine:
        if self.acquired == 2:
            await asyncio.Event().wait()
        return await super().acquire()


@pytest.mark.parametrize("workers", [2, 5])
async def test_worker_without_a_place_delays_no_game(tmp_path: Path, workers: int) -> None:
    games = write_games(tmp_path / "games.pgn", GAMES, PLIES)
    records = tmp_path / "out.jsonl"
    engines = TwoPlaces(lambda before: answering(None if before else 3))
    with closing(Checkpoint(tmp_path / "progress", {})) as checkpoint:
        async with asyncio.timeout(LIMIT):
            done, reports = await run_job(
                games, checkpoint, engines, records=records, workers=workers
            )
    assert done.games == GAMES
    found = [json.loads(line)["game"] for line in records.open()]
    assert found == list(range(1, GAMES + 1))
    assert len([each for each in reports if "begun anew, its place is lost" in each]) == 1
    assert engines.released == 2


async def test_no_thread_of_a_job_is_left_when_it_has_ended(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    games = write_games(tmp_path / "games.pgn", 2, PLIES)
    order = AnalysisOrder([str(games)], [None], Limits(nodes=1))
    files = JobFiles(None, tmp_path / "out.jsonl", None)
    with (
        closing(Checkpoint(tmp_path / "progress", {})) as checkpoint,
        closing(JobRecord(checkpoint, engine="x", files=files)) as record,
    ):
        job = AnalysisJob(order, record, report=lambda _: None, show=lambda _: None)
        state = await job.run(FakeEngines(lambda _: answering()))
        assert state.games == 2
        await until(lambda: set(threading.enumerate()) <= before)
