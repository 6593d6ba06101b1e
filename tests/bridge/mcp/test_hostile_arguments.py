"""Arguments of all kinds: each has a position in words, or an error that names what is wrong."""

import chess
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery_bridge.mcp.game_position import KnownGames, find_position
from rookery_bridge.mcp.legal_move import legal_moves
from rookery_bridge.mcp.tool_answer import ToolError
from rookery_bridge.mcp.tool_definitions import tool_named

RANK = st.text("pnbrqkPNBRQK12345678", min_size=1, max_size=8)
FEN_LIKE = st.builds(
    lambda ranks, side, castling, passed, counts: " ".join(
        ["/".join(ranks), side, castling, passed, counts]
    ),
    st.lists(RANK, min_size=7, max_size=9),
    st.sampled_from(["w", "b", "", "x"]),
    st.text("KQkqHAha-", max_size=4),
    st.sampled_from(["-", "e3", "e6", "a9", ""]),
    st.sampled_from(["0 1", "", "-1 0", "99999 99999", "a b"]),
)
# Positions in which one square has something else.
NEARLY = st.builds(
    lambda square, piece, side: f"{changed(square, piece)} {side} KQkq - 0 1",
    st.integers(0, 63),
    st.sampled_from("pnbrqkPNBRQK"),
    st.sampled_from("wb"),
)
PIECES_OF_GAMES = """
1. 1... 2. e4 e5 Nf3 Nc6 Bb5 O-O 0-0 exd5 e2e4 e8=Q { } ( ) [ ] ; -- $1 !? 1-0 * Nbd7 Qh4# % 0000
a1a1 P@e4 Bxc4 \u2658f3
"""
TAGS = ['[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', '[White "\x1b[2J"]', "\n"]
WORDS = st.lists(st.sampled_from([*PIECES_OF_GAMES.split(), *TAGS]), max_size=12).map(" ".join)
ANY = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30), FEN_LIKE, NEARLY,
    WORDS, st.lists(st.integers(), max_size=3), st.dictionaries(st.text(max_size=3), st.none()),
)  # fmt: skip
NAMES = st.sampled_from(["fen", "game", "before", "ply", "lines", "engine", "seconds", "FEN", ""])


def changed(square: int, piece: str) -> str:
    board = chess.BaseBoard()
    board.set_piece_at(square, chess.Piece.from_symbol(piece))
    return board.board_fen()


def check(said: dict[str, object]) -> None:
    """Find the position of a call, or the error."""
    position = None
    try:
        position = find_position(tool_named("analyse").read_arguments(said), KnownGames())
        text = "".join(position.lines())
    except ToolError as error:
        text = error.as_answer.text
    assert text.isprintable()
    assert len(text) < 3000
    if position:
        assert position.data()["fen"]
        assert position.board.king(chess.WHITE) is not None
        assert not position.board.was_into_check()
        assert len(legal_moves(position.board)) <= 250


@given(said=st.dictionaries(NAMES, ANY, max_size=4))
@settings(max_examples=600, deadline=None)
def test_arguments_of_all_kinds(said: dict[str, object]) -> None:
    check(said)


@given(fen=st.one_of(FEN_LIKE, NEARLY), game=WORDS, ply=st.one_of(st.none(), st.integers(-2, 20)))
@settings(max_examples=600, deadline=None)
def test_positions_and_games_that_are_nearly_good(fen: str, game: str, ply: int | None) -> None:
    check({"fen": fen, "game": game, "ply": ply})
    check({"fen": fen})
    check({"game": game, "before": "1..."})
