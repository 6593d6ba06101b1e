"""Parsing of an engine's output for a position."""

import sys
from pathlib import Path

import pytest

from train.label import LabelEngine, LabelError, LabelledMove

SAYINGS = [
    (b"info depth 1 score cp 30 nodes 20 pv d2d4", 30, True),
    (b"info depth 2 score cp -26 upperbound nodes 103 pv d2d4", -26, False),
    (b"info depth 2 score cp 26 lowerbound nodes 103", 26, False),
    (b"info score cp 1 lowerbound\ninfo score cp 2", 2, True),
    (b"info score cp 2\r\ninfo string score cp 9 lowerbound", 2, True),
    (b"info score mate 3", 31997, True),
    (b"info score mate -2", -31998, True),
    (b"info score mate 5 lowerbound", 31995, False),
    (b"info score mate -5000", -31001, True),
    (b"info score cp 31900", 31000, True),
    (b"info score cp -99999", -31000, True),
]


@pytest.mark.parametrize(("said", "score", "exact"), SAYINGS)
def test_the_last_score_counts_and_whether_it_is_a_bound(
    said: bytes, score: int, exact: bool
) -> None:
    found = LabelledMove.parse(said + b"\nbestmove d2d4 ponder d7d5\n")
    assert found == LabelledMove(b"d2d4", score, exact)


@pytest.mark.parametrize(
    "said",
    [
        b"bestmove d2d4\n",
        b"info string no score\nbestmove d2d4\n",
        b"info score cp 3\nbestmove\n",
        b"info score cp\nbestmove d2d4\n",
        b"info score cp x\nbestmove d2d4\n",
    ],
)
def test_an_answer_without_score_or_move_is_reported(said: bytes) -> None:
    with pytest.raises(LabelError, match="score"):
        LabelledMove.parse(said)


def test_a_silent_engine_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("train.label.START_PATIENCE", 0.2)
    with pytest.raises(LabelError, match="uciok"):
        LabelEngine(f'{sys.executable} -c "input(); input()"', 1)


def test_an_engine_without_eval_is_reported() -> None:
    scripted = f"{sys.executable} {Path(__file__).with_name('scripted.py')}"
    label = LabelEngine(f"{scripted} 'cp 1' 'cp 1'", 1)
    with pytest.raises(LabelError, match="no evaluation"):
        label.evaluate(["4k3/8/8/8/8/8/8/4K2R w K - 0 1"])
    label.close()
