"""A game in a real GUI: XBoard lets the remote engine play against Debian's Stockfish.

XBoard speaks its own protocol, so each side runs under Polyglot, as XBoard's users run
UCI engines.  Both engines ponder.  Nobody resigns: the game ends on the board, where
python-chess can see for itself that it is over.
"""

import os
import time
from pathlib import Path

import chess.pgn
import pytest
from helpers.screen import Find, Run, colours, screenshot

GAME_TIMEOUT = 200.0  # s
BOARD_COLOURS = 3000  # at least; wood and pieces have 5,600, a window of text 1,000
SHOT_AFTER = 5  # moves of ours, when pieces have left their places
OPENING_TIMEOUT = 60.0  # s until then

CONFIG = """\
[PolyGlot]
EngineName = {name}
EngineCommand = {command}
EngineDir = .
Book = false
Resign = false
Log = true
LogFile = {name}.log
[Engine]
{options}
"""

# Weak, and careful with its clock: on a busy machine it must not be the one to lose on time.
STOCKFISH = "Skill Level = 3\nMove Overhead = 100"

# XBoard reads what its user has saved, and would save these.
OPTIONS = """\
-matchGames 1
-timeControl 0:12
-timeIncrement 0.1
-autoCallFlag true
-ponderNextMove true
-testClaims true
-checkMates true
-materialDraws true
-popupExitMessage false
-soundProgram true
-showCoords true
-engineOutputUp false
-saveSettingsOnExit false
-saveGameFile game.pgn
"""

# What XBoard writes behind a game that did not end as games should.
FAULTS = ("time", "forfeit", "illegal", "false", "exited", "abort", "error")


@pytest.mark.timeout(300)
def test_the_bridge_plays_in_xboard(
    server_url: str, display: str, find: Find, run: Run, tmp_path: Path
) -> None:
    """Rows 107, 137 and 138 too: a ponder move is hit or stopped."""
    ours = polyglot(tmp_path, "Rookery", f"{find('rookery-bridge')} {server_url}", "Ponder = true")
    theirs = polyglot(tmp_path, "Stockfish", find("stockfish"), STOCKFISH)
    (tmp_path / "options").write_text(OPTIONS)
    command = [find("xboard"), "@options"]
    command += ["-fcp", f"{find('polyglot')} {ours}", "-scp", f"{find('polyglot')} {theirs}"]
    surroundings = {**os.environ, "DISPLAY": display, "HOME": str(tmp_path)}
    with run(command, tmp_path / "xboard.log", cwd=tmp_path, env=surroundings) as xboard:
        wait_for_moves(tmp_path / "Rookery.log")
        picture = screenshot(find("import"), surroundings, tmp_path / "xboard.png")
        assert xboard.wait(GAME_TIMEOUT) == 0, (tmp_path / "xboard.log").read_text()

    assert colours(find("identify"), picture) > BOARD_COLOURS, f"{picture} shows no board"
    check(tmp_path / "game.pgn")
    assert "Adapter->Engine: ponderhit" in (tmp_path / "Rookery.log").read_text()


def polyglot(directory: Path, name: str, command: str, options: str) -> Path:
    """Write what Polyglot reads and return the file's path."""
    path = directory / f"{name}.ini"
    path.write_text(CONFIG.format(name=name, command=command, options=options))
    return path


def wait_for_moves(log: Path) -> None:
    """Return when our engine has moved often enough for a picture, as Polyglot logs it."""
    until = time.monotonic() + OPENING_TIMEOUT
    while not log.exists() or log.read_text().count("bestmove") < SHOT_AFTER:
        assert time.monotonic() < until, log.read_text() if log.exists() else "no move at all"
        time.sleep(0.1)


def check(path: Path) -> None:
    """Read the game that XBoard saved and see that it was played to its end by the rules."""
    text = path.read_text()
    with path.open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None, text
    assert game.errors == [], text
    end = game.end()
    assert not any(fault in end.comment.lower() for fault in FAULTS), text
    outcome = end.board().outcome(claim_draw=True)
    assert outcome is not None, text
    assert outcome.result() == game.headers["Result"], text
    assert end.ply() >= 20, text
    assert {game.headers["White"], game.headers["Black"]} == {"Rookery", "Stockfish"}
    print(game.headers["Result"], end.ply(), "plies:", end.comment)
