"""Matches of real processes: pairs, verdicts, the command line."""

import contextlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import uuid
from itertools import islice
from pathlib import Path

import chess.pgn
import pytest
from bench.child import MissingError, find
from bench.match import lane
from bench.match.conduct import MatchPlan, conduct
from bench.match.game import End
from bench.match.lane import Setting, play_pairs
from bench.match.opening import openings
from bench.match.player import Limit, PlayerSpec
from bench.match.sprt import Sprt, Verdict
from bench.match.summary import MatchSummary
from bench.match.uci import UciPlayer

ROOT = Path(__file__).parents[2]
SCRIPTED = str(ROOT / "tests/data/scripted_engine.py")
NODES = Limit.parse("nodes 200")
MARK = "ROOKERY_TEST"  # in the environment of what a test starts


def scripted(name: str, *steps: str) -> PlayerSpec:
    return PlayerSpec(name, (sys.executable, SCRIPTED, *steps))


def plan(games: int, concurrency: int = 2) -> MatchPlan:
    return MatchPlan(games, None, 1, concurrency)


@pytest.fixture(autouse=True)
def _marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MARK, uuid.uuid4().hex)


def children() -> set[int]:
    """Return the scripted engines that run for this test."""
    mark = f"{MARK}={os.environ[MARK]}".encode()
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended
            is_ours = mark in (folder / "environ").read_bytes().split(b"\0")
            if is_ours and SCRIPTED.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                found.add(int(folder.name))
    return found


def test_games_are_kept_when_an_opening_cannot_be_read(tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    book.write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\nno position\n")
    setting = Setting(scripted("one", "illegal"), scripted("two", "first"), NODES)
    for seed in range(1, 9):  # until the good one is drawn first
        try:
            summary = conduct(setting, MatchPlan(4, book, seed, 1))
        except ValueError:
            continue
        break
    assert len(summary.games) == 2
    assert "the match ended early" in summary.details[-1]
    assert "no position" in summary.details[-1]


def test_an_opening_is_played_with_both_colours() -> None:
    setting = Setting(scripted("one", "illegal"), scripted("two", "first"), NODES)
    pairs = list(play_pairs(setting, openings(None, seed=1), pairs=3, concurrency=2))
    assert len(pairs) == 3
    for pair in pairs:
        first, second = pair.games
        assert first.opening == second.opening
        assert (first.white, second.white) == ("one", "two")
        assert pair.scores == (0.0, 0.0)
    assert {pair.games[0].opening for pair in pairs} == set(islice(openings(None, seed=1), 3))


def test_faults_are_counted_for_the_player_at_fault() -> None:
    setting = Setting(scripted("one", "crash"), scripted("two", "first"), NODES)
    summary = conduct(setting, plan(4))
    assert str(summary.tally) == "+0 =0 -4"
    assert summary.first.faults[End.CRASH] == 4
    assert not summary.second.faults
    assert summary.pairs.counts == (2, 0, 0, 0, 0)
    assert summary.faults() == "one: 4 x crash"


def test_a_match_ends_when_it_is_over_and_leaves_nothing_running() -> None:
    before = children()
    test = Sprt(0, 400)
    setting = Setting(scripted("one", "first"), scripted("two", "illegal"), NODES)

    def over(summary: MatchSummary) -> bool:
        return test.verdict(summary.pairs) is not Verdict.GOES_ON

    summary = conduct(setting, plan(400), over=over)
    assert test.verdict(summary.pairs) is Verdict.PASSED
    assert len(summary.games) < 100
    end = time.monotonic() + 10.0
    while children() - before and time.monotonic() < end:
        time.sleep(0.01)  # A process that was told to end takes its time.
    assert children() <= before


def test_player_that_cannot_start_is_reported_at_once() -> None:
    setting = Setting(scripted("one"), PlayerSpec("", ("/nowhere/engine",)), NODES)
    with (
        contextlib.closing(
            play_pairs(setting, openings(None, seed=1), pairs=2, concurrency=1)
        ) as pairs,
        pytest.raises(MissingError, match="cannot start"),
    ):
        next(pairs)


def test_our_engine_against_stockfish_at_fixed_nodes(tmp_path: Path) -> None:
    written = tmp_path / "games.pgn"
    setting = Setting(
        PlayerSpec("", (find("rookery-engine"),)), PlayerSpec("", (find("stockfish"),)), NODES
    )
    summary = conduct(setting, MatchPlan(4, None, 1, 2, written))
    assert summary.first.name.startswith("Rookery")
    assert summary.second.name.startswith("Stockfish")
    assert summary.tally.games == 4
    assert not summary.details
    assert summary.first.nodes > 0
    assert summary.first.depth > 1
    with written.open() as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    assert len(games) == 4
    for game in games:
        assert not game.errors
        assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2")
        assert "/" in game.next().comment


def command(*words: str, **how: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bench.match", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_sprt_of_a_lopsided_pair_passes(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    good, bad = (f"{sys.executable} {SCRIPTED} {step}" for step in ("first", "illegal"))
    words = ["--elo1", "400", "--nodes", "1", "--json", str(file), "--concurrency", "1"]
    match = command("sprt", "--new", good, "--old", bad, *words)
    out, error = match.communicate(timeout=60)
    assert match.returncode == 0, error
    assert "(passed)" in out
    result = json.loads(file.read_text())
    assert result["verdict"] == "passed"
    assert result["losses"] == 0
    assert result["second"]["faults"] == {"illegal move": result["wins"]}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_match_shows_what_it_has_and_leaves_nothing(number: int) -> None:
    before = children()
    slow = f"{sys.executable} {SCRIPTED} late:50"
    match = command("selfplay", "--engine", slow, "--games", "100", "--concurrency", "1")
    until = time.monotonic() + 30
    while len(children() - before) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(match.pid, number)
    out, _ = match.communicate(timeout=30)
    assert "0 games" in out
    assert match.returncode == 0
    assert children() <= before


def test_match_that_cannot_be_played_is_refused_with_a_sentence() -> None:
    match = command("sprt", "--new", "no-such-engine")
    error = match.communicate(timeout=60)[1]
    assert match.returncode == 2
    assert error == "bench.match: there is no program no-such-engine\n"


def test_lane_that_ends_its_players_is_not_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    class Ending(UciPlayer):
        def end(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            super().end()
            ended.append(self.name)

    monkeypatch.setattr(lane, "open_player", Ending)
    ours, theirs = multiprocessing.Pipe()
    ours.close()
    before = signal.getsignal(signal.SIGTERM)
    try:
        lane._run(theirs, Setting(scripted("one", "first"), scripted("two", "first"), NODES))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended == ["two", "one"]
    assert not children()
