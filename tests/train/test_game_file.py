"""A file of games, gone on with after an end at any byte."""

import os
import signal
from pathlib import Path

import pytest

from train.game_file import KIND, GameFile, GameFileError


def test_a_file_that_was_cut_anywhere_goes_on_after_its_last_whole_game(
    games: Path, tmp_path: Path
) -> None:
    whole = games.read_bytes()[:1500]
    path = tmp_path / "cut"
    ends = [len(KIND)]
    while ends[-1] + 36 <= len(whole):
        ends.append(ends[-1] + 36 + 4 * int.from_bytes(whole[ends[-1] :][:2], "little"))
    assert len(ends) > 3
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        file = GameFile(path)
        file.close()
        kept = max(end for end in ends if end <= max(size, len(KIND)))
        assert path.read_bytes() == whole[:kept]
        assert file.games == ends.index(kept)
        assert file.positions == (kept - len(KIND) - 36 * file.games) // 4


def test_a_game_is_with_the_system_as_soon_as_it_is_added(games: Path, tmp_path: Path) -> None:
    data = games.read_bytes()
    game = data[len(KIND) :][: 36 + 4 * int.from_bytes(data[len(KIND) :][:2], "little")]
    path = tmp_path / "games"
    child = os.fork()
    if not child:
        file = GameFile(path)
        file.add(game)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert path.read_bytes() == KIND + game


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    first = GameFile(tmp_path / "games")
    with pytest.raises(GameFileError, match="another run"):
        GameFile(tmp_path / "games")
    first.close()
    GameFile(tmp_path / "games").close()


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"something else, of whatever length", "holds no games"),
        (KIND + bytes(36), f"byte {len(KIND)}"),
        (KIND + b"\xff\xff\0\0" + bytes(40), f"byte {len(KIND)}"),
    ],
)
def test_what_is_no_file_of_games_is_left_alone(tmp_path: Path, data: bytes, match: str) -> None:
    path = tmp_path / "games"
    path.write_bytes(data)
    with pytest.raises(GameFileError, match=match):
        GameFile(path)
    assert path.read_bytes() == data
