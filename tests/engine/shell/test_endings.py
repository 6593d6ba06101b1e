"""The end of the engine: by a command, by its input and output, by a signal."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

TIMEOUT = 30.0  # s; far beyond what anything here takes


@pytest.mark.parametrize("words", ["go perft 12", "bench 1 1 60"])
def test_no_task_runs_on_without_a_reader(command: tuple[str, ...], words: str) -> None:
    """A GUI that is gone has closed both ends, and cannot stop a search that takes years."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:
        process.stdin.write(f"isready\n{words}\nuci\n".encode())
        process.stdin.flush()
        while process.stdout.readline() != b"uciok\n":
            pass
        process.stdout.close()
        process.stdin.close()
        process.wait(TIMEOUT)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no such terminals")
@pytest.mark.parametrize("farewell", [b"quit\n", b"\x04"], ids=["quit", "end of input"])
def test_end_of_a_terminal_does_not_wait_for_a_count(
    command: tuple[str, ...], farewell: bytes
) -> None:
    ours, its = os.openpty()
    with subprocess.Popen(command, stdin=its, stdout=subprocess.PIPE) as process:
        os.close(its)
        os.write(ours, b"isready\ngo perft 12\nuci\n")
        while process.stdout.readline() != b"uciok\n":
            pass
        os.write(ours, farewell)
        assert process.wait(TIMEOUT) == 0
    os.close(ours)


def test_fault_in_a_task_ends_the_engine() -> None:
    """No answer would ever come; the GUI notices the end at least."""
    faulty = (
        "from rookery_engine.shell import loop, task\n"
        "def fail(count): raise RuntimeError('a fault')\n"
        "task.PerftTask.run = fail\n"
        "loop.main()\n"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", faulty], stdin=pipe, stderr=pipe) as process:
        process.stdin.write(b"go perft 1\n")
        process.stdin.flush()
        assert process.wait(TIMEOUT) == 1
        assert process.stderr.read().endswith(b"RuntimeError: a fault\n")


@pytest.mark.parametrize("words", [(), ("go infinite",), ("go ponder depth 1",), ("go",)])
def test_quit_and_end_of_input_are_immediate(start: Callable, words: tuple[str, ...]) -> None:
    for farewell in (("quit",), ()):
        engine = start()
        engine.send("isready", *words, *farewell)
        assert engine.end() == 0
        assert engine.stderr() == ""


def test_quit_gives_up_a_search(start: Callable) -> None:
    engine = start()
    engine.send("isready", "go depth 200", "quit")
    assert engine.end() == 0


@pytest.mark.parametrize(
    ("searches", "moves"),
    [
        (("go depth 6", "go movetime 20", "go wtime 100", "go ponder", "go depth 6"), 3),
        (("go infinite", "stop"), 1),
        (("go ponder depth 6", "ponderhit"), 1),
    ],
)
def test_commands_of_a_file_are_answered(
    command: tuple[str, ...], searches: tuple[str, ...], moves: int
) -> None:
    """The end of input gives up what has no end, and what waits behind that; nothing else."""
    done = subprocess.run(
        command, input="\n".join(searches),
        capture_output=True, text=True, timeout=TIMEOUT, check=True,
    )  # fmt: skip
    assert sum(line.startswith("bestmove") for line in done.stdout.splitlines()) == moves
    if "depth 6" in searches[0]:  # An infinite one may come as far before it is stopped.
        assert "info depth 6 " in done.stdout
    assert done.stderr == ""


def test_quit_without_a_line_end(engine) -> None:
    engine.write(b"quit")
    assert engine.end() == 0


@pytest.mark.parametrize("words", ["isready", "go infinite"])
def test_sigterm(engine, words: str) -> None:
    engine.send(words)
    engine.read_line()
    engine.process.send_signal(signal.SIGTERM)
    assert engine.process.wait(TIMEOUT) == -signal.SIGTERM
    assert engine.stderr() == ""


@pytest.mark.parametrize("words", ["uci", "go infinite"])
def test_interrupt_ends_the_engine(engine, words: str) -> None:
    engine.send("isready", words)
    engine.read_until("readyok")
    engine.read_line()
    engine.process.send_signal(signal.SIGINT)
    assert engine.process.wait(TIMEOUT) == -signal.SIGINT
    assert engine.stderr() == ""


def test_without_stdin_the_engine_ends(command: tuple[str, ...]) -> None:
    closed = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    done = subprocess.run(closed, capture_output=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_closed_output_ends_the_engine(command: tuple[str, ...]) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        process.stdin.write(b"isready\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"readyok\n"
        process.stdout.close()
        process.stdin.write(b"go infinite\n")
        process.stdin.flush()
        process.wait(TIMEOUT)
        assert process.stderr.read() == b""


@pytest.mark.parametrize("words", ["perft 12", "bench 16 1 100"])
def test_interrupt_ends_a_command(words: str) -> None:
    begins = (
        "import sys\nfrom rookery_engine import __main__\n"
        "from rookery_engine.shell import terminal\n"
        "def begin(*words, make=terminal.%s): print(); sys.stdout.flush(); make(*words)\n"
        "terminal.%s = begin; __main__.main()\n"
    )
    name = words.split()[0]
    with subprocess.Popen(
        [sys.executable, "-c", begins % (name, name), *words.split()],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT) == -signal.SIGINT
        assert process.stderr.read() == b""
