"""A job whose engines come and go: what is lost with one is done by another."""

import asyncio
import json
from pathlib import Path

import pytest
from helpers.batch_bench import write_games
from helpers.batch_seats import Room, answering

from rookery_analysis.checkpoint import Progress
from rookery_analysis.engine_source import Seat
from rookery_analysis.job import Job, Order
from rookery_analysis.job_record import Results
from rookery_analysis.result_files import ResultFile
from rookery_server.batch.cache_lookup import NoMemory
from rookery_uci import Limits

GAMES, PLIES = 40, 4
LIMIT = 60.0  # s


class Narrow(Room):
    """A host with one place, and one more that is lost in its third game and never there again."""

    async def take(self) -> Seat:
        if self.taken == 2:
            await asyncio.Event().wait()
        return await super().take()


@pytest.mark.parametrize("workers", [2, 5])
async def test_a_worker_without_a_place_holds_nobody_up(tmp_path: Path, workers: int) -> None:
    games = write_games(tmp_path / "games.pgn", GAMES, PLIES)
    records = ResultFile(tmp_path / "out.jsonl", 0)
    order = Order([str(games)], [games.stat().st_size], Limits(nodes=1), workers=workers)
    room, notes = Narrow(lambda before: answering(None if before else 3)), list[str]()
    with Progress(tmp_path / "progress", {}) as progress:
        job = Job(
            order, Results(None, records), progress,
            engine="x", note=notes.append, show=lambda _: None,
        )  # fmt: skip
        async with asyncio.timeout(LIMIT):
            done = await job.run(room, NoMemory())
    records.close()
    assert done.games == GAMES
    found = [json.loads(line)["game"] for line in (tmp_path / "out.jsonl").open()]
    assert found == list(range(1, GAMES + 1))
    assert len([note for note in notes if "begun anew, its place is lost" in note]) == 1
    assert room.left == 2
