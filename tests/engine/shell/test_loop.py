"""Conversations with the engine as a process: transcripts, and what is awkward."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

import pytest

from rookery_engine.core.board import Board
from rookery_engine.shell import engine_output
from rookery_engine.shell.loop import MAX_INPUT_LINE, Loop
from rookery_engine.shell.options import OPTIONS
from rookery_uci import Id, Ok, Option, parse_reply

TRANSCRIPTS = sorted((Path(__file__).parents[2] / "transcripts" / "engine").glob("*.txt"))
TIMEOUT = 30.0  # s; far beyond what anything here takes


def matches(line: str, pattern: str) -> bool:
    """Say whether a line is what a transcript expects; `*` stands for any text."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), line) is not None


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(engine, path: Path) -> None:
    """A `<*` alone stands for any number of lines."""
    skipping = False
    for line in path.read_text().splitlines():
        if line.startswith(">"):
            engine.send(line[2:])
        elif line == "< *":
            skipping = True
        elif line.startswith("<"):
            heard = engine.read_line()
            while skipping and not matches(heard, line[2:]):
                heard = engine.read_line()
            assert matches(heard, line[2:]), f"{path.name}: {heard!r} is not {line!r}"
            skipping = False
    assert engine.quiet_lines() == []
    assert engine.end() == 0
    assert engine.stderr() == ""


def bestmoves(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("bestmove")]


def test_introduction(engine) -> None:
    replies = [parse_reply(line) for line in engine.query("uci", until="uciok")]
    assert [type(reply) for reply in replies] == [Id, Id, *[Option] * len(OPTIONS), Ok]


def test_no_output_without_a_command(engine) -> None:
    assert engine.quiet_lines() == []


def test_one_best_move_for_stop_right_behind_go(engine) -> None:
    for _ in range(20):
        lines = engine.query("position startpos", "go infinite", "stop", "stop")
        assert lines[-2].startswith("info depth")
        assert lines[-1].split()[1] in Board().legal_moves()
    assert bestmoves(engine.quiet_lines()) == []


def test_answers_while_it_searches(engine) -> None:
    engine.send("position startpos", "go infinite")
    engine.read_until("info depth")
    for _ in range(20):
        assert bestmoves(engine.query("isready", until="readyok")) == []
    engine.send("debug on", "debug off", "ponderhit")
    assert bestmoves(engine.quiet_lines()) == []
    assert len(bestmoves(engine.query("stop"))) == 1


@pytest.mark.parametrize("limit", ["depth 1", "nodes 10", "movetime 1", "wtime 1 btime 1", ""])
def test_pondering_waits_however_soon_it_is_done(engine, limit: str) -> None:
    # One legal move, and mate: every reason there is to be quick.
    engine.send("position fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", f"go ponder {limit}")
    engine.read_until("info depth 1 ")
    assert bestmoves(engine.quiet_lines()) == []
    engine.send("ponderhit" if limit else "stop")
    assert engine.read_until("bestmove")[-2].startswith("info depth")


def test_infinite_goes_on_when_depth_is_used_up(engine) -> None:
    engine.send("position startpos", "go infinite depth 2")
    engine.read_until("info depth 2")
    engine.send("ponderhit")
    assert bestmoves(engine.quiet_lines()) == []
    engine.query("stop")


def test_commands_during_a_search_come_after_it(engine) -> None:
    engine.send("position startpos", "go infinite")
    engine.send("position fen 7k/8/8/8/8/8/R7/K7 w - - 0 1", "setoption name Hash value 1")
    engine.send("ucinewgame", "go depth 3")
    first = engine.query("stop")
    second = engine.read_until("bestmove")
    assert first[-1].split()[1] in Board().legal_moves()
    assert second[-1].split()[1] in Board("7k/8/8/8/8/8/R7/K7 w - - 0 1").legal_moves()
    assert bestmoves(engine.quiet_lines()) == []


