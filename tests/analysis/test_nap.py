"""How long an engine is left alone."""

from rookery_analysis.poll_delay import LONGEST, SHARE, Nap


def test_nobody_naps_before_a_search_is_known() -> None:
    assert Nap().length == 0


def test_it_is_shorter_than_any_of_the_searches_before() -> None:
    nap = Nap()
    for seconds in (0.010, 0.012, 0.009, 0.011):
        nap.learn(seconds)
        assert 0 < nap.length <= SHARE * seconds
    assert nap.length > SHARE * 0.009  # it grows again


def test_short_searches_are_followed_at_once() -> None:
    nap = Nap()
    nap.learn(0.010)
    nap.learn(0.0001)
    assert nap.length == 0


def test_of_long_searches_it_is_bounded() -> None:
    nap = Nap()
    nap.learn(60.0)
    assert nap.length == LONGEST
