"""PyChess plays with the launcher of a remote engine, on a screen that nobody sees.

Not among the tests of each run, since PyChess brings half a desktop with it: `make gui-test`.
"""

import json
import os
import time
from pathlib import Path

import chess.pgn
import pytest
from helpers.screen import Find, Run, colours, screenshot

DRIVER = Path(__file__).with_name("drive_pychess.py")
PLIES = 20  # of both sides
SHOT_AT = 10
CLOCK = ("20", "1")  # s and s a move; PyChess takes half a second of each for its windows
BOARD_COLOURS = 1000  # at least; PyChess's board with its panels has 1,900
PATIENCE = 150.0  # s; the game takes 40


@pytest.mark.timeout(300)
def test_the_bridge_plays_in_pychess(
    server_url: str, display: str, find: Find, run: Run, tmp_path: Path
) -> None:
    launcher, log = tmp_path / "rookery", tmp_path / "bridge.log"
    launcher.write_text(f"#!/bin/sh\nexec {find('rookery-bridge')} {server_url} --log {log}\n")
    launcher.chmod(0o755)
    write_engines(tmp_path, {"Rookery": str(launcher), "Stockfish": find("stockfish")})
    program = Path(find("pychess"))
    python = program.read_text().splitlines()[0].removeprefix("#!").split()
    game, said = tmp_path / "game.pgn", tmp_path / "pychess.log"
    command = [*python, str(DRIVER), str(program), "Rookery", "Stockfish", *CLOCK]
    surroundings = {**os.environ, "DISPLAY": display, "HOME": str(tmp_path)}
    surroundings = {key: each for key, each in surroundings.items() if not key.startswith("XDG_")}
    with run([*command, str(PLIES), str(game)], said, env=surroundings) as pychess:
        wait_for_ply(said, SHOT_AT)
        picture = screenshot(find("import"), surroundings, tmp_path / "pychess.png")
        assert pychess.wait(PATIENCE) == 0, said.read_text()

    assert colours(find("identify"), picture) > BOARD_COLOURS, f"{picture} shows no board"
    check(game)
    assert log.read_text().count("gui < bestmove") >= PLIES // 2


def write_engines(home: Path, commands: dict[str, str]) -> None:
    """Write the file that PyChess has of its engines, as if they had been added in its dialog."""
    folder = home / ".config" / "pychess"
    folder.mkdir(parents=True)
    engines = [
        {"name": name, "command": command, "protocol": "uci", "recheck": True}
        for name, command in commands.items()
    ]
    (folder / "engines.json").write_text(json.dumps(engines))


def wait_for_ply(log: Path, ply: int) -> None:
    """Return when so many moves are on the board, as the driver says."""
    until = time.monotonic() + PATIENCE
    while f"ply {ply}\n" not in log.read_text():
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.1)


def check(path: Path) -> None:
    """Read the game that PyChess saved: it went on, by the rules, and nobody lost on time."""
    text = path.read_text()
    with path.open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None, text
    assert game.errors == [], text
    assert game.headers["White"].startswith("Rookery"), text
    assert game.headers["Black"].startswith("Stockfish"), text
    board = game.end().board()
    assert game.end().ply() >= PLIES or board.is_game_over(), text
    assert "time" not in game.headers.get("Termination", ""), text
