"""Games as python-chess reads them, and the flaws of broken ones."""

import io

import pytest

from rookery_analysis import annotation
from rookery_analysis.game import ParsedGame, parse_game
from rookery_analysis.pgn_splitter import GameText, Mark, split_games
from rookery_uci import Position


def parsed_game(data: bytes) -> ParsedGame:
    (text,) = split_games(io.BytesIO(data))
    return parse_game(text, 1, "games.pgn")


def test_positions_have_all_moves_that_led_there() -> None:
    assert parsed_game(b"1. e4 e5 *\n").positions() == [
        Position(None, ()), Position(None, ("e2e4",)), Position(None, ("e2e4", "e7e5")),
    ]  # fmt: skip


def test_an_illegal_move_is_named_with_its_line_and_the_moves_before_it_stay() -> None:
    broken = parsed_game(b'[White "A"]\n[Black "B"]\n\n1. e4 e5\n\n{a\ncomment} 2. Ke4 Nf6 *\n')
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
        (b"Nf3 Nf6 Ng1 Ng8 " * 600 + b"*\n", "it has more than 2000 half-moves"),
        (b"1. e4 e5 " + b"x" * (1 << 20) + b" *\n", "it is longer than 1 MiB"),
    ],
)
def test_game_that_cannot_be_analysed_has_an_obstacle(data: bytes, obstacle: str) -> None:
    assert (parsed_game(data).obstacle or "").startswith(f"line 1: {obstacle}")


def test_chess960_castles_as_engines_read_it() -> None:
    game = parsed_game(
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
        # A right that chess cannot have is no reason to play Chess960.
        (
            "r5k1/1pp2p1p/8/8/8/8/1PR2PPP/1R4K1 b q - 0 1",
            "r5k1/1pp2p1p/8/8/8/8/1PR2PPP/1R4K1 b - - 0 1",
            False,
        ),
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
    game = parsed_game(f'[FEN "{said}"]\n\n*\n'.encode())
    assert game.obstacle is None
    assert game.pgn.headers["FEN"] == read
    assert game.chess960 is chess960


def test_latin_1_is_read() -> None:
    assert (
        parsed_game('[White "Jos\u00e9"]\n\n1. e4 *\n'.encode("latin-1")).pgn.headers["White"]
        == "José"
    )


@pytest.mark.parametrize(
    ("moves", "played"),
    [
        ("1. e2-e4 e7-e5 2. Ng1-f3 Nb8xc6 3. d2d4 e:d4", "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4"),
        ("1.e4 d5 2.ed ♛×d5 3.♘c3 ♕\ufe0ea5", "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5"),
        ("1. Sf3 Sf6 2. g3 g6 3. Lg2 Lg7 4. 0-0 O-O", "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8"),
        ("1. Cf3 Cf6 2. g3 g6 3. Fg2 Fg7 4. Te1??", "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7"),
        ("1. e4 e5 2. Re2 Re7", None),  # kings in French, knights in Finnish
        ("1. e4 e5 2. Кf3 Кc6 3. Сb5 Крe7", "e2e4 e7e5 g1f3 b8c6 f1b5 e8e7"),
        ("1. e4 e5 2. Pf3 Pc6 3. Lb5", "e2e4 e7e5 g1f3 b8c6 f1b5"),  # Dutch
        ("1. Pe4 Pe5 2. Nf3", "e2e4 e7e5 g1f3"),
        ("1. Pf3 Pf6", None),  # Dutch, or pawns
        ("1 e4 e5 2 nf3 nc6", "e2e4 e7e5 g1f3 b8c6"),
        ("1. e4! e5 ⩲ 2. Nf3", "e2e4 e7e5"),
        ("1. e4 e5 2. N f3", "e2e4 e7e5"),  # never f3
        ("1. e4 e5 2. D f3", "e2e4 e7e5"),
        ("1. e4 e5 2. Ke4 (2. Nf3 Nc6) d5", "e2e4 e7e5"),  # never Nf3
        ("1. e4 (1. e4 e5 (1... c5)) e5", "e2e4 e7e5"),
    ],
)
def test_moves_are_those_that_are_written_or_the_game_ends_or_is_refused(
    moves: str, played: str | None
) -> None:
    game = parsed_game(f'[White "A"]\n\n{moves} *\n'.encode())
    if played is None:
        assert " may be " in (game.obstacle or "")
        assert not game.moves
    else:
        assert " ".join(game.moves) == played


@pytest.mark.parametrize(
    ("said", "marker", "result"),
    [
        ("0.5-0.5", "", "1/2-1/2"), ("draw", "", "1/2-1/2"), ("½-½", "*", "1/2-1/2"),
        ("?", "0-1", "0-1"), ("", "1/2", "1/2-1/2"), ("1:0", "1-0", "1-0"), ("nonsense", "", "*"),
        ("1 – 0", "", "1-0"), ("*", "0-1", "0-1"), ("1-0", "0-1", "1-0"),
    ],
)  # fmt: skip
def test_a_result_is_one_of_the_standard(said: str, marker: str, result: str) -> None:
    game = parsed_game(f'[Result "{said}"]\n\n1. e4 e5 {marker}\n'.encode())
    assert game.pgn.headers["Result"] == result
    assert bool(game.remarks) == ({said, marker} == {"1-0", "0-1"})


@pytest.mark.parametrize(
    ("data", "obstacle"),
    [
        (b"12. Nf3 Nc6 *\n", "it begins with move 12, and has no tag FEN"),
        (b'[SetUp "1"]\n\n1. e4 *\n', "its tag SetUp says"),
    ],
)
def test_a_game_that_begins_elsewhere_is_not_read_from_the_first_position(
    data: bytes, obstacle: str
) -> None:
    assert obstacle in (parsed_game(data).obstacle or "")


@pytest.mark.parametrize("name", ["Freestyle", "Freestyle Chess", "chess 960", "Fischer Random"])
def test_names_of_chess960(name: str) -> None:
    fen = "bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w KQkq - 0 1"
    game = parsed_game(f'[Variant "{name}"]\n[FEN "{fen}"]\n\n1. e4 e5 *\n'.encode())
    assert game.chess960
    assert game.pgn.headers["Variant"] == "Chess960"


def test_deeply_nested_variations_do_no_harm() -> None:
    nested = parsed_game(b"1. e4 " + b"( 1. d4 " * 100_000 + b")" * 100_000 + b" e5 *\n")
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
def test_game_is_over_if_neither_side_can_win(data: bytes, over: list[int]) -> None:
    game = parsed_game(data)
    assert [ply for ply in range(len(game.boards)) if game.is_over(ply)] == over


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "data",
    [
        "1. e4" + "+" * 100 + "x *",
        "1. " + "ch" * 400_000 + "x *",
        '[Result "a' + " " * 400_000 + 'a"]\n\n1. e4 *',
        "[Event" + " " * 400_000 + "\n\n1. e4 *",
        "1. e4 {a" + " " * 400_000 + "a} *",
    ],
    ids=["plus", "check", "result", "tag", "comment"],
)
def test_reading_takes_as_long_as_a_text_is(data: str) -> None:
    parsed = parse_game(GameText(data, 1, Mark()), 1, "hostile.pgn")
    assert annotation.to_pgn(parsed.pgn)