def test_second_go_is_answered_after_the_first(engine) -> None:
    engine.send("go depth 6", "go depth 2", "go infinite", "stop")
    for _ in range(3):
        engine.read_until("bestmove")
    assert bestmoves(engine.quiet_lines()) == []


def test_line_that_is_too_long_may_have_been_a_position(engine) -> None:
    engine.send("position startpos moves e2e4")
    engine.write(b"position startpos moves " + b"g1f3 " * (MAX_INPUT_LINE // 5) + b"\n")
    lines = engine.query("go depth 3")
    assert lines[0].startswith("info string a line of more than 16 MiB was left out")
    assert lines[-1] == "bestmove 0000"
    assert engine.query("position startpos", "go depth 1")[-1] != "bestmove 0000"


def test_perft_as_stockfish_prints_it(engine) -> None:
    lines = engine.query("position startpos", "go perft 3", until="Nodes searched")
    assert "a2a3: 380" in lines
    assert len(lines) == 21
    assert lines[-1] == "Nodes searched: 8902"


@pytest.mark.parametrize("depth", ["21", "99999999999"])
def test_count_too_deep_is_refused(engine, depth: str) -> None:
    lines = engine.query(f"go perft {depth}", "isready", until="readyok")
    assert lines == [
        f"info string perft needs a depth of at most 20, not {depth}", "readyok",
    ]  # fmt: skip
    engine.query("go depth 1")


def test_stop_ends_a_count(engine) -> None:
    told = "info string perft was stopped: "
    for _ in range(3):
        lines = engine.query("go perft 12", "stop", "isready", until="readyok")
        assert lines[-2].startswith(told)
        assert lines[-2].endswith(f"{len(lines) - 2} of 20 moves are counted")
    assert engine.query("go perft 1", until="Nodes")[-1] == "Nodes searched: 20"


def test_stop_ends_a_benchmark_of_counts(engine) -> None:
    engine.send("bench 1 1 12 current perft")
    engine.read_until("Position: 1/")
    engine.query("stop", until="Nodes/second")
    assert engine.query("go perft 1", until="Nodes")[-1] == "Nodes searched: 20"


class _Overtaken:
    """A lock after whose release by the worker the main thread is the quicker, once."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._lock = threading.Lock()
        self._main = threading.get_ident()
        self._then: Callable[[], None] | None = then

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        if self._then is not None and threading.get_ident() != self._main:
            then, self._then = self._then, None
            then()


def test_go_between_the_end_of_a_task_and_of_its_thread(capfd) -> None:
    # A GUI that sends the next `go` right after `bestmove` can hit this moment.
    loop = Loop()
    again = threading.Thread(target=loop.handle_line, args=(b"go perft 1",), daemon=True)
    over = threading.Event()

    def hear_again() -> None:
        again.start()
        again.join(TIMEOUT)
        over.set()

    loop._lock = _Overtaken(hear_again)  # type: ignore[assignment]
    loop.handle_line(b"go perft 1")
    assert over.wait(2 * TIMEOUT)
    assert not again.is_alive()
    loop.finish()
    assert capfd.readouterr().out.count("Nodes searched: 20") == 2


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r", b"\n\r"])
def test_line_endings(engine, ending: bytes) -> None:
    engine.write(b"isready" + ending)
    assert engine.read_line() == "readyok"


def test_line_in_pieces(engine) -> None:
    for piece in (b"isr", b"ea", b"dy", b"\nisready\n"):
        engine.write(piece)
    assert [engine.read_line(), engine.read_line()] == ["readyok", "readyok"]


@pytest.mark.parametrize("garbage", [
    b"x" * 1_000_000, b"\x00\xff\xfe\x80" * 1000, b"position startpos moves " + b"e2e5 " * 200_000,
    b"position fen " + b"8/" * 400_000, b"setoption name " + b"Hash " * 200_000,
    b"position fen " + b"x" * 1_000_000 + b"/8" * 7, b"export_net /" + b"x" * 1_000_000,
], ids=["letters", "binary", "moves", "fen", "option", "rank", "path"])  # fmt: skip
def test_garbage_is_survived(engine, garbage: bytes) -> None:
    engine.write(garbage + b"\n")
    lines = engine.query("isready", until="readyok")[:-1]
    assert all(line.startswith("info string") and len(line) < 1000 for line in lines)
    engine.query("position startpos", "go depth 2")


def test_long_game(engine) -> None:
    moves = "g1f3 g8f6 f3g1 f6g8 " * 1500
    lines = engine.query(f"position startpos moves {moves}", "go depth 3")
    assert "score cp" in lines[-2]


def test_stop_is_a_command_only_as_a_line(engine) -> None:
    """Row 28.  A lone `stop` has a way of its own, but the end of a line is none."""
    engine.send("isready")
    engine.read_until("readyok")
    engine.send("go infinite")
    engine.write(b"isready\njoho")
    engine.read_until("readyok")
    engine.write(b"stop\n")
    assert bestmoves(engine.quiet_lines()) == []
    engine.send("stop")
    engine.read_until("bestmove")


def test_slow_reader_loses_nothing(command: tuple[str, ...]) -> None:
    """The pipe is full long before it is read, and the engine waits with what it has."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:
        asked = 3_000  # with the rest, less than the input's pipe holds
        process.stdin.write(b"setoption name MultiPV value 20\n" + b"go depth 3\nuci\n" * 300)
        process.stdin.write(b"isready\n" * asked)
        process.stdin.flush()
        process.stdin.close()
        os.sched_yield()
        heard = process.stdout.read().decode()
        assert process.wait(TIMEOUT) == 0
    for line in heard.splitlines():
        assert parse_reply(line) is not None, line
    assert heard.count("readyok") == asked


@pytest.mark.skipif(sys.platform == "win32", reason="its pipes always block")
def test_pipes_that_do_not_block(command: tuple[str, ...]) -> None:
    """A process that shares an end of a pipe with the engine may have made it so."""
    (its_in, ours_out), (ours_in, its_out) = os.pipe(), os.pipe()
    for end in (its_in, its_out):
        os.set_blocking(end, False)
    with subprocess.Popen(command, stdin=its_in, stdout=its_out) as process:
        os.close(its_in)
        os.close(its_out)
        with os.fdopen(ours_in) as heard, os.fdopen(ours_out, "w") as said:
            for _ in range(2):  # before there is a searcher, and with one
                said.write("uci\n" * 100 + "isready\n")
                said.flush()
                lines = list(takewhile(lambda line: line != "readyok\n", heard))
                assert lines.count("uciok\n") == 100
        assert process.wait(TIMEOUT) == 0


def test_output_comes_while_it_searches(engine) -> None:
    engine.send("go infinite")
    assert engine.read_line().startswith("info depth 1 ")


def test_multipv_lines_come_together(engine) -> None:
    engine.send("setoption name MultiPV value 3")
    lines = engine.query("position startpos", "go depth 5")
    numbers = [int(line.split()[6]) for line in lines[:-1]]
    assert numbers == [1, 2, 3] * 5


def test_chess960_can_be_left_after_a_game_that_was_castled_in(engine) -> None:
    engine.send(
        "setoption name UCI_Chess960 value true",
        "position fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1 moves e1g1",
        "setoption name UCI_Chess960 value false",
    )
    assert engine.quiet_lines() == []
    castling = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    lines = engine.query(castling, "go perft 1", until="Nodes searched")
    assert "e1g1: 1" in lines


def test_memory_that_does_not_exist(engine) -> None:
    """The table keeps its size; the biggest one may exist as addresses, untouched."""
    engine.send("setoption name Hash value 131072")
    engine.query("go depth 3")


def test_command_line(command: tuple[str, ...]) -> None:
    def output(*words: str) -> str:
        return subprocess.run(
            [*command, *words], capture_output=True, text=True, timeout=TIMEOUT, check=True
        ).stdout

    assert output("uci").endswith("uciok\n")
    assert output("--version").startswith("Rookery ")
    assert "bench" in output("--help")
    assert "Nodes searched: 8902" in output("perft", "3")
    bench = output("bench", "16", "1", "4")
    assert re.search(r"^Nodes searched  : \d+$", bench, re.MULTILINE)
    assert output("bench", "16", "1", "4").splitlines()[1] == bench.splitlines()[1]
    wrong = subprocess.run([*command, "joho"], capture_output=True, timeout=TIMEOUT, check=False)
    assert wrong.returncode == 1
    assert b"usage" in wrong.stderr


@pytest.mark.parametrize(("words", "answer"), [
    (["go", "depth", "4"], "bestmove"),
    (["go depth 4"], "bestmove"),
    (["go", "infinite"], "bestmove"),  # no GUI could send stop
    (["go", "perft", "2"], "Nodes searched: 400"),
    (["d"], "Checkers"),
    (["isready"], "readyok"),
    (["position startpos\ngo nodes 1"], "bestmove"),
    (["setoption", "name", "Hash", "value", "x"], "info string Hash needs"),
    (["debug", "x"], "info string debug needs"),
])  # fmt: skip
def test_command_of_uci_may_be_an_argument(
    command: tuple[str, ...], words: list[str], answer: str
) -> None:
    done = subprocess.run(
        [*command, *words], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=TIMEOUT, check=True,
    )  # fmt: skip
    assert done.stdout.strip().splitlines()[-1].startswith(answer)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_byte_order_mark_and_wide_characters_lose_no_command(engine, encoding: str) -> None:
    engine.write("uci  \r\nisready\t\r\n".encode(encoding))
    assert engine.read_until("uciok")
    assert engine.read_until("readyok")


@pytest.mark.parametrize(
    "number", ["1e3", "1,000", "1000ms", "9" * 400, "-1e30", "\u0661", "x", "."]
)
def test_number_that_is_none_ends_the_search_all_the_same(engine, number: str) -> None:
    for word in ("wtime 5 btime", "movetime 5 btime", "nodes 5 movestogo", "depth 2 nodes"):
        assert engine.query(f"go {word} {number}")[-1].startswith("bestmove ")
    if number != "9" * 400:
        assert engine.query(f"go movetime {number}")[-1].startswith("bestmove ")


@pytest.mark.parametrize("depth", ["21", "99999999999", "9" * 5000, "-1", "x"])
def test_depth_that_cannot_be_counted_is_reported(command: tuple[str, ...], depth: str) -> None:
    done = subprocess.run(
        [*command, "perft", depth], capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("rookery-engine: perft needs a depth")
    assert len(done.stderr.splitlines()) == 1


def test_bestmove_follows_the_last_info_whatever_comes_between(engine) -> None:
    """Rows 150, 151: an answer to the GUI may fall between them; then it is said again."""
    engine.send("setoption name MultiPV value 2")
    for _ in range(30):
        engine.send("go depth 3", *["isready"] * 40)
        lines = engine.read_until("bestmove")
        assert [line.split()[5:7] for line in lines[-3:-1]] == [["multipv", "1"], ["multipv", "2"]]


def test_conclusion_repeats_what_it_must_follow(capfd) -> None:
    number = engine_output.write("info depth 1")
    engine_output.write_after("bestmove e2e4", number=number, before=["info depth 1"])
    number = engine_output.write("info depth 2")
    engine_output.write("readyok")
    engine_output.write_after("bestmove d2d4", number=number, before=["info depth 2"])
    assert capfd.readouterr().out.splitlines() == [
        "info depth 1", "bestmove e2e4", "info depth 2", "readyok", "info depth 2", "bestmove d2d4",
    ]  # fmt: skip
