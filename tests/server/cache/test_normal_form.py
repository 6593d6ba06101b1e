"""Positions by one name each."""

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery_server.cache.question import NEAR, Question, board_of, normal_form
from rookery_uci import Position

START = chess.STARTING_FEN
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def name_of(
    fen: str | None = None, *moves: str, chess960: bool = False, variant: str = "chess"
) -> str | None:
    question = Question(Position(fen, moves), chess960=chess960, variant=variant)
    return normal_form(board_of(question), variant)


def test_transpositions_are_one_position() -> None:
    assert name_of(None, "e2e4", "e7e5", "g1f3", "b8c6") == name_of(
        None, "g1f3", "b8c6", "e2e4", "e7e5"
    )


def test_fen_and_moves_are_one_position() -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert name_of(None, "e2e4", "e7e5") == name_of(fen)


def test_move_number_does_not_matter() -> None:
    assert name_of(START) == name_of(START.replace("0 1", "0 77")) == name_of(None)


def test_en_passant_counts_only_where_it_is_possible() -> None:
    bare = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq {} 0 1"
    assert name_of(bare.format("e3")) == name_of(bare.format("-"))
    taking = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq {} 0 3"
    assert name_of(taking.format("e3")) != name_of(taking.format("-"))
    pinned = "4k3/8/8/8/2KpP2r/8/8/8 b - {} 0 1"
    assert name_of(pinned.format("e3")) != name_of(pinned.format("-"))
    pinned = "8/8/8/8/k2pP2Q/8/8/4K3 b - {} 0 1"
    assert name_of(pinned.format("e3")) == name_of(pinned.format("-"))


def test_side_castling_rules_and_variant_count() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    names = [
        name_of(fen),
        name_of(fen.replace(" w ", " b ")),
        name_of(fen.replace("KQkq", "Kkq")),
        name_of(fen, chess960=True),
        name_of(fen, variant="atomic"),
    ]
    assert len(set(names)) == len(names)


def test_castling_is_one_however_it_is_written() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w {} - 0 1"
    names = {name_of(fen.format(each), chess960=True) for each in ("KQkq", "HAha")}
    assert len(names) == 1


def test_pockets_and_promoted_pieces_count() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2Q{}[{}] w - - 0 1"
    names = {
        name_of(fen.format(*each), variant="crazyhouse")
        for each in (("", "P"), ("~", "P"), ("", "p"))
    }
    assert len(names) == 3


def test_half_moves_count_only_when_the_draw_comes_into_sight() -> None:
    fen = "8/8/4k3/8/8/4K3/4R3/8 w - - {} 90"
    assert name_of(fen.format(0)) == name_of(fen.format(NEAR))
    assert len({name_of(fen.format(clock)) for clock in range(NEAR, 100)}) == 100 - NEAR
    assert name_of(fen.format(100)) is None


def test_position_that_occurred_twice_has_no_name() -> None:
    assert name_of(None, *SHUFFLE[:3])
    assert name_of(None, *SHUFFLE) is None
    # Nor has what comes after it, for to go back there may be a draw by now.
    assert name_of(None, *SHUFFLE, "b1c3") is None
    # What cannot be undone ends that.
    assert name_of(None, *SHUFFLE, "e2e4") == name_of(None, "e2e4")


def test_repetition_that_began_before_the_fen_is_seen_as_far_as_it_goes() -> None:
    assert name_of(START.replace("0 1", "30 40"), *SHUFFLE) is None


def test_lost_castling_is_no_repetition() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    back = ("e1d1", "e8d8", "d1e1", "d8e8")
    assert name_of(fen, *back)
    assert name_of(fen, *back, *back) is None


def test_position_that_is_over_has_no_name() -> None:
    assert name_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") is None  # stalemate
    assert name_of(None, "f2f3", "e7e5", "g2g4", "d8h4") is None


def test_castling_is_played_as_each_of_the_rules_writes_it() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    after = board_of(Question(Position(fen, ("e1g1",))))
    assert after.board_fen() == "r3k2r/8/8/8/8/8/8/R4RK1"
    assert board_of(Question(Position(fen, ("e1h1",)), chess960=True)).board_fen() == (
        after.board_fen()
    )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_game_and_the_fen_of_its_end_have_one_name(data: st.DataObject) -> None:
    board, moves = chess.Board(), []
    for _ in range(data.draw(st.integers(0, 40))):
        legal = sorted(board.legal_moves, key=chess.Move.uci)
        if not legal:
            break
        move = data.draw(st.sampled_from(legal))
        moves.append(move.uci())
        board.push(move)
    name = name_of(None, *moves)
    repeated = any(_copies(board, back) for back in range(len(board.move_stack) + 1))
    if board.is_game_over(claim_draw=False) or board.halfmove_clock >= 100 or repeated:
        assert name is None
    else:
        assert name == name_of(board.fen())


def _copies(board: chess.Board, back: int) -> bool:
    """Return whether a position has occurred twice since an irreversible move."""
    past = board.copy()
    if back > board.halfmove_clock:
        return False
    for _ in range(back):
        past.pop()
    return past.is_repetition(2)


@pytest.mark.parametrize("length", [2000])
def test_longest_games_are_borne(length: int) -> None:
    moves = ("e2e4", "e7e5", *(SHUFFLE * length)[: length - 2])
    assert name_of(None, *moves) is None
