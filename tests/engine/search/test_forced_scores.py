"""Scores that the GUI gives to positions."""

import random

from helpers.searches import Search

from rookery_engine.core.board import Board
from rookery_engine.search.searcher import Searcher
from rookery_engine.shell.wdl import score_of

AFTER_A3 = Board()
AFTER_A3.play("a2a3")


def test_position_has_its_forced_score() -> None:
    searcher = Searcher(4)
    assert searcher.force_score(AFTER_A3.key, score_of(777))
    search = Search(words="depth 7", searcher=searcher)
    assert search.best.move == "a2a3"
    assert search.last.score.cp == 777


def test_value_is_from_whites_side() -> None:
    searcher = Searcher(4)
    searcher.force_score(AFTER_A3.key, score_of(-777))
    search = Search(words="depth 5 searchmoves a2a3", searcher=searcher)
    assert search.last.score.cp == -777


def test_values_can_be_taken_back() -> None:
    searcher = Searcher(4)
    usual = Search(words="depth 7", searcher=searcher).last
    searcher.force_score(AFTER_A3.key, score_of(777))
    searcher.force_score(AFTER_A3.key, None)
    searcher.force_score(AFTER_A3.key, None)
    searcher.clear()
    assert Search(words="depth 7", searcher=searcher).last.score == usual.score
    searcher.force_score(AFTER_A3.key, score_of(777))
    searcher.clear_forced_scores()
    searcher.clear()
    assert Search(words="depth 7", searcher=searcher).last.score == usual.score


def test_values_hold_over_a_new_game() -> None:
    searcher = Searcher(4)
    searcher.force_score(AFTER_A3.key, score_of(777))
    searcher.new_game()
    assert Search(words="depth 3", searcher=searcher).last.score.cp == 777


def test_huge_values_are_no_mates() -> None:
    searcher = Searcher(4)
    searcher.force_score(AFTER_A3.key, 10**9)
    assert Search(words="depth 3", searcher=searcher).last.score.cp > 17_000


def test_many_values_come_and_go() -> None:
    """Against a dict: those left are found, those dropped are not."""
    chance = random.Random(20261121)
    searcher = Searcher(1)
    keys = [AFTER_A3.key + index * 64 for index in range(500)]  # all want the same slot
    left = set()
    for _ in range(3000):
        key = chance.choice(keys)
        if key in left:
            left.discard(key)
            searcher.force_score(key, None)
        else:
            left.add(key)
            searcher.force_score(key, score_of(500))
    searcher.force_score(keys[0], score_of(600))
    assert Search(words="depth 2", searcher=searcher).last.score.cp == 600
    searcher.force_score(keys[0], None)
    assert Search(words="depth 2", searcher=searcher).last.score.cp != 600
