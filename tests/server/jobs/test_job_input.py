"""The input of jobs, however it is cut into pieces."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rookery_server.jobs.job_input import (
    MAX_LINE,
    GameItems,
    InputError,
    LineItems,
    SpoolError,
    position_of_text,
)

FEN = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


def lines(*pieces: bytes) -> list[str]:
    reader = LineItems(lambda text, number: f"{number} {text}")
    found = [item for piece in pieces for item in reader.receive(piece)]
    return found + reader.finish()


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_are_the_same_however_they_come(size: int) -> None:
    data = b"\xef\xbb\xbfone\r\n\n  two \nthr\xc3\xa9e"
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert lines(*pieces) == ["1 one", "3 two", "4 thr\xe9e"]


def test_line_that_has_no_end_is_an_error_before_it_is_whole() -> None:
    reader = LineItems(lambda text, _: text)
    for _ in range(MAX_LINE // 1000):
        assert reader.receive(b"x" * 1000) == []
    with pytest.raises(InputError, match=f"line 1 is longer than {MAX_LINE} bytes"):
        reader.receive(b"x" * 1000)
    with pytest.raises(InputError, match="line 2 is longer"):
        lines(b"a\n" + b"x" * (MAX_LINE + 1) + b"\n")


def test_line_that_is_no_text_is_named() -> None:
    with pytest.raises(InputError, match="line 2 is not UTF-8"):
        lines(b"a\n\xff\xfe\n")


@pytest.mark.parametrize(("text", "item"), [
    (FEN, {"fen": FEN}),
    ("4k3/8/8/8/8/8/8/4K2R w K -", {"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}),
    (
        '4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "BK.01";',
        {"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "id": "BK.01"},
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w K - hmvc 7; fmvn 30; bm Rh8+ O-O;",
        {"fen": "4k3/8/8/8/8/8/8/4K2R w K - 7 30"},
    ),
    ("rubbish", {"fen": "rubbish"}),
    ("a b c d;", {"fen": "a b c d;"}),
])  # fmt: skip
def test_line_of_text_is_a_fen_or_an_epd(text: str, item: dict[str, str]) -> None:
    assert json.loads(position_of_text(text)) == item


def games(data: bytes) -> Iterator[dict[str, object]]:
    with closing(GameItems()) as reader:
        for at in range(0, len(data), 7):
            reader.receive(data[at : at + 7])
        while items := reader.next_items():
            yield from map(json.loads, items)


def test_games_are_divided() -> None:
    pgn = '[Event "a"]\n\n1. e4 e5 *\n\n[Event "b"]\n\n1. d4 *\n'
    found = list(games(pgn.encode()))
    assert [each["line"] for each in found] == [1, 5]
    assert "1. d4 *" in str(found[1]["text"])


def test_games_may_be_in_other_encodings() -> None:
    pgn = '[White "M\xfcller"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n'
    for coding in ("utf-8-sig", "utf-16", "cp1252"):
        assert "M\xfcller" in str(next(games(pgn.encode(coding)))["text"]), coding


def test_full_disk_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Path("/dev/full")
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda: full.open("wb+"))
    with closing(GameItems()) as games, pytest.raises(SpoolError, match="free some room"):
        games.receive(b"1. e4 *\n" * 10_000)
    with closing(GameItems()) as games:
        games.receive(b"1. e4 *")
        with pytest.raises(SpoolError, match="No space left"):
            games.next_items()


def test_one_game_of_words_is_no_pgn() -> None:
    with pytest.raises(InputError, match="the body is no PGN"):
        list(games(b"<html><body>not found</body></html>"))
    assert list(games(b"")) == []
