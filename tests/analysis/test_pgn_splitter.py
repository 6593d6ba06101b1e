"""Files of games, whole and broken, cut into texts."""

import io
import tracemalloc
from collections.abc import Iterator

import pytest

from rookery_analysis.pgn_splitter import MAX_COMMENT, MAX_GAME, GameText, Mark, split_games

TWO = b'[Event "A"]\n\n1. e4 e5 1-0\n\n[Event "B"]\n\n1. d4 *\n'


def texts(data: bytes) -> list[GameText]:
    return list(split_games(io.BytesIO(data)))


def test_games_are_divided_and_have_their_lines() -> None:
    first, second = texts(TWO)
    assert first.data == '[Event "A"]\n\n1. e4 e5 1-0\n\n'
    assert (first.line, second.line) == (1, 5)
    assert first.end == Mark(offset=TWO.index(b'[Event "B"]'), lines=4, games=1)


def test_reading_goes_on_within_a_line() -> None:
    data = "1. e4 {é} e5 1-0 1. d4 d5 * 1. c4 *\n".encode("latin-1")
    found = texts(data)
    assert [text.data.strip() for text in found] == ["1. e4 {é} e5 1-0", "1. d4 d5 *", "1. c4 *"]
    for number, text in enumerate(found[:-1], start=1):
        rest = io.BytesIO(data[text.end.offset :])
        assert [each.data for each in split_games(rest, text.end)] == [
            each.data for each in found[number:]
        ]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_it_does_not_matter_in_what_pieces_a_pipe_gives_a_file(size: int) -> None:
    class SlowFile(io.BytesIO):
        def read1(self, _: int = -1, /) -> bytes:
            return self.read(size)

    data = '[White "Jos\u00e9"]\r\n\r\n1. e4 {\r\r\n} *\r[White "B"]\r\r1. d4 *'
    for coding in ("utf-8", "latin-1"):
        raw = data.encode(coding)
        assert list(split_games(SlowFile(raw))) == texts(raw)


@pytest.mark.parametrize("cut", [0, 1])
def test_reading_goes_on_at_a_mark(cut: int) -> None:
    found = texts(TWO)
    mark = found[cut].end
    assert list(split_games(io.BytesIO(TWO[mark.offset :]), mark)) == found[cut + 1 :]


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
        (b'[Event "A"]\r\r1. e4 *\r\r[Event "B"]\r\r1. d4 *\r', 2),
        (b'[Event "A"]\r\r\n\r\r\n1. e4 *\r\r\n[Event "B"]\r\r\n1. d4 *\r\r\n', 2),
        (b'[Event "A"][White "B"] 1. e4 * [Event "C"][White "D"] 1. d4 *', 2),
        (b"1. e4 e5 1-0 1. d4 d5 0-1\n", 2),  # on one line
        (b"1. e4 e5 2. Nf3 1. d4 d5\n", 2),  # without a result
        (b"1. e4 1... e5 2. Nf3 (1. d4 d5 2. c4) 2... Nc6 *\n", 1),
        (b'1. e4 *\n% { a line that is escaped\n\n[Event "B"]\n\n1. d4 *\n', 2),
        (b'[Event "A"]\n[Result "*"]\n[Event "B"]\n[Result "*"]\n', 2),  # no blank line
    ],
)
def test_number_of_games(data: bytes, count: int) -> None:
    found = texts(data)
    assert len(found) == count
    if found:
        assert found[-1].end.offset == len(data)


def test_comment_that_is_not_closed_is_a_flaw() -> None:
    assert texts(b'1. e4 {open\n\n[Event "B"]\n\n1. d4 *\n')[0].flaw == "a comment is not closed"


def test_a_huge_comment_is_cut_and_the_game_goes_on() -> None:
    comment = b"x" * (3 * MAX_COMMENT)
    (text,) = texts(b"1. e4 {" + comment + b"} e5 2. d4 *\n")
    assert text.flaw == "a comment is longer than 64 KiB, and cut"
    assert text.whole
    assert text.data.endswith("x} e5 2. d4 *\n")
    assert len(text.data) < MAX_COMMENT + 100


def test_a_cut_comment_of_many_lines_keeps_their_number() -> None:
    comment = b"xxxxxxxxxxxxxxx\n" * (MAX_COMMENT // 8)
    (text,) = texts(b"1. e4 {" + comment + b"} e5 *\n")
    assert text.data.count("\n") == comment.count(b"\n") + 1


class Endless:
    """A file that has one game without an end, in one line or in many."""

    def __init__(self, piece: bytes, count: int) -> None:
        self._pieces: Iterator[bytes] = iter([piece] * count)

    def read1(self, size: int, /) -> bytes:
        return next(self._pieces, b"")


@pytest.mark.parametrize(
    "piece",
    [
        b"Nf3 Nf6 Ng1 Ng8\n" * 4,
        b"{ x } Nf3 " * 6000,
        b"{" * 60000,
        *(
            pytest.param(piece, marks=pytest.mark.long)
            for piece in (
                b"{ ; } Nf3 " * 99,
                b"(1. e4 " * 999,
                b'[a "\\"]' * 999,
                b"x" * 60000,
                b"x [" * 20000,
                b"x\xff" * 30000,
            )
        ),
    ],
)
def test_an_endless_game_takes_no_memory(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery_analysis.pgn_splitter.MAX_GAME", 1 << 15)
    monkeypatch.setattr("rookery_analysis.text_decoding.SAMPLE", 1 << 15)
    count = 300_000 // len(piece)
    tracemalloc.start()
    found = list(split_games(Endless(piece, count)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MAX_GAME
    assert len(found) == 1
    assert found[0].flaw
    assert found[0].end.offset == len(piece) * count


@pytest.mark.parametrize("said", ["{about it}", "{about\n\nit}", "; about it", '[My Tag "x"]'])
def test_comment_between_tags_does_not_divide_them(said: str) -> None:
    data = f'[Event "A"]\n[FEN "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"]\n{said}\n[White "B"]\n\n*\n'
    assert len(texts(data.encode())) == 1


def test_a_game_of_words_only_is_one() -> None:
    assert len(texts(b'[White "A"]\n\n{about it}\n\n[White "B"]\n\n1. e4 *\n')) == 2


def test_numbers_without_a_point_part_games_in_lines_of_moves() -> None:
    assert len(texts(b"1e4 e5 2Nf3\n1d4 d5 2c4\n")) == 2
