"""What has happened, in numbers."""

from rookery_protocol.notices import Code
from rookery_server.session.totals import SEARCH_BUCKETS, Tally, Totals


def test_a_session_leaves_its_totals() -> None:
    tally = Tally()
    for deaths in (1, 2):
        totals = Totals(lines_heard=3, lines_told=5, engine_deaths=deaths)
        totals.searched(2.0)
        totals.searched(4.0)
        totals.used(0.5)
        tally.session_over(totals, {Code.GAP: 1})
    ended = tally.ended
    assert (ended.lines_heard, ended.lines_told, ended.engine_deaths) == (6, 10, 3)
    assert (ended.searches, ended.search_seconds, ended.cpu_seconds) == (4, 12.0, 1.0)
    assert tally.notices == {Code.GAP: 2}


def test_searches_are_sorted_by_how_long_they_took() -> None:
    tally = Tally()
    for seconds in (0.0, SEARCH_BUCKETS[0], SEARCH_BUCKETS[0] * 1.01, 1e9):
        tally.searched(seconds)
    assert tally.durations[:2] == [2, 1]
    assert tally.durations[-1] == 1
    assert sum(tally.durations) == 4
