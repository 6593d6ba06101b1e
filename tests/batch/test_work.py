"""Games as python-chess reads them, and what is said of broken ones."""

import io

import pytest

from rookery_engine.uci import Position
from rookery_server.batch.text import split
from rookery_server.batch.work import Place, Work, read


def work(data: bytes) -> Work:
    (text,) = split(io.BytesIO(data))
    return read(text, Place(1, "games.pgn", text.line))


def test_positions_have_all_moves_that_led_there() -> None:
    assert work(b"1. e4 e5 *\n").positions() == [
        Position(None, ()), Position(None, ("e2e4",)), Position(None, ("e2e4", "e7e5")),
    ]  # fmt: skip


def test_an_illegal_move_is_named_with_its_line_and_the_moves_before_it_stay() -> None:
    broken = work(b'[White "A"]\n[Black "B"]\n\n1. e4 e5\n\n{a\ncomment} 2. Ke4 Nf6 *\n')
    assert len(broken.positions()) == 3
    assert broken.obstacle is None
    assert broken.flaws[0].startswith("line 7: illegal san: 'Ke4'")
    assert broken.name == "games.pgn: game 1 (A - B)"


@pytest.mark.parametrize(
    ("data", "obstacle"),
    [
        (b'[FEN "nonsense"]\n\n1. e4 *\n', "its first position cannot be set up"),
        (b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*\n', "white needs one king, not 0"),
        (b'[Variant "Crazyhouse"]\n\n1. e4 *\n', "it is crazyhouse, and only"),
        (b'[Variant "Bogus"]\n\n1. e4 *\n', "its first position cannot be set up"),
        (b"hello, world\n", "it has neither tags nor moves: this may be no PGN"),
        (b"1. Nf3 Nf6 2. Ng1 Ng8 " * 600 + b"*\n", "it has more than 2000 half-moves"),
        (b"1. e4 e5 " + b"x" * (1 << 20) + b" *\n", "it is longer than 1 MiB"),
    ],
)
def test_what_cannot_be_analysed(data: bytes, obstacle: str) -> None:
    assert (work(data).obstacle or "").startswith(f"line 1: {obstacle}")


def test_chess960_castles_as_engines_read_it() -> None:
    game = work(
        b'[Variant "Chess960"]\n[FEN "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1"]\n\n1. O-O *\n'
    )
    assert game.chess960
    last = game.positions()[-1]
    assert last.moves == ("e1h1",)
    assert " HBhb " in (last.fen or "")


@pytest.mark.parametrize(
    ("said", "read", "chess960"),
    [
        ("4k3/8/8/8/8/8/8/4K2R W KKQq - - -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", False),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0.0 5 text", "4k3/8/8/8/8/8/8/4K2R w K - 0 5", False),
        (
            "nrbknbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBKNBRQ w GBgb - 0 1;",
            "nrbknbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBKNBRQ w KQkq - 0 1",
            True,
        ),
    ],
)
def test_first_position_is_mended_as_that_of_a_session(
    said: str, read: str, chess960: bool
) -> None:
    game = work(f'[FEN "{said}"]\n\n*\n'.encode())
    assert game.obstacle is None
    assert game.game.headers["FEN"] == read
    assert game.chess960 is chess960


def test_latin_1_is_read() -> None:
    assert (
        work('[White "Jos\u00e9"]\n\n1. e4 *\n'.encode("latin-1")).game.headers["White"] == "José"
    )


def test_variations_that_are_nested_deeply_harm_nobody() -> None:
    nested = work(b"1. e4 " + b"( 1. d4 " * 20_000 + b")" * 20_000 + b" e5 *\n")
    assert nested.obstacle or len(nested.positions()) == 3


@pytest.mark.parametrize(
    ("data", "over"),
    [
        (b"1. f3 e5 2. g4 Qh4# *\n", [4]),
        (b"1. e4 e5 *\n", []),
        (b'[FEN "8/8/8/8/8/1k6/8/K6B w - - 0 1"]\n\n1. Kb1 Kc3 *\n', [0, 1, 2]),
        (b'[FEN "8/8/8/8/8/3Q4/8/k1K5 w - - 0 1"]\n\n1. Qb3 *\n', [1]),
        (b"1. f3 e5 2. g4 Qh4# 3. e4 *\n", [4]),
    ],
)
def test_a_game_is_over_where_nobody_can_win_any_more(data: bytes, over: list[int]) -> None:
    game = work(data)
    assert [ply for ply in range(len(game.boards)) if game.is_over(ply)] == over
