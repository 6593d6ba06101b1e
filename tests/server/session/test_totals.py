"""Totals of sessions and of the server."""

from rookery_protocol.notices import Code
from rookery_server.session.totals import SEARCH_BUCKETS, ServerTotals, Totals


def test_totals_of_a_session_are_added_when_it_ends() -> None:
    server = ServerTotals()
    for deaths in (1, 2):
        totals = Totals(lines_heard=3, lines_told=5, engine_deaths=deaths, cpu_seconds=0.5)
        server.search_ended(totals, 2.0)
        server.search_ended(totals, 4.0)
        server.session_ended(totals, {Code.GAP: 1})
    ended = server.ended
    assert (ended.lines_heard, ended.lines_told, ended.engine_deaths) == (6, 10, 3)
    assert (ended.searches, ended.search_seconds, ended.cpu_seconds) == (4, 12.0, 1.0)
    assert server.notices == {Code.GAP: 2}


def test_searches_are_sorted_by_how_long_they_took() -> None:
    server = ServerTotals()
    for seconds in (0.0, SEARCH_BUCKETS[0], SEARCH_BUCKETS[0] * 1.01, 1e9):
        server.search_ended(Totals(), seconds)
    assert server.durations[:2] == [2, 1]
    assert server.durations[-1] == 1
    assert sum(server.durations) == 4
