"""An engine that says of each position what its FEN's checksum says, at once; or has a habit.

Its arguments are, each for positions that are reached by these moves (`e2e4,e7e5`), or whose
pieces stand so in a FEN (more than one, with `,` between):

dies:MOVES       status 3
hangs:MOVES      no answer
mute:MOVES       a move without a score
dies-once:FILE   status 3 at the first position of all, and makes the file
"""

import sys
import zlib
from pathlib import Path

import chess

habits = dict(argument.split(":", 1) for argument in sys.argv[1:])
board = chess.Board()
lines = 1


def say(text: str) -> None:
    print(text, flush=True)


def is_reached(habit: str) -> bool:
    places = habits.get(habit)
    if places is None:
        return False
    moves = ",".join(move.uci() for move in board.move_stack)
    return moves == places or board.board_fen() in places.split(",")


def go(allowed: list[str]) -> None:
    if is_reached("dies"):
        sys.exit(3)
    once = habits.get("dies-once")
    if once and not Path(once).exists():
        Path(once).touch()
        sys.exit(3)
    if is_reached("hangs"):
        return
    moves = sorted(board.legal_moves, key=chess.Move.uci)
    moves = [each for each in moves if not allowed or board.uci(each) in allowed]
    if not is_reached("mute"):
        for number, move in enumerate(moves[:lines], start=1):
            score = zlib.crc32(board.fen().encode()) % 600 - 300 - 10 * number
            say(f"info depth 12 multipv {number} score cp {score} nodes 100 pv {board.uci(move)}")
    say(f"bestmove {board.uci(moves[0])}")


for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        say("id name Judging")
        say("option name MultiPV type spin default 1 min 1 max 5")
        say("option name UCI_Chess960 type check default false")
        say("uciok")
    elif words[:1] == ["isready"]:
        say("readyok")
    elif words[:3] == ["setoption", "name", "MultiPV"]:
        lines = int(words[4])
    elif words[:3] == ["setoption", "name", "UCI_Chess960"]:
        board = chess.Board(chess960=words[4] == "true")
    elif words[:1] == ["position"]:
        is_chess960 = board.chess960
        fen = " ".join(words[2:8]) if words[1] == "fen" else chess.STARTING_FEN
        board = chess.Board(fen, chess960=is_chess960)
        for word in words[words.index("moves") + 1 :] if "moves" in words else ():
            board.push_uci(word)
    elif words[:1] == ["go"]:
        go(words[words.index("searchmoves") + 1 :] if "searchmoves" in words else [])
    elif words[:1] == ["quit"]:
        break
