"""The commands that no edition of UCI has, as a process says them."""

import errno
import hashlib
import io
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from rookery_engine.core.board import Board
from rookery_engine.nnue.evaluate import evaluate_board
from rookery_engine.nnue.network import network_name
from rookery_engine.shell import engine_output, network_file
from rookery_engine.shell.wdl import centipawns

TIMEOUT = 60.0  # s; far beyond what anything here takes
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CHECKED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


def shown(engine, *words: str, command: str = "d") -> dict[str, str]:
    """Return the lines of `d` that have a name, by it."""
    engine.send(*words, command, "isready")
    lines = engine.read_until("readyok")
    assert "" not in lines
    return dict(re.findall(r"^ ?(\w+): ?(.*)$", "\n".join(lines), re.MULTILINE))


def test_board_with_fen_key_and_checkers(engine) -> None:
    lines = engine.query(f"position fen {CHECKED}", "d", "isready", until="readyok")
    assert lines[1] == " | r | n | b |   | k | b | n | r | 8"
    assert lines[9] == " |   |   |   |   |   |   | P | q | 4"
    found = shown(engine)
    assert found["Fen"] == CHECKED
    assert found["Checkers"] == "h4"
    assert re.fullmatch("[0-9A-F]{16}", found["Key"])


def test_key_is_that_of_the_position_not_of_the_way(engine) -> None:
    one = shown(engine, "position startpos moves g1f3 g8f6 b1c3")["Key"]
    assert shown(engine, "position startpos moves b1c3 g8f6 g1f3")["Key"] == one
    assert shown(engine, "position startpos moves b1c3 g8f6")["Key"] != one


def test_board_is_shown_during_a_search(engine) -> None:
    engine.send("position startpos moves e2e4", "go infinite")
    assert shown(engine)["Fen"].startswith("rnbqkbnr/pppppppp/8/8/4P3/")


@pytest.mark.parametrize("fen", [START, CHECKED, "4k2r/8/8/3pP3/8/8/8/4K2R w Kk d6 3 9"])
def test_flip_is_its_own_inverse(engine, fen: str) -> None:
    board = chess.Board(fen).mirror()
    flipped = shown(engine, f"position fen {fen}", "flip")["Fen"]
    assert flipped.split()[:4] == board.fen(en_passant="fen").split()[:4]
    assert shown(engine, "flip")["Fen"] == fen


def test_evaluation_is_shown_piece_by_piece(engine) -> None:
    fen = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"
    text = "\n".join(engine.query(f"position fen {fen}", "eval", "isready", until="readyok"))
    final = re.search(r"Final evaluation +([+-]\d+\.\d\d) \(white side\)", text)
    without = evaluate_board(Board(fen.replace("Q3", "4"))).score
    queen = f"{centipawns(evaluate_board(Board(fen)).score - without) / 100:+.2f}"
    assert re.findall(r"[+-]\d+\.\d\d(?= +\||\|)", text) == [queen]
    outputs = re.findall(r"^ +\d+ to \d+ men +([+-]\d+\.\d\d)(.*)$", text, re.MULTILINE)
    bare_king = re.search(r"For a bare king +([+-]\d+\.\d\d)$", text, re.MULTILINE)
    assert float(outputs[0][0]) + float(bare_king[1]) == pytest.approx(float(final[1]), abs=0.011)
    assert outputs[0][1] == "  <- this one counts"
    assert [used for _, used in outputs[1:]] == [""] * 7
    assert f"Network                {network_name()}" in text
    black = "\n".join(engine.query("flip", "eval", "isready", until="readyok"))
    assert final[0].replace("+", "-") in black


def test_compiler_is_named(engine) -> None:
    lines = engine.query("compiler", "isready", until="readyok")
    assert re.fullmatch(r"Compiled by +: (gcc|clang) \d+.*", lines[0])


def test_help_names_the_commands(engine) -> None:
    text = "\n".join(engine.query("help", "isready", until="readyok"))
    for word in ("bench", "compiler", "d ", "eval", "export_net", "flip", "perft", "quit"):
        assert f"\n  {word}" in text or f" {word}" in text


def test_extra_commands_are_first_words_only(engine) -> None:
    assert engine.query("say d", "please eval", "a bench", "isready", until="readyok") == [
        "readyok"
    ]


