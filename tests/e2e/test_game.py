"""Games by python-chess: a remote engine behaves like a local one, with a real clock."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import chess
import chess.engine
import pytest

START = 20.0  # s on each clock
INCREMENT = 0.1  # s
# Plies.  Later on both engines have a second left, and tests beside this one stall as long.
LONGEST = 40
SHORT = 16  # plies, in which each side is given its clock eight times
SKILL = 5  # of Stockfish's 20, so that neither side is lost at once


@dataclass
class Side:
    """An engine and what is left on its clock, in seconds."""

    engine: chess.engine.SimpleEngine
    clock: float = START


def play(white: Side, black: Side, longest: int) -> chess.Board:
    """Play a game; an illegal move raises, a lost clock fails."""
    board = chess.Board()
    sides = {chess.WHITE: white, chess.BLACK: black}
    while not board.is_game_over(claim_draw=True) and board.ply() < longest:
        side = sides[board.turn]
        limit = chess.engine.Limit(
            white_clock=white.clock,
            black_clock=black.clock,
            white_inc=INCREMENT,
            black_inc=INCREMENT,
        )
        started = time.monotonic()
        result = side.engine.play(board, limit, game="the only one")
        side.clock -= time.monotonic() - started
        assert side.clock > 0, f"{side.engine.id['name']} lost on time: {board.fen()}"
        side.clock += INCREMENT
        assert result.move is not None
        board.push(result.move)
    return board


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("remote_is", "longest"),
    [
        ("white", SHORT),
        pytest.param("white", LONGEST, marks=pytest.mark.long),
        pytest.param("black", LONGEST, marks=pytest.mark.long),
    ],
)
def test_a_remote_engine_plays_a_game_like_a_local_one(
    server_url: str, find: Callable[[str], str], remote_is: str, longest: int
) -> None:
    """Rows 111, 112, 114, 146, 147: clocks and one legal move each, over the network."""
    with (
        chess.engine.SimpleEngine.popen_uci([find("rookery-bridge"), server_url]) as remote,
        chess.engine.SimpleEngine.popen_uci(find("stockfish")) as local,
    ):
        # On a busy machine the local engine must not be the one that loses on time.
        local.configure({"Skill Level": SKILL, "Move Overhead": 100})
        sides = Side(remote), Side(local)
        board = play(*(sides if remote_is == "white" else reversed(sides)), longest)
    print(board.result(claim_draw=True), board.ply(), "plies", *(f"{s.clock:.1f} s" for s in sides))
    assert board.outcome(claim_draw=True) or board.ply() >= longest
