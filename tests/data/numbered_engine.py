"""An engine that answers `go nodes N` with `bestmove nN`, so that a test can tell them apart.

It takes up to 60 ms, says `info` meanwhile, and hears `stop`; with `infinite` it waits for it.
"""

import os
import select
import sys

out = sys.stdout.buffer
pending: list[bytes] = []
rest = b""


def say(line: bytes) -> None:
    out.write(line + b"\n")
    out.flush()


def hear(patience: float | None) -> bytes:
    """Return the next line; b"" if none comes in time."""
    global rest
    while not pending:
        if not select.select([0], [], [], patience)[0]:
            return b""
        data = os.read(0, 65536)
        if not data:
            os._exit(0)
        *whole, rest = (rest + data).split(b"\n")
        pending.extend(line for line in whole if line)
    return pending.pop(0)


def search(words: list[bytes]) -> None:
    number = words[words.index(b"nodes") + 1]
    steps = None if b"infinite" in words else int(number) % 7
    depth = 0
    while steps is None or depth < steps:
        depth += 1
        say(b"info depth %d multipv 1 nodes %s pv e2e4 e7e5" % (depth, number))
        line = hear(0.01)
        if line == b"stop":
            break
        if line == b"isready":
            say(b"readyok")
        elif line == b"quit":
            os._exit(0)
    say(b"bestmove n" + number)


while line := hear(None):
    if line == b"uci":
        say(b"id name Numbered")
        say(b"option name Threads type spin default 1 min 1 max 64")
        say(b"option name Hash type spin default 16 min 1 max 4096")
        say(b"uciok")
    elif line == b"isready":
        say(b"readyok")
    elif line.startswith(b"setoption "):
        say(b"info string heard " + line)
    elif line.startswith(b"go"):
        search(line.split())
    elif line == b"quit":
        break
os._exit(0)
