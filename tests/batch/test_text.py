"""Files of games, whole and broken, cut into texts."""

import io
import tracemalloc
from collections.abc import Iterator

import pytest

from rookery_server.batch.text import MAX_COMMENT, MAX_GAME, Mark, Text, split

TWO = b'[Event "A"]\n\n1. e4 e5 1-0\n\n[Event "B"]\n\n1. d4 *\n'


def texts(data: bytes) -> list[Text]:
    return list(split(io.BytesIO(data)))


def test_games_are_told_apart_and_know_their_lines() -> None:
    first, second = texts(TWO)
    assert first.data == b'[Event "A"]\n%\n1. e4 e5 1-0\n%\n'
    assert (first.line, second.line) == (1, 5)
    assert first.end == Mark(offset=TWO.index(b'[Event "B"]'), lines=4, games=1)


@pytest.mark.parametrize("cut", [0, 1])
def test_reading_goes_on_at_a_mark(cut: int) -> None:
    found = texts(TWO)
    mark = found[cut].end
    assert list(split(io.BytesIO(TWO[mark.offset :]), mark)) == found[cut + 1 :]


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (b"", 0),
        (b"\n\n% nothing\n; nothing\n", 0),
        (b"1. e4 *\n\n1. d4 *\n", 2),  # without tags, a result and a blank line end a game
        (b"1. e4\n\ne5 *\n", 1),  # a blank line alone does not
        (b'[Event "A"]\n[White "B"]\n\n\n1. e4 *\n', 1),
        (b'[Event "A"]\n\n[White "B"]\n\n1. e4 *\n', 1),  # a blank line between tags
        (b'[Event "A"]\n\n[Event "B"]\n\n1. e4 *\n', 2),  # a game without moves
        (b'1. e4 { [%eval 0.3]\n[White "in a comment"] } e5 *\n', 1),
        (b'1. e4 ; a { remark\n[Event "B"]\n\n1. d4 *\n', 2),
        (b'[White "{"]\n\n1. e4 *\n\n[Event "B"]\n\n1. d4 *\n', 2),  # a brace in a tag
        (b'1. e4 {not closed\n\n[Event "B"]\n\n1. d4 *\n', 2),
        (b'[Event "A"]\r\n\r\n1. e4 *\r\n\r\n[Event "B"]\r\n\r\n1. d4 *\r\n', 2),
        (b'\xef\xbb\xbf[Event "A"]\n\n1. e4 *\n', 1),
    ],
)
def test_how_many_games_there_are(data: bytes, count: int) -> None:
    found = texts(data)
    assert len(found) == count
    if found:
        assert found[-1].end.offset == len(data)


def test_a_comment_that_is_not_closed_is_said() -> None:
    assert texts(b'1. e4 {open\n\n[Event "B"]\n\n1. d4 *\n')[0].flaw == "a comment is not closed"


def test_a_huge_comment_is_cut_and_the_game_goes_on() -> None:
    comment = b"x" * (3 * MAX_COMMENT)
    (text,) = texts(b"1. e4 {" + comment + b"} e5 2. d4 *\n")
    assert text.flaw == "a comment is longer than 64 KiB, and cut"
    assert text.whole
    assert text.data.endswith(b"x} e5 2. d4 *\n")
    assert len(text.data) < MAX_COMMENT + 100


def test_a_cut_comment_of_many_lines_keeps_their_number() -> None:
    comment = b"xxxxxxxxxxxxxxx\n" * (MAX_COMMENT // 8)
    (text,) = texts(b"1. e4 {" + comment + b"} e5 *\n")
    assert text.data.count(b"\n") == comment.count(b"\n") + 1


class Endless:
    """A file that has one game without an end, in one line or in many."""

    def __init__(self, piece: bytes, count: int) -> None:
        self._pieces: Iterator[bytes] = iter([piece] * count)

    def readline(self, size: int, /) -> bytes:
        return next(self._pieces, b"")


@pytest.mark.parametrize(
    "piece",
    [b"1. Nf3 Nf6 2. Ng1 Ng8\n" * 2, b"{ x } Nf3 " * 6000, b"{" * 60000, b"{ ; } Nf3 " * 99],
)
def test_an_endless_game_takes_no_memory(piece: bytes) -> None:
    count = 3_000_000 // len(piece)
    tracemalloc.start()
    found = list(split(Endless(piece, count)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * MAX_GAME
    assert len(found) == 1
    assert found[0].flaw
    assert found[0].end.offset == len(piece) * count
