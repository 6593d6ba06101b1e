"""Commands that are not of UCI, as Stockfish has them: rows 223 to 236."""

import contextlib
import re
import subprocess
import time

import chess
import pytest
from conformance.gui import SilenceError
from conformance.rows import rows

START = "position startpos"
STANDARD = [  # position, depth, nodes: the six of the chess programming wiki
    (chess.STARTING_FEN, 4, 197_281),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89_890),
]
FENS = [
    chess.STARTING_FEN,
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 12 34",
]


def answer(gui, *lines, timeout=20):
    """Return all that is printed in answer, on stdout and stderr."""
    before = len(gui.errors())
    gui.say(*lines)
    heard = gui.sync(timeout)
    return "\n".join(heard) + gui.errors()[before:]


def bench(gui, *lines):
    """Return all that a bench prints, of which `Nodes/second` comes last."""
    before = len(gui.errors())
    gui.say(*lines)
    heard = []
    until = time.monotonic() + 30
    while "Nodes/second" not in (text := "\n".join(heard) + gui.errors()[before:]):
        assert time.monotonic() < until, text
        with contextlib.suppress(SilenceError):
            heard.append(gui.hear(0.05))
    gui.watch()
    gui.watcher.bench_ended()
    gui.sync()
    return text


def number(text, what):
    found = re.search(rf"{what}\s*: (\d+)", text)
    assert found, f"no {what!r} in {text!r}"
    return int(found[1])


@rows(223)
def test_bench_prints_time_nodes_and_speed(gui):
    text = bench(gui, "bench 16 1 3")
    assert number(text, "Nodes searched") > 0
    assert number(text, r"Total time \(ms\)") >= 0
    assert number(text, "Nodes/second") > 0


@rows(224)
def test_bench_gives_the_same_signature_again(gui):
    first = number(bench(gui, "bench 16 1 4"), "Nodes searched")
    gui.search("go depth 6", START)
    assert number(bench(gui, "bench 16 1 4"), "Nodes searched") == first


@rows(225)
def test_bench_of_the_current_position(gui):
    text = bench(gui, START, "bench 16 1 1 current depth")
    assert 1 <= number(text, "Nodes searched") < 1000
    assert number(bench(gui, "bench 16 1 500 current nodes"), "Nodes searched") < 5000


@rows(226)
@pytest.mark.command_line
def test_bench_on_the_command_line(target):
    done = run(target, "bench", "16", "1", "3")
    assert done.returncode == 0
    assert number(done.stdout + done.stderr, "Nodes searched") > 0


@rows(236)
@pytest.mark.command_line
def test_uci_on_the_command_line(target):
    done = run(target, "uci")
    assert done.returncode == 0
    assert "option name Hash type spin" in done.stdout
    assert "uciok" in done.stdout


def run(target, *words):
    """Run the engine with words on its command line, to its end."""
    command = [*target.command, *words]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, cwd=target.folder, check=False
    )


@rows(227)
@pytest.mark.parametrize("fen", FENS)
def test_d_shows_board_and_fen(gui, fen):
    text = answer(gui, f"position fen {fen}", "d")
    assert re.search(r"^Fen: (.*?)\s*$", text, re.MULTILINE)[1] == fen
    ranks = re.findall(r"^ ?\|(.*)\| [1-8]\s*$", text, re.MULTILINE)
    shown = ["".join(cell.strip() or "." for cell in rank.split("|")) for rank in ranks]
    assert shown == str(chess.Board(fen)).replace(" ", "").splitlines()


def key(gui, position):
    found = re.search(r"^Key: ([0-9A-F]{16})\s*$", answer(gui, position, "d"), re.MULTILINE)
    assert found
    return found[1]


@rows(228)
def test_d_shows_a_key_that_is_equal_for_transpositions(gui):
    one = key(gui, f"{START} moves g1f3 g8f6 b1c3 b8c6")
    other = key(gui, f"{START} moves b1c3 b8c6 g1f3 g8f6")
    assert one == other
    different = [
        key(gui, START), key(gui, f"{START} moves e2e4"), key(gui, f"{START} moves e2e3"),
        key(gui, "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
        key(gui, "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"),
    ]  # fmt: skip
    assert len({one, *different}) == 6


@rows(229)
@pytest.mark.parametrize(
    ("fen", "squares"),
    [
        (chess.STARTING_FEN, ""),
        ("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", "e4"),
        ("4k3/8/8/8/1b2r3/8/8/4K3 w - - 0 1", "b4 e4"),
    ],
)
def test_d_lists_the_checkers(gui, fen, squares):
    text = answer(gui, f"position fen {fen}", "d")
    found = re.search(r"^Checkers:(.*)$", text, re.MULTILINE)
    assert found
    assert sorted(found[1].split()) == squares.split()


@rows(230)
def test_eval_shows_a_static_evaluation(gui):
    text = answer(gui, START, "eval")
    assert re.search(r"evaluation\s+[+-]?\d+\.\d+", text)


@rows(231)
def test_compiler_shows_compiler_and_environment(gui):
    text = answer(gui, "compiler")
    assert re.search(r"[Cc]ompiled by .*\d", text)


@rows(232)
def test_export_net_writes_a_file_or_says_why_not(gui, tmp_path):
    file = tmp_path / "exported.nnue"
    text = answer(gui, f"export_net {file}")
    assert file.exists() or len(text.strip()) > 10
    assert gui.search("go depth 2", START).move


@rows(233)
def test_flip_gives_the_move_to_the_other_side(gui):
    def fen(*lines):
        return re.search(r"Fen: (.*?)\s*$", answer(gui, *lines, "d"), re.MULTILINE)[1]

    assert fen(START, "flip").split()[1] == "b"
    assert fen(f"position fen {FENS[1]}", "flip").split()[1] == "w"
    assert fen("flip") == FENS[1]
    fen(START)


@rows(234)
def test_perft_lists_each_move_and_the_sum(gui):
    lines = gui.ask(START, "go perft 2", until="Nodes searched")
    counts = dict(line.split(": ") for line in lines if re.match(r"[a-h][1-8][a-h]", line))
    assert set(counts) == {move.uci() for move in chess.Board().legal_moves}
    assert set(counts.values()) == {"20"}
    assert lines[-1].strip() == "Nodes searched: 400"


@rows(235)
@pytest.mark.parametrize(("fen", "depth", "nodes"), STANDARD)
def test_perft_of_the_standard_positions(gui, fen, depth, nodes):
    lines = gui.ask(f"position fen {fen}", f"go perft {depth}", until="Nodes searched")
    assert lines[-1].strip() == f"Nodes searched: {nodes}"
