"""Positions for an engine: refused, mended or passed on."""

import random
import time
from contextlib import suppress

import chess
import chess.variant
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery_protocol.legality import STANDARD, Referee
from rookery_uci import Position, UciError, parse_command

ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def check(
    line: str, referee: Referee | None = None, *, chess960: bool = False, variant: str = STANDARD
) -> str:
    """Return a position as an engine hears it."""
    said = parse_command(f"position {line}")
    assert isinstance(said, Position)
    told = (referee or Referee()).check(said, chess960=chess960, variant=variant)
    return str(told).removeprefix("position ")


def random_game(plies: int) -> list[str]:
    """Return the moves of a game that goes on for so long."""
    choose, board = random.Random(plies), chess.Board()
    while board.ply() < plies:
        moves = list(board.legal_moves)
        board.push(choose.choice([m for m in moves if not board.is_capture(m)] or moves))
        if not any(board.legal_moves) or board.is_insufficient_material():
            board.pop()
            board.pop()
    return [move.uci() for move in board.move_stack]


@pytest.mark.parametrize("line", [
    "startpos", "startpos moves e2e4 e7e5", f"fen {ROOKS}", f"fen {ROOKS} moves e1g1 e8c8",
    "fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2 moves e5d6",
    "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "fen 8/P6k/8/8/8/8/p6K/8 w - - 0 1 moves a7a8n a2a1q",
    "fen R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1",  # mate
    "fen 4k3/8/8/8/1b2r2b/8/8/4K3 w - - 0 1",  # three checks
    "fen qqqqkqqq/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1",
])  # fmt: skip
def test_what_engines_play_passes_as_it_is(line: str) -> None:
    assert check(line) == line


