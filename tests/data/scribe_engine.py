"""An engine that writes down what it hears, and has a habit: its arguments are a file and that.

quick    says two lines and its move on `go`
long     searches until `stop`
silent   the same, without a word
dies     says a line on `go`, and exits with status 3
stubborn searches for ever
"""

import sys
from pathlib import Path

path, habit = sys.argv[1:3]
out = sys.stdout


def say(line: str) -> None:
    out.write(line + "\n")
    out.flush()


with Path(path).open("a", buffering=1) as book:
    for line in sys.stdin:
        words = line.split()
        book.write(line)
        if words == ["uci"]:
            say("id name Scribe")
            say("option name Threads type spin default 1 min 1 max 4")
            say("option name Hash type spin default 16 min 1 max 4096")
            say("option name MultiPV type spin default 1 min 1 max 256")
            say("option name UCI_Chess960 type check default false")
            say("option name UCI_AnalyseMode type check default false")
            say("option name UCI_Variant type combo default chess var chess var atomic var xiangqi")
            say("uciok")
        elif words == ["isready"]:
            say("readyok")
        elif words[:1] == ["go"]:
            if habit != "silent":
                say("info string some news")
                say("info depth 1 currmove e7e5 currmovenumber 1")
                say("info depth 1 seldepth 2 score cp 20 wdl 30 900 70 nodes 20 pv e7e5 g1f3")
            if habit == "dies":
                sys.exit(3)
            if habit == "quick":
                say("bestmove e7e5 ponder g1f3")
        elif words == ["stop"] and habit in ("long", "silent"):
            say("bestmove e7e5")
        elif words == ["quit"]:
            break
