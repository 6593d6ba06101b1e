"""The lines that are kept of a search while it goes on."""

from rookery_server.session.chunks import newest_exact
from rookery_server.session.line_buffers import SearchLog

EXACT = b"info depth %d multipv %d score cp %d nodes 5 pv e2e4 e7e5\n"
CURRMOVE = b"info depth 30 currmove e2e4 currmovenumber 1\n"


def test_newest_exact_line_of_each_variation_is_found() -> None:
    piece = (
        b"info depth 1 score cp 1 pv a2a3\n"
        b"info depth 2 multipv 2 score cp 3 pv a2a4\n"
        b"info depth 2 multipv 1 score cp 2 pv b2b3\n"
        b"info depth 3 multipv 1 score cp 9 lowerbound pv c2c3\n"
        b"info depth 3 multipv 2 score cp 9 upperbound nodes 3 pv c2c4\n"
        b"info string a pv b\n" + CURRMOVE + b"bestmove b2b3\n"
    )
    assert newest_exact(piece) == (
        b"info depth 2 multipv 2 score cp 3 pv a2a4\ninfo depth 2 multipv 1 score cp 2 pv b2b3\n"
    )
    assert newest_exact(b"") == b""
    assert newest_exact(piece[:-1])


def test_lines_are_found_however_they_came() -> None:
    log = SearchLog()
    for depth in range(1, 5):
        for variation in (1, 2, 3):
            log.append(EXACT % (depth, variation, depth))
    assert log.newest() == b"".join(EXACT % (4, variation, 4) for variation in (1, 2, 3))


def test_lines_outlive_hours_of_other_talk() -> None:
    log = SearchLog()
    lines = b"".join(EXACT % (20, variation, 7) for variation in (1, 2))
    log.append(lines)
    for _ in range(100_000):
        log.append(CURRMOVE)
    assert log.newest() == lines


def test_heap_is_bounded_in_a_flood() -> None:
    log = SearchLog()
    flood = EXACT % (20, 1, 7) * 300
    for _ in range(100):
        log.append(flood)
        assert sum(map(len, log._pieces)) <= 65536 + len(flood)
    log.append(EXACT % (21, 1, 8))
    assert log.newest() == EXACT % (21, 1, 8)


def test_flood_of_small_pieces_is_bounded_too() -> None:
    log = SearchLog()
    for number in range(10_000):
        log.append(EXACT % (20, number % 3 + 1, number))
        assert len(log._pieces) < 2000
    assert log.newest().count(b"\n") == 3