@pytest.mark.parametrize(("said", "told"), [
    ("fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("fen 4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("fen 4k3/8/8/8/8/8/8/4K3 w", "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("fen 4k3/8/8/8/8/8/8/4K3 w - - 99999999999999 0", "fen 4k3/8/8/8/8/8/8/4K3 w - - 9999 1"),
    (f"fen {ROOKS} moves e1h1", f"fen {ROOKS} moves e1g1"),
    ("fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", f"fen {ROOKS}"),
])  # fmt: skip
def test_position_is_written_anew(said: str, told: str) -> None:
    assert check(said) == told


@pytest.mark.parametrize(
    "fen", ["8" * 60_000, "4k3/" * 15_000, f"4k3/{'p' * 60_000}/8/8/8/8/8/4K3"]
)
@pytest.mark.parametrize("variant", ["chess", "atomic"])
def test_refusal_of_an_endless_fen_is_short(fen: str, variant: str) -> None:
    with pytest.raises(UciError) as caught:
        check(f"fen {fen}", variant=variant)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(("moves", "number", "text"), [
    ("e2e5", 1, "e2e5"), ("e2e4 e2e4", 2, "e2e4"), ("0000", 1, "0000"), ("e1e1", 1, "e1e1"),
    ("e2e4 e7e5 e1g1", 3, "e1g1"), ("joho", 1, "joho"), ("E2E4", 1, "E2E4"), ("e2e9", 1, "e2e9"),
    ("P@e4", 1, "P@e4"), ("e2e4q", 1, "e2e4q"), ("f2f3 e7e5 g2g4 d8h4 a2a3", 5, "a2a3"),
    ("e2e4 " + "x" * 1000, 2, "xxxxxxxxxx"),
])  # fmt: skip
def test_move_that_is_not_legal_is_named(moves: str, number: int, text: str) -> None:
    with pytest.raises(UciError, match=rf"^move {number} \({text}\) is not legal in \S+ [wb] "):
        check(f"startpos moves {moves}")


def test_promotion_needs_its_letter() -> None:
    for move in ("a7a8", "a7a8k", "a7a8p"):
        with pytest.raises(UciError, match="move 1"):
            check(f"fen 8/P6k/8/8/8/8/8/7K w - - 0 1 moves {move}")


# --- the whole game, each time


def test_game_may_go_on_go_back_and_branch() -> None:
    referee = Referee()
    for moves in ("e2e4", "e2e4 e7e5", "e2e4", "d2d4 d7d5 c2c4", "d2d4 d7d5 c2c4 e7e6", "e2e4"):
        assert check(f"startpos moves {moves}", referee) == f"startpos moves {moves}"
        assert referee.board.fen() == played(moves).fen()


def played(moves: str) -> chess.Board:
    board = chess.Board()
    for move in moves.split():
        board.push_uci(move)
    return board


def test_refused_position_leaves_no_trace() -> None:
    referee = Referee()
    check("startpos moves e2e4", referee)
    for line in ("startpos moves e2e4 e7e5 e2e4", f"fen {ROOKS} moves e1e8", "fen 8/8 w"):
        with pytest.raises(UciError):
            check(line, referee)
    assert check("startpos moves e2e4 e7e5", referee) == "startpos moves e2e4 e7e5"


def test_only_moves_that_are_new_are_played_and_counted() -> None:
    referee = Referee()
    for moves, played in (
        ("e2e4 e7e5", 2),
        ("e2e4 e7e5 g1f3", 3),
        ("e2e4 e7e5 g1f3", 3),
        ("e2e4", 4),
        ("e2e4 e7e5 e1e3", 5),  # The last is not legal.
    ):
        with suppress(UciError):
            check(f"startpos moves {moves}", referee)
        assert referee.played == played


def test_moves_that_were_rewritten_stay_so() -> None:
    referee = Referee()
    check(f"fen {ROOKS} moves e1h1", referee)
    assert check(f"fen {ROOKS} moves e1h1 e8a8", referee) == f"fen {ROOKS} moves e1g1 e8c8"


def test_same_words_mean_something_else_in_chess960() -> None:
    referee = Referee()
    assert check(f"fen {ROOKS} moves e1g1", referee) == f"fen {ROOKS} moves e1g1"
    told = check(f"fen {ROOKS} moves e1g1", referee, chess960=True)
    assert told == f"fen {ROOKS} moves e1h1"


def test_next_move_of_a_long_game_takes_little() -> None:
    """As a ratio, because the machine may be busy: 7 ms on a quiet one, and then 0.2."""
    moves = random_game(1200)
    lines = [" ".join(moves[:length]) for length in (1198, 1200)]
    first, later = [], []
    for _ in range(5):
        referee = Referee()
        for line, times in zip(lines, (first, later), strict=True):
            begun = time.process_time()
            assert check(f"startpos moves {line}", referee).endswith(line)
            times.append(time.process_time() - begun)
    assert min(later) < 0.3 * min(first)


def test_every_legal_move_of_random_games_passes_and_no_other() -> None:
    choose = random.Random(1)
    board = chess.Board()
    for _ in range(300):
        legal = {move.uci() for move in board.legal_moves}
        if not legal:
            board = chess.Board()
            continue
        fen = board.fen(en_passant="fen")
        squares = [chess.square_name(choose.randrange(64)) for _ in range(40)]
        tried = legal | {a + b for a, b in zip(squares[::2], squares[1::2], strict=True)}
        for move in tried:
            try:
                assert check(f"fen {fen} moves {move}") == f"fen {fen} moves {move}"
            except UciError:
                assert move not in legal
            else:
                assert move in legal
        board.push_uci(choose.choice(sorted(legal)))


# --- Chess960 and variants


@pytest.mark.parametrize(("variant", "said", "told"), [
    ("atomic", "4k3/8/8/8/8/8/8/R3K2R B KKQ -1 -1 bm e4;", "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1"),
    ("kingofthehill", "4k3/8/8/8/8/8/8/4K3 w - - 0.0 5;", "4k3/8/8/8/8/8/8/4K3 w - - 0 5"),
    ("3check", "4k3/8/8/8/8/8/8/4K3 w - - 2+3 4 5", None),
    ("3check", "4k3/8/8/8/8/8/8/4K3 w - - 4 5 +1+0", "4k3/8/8/8/8/8/8/4K3 w - - 2+3 4 5"),
    ("3check", "4k3/8/8/8/8/8/8/4K3 w", "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1"),
    ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[Qn] W - -", "4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1"),
])  # fmt: skip
def test_variants_fields_are_mended_too(variant: str, said: str, told: str | None) -> None:
    assert check(f"fen {said}", variant=variant) == f"fen {told or said}"


@pytest.mark.parametrize(("variant", "fen"), [
    ("atomic", "4k3/8/8/8/8/8/8/8 b - - 0 1"), ("racingkings", "8/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("3check", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"),
    ("crazyhouse", "joho"), ("horde", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
])  # fmt: skip
def test_what_is_no_position_of_a_variant_is_refused(variant: str, fen: str) -> None:
    with pytest.raises(UciError):
        check(f"fen {fen}", variant=variant)


@pytest.mark.parametrize(("said", "told"), [
    (f"fen {ROOKS} moves e1h1 e8a8", f"fen {ROOKS} moves e1h1 e8a8"),
    ("fen 4k3/8/8/8/8/8/8/RK5R w HA - 0 1 moves b1c1", None),
    ("fen 4k3/8/8/8/8/8/8/RK5R w HA - 0 1 moves b1a1 e8e7", None),
    ("fen 4k3/8/8/8/8/8/8/2RK1R2 w KQ - 0 1 moves d1f1", None),
    ("fen r1rk1r1r/8/8/8/8/8/8/R1RK1R1R w FCfc - 0 1", None),
    ("fen bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w FCfc - 0 1", None),
])  # fmt: skip
def test_chess960(said: str, told: str | None) -> None:
    assert check(said, chess960=True) == (told or said)


@pytest.mark.parametrize(("variant", "line"), [
    ("crazyhouse", "startpos moves e2e4 d7d5 e4d5 d8d5 P@e4"),
    ("atomic", "startpos moves e2e4 d7d5 e4d5 d8d2"),
    ("horde", "startpos moves e4e5"),
    ("antichess", "startpos moves e2e3 b7b5 f1b5"),
    ("racingkings", "startpos moves h2h3"),
    ("3check", "startpos moves e2e4"),
])  # fmt: skip
def test_variants_have_their_own_rules(variant: str, line: str) -> None:
    assert check(line, variant=variant) == line
    with pytest.raises(UciError):
        check("startpos moves e2e4 e7e5 e4e5", variant=variant)


# Crazyhouse: black has a knight in hand, white a queen that was a pawn; it is black's move.
POCKETS = "r3k3/8/8/8/8/8/8/4K2Q~[n] b q - 0 1"


@pytest.mark.parametrize(("said", "told"), [
    (f"fen {POCKETS} moves N@f3", None),
    (f"fen {POCKETS} moves n@f3", f"fen {POCKETS} moves N@f3"),
    (f"fen {POCKETS} moves e8c8 h1a8 N@b8 e1f1", None),
    # A queen that was a pawn is a pawn when it is taken.
    ("fen r3k2r/8/8/8/8/8/8/4K2Q~[] b - - 0 1 moves h8h1 e1d2 P@c3", None),
    # The pockets of a FEN may stand behind a ninth slash.
    ("fen r3k3/8/8/8/8/8/8/4K2Q~/n b q - 0 1 moves N@f3", f"fen {POCKETS} moves N@f3"),
])  # fmt: skip
def test_drops(said: str, told: str | None) -> None:
    assert check(said, variant="crazyhouse") == (told or said)


@pytest.mark.parametrize(("fen", "move"), [
    (POCKETS, "P@f3"),  # which it does not have
    (POCKETS, "N@h1"),  # where somebody stands
    (POCKETS, "N@i9"),
    (POCKETS, "K@f3"),
    (POCKETS, "@f3"),
    ("4k3/8/8/8/8/8/8/4K2R[Pp] b - - 0 1", "P@e1"),
    ("4k3/8/8/8/8/8/8/4K2R[Pp] b - - 0 1", "P@a1"),  # a pawn on the last rank
    ("4k2R/8/8/8/8/8/8/4K3[n] b - - 0 1", "N@a1"),  # and stay in check
])  # fmt: skip
def test_drop_that_may_not_be(fen: str, move: str) -> None:
    with pytest.raises(UciError, match="not legal"):
        check(f"fen {fen} moves {move}", variant="crazyhouse")


def test_drop_takes_a_piece_out_of_check() -> None:
    line = "fen 4k2R/8/8/8/8/8/8/4K3[n] b - - 0 1 moves N@g8"
    assert check(line, variant="crazyhouse") == line


def test_there_are_no_drops_in_other_games() -> None:
    for variant in ("chess", "atomic", "3check"):
        with pytest.raises(UciError, match="not legal"):
            check("startpos moves e2e4 d7d5 e4d5 P@e4", variant=variant)


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_crazyhouse_games_pass_as_python_chess_plays_them(seed: int) -> None:
    chance = random.Random(seed)
    board = chess.variant.CrazyhouseBoard()
    start = None
    moves: list[str] = []
    while not board.is_game_over() and len(moves) < 80:
        drops = [move for move in board.legal_moves if move.drop]
        move = chance.choice(drops or list(board.legal_moves))
        moves.append(board.uci(move))
        board.push(move)
        if len(moves) == 30:
            start = board.fen()
    line = f"startpos moves {' '.join(moves)}"
    assert check(line, variant="crazyhouse") == line
    if start is not None and len(moves) > 30:
        line = f"fen {start} moves {' '.join(moves[30:])}"
        assert check(line, variant="crazyhouse") == line
