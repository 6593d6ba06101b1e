"""A search of a request: what is known of it after an engine's lines."""

from rookery_server.api.pending_search import PendingSearch

EXACT = b"info depth 11 multipv 1 score cp 30 nodes 900 time 9 pv e2e4 e7e5"
BOUND = b"info depth 12 multipv 1 score cp 41 lowerbound nodes 1500 time 14 pv d2d4"


def heard(*lines: bytes) -> PendingSearch:
    search = PendingSearch()
    for line in lines:
        search.hear_line(line)
    return search


def first_moves(search: PendingSearch) -> list[str]:
    return [each.pv[0] for each in search.lines()]


async def test_bound_counts_as_progress_but_not_as_a_score() -> None:
    search = heard(EXACT, BOUND.replace(b"d2d4", b"e2e4"), b"bestmove e2e4")
    assert search.progress() == (12, 1500, 14)
    assert [(each.score and each.score.cp, each.depth) for each in search.lines()] == [(30, 11)]


async def test_best_move_with_a_bound_alone_is_the_first_line() -> None:
    search = heard(EXACT, BOUND)
    assert first_moves(search) == ["e2e4"]
    search.hear_line(b"bestmove d2d4")
    (line,) = search.lines()
    assert line.pv == ("d2d4",)
    assert line.score
    assert (line.score.cp, str(line.score.bound)) == (41, "lowerbound")


async def test_best_move_with_a_bound_takes_the_place_of_its_own_line() -> None:
    second = b"info depth 11 multipv 2 score cp 20 nodes 950 time 9 pv d2d4"
    third = b"info depth 11 multipv 3 score cp 10 nodes 960 time 9 pv c2c4"
    search = heard(EXACT, second, third, BOUND, b"bestmove d2d4")
    assert first_moves(search) == ["d2d4", "e2e4", "c2c4"]
    assert search.progress() == (12, 1500, 14)


async def test_move_of_no_line_changes_none() -> None:
    search = heard(EXACT, BOUND, b"bestmove a2a3")  # as an engine of little strength plays
    assert first_moves(search) == ["e2e4"]


async def test_nodes_and_time_are_those_of_the_last_report() -> None:
    search = heard(EXACT, b"info nodes 5000 nps 90", b"info string nodes 7")
    assert search.progress() == (11, 5000, 9)
    search = heard(EXACT, b"info nodes 5000 time 70", b"info currmove e2e4")
    assert search.progress() == (11, 5000, 70)
    assert heard().progress() == (None, None, None)
