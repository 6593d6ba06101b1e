"""An engine with one bad habit, which is its argument; otherwise it minds its manners.

polite      none
deaf        ignores `quit`, the end of its input and SIGTERM
dies        exits with status 3 on `go`
chatty      says as many lines on `go` as flood, each by itself
flood       says 200,000 lines on `go`, as fast as it can
endless     says on `go` what cannot be left out, for ever and as fast as it can
long        says a line of 10 MB on `go`
latin       says bytes that are no UTF-8 on `go`, in one line very many
hush        closes its output on `go`, and lives on
lazy        does not read its input after the second `position`
patient     says nothing on `go`, and its `bestmove` behind the third `readyok` after that
plods       takes 20 ms for each `setoption`, and says on `go` the values of all it heard
mute        says nothing on `stop`
parent      starts a child that holds its pipes, and both outlive `quit`
steady      says a line a millisecond on `go`, 400 of them
stderr      complains on stderr on `go`
shut        closes its input on `go`, and lives on
slow        takes 1.2 s to answer `isready`
works       computes for 2 s of CPU time on `bench`, and hears nothing meanwhile
variants    offers UCI_Variant, and says on `go` what it heard last
"""

import os
import sys
import time

habit = sys.argv[1]
out = sys.stdout.buffer


def say(line: bytes) -> None:
    out.write(line + b"\n")
    out.flush()


def go() -> None:
    if habit == "dies":
        sys.exit(3)
    if habit in ("flood", "chatty"):
        for depth in range(200_000):
            out.write(b"info depth %d multipv %d pv e2e4 e7e5 g1f3 b8c6\n" % (depth, depth % 3 + 1))
            if habit == "chatty":
                out.flush()
    if habit == "endless":
        while True:
            out.write(b"info string I go on and on\n" * 1000)
    if habit == "steady":
        for depth in range(400):
            say(b"info depth %d" % depth)
            time.sleep(0.001)
    if habit == "long":
        say(b"info string " + b"x" * 10_000_000)
    if habit == "latin":
        say(b"info string caf\xe9")
        say(b"\xe9" * 60_000)
    if habit in ("hush", "shut"):
        os.close(1 if habit == "hush" else 0)
        time.sleep(1000)
    if habit == "variants":
        say(b"info string heard " + heard)
    if habit == "plods":
        say(b"info string heard " + b" ".join(values))
    if habit == "stderr":
        print("what a position", file=sys.stderr, flush=True)
    say(b"bestmove e2e4")


# What only these need is imported here: most tests of the server start some of these engines.
if habit == "deaf":
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if habit == "parent":
    import subprocess

    child = subprocess.Popen(["sleep", "1000"])
    say(b"info string child %d" % child.pid)

heard = b""
values: list[bytes] = []
positions = waits = 0
for line in sys.stdin.buffer:
    words = line.split()
    if words == [b"uci"]:
        say(b"id name Odd")
        if habit == "variants":
            say(b"option name UCI_Variant type combo default chess var chess var crazyhouse")
        if habit == "plods":
            say(b"option name Contempt type spin default 0 min 0 max 1000000")
        say(b"uciok")
    elif words == [b"isready"]:
        if habit == "slow":
            time.sleep(1.2)
        say(b"readyok")
        if waits:
            waits -= 1
            if not waits:
                say(b"bestmove e2e4")
    elif words[:1] == [b"position"] and habit == "lazy":
        positions += 1
        if positions == 2:
            time.sleep(1000)
    elif words[:1] == [b"go"] and b"infinite" not in words:
        if habit == "patient":
            waits = 3
        else:
            go()
    elif words[:1] == [b"setoption"] and habit == "plods":
        time.sleep(0.02)
        values.append(words[-1])
    elif words == [b"bench"] and habit == "works":
        until = time.process_time() + 2
        while time.process_time() < until:
            pass
        say(b"info string done")
    elif words == [b"stop"] and habit != "mute":
        say(b"bestmove a2a3")
    elif words == [b"quit"] and habit not in ("deaf", "parent"):
        break
    heard = line.strip()
while habit in ("deaf", "parent"):
    time.sleep(1000)
os._exit(0)
