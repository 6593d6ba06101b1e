"""Random conversations: rows 247 and 248.

A conversation is a list of lines and of moments in which the GUI waits for a
bestmove, all from one seed.  Its lines are written in pieces of any size.  What
must hold is what always must: each `go` gets one bestmove, legal in its position,
each `isready` one readyok, nothing outside the grammar is said, and `quit` ends
the process with status 0.

`--interleavings N` has N conversations of either kind with each target; one batch
has a new seed each time, which a failure names and `--seed` repeats.
"""

import random
import time

import chess
import pytest
from conformance.gui import TIMEOUT
from conformance.rows import rows

WAIT = "wait for bestmove"
OWED = {41, 53, 146, 147}  # the rows that say what is owed, and that it is legal

pytestmark = pytest.mark.also_tcp

BAD_POSITIONS = [
    "position", "position fen", "position startpos moves e2e5", "position joho", "position fen 8/8",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position fen k7/8/8/8/8/8/8/8 w - - 0 1",
    "position startpos moves e2e4 e2e4 joho",
    "position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
]  # fmt: skip
UNKNOWN = [
    "joho", "foo bar", "", "   ", "\t", "joho isready", "?", "GO", "go_infinite", "debug joho",
    "setoption", "setoption name", "setoption name Hash value joho", "register", "xboard",
    "setoption name MultiPV value 99999", "setoption name NoSuchOption value 1", "bestmove e2e4",
    "info depth 1", "readyok", "uciok", "joho debug off",
]  # fmt: skip


def random_position(choose):
    """Return a `position` of a random game, and its legal moves."""
    board = chess.Board()
    for _ in range(choose.randrange(60)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(choose.choice(moves))
    fen, moves = "", board.move_stack
    if choose.random() < 0.4:
        played = choose.randrange(len(moves) + 1)
        start = board.copy()
        for _ in range(played):
            start.pop()
        fen, moves = start.fen(), moves[len(moves) - played :]
    line = f"position fen {fen}" if fen else "position startpos"
    legal = [move.uci() for move in board.legal_moves]
    return f"{line} moves {' '.join(map(str, moves))}" if moves else line, legal


def random_option(choose):
    name, values = choose.choice(
        [
            ("Hash", range(1, 5)), ("MultiPV", range(1, 5)), ("Threads", (1, 1, 2)),
            ("Ponder", ("true", "false")), ("UCI_AnalyseMode", ("true", "false")),
            ("Clear Hash", None), ("UCI_ShowWDL", ("true", "false")), ("Move Overhead", (0, 10)),
        ]
    )  # fmt: skip
    return f"setoption name {name}" + (f" value {choose.choice(values)}" if values else "")


def random_limits(choose, moves=("e2e4", "a2a3", "g1f3")):
    """Return limits that a search reaches soon."""
    only = choose.sample(moves, min(3, len(moves)))
    clock = f"wtime {choose.randrange(20, 120)} btime {choose.randrange(20, 120)}"
    return choose.choice(
        [
            f"depth {choose.randrange(1, 6)}", f"nodes {choose.randrange(1, 3000)}",
            f"movetime {choose.randrange(1, 15)}", clock, f"{clock} winc 5 binc 5",
            f"{clock} movestogo {choose.randrange(1, 5)}", f"depth 3 searchmoves {' '.join(only)}",
            "depth 2 nodes 100", f"joho depth {choose.randrange(1, 4)}",
        ]
    )  # fmt: skip


def well_formed(choose):
    """Say what a GUI may say, when it may say it."""
    for _ in range(choose.randrange(2, 8)):
        for _ in range(choose.randrange(4)):
            yield choose.choice(
                ["isready", "ucinewgame", "debug on", "debug off", "uci", "register later"]
                + [random_option(choose)] * 4
            )
        position, moves = random_position(choose)
        yield position
        yield from well_formed_search(choose, moves)


def well_formed_search(choose, moves):
    kind = choose.choice(["limits", "limits", "infinite", "ponder"])
    limits = random_limits(choose, moves)
    yield f"go {limits}" if kind == "limits" else f"go {kind} {limits}"
    for _ in range(choose.randrange(3)):
        yield choose.choice(["isready", "debug on", "debug off"])
    if kind == "ponder" and choose.random() < 0.6:
        yield "ponderhit"
        kind = "limits"
    if kind != "limits" or choose.random() < 0.3:
        yield "stop"
    yield WAIT


def at_wrong_times(choose):
    """Say anything at any time."""
    for _ in range(choose.randrange(5, 30)):
        yield choose.choice(
            [
                "isready", "ucinewgame", "stop", "stop", "ponderhit", "uci", "debug on",
                "debug off",
                random_option(choose), random_position(choose)[0], choose.choice(BAD_POSITIONS),
                choose.choice(UNKNOWN), f"go {random_limits(choose)}", "go infinite", "go ponder",
                f"go {random_limits(choose)}", f"go ponder {random_limits(choose)}",
                f"go infinite {random_limits(choose)}",
            ]
        )  # fmt: skip


def write(gui, choose, lines):
    """Write lines in random pieces."""
    data = "".join(f"{line}\n" for line in lines).encode()
    cuts = sorted(choose.sample(range(len(data)), min(choose.randrange(4), len(data))))
    gui.write(b"", *lines)
    for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
        gui.write(data[start:end])


def converse(gui, choose, steps):
    """Have one conversation, and leave nothing owed."""
    lines = []
    for step in steps:
        if step is not WAIT:
            lines.append(step)
        else:
            write(gui, choose, lines)
            lines = []
            settle(gui, patient=True)
    write(gui, choose, [*lines, "stop"])
    settle(gui, patient=False)


def settle(gui, *, patient):
    """Wait until each `go` and `isready` has its answer; say `stop` if they may not end."""
    until = time.monotonic() + TIMEOUT
    stopped = -1
    gui.watch()
    while gui.watcher.searches or gui.watcher.ready_owed:
        assert time.monotonic() < until, f"it owes {gui.watcher.searches}"
        if not patient and stopped != gui.watcher.bestmoves:
            stopped = gui.watcher.bestmoves
            gui.say("stop")  # a search that waited for another began after the last one
        gui.listen(0.05)
        gui.watch()


def have(start, target, kind, batch, size, seed):
    """Have a batch of conversations, and check what always holds."""
    gui = start()
    found = []
    report = gui.watcher.report
    gui.watcher.report = lambda row, text: (found.append((row, text)), report(row, text))
    gui.meet()
    for number in range(size):
        choose = random.Random(f"{kind.__name__} {batch} {seed} {number}")
        where = f"{kind.__name__}, batch {batch}, seed {seed}, conversation {number}"
        steps = list(kind(choose))
        try:
            converse(gui, choose, steps)
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}\n{gui.transcript()}\n{steps}") from None
        gui.watch()
        if target.own:
            assert not found, f"{where}: {found[:3]}\n{gui.transcript()}\n{steps}"
            assert gui.watcher.bestmoves == gui.watcher.goes, f"{where}\n{gui.transcript()}"
    if choose.random() < 0.5:
        gui.say("go infinite")
    assert gui.quit() == 0
    assert not [text for row, text in found if row in OWED], found


@rows(247)
def test_well_formed_conversation(start, target, batch, size, seed):
    have(start, target, well_formed, batch, size, seed)


@rows(248)
def test_conversation_with_commands_at_wrong_times(start, target, batch, size, seed):
    have(start, target, at_wrong_times, batch, size, seed)
