"""What is on the disk, when the disk has failed."""

import errno
import os
from pathlib import Path

import pytest
from helpers.batch_bench import write_games
from helpers.batch_seats import Room, answering

from rookery_analysis.checkpoint import Progress, State
from rookery_analysis.job import Job, Order
from rookery_analysis.job_record import Results
from rookery_analysis.player_tally import Tally
from rookery_analysis.result_files import ResultFile
from rookery_protocol.errors import ServerError
from rookery_server.batch.cache_lookup import NoMemory
from rookery_uci import Limits


async def run(games: Path, folder: Path) -> list[tuple[str, Tally]]:
    """Analyse games, or go on with that; return how well players have played."""
    order = Order([str(games)], [games.stat().st_size], Limits(nodes=1))
    with Progress(folder / "progress", {}) as progress:
        records = ResultFile(folder / "out.jsonl", sum(progress.state.lengths))
        try:
            job = Job(
                order, Results(None, records), progress,
                engine="x", note=print, show=lambda _: None,
            )  # fmt: skip
            await job.run(Room(lambda _: answering()), NoMemory())
        finally:
            records.close()
        return list(progress.players())


async def test_a_disk_that_has_failed_is_not_believed_when_it_says_that_all_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = write_games(tmp_path / "games.pgn", 20, 4)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    players = await run(games, whole)

    def fail(_: int) -> None:
        monkeypatch.undo()  # Linux tells of a page that it could not write once only.
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ServerError, match=r"out\.jsonl cannot be written: Input/output error"):
        await run(games, broken)
    with Progress(broken / "progress", {}) as progress:
        assert progress.state == State()
    assert await run(games, broken) == players
    assert (broken / "out.jsonl").read_bytes() == (whole / "out.jsonl").read_bytes()
