"""The files of games that page and command read alike: `tests/data/pgn`, and what is in them.

The page's test is `server/web/src/game/agreement.test.ts`.
"""

import json
from pathlib import Path

import pytest

from rookery_analysis.game import ParsedGame, parse_game
from rookery_analysis.game_source import Shard, input_games

FOLDER = Path(__file__).parents[1] / "data" / "pgn"
EXPECTED = json.loads((FOLDER / "expected.json").read_text())


def seen(work: ParsedGame) -> dict[str, str] | None:
    """Return a game as the command reads it; None if it is refused."""
    if work.obstacle:
        return None
    headers = work.pgn.headers
    moves = [
        board.san(board.parse_uci(move))
        for board, move in zip(work.boards, work.moves, strict=False)
    ]
    return {
        "white": headers["White"],
        "black": headers["Black"],
        "result": headers["Result"],
        "moves": " ".join(moves),
    }


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_has_the_games_that_it_has(name: str) -> None:
    found = input_games([str(FOLDER / name)], Shard())
    works = [parse_game(each.text, each.number, name) for each in found]
    assert [seen(work) for work in works] == EXPECTED[name]


def test_no_file_is_forgotten() -> None:
    assert {path.name for path in FOLDER.glob("*.pgn")} == EXPECTED.keys()
