"""A UCI program that plays what it is told to: a script of moves, or of faults.

Its arguments are, one for each `go` in turn (the last again and again):

first         the first legal move
MOVE[=SCORE]  that move, with a score in centipawns
late:MS       sleep, then the first legal move
illegal       a move that no position allows
silent        no answer
crash         status 3
"""

import sys
import time

import chess

script = sys.argv[1:] or ["first"]
turn = 0
board = chess.Board()


def say(text: str) -> None:
    print(text, flush=True)


def go(step: str) -> None:
    move, _, score = step.partition("=")
    if step.startswith("late:"):
        time.sleep(int(step[5:]) / 1000)
    if step == "crash":
        sys.exit(3)
    if step == "silent":
        return
    if step == "illegal":
        move = "a1a1"
    elif move == "first" or step.startswith("late:"):
        move = min(legal.uci() for legal in board.legal_moves)
    say(f"info depth 3 seldepth 4 score cp {score or 17} nodes 100 nps 5000 pv {move} a7a6")
    say(f"bestmove {move}")


for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        say("id name Scripted")
        say("option name Hash type spin default 1 min 1 max 2")
        say("option name Tune type string default <empty>")
        say("uciok")
    elif words[:1] == ["isready"]:
        say("readyok")
    elif words[:1] == ["ucinewgame"]:
        turn = 0
    elif words[:2] == ["position", "fen"]:
        board = chess.Board(" ".join(words[2:8]))
        for word in words[9:]:
            board.push_uci(word)
    elif words[:1] == ["go"]:
        go(script[min(turn, len(script) - 1)])
        turn += 1