@pytest.mark.parametrize(
    ("data", "moves"),
    [
        (b'[Result "0-0"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0\n', 6),
        (b'[Result "0-0"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0 *\n', 7),
        (b'[Result "*"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0\n', 7),
        (b"1e4 e5 2Nf3 Nc6 *\n", 4),
    ],
)
def test_result_behind_the_moves_is_no_move(data: bytes, moves: int) -> None:
    assert (len(parsed_game(data).moves), parsed_game(data).flaws) == (moves, ())


def test_game_without_a_position_has_no_tag_setup() -> None:
    game = parsed_game(b'[SetUp "1"]\n\n1. e4 *\n')
    assert game.obstacle
    assert "[SetUp" not in annotation._without_moves(game.pgn)


def test_comments_are_kept_or_reported() -> None:
    game = parsed_game(b"1. e4 {a} ({b}) ({c} 1. d4 {d}) ( ) {e} e5 *\n").pgn
    assert [node.comment for node in game.variations] == ["a b e", "d"]
    assert game.variations[1].starting_comment == "c"
    (flaw,) = parsed_game(b"1. -- (1. e4 e5) 1... e5 2. Nf3 *\n").flaws
    assert "'--' is no move, and the variations to it are left out" in flaw


@pytest.mark.parametrize(
    "tag", ['[fen "{}"]', '[Fen "{}"]', "[fen {}]", '[FEN = "{}"]', '[FEN: "{}"]', '[FEN:"{}"]']
)
def test_a_position_is_read_however_its_tag_is_written(tag: str) -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    game = parsed_game(f'[white "A"]\n{tag.format(fen)}\n[Setup "1"]\n\n1. e4 *\n'.encode())
    assert (game.boards[0].fen(), game.pgn.headers["White"]) == (fen, "A")


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("mine Blunder. Qf2 was best. too", "mine  too"),
        ("(0.48 → -0.05) Inaccuracy. Nc3 was best.", ""),
        ("(0.40 → #-3) Checkmate is now unavoidable. Qe2 was best. So it is.", "So it is."),
        ("(#2 → 5.31) Lost forced checkmate sequence.", ""),
        ("Blunder. Terrible (see 3 → 4).", "Blunder. Terrible (see 3 → 4)."),
        ("[analysis] a comment is not closed", ""),
    ],
)
def test_an_earlier_judgement_is_removed_from_a_comment(comment: str, left: str) -> None:
    (e4,) = parsed_game(f"1. e4 {{{comment}}} *\n".encode()).pgn.variations
    annotation.remove_judgement(e4)
    assert e4.comment == left


@pytest.mark.parametrize(
    ("line", "stays"), [("2. Nc3 Nf6", False), ("2. Nc3 {mine}", True), ("2. d4", True)]
)
def test_an_earlier_judgement_takes_its_glyph_and_its_line_along(line: str, stays: bool) -> None:
    text = f"1. e4 e5 2. f3 $4 $36 {{(0.3 → -2.1) Blunder. Nc3 was best.}} ({line}) *\n"
    before = parsed_game(text.encode()).pgn.variations[0].variations[0]
    annotation.remove_judgement(before.variations[0])
    assert before.variations[0].nags == {36}
    assert (len(before.variations) == 2) == stays
