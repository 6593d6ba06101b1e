"""Runs inside PyChess, in place of the hand that would start a game in its dialog.

    python3 drive_pychess.py PYCHESS WHITE BLACK SECONDS GAIN PLIES GAME

PYCHESS is the program; it starts as it always does, in this process, asks its engines who
they are, and plays with two of them, by the names in its own file of engines, until GAME is
saved: after so many plies, or when the game is over.  What happens goes to stdout.
"""

import asyncio
import gettext
import runpy
import sys

import gi

for library in ("Gtk", "Gdk", "GtkSource"):
    gi.require_version(library, "3.0")
gettext.install("pychess", names=("ngettext",))  # Its modules want `_` when they are loaded.

from pychess.compat import create_task  # noqa: E402  # after the versions
from pychess.perspectives import perspective_manager  # noqa: E402
from pychess.Players.engineNest import discoverer  # noqa: E402
from pychess.Savers import pgn  # noqa: E402
from pychess.System import conf  # noqa: E402
from pychess.Utils.const import ARTIFICIAL, NORMALCHESS  # noqa: E402
from pychess.Utils.GameModel import GameModel  # noqa: E402
from pychess.Utils.TimeModel import TimeModel  # noqa: E402
from pychess.Variants import variants  # noqa: E402

STRENGTH = 20  # of 20
SETTINGS = {  # The engines play, nothing asks the network, no dialog lies over the board.
    "book_depth_max": 0,
    "dont_show_externals_at_startup": True,
    "show_tip_at_startup": False,
    "analyzer_check": False,
    "online_egtb_check": False,
}


def main() -> None:
    program, *wanted = sys.argv[1:]
    for key, value in SETTINGS.items():
        conf.set(key, value)
    discoverer.connect_after("all_engines_discovered", lambda _: start(*wanted))
    sys.argv = [program, "--no-version-check"]
    runpy.run_path(program, run_name="__main__")


def start(white: str, black: str, seconds: str, gain: str, plies: str, path: str) -> None:
    """Start a game, as the dialog for new games does."""
    print("engines", *(engine["name"] for engine in discoverer.getEngines()), flush=True)
    clock = int(seconds), int(gain)
    model = GameModel(TimeModel(*clock))

    def changed(_: GameModel, ply: int) -> None:
        print("ply", ply, flush=True)
        if ply == int(plies):
            end()

    def end(*_: object) -> None:
        model.save(path, pgn, append=False)
        print("saved", flush=True)
        asyncio.get_event_loop().stop()

    model.connect("game_changed", changed)
    model.connect("game_ended", end)
    sides = []
    for color, name in enumerate((white, black)):
        engine = discoverer.getEngineByName(name)
        arguments = (engine, color, STRENGTH, variants[NORMALCHESS], *clock)
        sides.append((ARTIFICIAL, discoverer.initPlayerEngine, arguments, name))
    create_task(perspective_manager.get_perspective("games").generalStart(model, *sides))


main()