def test_bench_prints_its_signature(engine) -> None:
    lines = engine.query("position startpos", "bench 16 1 1 current depth", until="Nodes/second")
    assert lines[0] == f"Position: 1/1 ({START})"
    assert [line.split(":")[0].strip() for line in lines[-3:]] == [
        "Total time (ms)", "Nodes searched", "Nodes/second",
    ]  # fmt: skip
    again = engine.query("bench 1 1 1 current depth", until="Nodes/second")
    assert again[-2] == lines[-2]


def test_openbench_finds_nodes_and_speed_in_the_last_lines(engine) -> None:
    """Its client takes the last of each, all but letters and digits being spaces."""
    lines = engine.query("bench 1 1 2", until="Nodes/second")
    assert "\n".join(lines).isascii()
    plain = [re.sub(r"[^a-zA-Z0-9 ]+", " ", line) for line in reversed(lines)]
    for pattern, line in (
        (r"\d+\s+nps|nps\s+\d+|nodes second\s+\d+", plain[0]),
        (r"\d+\s+nodes|nodes\s+\d+|nodes searched\s+\d+", plain[1]),
    ):
        found = (re.search(pattern, each, re.IGNORECASE) for each in plain)
        first = next(match[0] for match in found if match)
        assert re.findall(r"\d+", first) == line.split()[-1:]


def test_bench_takes_limits_and_files(engine, tmp_path: Path) -> None:
    file = tmp_path / "positions.epd"
    file.write_text(f"# two\n{START}\n\n8/8/4k3/8/8/4K3/4P3/8 w - - ; a comment\n")
    for kind in ("nodes", "perft", "movetime", "eval"):
        lines = engine.query(f"bench 1 1 2 {file} {kind}", until="Nodes/second")
        assert sum(line.startswith("Position: ") for line in lines) == 2
    assert engine.query(f"bench 1 1 3 {file} perft", until="Nodes s")[-1].split()[-1] == str(
        8902 + len_perft_3()
    )


