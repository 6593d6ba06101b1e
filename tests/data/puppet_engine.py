"""An engine that a test speaks for: its argument is the path of the test's Unix socket.

It answers `uci` and the `isready` after it by itself, as every engine is asked them when it
starts.  From then on the test hears each line that it hears, and says each line that it says.
"""

import os
import select
import socket
import sys

OPTIONS = b"""\
id name Puppet
option name Threads type spin default 1 min 1 max 4
option name Hash type spin default 16 min 1 max 64
option name MultiPV type spin default 1 min 1 max 8
option name Ponder type check default false
option name UCI_Chess960 type check default false
option name Debug Log File type string default <empty>
uciok
"""

hand = socket.socket(socket.AF_UNIX)
hand.connect(sys.argv[1])
starting = {b"uci": OPTIONS, b"isready": b"readyok\n"}
rest = b""
while True:
    for source in select.select([0, hand], [], [])[0]:
        if source is hand:
            said = hand.recv(65536)
            if not said:  # The test has ended.
                sys.exit()
            os.write(1, said)
            continue
        data = os.read(0, 65536)
        if not data:
            sys.exit()
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if answer := starting.pop(line, b""):
                os.write(1, answer)
            else:
                hand.sendall(line + b"\n")
            if line == b"quit":
                sys.exit()
