"""The state that late spectators are told."""

from rookery_server.rooms.snapshot import Snapshot

SEARCH = b"""\
rookery room said position startpos moves e2e4
rookery room said go infinite
info depth 1 multipv 1 pv e7e5
info depth 1 multipv 2 pv c7c5
info depth 2 multipv 1 pv c7c5
"""


def snapshot(*pieces: bytes) -> str:
    result = Snapshot()
    for piece in pieces:
        result.record(piece)
    return result.text().decode()


def test_nothing_has_been_said() -> None:
    assert snapshot() == ""


def test_newest_of_each_variation_of_a_search_that_goes_on() -> None:
    assert snapshot(SEARCH).splitlines() == [
        "rookery room said position startpos moves e2e4",
        "rookery room said go infinite",
        "info depth 1 multipv 2 pv c7c5",
        "info depth 2 multipv 1 pv c7c5",
    ]


def test_pieces_say_the_same_however_they_are_divided() -> None:
    lines = SEARCH.splitlines(keepends=True)
    assert snapshot(*lines) == snapshot(SEARCH) == snapshot(b"".join(lines[:3]), *lines[3:])


def test_search_that_is_over_ends_with_its_bestmove() -> None:
    text = snapshot(SEARCH, b"rookery room said stop\n", b"bestmove c7c5\n")
    assert text.splitlines()[-2:] == ["rookery room said stop", "bestmove c7c5"]


def test_position_said_after_a_search_stands_behind_it() -> None:
    later = b"rookery room said position startpos moves d2d4\n"
    assert snapshot(SEARCH, b"bestmove c7c5\n" + later).splitlines()[-2:] == [
        "bestmove c7c5",
        "rookery room said position startpos moves d2d4",
    ]


def test_new_search_leaves_nothing_of_the_former() -> None:
    text = snapshot(SEARCH, b"bestmove c7c5\nrookery room said go depth 1\ninfo depth 1 pv d7d5\n")
    assert text.splitlines() == [
        "rookery room said position startpos moves e2e4",
        "rookery room said go depth 1",
        "info depth 1 pv d7d5",
    ]


def test_option_is_told_as_it_was_last_set() -> None:
    text = snapshot(
        b"rookery room said setoption name MultiPV value 2\n",
        b"rookery room said setoption name Skill Level value 3\n",
        b"rookery room said setoption name MultiPV value 4\n",
        b"rookery room said setoption name Clear Hash\n",
    )
    assert text.splitlines() == [
        "rookery room said setoption name Skill Level value 3",
        "rookery room said setoption name MultiPV value 4",
    ]


def test_what_engines_say_besides_is_not_kept() -> None:
    """Else a snapshot would grow as long as an engine likes."""
    snapshot = Snapshot()
    snapshot.record(SEARCH)
    before = snapshot.text()
    for _ in range(100):
        snapshot.record(b"info string x\n" * 1000 + b"what is this\n")
    assert snapshot.text() == before


def test_snapshot_is_bounded_whatever_an_engine_says() -> None:
    snapshot = Snapshot()
    snapshot.record(SEARCH)
    for number in range(200):
        snapshot.record(b"info depth 1 multipv %d pv %b\n" % (number, b"e2e4 " * 1000))
    assert len(snapshot.text()) < 1 << 17


def test_snapshot_of_a_snapshot_is_the_same() -> None:
    text = snapshot(SEARCH, b"bestmove a\nrookery room said position startpos\n")
    assert snapshot(text.encode()) == text
