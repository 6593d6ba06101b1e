"""Naps of an engine that writes one short piece after the other."""

from rookery_server.engines.running_engine import BURST, NAP, SHORT, SHORT_NAP, StdoutReader

MANY = 1000 * BURST  # whoever has the machine meanwhile


def test_an_engine_that_says_short_pieces_steadily_is_left_alone() -> None:
    reader = StdoutReader()
    naps = (reader.nap_after(SHORT - 1) for _ in range(MANY))
    assert next(filter(None, naps), None) in (NAP, SHORT_NAP)


def test_an_engine_that_only_answers_is_not() -> None:
    reader = StdoutReader()
    for _ in range(MANY):
        reader.expect_answer()
        assert not reader.nap_after(len("readyok\n"))


def test_what_follows_an_answer_counts_anew() -> None:
    reader = StdoutReader()
    for _ in range(MANY):
        reader.expect_answer()
        assert not any(reader.nap_after(SHORT - 1) for _ in range(BURST))


def test_an_engine_that_says_much_at_once_is_not() -> None:
    reader = StdoutReader()
    assert not any(reader.nap_after(SHORT) for _ in range(MANY))
