"""The position of a game that a call means, by move number, half-moves, or the end."""

import chess
import pytest

from rookery_bridge.mcp.game_position import KnownGames, find_position
from rookery_bridge.mcp.tool_answer import ToolError

GAME = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"


@pytest.mark.parametrize(
    ("place", "last"),
    [
        ({}, "3...a6"),
        ({"ply": 0}, None),
        ({"ply": 3}, "2. Nf3"),
        ({"before": "1"}, None),
        ({"before": "2"}, "1...e5"),
        ({"before": "2."}, "1...e5"),
        ({"before": "2w"}, "1...e5"),
        ({"before": "2..."}, "2. Nf3"),
        ({"before": "2b"}, "2. Nf3"),
        ({"before": "2…"}, "2. Nf3"),
        ({"before": "2...Nc6"}, "2. Nf3"),
        ({"before": "2. Nf3"}, "1...e5"),
        ({"before": "4"}, "3...a6"),
    ],
)
def test_places_in_a_game(place: dict[str, str | int], last: str | None) -> None:
    found = find_position({"game": GAME, **place}, KnownGames())
    assert found.data().get("last_move") == last


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({}, "no position in the call"),
        ({"fen": "  ", "game": ""}, "no position in the call"),
        ({"fen": "startpos", "ply": 3}, "count the moves of a game"),
        ({"game": GAME, "ply": 7}, "has 6 half-moves, not 7"),
        ({"game": GAME, "before": "5"}, "no move 5."),
        ({"game": GAME, "before": "4..."}, "no move 4..."),
        ({"game": GAME, "before": "0"}, "no move 0."),
        ({"game": GAME, "before": "the blunder"}, "'before' is 'the blunder'"),
        ({"game": GAME, "before": "2...Nf6"}, "2...Nc6 was played there"),
        ({"game": GAME, "before": "2", "ply": 2}, "both given"),
        ({"game": "g-00000000"}, "not known"),
        ({"fen": "K6K/8/8/8/8/8/8/k7 w - - 0 1"}, "no such position"),
    ],
)
def test_places_that_are_none(said: dict[str, str | int], why: str) -> None:
    with pytest.raises(ToolError) as error:
        find_position(said, KnownGames())
    assert why in error.value.why
    assert error.value.advice


def test_a_game_is_sent_once() -> None:
    games = KnownGames()
    found = find_position({"game": GAME, "ply": 1}, games)
    again = find_position({"game": str(found.data()["game"]), "before": "3"}, games)
    assert again.data()["last_move"] == "2...Nc6"
    assert again.data()["played"] == "3. Bb5"


def test_few_games_are_remembered() -> None:
    games, board = KnownGames(), chess.Board()
    first = games.find_or_read("e4").handle
    for move in list(board.legal_moves):
        board.push(move)
        for reply in board.legal_moves:
            games.find_or_read(f"{move.uci()} {reply.uci()}")
        board.pop()
    with pytest.raises(ToolError, match="not known"):
        games.find_or_read(first)


def test_a_game_that_begins_with_black() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30"
    said = {"fen": fen, "game": "Ke7 e4 Kd6", "before": "31..."}
    assert find_position(said, KnownGames()).data()["last_move"] == "31. e4"
    assert find_position(said | {"before": "30..."}, KnownGames()).data()["ply"] == 0
