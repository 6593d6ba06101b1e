"""The compiled look at pieces of output."""

import pytest

from rookery_server.session.chunks import (
    after_owed,
    count_owed,
    last_variation,
    newest,
    only_info,
    runs,
    squeeze,
    without_blanks,
)


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        (b"info depth 1\n", True),
        (b"info depth 1\ninfo string x\n", True),
        (b"", True),
        (b"readyok\n", False),
        (b"info depth 1\nbestmove e2e4\n", False),
        (b"info depth 1\ninf\n", False),
        (b"info depth 1\n\n", False),
        (b"information\n", False),
        (b"info depth\t1\n", True),
        (b"info string \x1b]0;x\x07\n", False),
        (b"info string \x7f\n", False),
        ("info string \u009b31m\n".encode(), False),
        (b"info\n", False),
        (b"info depth 1\ninfo string rookery gap: x\n", False),
        (b"info  string\t rookery-bridge: x\n", False),
        (b"info string\n", True),
        (b"info string rook\n", True),
        (b"info depth 1 string rookery\n", True),
    ],
)
def test_only_info_looks_at_every_line(piece: bytes, expected: bool) -> None:
    assert only_info(piece) is expected


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        (b"", []),
        (b"a\nb\n", [b"a\nb\n"]),
        (b"bestmove e2e4\n", [b"bestmove e2e4\n"]),
        (b"bestmove\nbestmove\n", [b"bestmove\n", b"bestmove\n"]),
        (b"a\nb\nreadyok\nc\n", [b"a\nb\n", b"readyok\n", b"c\n"]),
        (b"readyok\na bestmove\nbest\n", [b"readyok\n", b"a bestmove\nbest\n"]),
        (b"a\nbest", [b"a\nbest"]),
    ],
)
def test_lines_that_are_looked_at_stand_alone(piece: bytes, expected: list[bytes]) -> None:
    assert runs(piece, (b"bestmove", b"readyok")) == expected


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        (b"", b""),
        (b"\n", b""),
        (b"\n\n\n", b""),
        (b"a\n", b"a\n"),
        (b"\na\n \n\nb\n\n", b"a\nb\n"),
        (b" \t a b \n", b"a b \n"),
        (b"a\n b\n\tc\n", b"a\nb\nc\n"),
    ],
)
def test_blank_lines_and_indents_are_left_out(piece: bytes, expected: bytes) -> None:
    assert without_blanks(piece) == expected


PIECE = b"info depth 1\nreadyok\ninfo string x\nbestmove e2e4\ninfo depth 2\n"


def test_what_is_owed_is_counted() -> None:
    assert count_owed(PIECE) == 2
    assert count_owed(b"") == 0
    assert PIECE[after_owed(PIECE, 0) :] == PIECE
    assert PIECE[after_owed(PIECE, 1) :].startswith(b"info string x")
    assert PIECE[after_owed(PIECE, 2) :] == b"info depth 2\n"
    assert PIECE[after_owed(PIECE, 3) :] == b""


def test_what_the_server_says_of_its_own_is_not_owed() -> None:
    piece = b"rookery room said go infinite\nbestmove e2e4\nrookery room said stop\nreadyok\n"
    assert count_owed(piece) == 2
    assert piece[after_owed(piece, 1) :] == b"rookery room said stop\nreadyok\n"


@pytest.mark.parametrize(
    ("piece", "moves"),
    [
        (b"info depth 1 pv e2e4 e7e5\ninfo depth 2 multipv 2 pv d2d4\n", b"e2e4 e7e5"),
        (b"info depth 1 multipv 1 pv e2e4\ninfo nodes 5\n", b"e2e4"),
        (b"info depth 1 multipv 1 pv e2e4", b"e2e4"),
        (b"info depth 1 pv e2e4\nbestmove e2e4\ninfo depth 1 multipv 2 pv a2a3\n", b""),
        (b"info string a pv b\n", b""),
        (b"", b""),
    ],
)
def test_best_variation_is_the_newest_of_this_search(piece: bytes, moves: bytes) -> None:
    assert last_variation(piece) == moves


@pytest.mark.parametrize("number", [b"0", b"1", b"500", b"1000000", b"99999999999999999999", b"x"])
def test_any_number_of_a_variation_is_borne(number: bytes) -> None:
    line = b"info depth 1 multipv " + number + b" pv e2e4\n"
    assert squeeze(line) == line
    assert squeeze(line + b"info nodes 1\n" + line).endswith(b"info nodes 1\n" + line)


def test_header_is_in_force() -> None:
    """A lost `.pxd` would build an untyped and slow module, which takes anything."""
    with pytest.raises(TypeError):
        only_info(bytearray(b"info x\n"))


def test_newest_leaves_out_all_that_counts_for_itself() -> None:
    piece = (
        b"info depth 1 multipv 1 pv a\ninfo string x\ninfo depth 1 multipv 2 pv b\nreadyok\n"
        b"info depth 2 multipv 1 pv c\ninfo nodes 7\n"
    )
    assert newest(piece) == (
        b"info depth 1 multipv 2 pv b\ninfo depth 2 multipv 1 pv c\ninfo nodes 7\n"
    )