def len_perft_3() -> int:
    def count(board: chess.Board, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(board, depth - 1)
            board.pop()
        return total

    return count(chess.Board("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"), 3)


@pytest.mark.parametrize("words", [
    "x", "16 1 0", "16 1 1 default joho", "16 0", "99999999999", "1 1 1 default depth mixed x",
    "1 1 1 /no/such/file", "16 1 21 default perft", "16 1 99999999999 default perft",
])  # fmt: skip
def test_bench_refuses_what_it_cannot_do(engine, words: str) -> None:
    lines = engine.query(f"bench {words}", "isready", until="readyok")
    assert len(lines) == 2
    assert lines[0].startswith("info string ")


def test_bad_position_in_a_bench_file(engine, tmp_path: Path) -> None:
    file = tmp_path / "positions.epd"
    file.write_text(f"{START}\n8/8/8/8/8/8/8/8 w - -\n")
    (line, _) = engine.query(f"bench 1 1 1 {file}", "isready", until="readyok")
    assert "line 2" in line
    assert "king" in line


def test_isready_waits_for_an_answer_in_full(engine) -> None:
    """Row 60: a count is no search, and ends by itself."""
    lines = engine.query("position startpos", "go perft 5", "isready", until="readyok")
    assert lines[-3:-1] == ["Nodes searched: 4865609", ""]


def test_isready_comes_after_what_came_before_it_when_a_search_has_ended(engine) -> None:
    """Row 57: GUIs begin a new game, which takes time, right after the last move."""
    for _ in range(30):
        engine.query("go nodes 1", until="bestmove")
        lines = engine.query("setoption name Hash value X", "isready", until="readyok")
        assert len(lines) == 2


def test_isready_that_waited_behind_a_search_is_answered_during_it(engine) -> None:
    """Row 54: the search had to wait itself, for a count."""
    engine.query("go perft 6", "go infinite", "isready", until="readyok")
    engine.query("stop", until="bestmove")


def test_bench_can_be_stopped(engine) -> None:
    engine.send("bench 1 1 _ default infinite")
    engine.read_until("Position: 1/")
    lines = engine.query("stop", until="Nodes/second")
    assert not any(line.startswith("Position: 3/") for line in lines)
    engine.query("isready", until="readyok")


def test_bench_uses_its_threads(engine) -> None:
    tasks = Path(f"/proc/{engine.process.pid}/task")
    engine.send("bench 1 1 _ default infinite")
    engine.read_until("Position: 1/")
    alone = len(list(tasks.iterdir()))
    engine.query("stop", until="Nodes/second")
    engine.send("bench 1 3 _ default infinite")
    engine.read_until("Position: 1/")
    until = time.monotonic() + TIMEOUT
    while len(list(tasks.iterdir())) < alone + 2:
        assert time.monotonic() < until, "no more threads than with one"
    engine.query("stop", until="Nodes/second")


@pytest.mark.parametrize("words", ["bench 1 1 2", "go perft 4"])
@pytest.mark.parametrize("farewell", ["", "quit\n"])
def test_end_of_input_waits_for_counts_and_benchmarks(
    command: tuple[str, ...], words: str, farewell: str
) -> None:
    done = subprocess.run(
        command, input=f"{words}\ngo infinite\n{farewell}",
        capture_output=True, text=True, timeout=TIMEOUT, check=True,
    )  # fmt: skip
    assert "Nodes searched" in done.stdout
    assert done.stderr == ""


def test_evaluation_file_is_written_and_read(engine, tmp_path: Path) -> None:
    file = tmp_path / "own.eval"
    own = shown_score(engine)
    engine.query(f"export_net {file}", until="network written to")
    data = bytearray(file.read_bytes())
    engine.query(f"setoption name EvalFile value {file}", "isready", until="readyok")
    assert shown_score(engine) == own
    engine.query("setoption name EvalFile value <empty>", "isready", until="readyok")
    assert shown_score(engine) == own
    data[-1] ^= 1
    file.write_bytes(data)
    (line, _) = engine.query(
        f"setoption name EvalFile value {file}", "isready", until="readyok"
    )  # fmt: skip
    assert "damaged" in line
    assert shown_score(engine) == own


def test_other_numbers_evaluate_otherwise(engine, tmp_path: Path) -> None:
    file = tmp_path / "other.eval"
    engine.query(f"export_net {file}", until="network written to")
    kind, _, numbers = file.read_bytes().split(b"\n", 2)
    numbers = numbers[:8] + b"\0" * (len(numbers) - 8)  # the shape remains
    digest = hashlib.sha256(numbers).hexdigest().encode()
    file.write_bytes(b"\n".join((kind, digest, numbers)))
    engine.query(f"setoption name EvalFile value {file}", "isready", until="readyok")
    assert shown_score(engine) == "+0.00"


def test_evaluation_file_is_in_force_whenever_it_was_set(start: Callable, tmp_path: Path) -> None:
    """The core is loaded with the first command that needs it, and our own network with it."""
    file = tmp_path / "own.network"
    engine = start()
    engine.query(f"export_net {file}", until="network written to")
    assert file.read_bytes() == next(network_file.FOLDER.glob("*.network")).read_bytes()
    numbers = bytearray(file.read_bytes().split(b"\n", 2)[2])
    numbers[8:] = bytes(len(numbers) - 8)
    digest = hashlib.sha256(numbers).hexdigest().encode()
    file.write_bytes(network_file.KIND + digest + b"\n" + numbers)
    other = start()
    other.send(f"setoption name EvalFile value {file}")
    assert shown_score(other) == "+0.00"


def shown_score(engine) -> str:
    lines = engine.query(
        "position fen 4k3/4p3/8/8/8/8/8/Q3K3 w - - 0 1", "eval", "isready", until="readyok"
    )
    return next(line.split()[2] for line in lines if "Final evaluation" in line)


@pytest.mark.parametrize("words", [
    "export_net /no/such/folder/x.eval", "setoption name EvalFile value /no/such/file",
    "setoption name EvalFile value /", "setoption name Debug Log File value /no/such/folder/log",
    "setoption name Debug Log File value /", "setoption name BookFile value joho",
])  # fmt: skip
def test_file_that_cannot_be_used_is_reported(engine, words: str) -> None:
    engine.send("setoption name OwnBook value true")
    lines = engine.query(words, "isready", until="readyok")
    assert len(lines) == 2
    assert lines[0].startswith("info string ")
    engine.query("go depth 1")


def test_export_without_a_name(start: Callable, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    engine = start()
    engine.query("export_net", until="network written to")
    assert [path.name for path in tmp_path.iterdir()] == [f"{network_name()}.network"]


def test_log_file_has_all_input_and_output(engine, tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine.query(f"setoption name Debug Log File value {log}", "isready", until="readyok")
    engine.query("go depth 2")
    engine.query("setoption name Debug Log File value", "isready", until="readyok")
    lines = log.read_text().splitlines()
    assert lines[:3] == [">> isready", "<< readyok", ">> go depth 2"]
    end = lines.index(">> setoption name Debug Log File value")
    assert lines[end - 1].startswith("<< bestmove ")


def test_log_file_is_named_as_the_bytes_say(engine, tmp_path: Path) -> None:
    """A GUI may write Latin-1: it names a file, and is kept as it was in the log."""
    folder = os.fsencode(tmp_path)
    engine.write(b"setoption name Debug Log File value %b/caf\xe9.log\n" % folder)
    engine.write(b"\xe9\xff\0 isready\n")
    assert engine.read_line() == "readyok"
    assert os.listdir(folder) == [b"caf\xe9.log"]
    log = Path(os.fsdecode(folder + b"/caf\xe9.log")).read_bytes()
    assert b">> \xe9\xff isready\n<< readyok\n" in log
    engine.write(b"setoption name Debug Log File value %b/caf\xe9/log\nisready\n" % folder)
    assert "cannot be written" in engine.read_line()
    assert engine.read_line() == "readyok"


def test_evaluation_ends_with_the_line_that_programs_wait_for(engine) -> None:
    lines = engine.query("eval", "go perft 1", "isready", until="readyok")
    assert lines[lines.index("") - 1].startswith(" Final evaluation  ")
    assert lines[-3:] == ["Nodes searched: 20", "", "readyok"]
    check = engine.query("position fen 4k3/8/8/8/7b/8/8/4K3 w - - 0 1", "eval", until=" Final")
    assert check[-1] == " Final evaluation: none (in check)"


def test_log_goes_on_where_it_was_if_another_cannot_be_written(engine, tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine.send(f"setoption name Debug Log File value {log}")
    (refusal, _) = engine.query(
        "setoption name Debug Log File value /no/such/folder/log", "isready", until="readyok"
    )
    assert refusal.startswith("info string ")
    assert log.read_text().splitlines()[1:] == [f"<< {refusal}", ">> isready", "<< readyok"]


def test_full_disk_ends_the_log_and_not_the_engine(engine) -> None:
    lines = engine.query("setoption name Debug Log File value /dev/full", "go depth 1")
    assert sum(line.startswith("info string the log file is given up") for line in lines) == 1
    assert not any("given up" in line for line in engine.query("go depth 1"))


class _FullDisk(io.FileIO):
    """A file that cannot be written, which some file systems say once more at the end."""

    def write(self, _: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    def close(self) -> None:
        super().close()
        raise OSError(errno.EDQUOT, "Disk quota exceeded")


def test_full_disk_may_be_reported_twice(monkeypatch, capfd, tmp_path: Path) -> None:
    monkeypatch.setattr(engine_output, "_log", _FullDisk(tmp_path / "log", "w"))
    engine_output.log_input(b"isready")
    engine_output.log_input(b"isready")
    assert capfd.readouterr().out == (
        "info string the log file is given up: No space left on device\n"
    )


class _Overtaken(io.FileIO):
    """A file that another thread closes as soon as one has looked at it."""

    @property
    def closed(self) -> bool:
        if engine_output._log is self:
            thread = threading.Thread(target=engine_output.start_log, args=("",))
            thread.start()
            thread.join()
        return False


def test_log_may_be_changed_by_one_thread_while_another_hears(monkeypatch, tmp_path: Path) -> None:
    """`setoption` waits for a search and is done by its thread, while the main one reads on."""
    log = _Overtaken(tmp_path / "log", "w")
    monkeypatch.setattr(engine_output, "_log", log)
    engine_output.log_input(b"isready")
    assert (tmp_path / "log").read_text() == ">> isready\n"
    engine_output.start_log("")
