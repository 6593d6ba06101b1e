"""The record of a job after the disk has failed."""

import errno
import os
from contextlib import closing
from pathlib import Path

import pytest
from helpers.analyse_program import write_games
from helpers.fake_engines import FakeEngines, answering, run_job

from rookery_analysis.job_record import Checkpoint, JobState
from rookery_analysis.player_tally import PlayerTally, table
from rookery_protocol.errors import ServerError


async def run(games: Path, folder: Path) -> list[tuple[str, PlayerTally]]:
    """Analyse games, or resume that; return the tallies of the players."""
    with closing(Checkpoint(folder / "progress", {})) as checkpoint:
        engines = FakeEngines(lambda _: answering())
        await run_job(games, checkpoint, engines, records=folder / "out.jsonl")
        return list(checkpoint.players())


async def test_disk_that_has_failed_is_not_believed_when_it_reports_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = write_games(tmp_path / "games.pgn", 20, 4)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    players = await run(games, whole)

    def fail(_: int) -> None:
        monkeypatch.undo()  # Linux reports a page that it could not write only once.
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ServerError, match=r"out\.jsonl cannot be written: Input/output error"):
        await run(games, broken)
    with closing(Checkpoint(broken / "progress", {})) as checkpoint:
        assert checkpoint.state == JobState()
    assert await run(games, broken) == players
    assert (broken / "out.jsonl").read_bytes() == (whole / "out.jsonl").read_bytes()


def test_names_of_players_steer_no_terminal() -> None:
    assert table([("\x1b[2JA", PlayerTally(games=1))]).splitlines()[1].startswith("?[2JA   ")
