"""`rookery-server analyse` as a program: what it writes, and how it goes on after anything."""

import os
import random
import re
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import pytest
from helpers.analyse_program import PATIENCE, AnalyseProgram, write_games

from rookery_analysis.job import MAX_FAILED
from rookery_protocol.errors import ConfigError
from rookery_server.commands.analyse import run

RESULTS = ("out.pgn", "out.jsonl", "report.csv")
WRITE = ("-o", "out.pgn", "--jsonl", "out.jsonl", "--report", "report.csv")
HANGING = ("hangs:a2a3,a7a6",)  # for ever, as far as a test goes
STOCKFISH = shutil.which("stockfish", path=f"{os.environ['PATH']}:/usr/games")


def games_in(path: Path) -> list[chess.pgn.Game]:
    with path.open() as file:
        return list(iter(lambda: chess.pgn.read_game(file), None))


def test_results_have_the_documented_form(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 3, 8)
    done = bench.run("games.pgn", *WRITE, "--multipv", "2")
    assert done.stdout.startswith("3 games, 27 positions\n")
    first = bench.records()[0]
    assert (first["game"], first["source"], first["line"]) == (1, "games.pgn", 1)
    assert first["status"] == "analysed"
    assert [each["ply"] for each in first["positions"]] == list(range(9))
    assert [len(each["lines"]) for each in first["positions"]] == [2] * 9
    game = games_in(bench.folder / "out.pgn")[0]
    assert game.headers["Annotator"] == "Judging"
    assert all(node.eval() is not None for node in (game, *game.mainline()))
    header, *players = (bench.folder / "report.csv").read_text().splitlines()
    assert header.startswith("player,games,moves,accuracy,average loss")
    assert sum(int(line.split(",")[1]) for line in players) == 6
    assert not (bench.folder / "out.pgn.progress").exists()


def test_results_have_the_order_of_the_input(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 30, 10)
    bench.run("games.pgn", *WRITE, "--workers", "1")
    alone = bench.bytes_of(*RESULTS)
    bench.run("games.pgn", *WRITE, "--workers", "4", "--restart")
    assert bench.bytes_of(*RESULTS) == alone
    assert [each["game"] for each in bench.records()] == list(range(1, 31))


def test_shards_add_up_to_the_whole_over_several_files_and_a_pipe(bench: AnalyseProgram) -> None:
    games = write_games(bench.folder / "games.pgn", 7, 6)
    write_games(bench.folder / "more.pgn", 4, 6)
    inputs = ("games.pgn", "-")
    piped = (bench.folder / "more.pgn").read_bytes()
    bench.run(*inputs, "--jsonl", "out.jsonl", stdin=piped)
    parts = []
    for index in range(3):
        name = f"part{index}.jsonl"
        bench.run(*inputs, "--jsonl", name, "--shard", f"{index}/3", stdin=piped)
        parts += bench.records(name)
    assert games.exists()
    assert sorted(parts, key=lambda each: each["game"]) == bench.records()
    assert [each["game"] for each in bench.records()] == list(range(1, 12))


def killed_at(command: list[str], folder: Path, until: Callable[[], bool]) -> bool:
    """Start a program and kill it when a condition holds; say whether it had ended before."""
    with subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    ) as run:
        end = time.monotonic() + PATIENCE
        over = is_time = False
        while not (over or is_time) and time.monotonic() < end:
            over, is_time = run.poll() is not None, until()
            time.sleep(0.01)
        run.kill()
        run.communicate()
    assert over or is_time, "neither killed nor done"
    return over


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.long)])
def test_killed_job_has_the_results_of_an_undisturbed_run(
    bench: AnalyseProgram, kills: int
) -> None:
    write_games(bench.folder / "games.pgn", 30 + 15 * kills, 16)
    command = ("games.pgn", *WRITE, "--engine", "rookery", "--nodes", "2000", "--workers", "2")
    bench.run(*command)
    undisturbed = bench.bytes_of(*RESULTS)
    for name in RESULTS:
        (bench.folder / name).unlink()
    chooser = random.Random(10)
    written, progress = bench.folder / "out.jsonl", bench.folder / "out.pgn.progress"
    for number in range(kills):
        # Half of them wherever it is by then, half when so much more has been written.
        moment = time.monotonic() + chooser.uniform(0.1, 1.0)
        size = _size(written) + chooser.randrange(50_000)

        def is_time(
            moment: float = moment, size: int = size, *, late: bool = number % 2 > 0
        ) -> bool:
            return _size(written) > size if late else time.monotonic() > moment

        assert not killed_at(bench.command(*command), bench.folder, is_time), "it was done too soon"
    # At last one that has put something on the disk, and the checkpoint after it.
    size, reached = _size(written), list[int]()

    def is_checkpointed() -> bool:
        if _size(written) > size:
            reached.append(time.time_ns())
        return bool(reached) and progress.stat().st_mtime_ns > reached[0]

    assert not killed_at(bench.command(*command), bench.folder, is_checkpointed)
    done = bench.run(*command)
    assert "going on after" in done.stderr
    assert bench.bytes_of(*RESULTS) == undisturbed


def test_job_resumes_with_a_pipe_if_it_is_the_same(bench: AnalyseProgram) -> None:
    games = write_games(bench.folder / "games.pgn", 40, 10).read_bytes()
    bench.run("-", *WRITE, "--workers", "1", stdin=games)
    undisturbed = bench.bytes_of(*RESULTS)
    for name in RESULTS:
        (bench.folder / name).unlink()
    half = games[: games.index(b'[Round "21"]')].rpartition(b"[Event")[0]
    command = bench.command("-", *WRITE, "--workers", "1")
    with subprocess.Popen(
        command, cwd=bench.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        process.stdin.write(half)
        process.stdin.flush()
        progress, end = bench.folder / "out.pgn", time.monotonic() + PATIENCE
        while not progress.exists() or not progress.stat().st_size:
            assert time.monotonic() < end
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 130
        assert process.stderr
        assert b"stopped; the same command goes on where it was" in process.stderr.read()
        process.stdin.close()
    other = bench.run(
        "-", *WRITE, "--workers", "1", stdin=games.replace(b"Random", b"Rondam"), status=2
    )
    assert "standard input is not what it was" in other.stderr
    bench.run("-", *WRITE, "--workers", "1", stdin=games)
    assert bench.bytes_of(*RESULTS) == undisturbed


def test_engine_that_fails_once_changes_no_result(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 6, 8)
    bench.run("games.pgn", *WRITE)
    alone = bench.bytes_of(*RESULTS)
    flag = str(bench.folder / "died")
    done = bench.run("games.pgn", *WRITE, "--restart", habits=[f"dies-once:{flag}"])
    assert "half-move 0: it exited with status 3" in done.stderr
    assert Path(flag).exists()
    assert bench.bytes_of(*RESULTS) == alone


@pytest.mark.parametrize(
    ("habit", "reason"),
    [
        ("dies", "it exited with status 3"),
        ("hangs", "it does not say bestmove within 1 s"),
        ("mute", "it says no score with a legal move"),
    ],
)
def test_a_poison_position_is_skipped_and_the_rest_is_not(
    bench: AnalyseProgram, habit: str, reason: str
) -> None:
    (bench.folder / "games.pgn").write_text(
        '[White "A"]\n\n1. e4 e5 2. Nf3 *\n\n[White "B"]\n\n1. d4 *\n'
    )
    done = bench.run("games.pgn", *WRITE, "--patience", "1", habits=[f"{habit}:e2e4,e7e5"])
    first, second = bench.records()
    assert first["status"] == "partly"
    assert [each["poison"] for each in first["positions"]] == [None, None, reason, None]
    assert [bool(each["lines"]) for each in first["positions"]] == [True, True, False, True]
    assert second["status"] == "analysed"
    assert f"game 1 (A - ?): half-move 2: skipped, {reason}" in done.stderr


def test_an_engine_that_fails_in_every_game_ends_the_job_and_no_game_is_lost(
    bench: AnalyseProgram,
) -> None:
    write_games(bench.folder / "games.pgn", 12, 6)
    broken = 'sh -c \'test -e broken && exec cat >/dev/null; exec "$0" "$@"\''
    engine = bench.command()[bench.command().index("--engine") + 1]
    command = ("games.pgn", *WRITE, "--workers", "2", "--engine", f"{broken} {engine}")
    (bench.folder / "broken").touch()
    failed = bench.run(*command, status=1)
    assert "it does not say uciok within 20 s" in failed.stderr or "exited" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_ten_games_in_a_row_that_are_given_up_are_the_engine(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 12, 6)
    odd = bench.command()[bench.command().index("--engine") + 1].replace("judging", "odd")
    failed = bench.run("games.pgn", *WRITE, "--engine", f"{odd} dies", status=1)
    assert "10 games in a row were given up, so it is the engine" in failed.stderr
    bench.run("games.pgn", *WRITE, "--restart")
    assert {each["status"] for each in bench.records()} == {"analysed"}


def test_broken_games_are_written_and_reported(bench: AnalyseProgram) -> None:
    (bench.folder / "games.pgn").write_text(
        '[White "A"]\n\n1. e4 Ke4 2. d4 *\n\n[White "B"]\n[FEN "nonsense"]\n\n1. e4 *\n\n'
        '[White "C"]\n[Variant "Crazyhouse"]\n\n1. e4 *\n\n[White "D"]\n\n1. e4 *\n'
    )
    done = bench.run("games.pgn", *WRITE)
    assert "games.pgn: game 1 (A - ?): line 3: illegal san: 'Ke4'" in done.stderr
    assert "games.pgn: game 2 (B - ?): line 5: its first position" in done.stderr
    assert "games.pgn: game 3 (C - ?): line 10: it is crazyhouse" in done.stderr
    assert [each["status"] for each in bench.records()] == [
        "partly", "skipped", "skipped", "analysed",
    ]  # fmt: skip
    assert [game.headers["White"] for game in games_in(bench.folder / "out.pgn")] == list("ABCD")


def test_chess960_is_for_engines_that_know_it(bench: AnalyseProgram) -> None:
    first = "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1"
    text = f'[Variant "Chess960"]\n[FEN "{first}"]\n\n1. O-O O-O-O *\n'
    (bench.folder / "games.pgn").write_text(text)
    bench.run("games.pgn", *WRITE)
    (game,) = bench.records()
    assert [each["move"] for each in game["positions"]] == ["e1h1", "e8b8", None]
    odd = bench.command()[bench.command().index("--engine") + 1].replace("judging", "odd")
    done = bench.run("games.pgn", *WRITE, "--restart", "--engine", f"{odd} polite", status=1)
    assert "Odd plays no Chess960" in done.stderr
    # However many they are, it is not the engine that is broken.
    (bench.folder / "games.pgn").write_text("\n".join([text] * (MAX_FAILED + 1)))
    bench.run("games.pgn", *WRITE, "--restart", "--engine", f"{odd} polite", status=1)
    assert [each["status"] for each in bench.records()] == ["skipped"] * (MAX_FAILED + 1)


@pytest.mark.long
@pytest.mark.skipif(STOCKFISH is None, reason="wants stockfish")
def test_results_of_stockfish_are_the_same_twice(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 4, 12)
    command = ("games.pgn", *WRITE, "--engine", str(STOCKFISH), "--nodes", "3000", "--multipv", "2")
    bench.run(*command, "--workers", "2")
    once = bench.bytes_of(*RESULTS)
    bench.run(*command, "--workers", "1", "--restart")
    assert bench.bytes_of(*RESULTS) == once


def test_full_disk_is_reported_and_the_same_command_resumes(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 40, 20)
    bench.run("games.pgn", "--jsonl", "whole.jsonl")
    small = subprocess.run(
        bench.command("games.pgn", "--jsonl", "out.jsonl"),
        cwd=bench.folder, capture_output=True, timeout=PATIENCE, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)),
    )  # fmt: skip
    assert small.returncode == 1
    assert b"out.jsonl cannot be written: File too large; when that is mended" in small.stderr
    assert b"Traceback" not in small.stderr
    bench.run("games.pgn", "--jsonl", "out.jsonl")
    assert bench.bytes_of("out.jsonl") == bench.bytes_of("whole.jsonl")


def test_job_with_other_input_or_options_is_not_resumed(bench: AnalyseProgram) -> None:
    games = write_games(bench.folder / "games.pgn", 10, 6)
    games.write_text(games.read_text() + "1. a3 a6 *\n")
    kept = bench.folder / "out.pgn"
    command = bench.command("games.pgn", *WRITE, habits=HANGING)
    assert not killed_at(command, bench.folder, lambda: kept.exists() and kept.stat().st_size > 0)
    other = bench.run("games.pgn", *WRITE, "--nodes", "200", status=2, habits=HANGING)
    assert "is of another job: limits was 'nodes 100', and now is 'nodes 200'" in other.stderr
    games.write_text(games.read_text() + "\n")
    changed = bench.run("games.pgn", *WRITE, status=2, habits=HANGING)
    assert "is of another job: input was" in changed.stderr
    bench.run("games.pgn", *WRITE, "--restart")
    assert len(bench.records()) == 11


def test_one_job_at_a_time(bench: AnalyseProgram) -> None:
    (bench.folder / "games.pgn").write_text("1. a3 a6 *\n")
    kept = bench.folder / "out.pgn"
    with subprocess.Popen(
        bench.command("games.pgn", *WRITE, habits=HANGING), cwd=bench.folder,
        stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    ) as first:  # fmt: skip
        end = time.monotonic() + PATIENCE
        while not kept.exists():
            assert time.monotonic() < end
            time.sleep(0.01)
        second = bench.run("games.pgn", *WRITE, status=2, habits=HANGING)
        over = bench.run("games.pgn", *WRITE, "--restart", status=2, habits=HANGING)
        assert all((bench.folder / name).exists() for name in ("out.pgn.progress", *RESULTS[:2]))
        first.kill()
    for refused in (second, over):
        assert "another program is at work on this job" in refused.stderr
    bench.run("games.pgn", *WRITE, "--restart")


def test_restart_replaces_a_file_that_is_no_checkpoint(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 1, 2)
    (bench.folder / "out.jsonl.progress").write_text("no database, but long enough for one " * 9)
    bench.run("games.pgn", "--jsonl", "out.jsonl", status=2)
    bench.run("games.pgn", "--jsonl", "out.jsonl", "--restart")
    assert len(bench.records()) == 1


def peak_memory(bench: AnalyseProgram, count: int) -> int:
    """Return the most memory that the program takes for so many games, in KiB."""
    write_games(bench.folder / "games.pgn", count, 4)
    command = bench.command("games.pgn", "--jsonl", "out.jsonl", "--restart", "--workers", "1")
    with subprocess.Popen(
        command, cwd=bench.folder, stderr=subprocess.DEVNULL, stdout=-3
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_maxrss


@pytest.mark.long
@pytest.mark.timeout(300)
def test_memory_does_not_grow_with_the_number_of_games(bench: AnalyseProgram) -> None:
    few, many = peak_memory(bench, 200), peak_memory(bench, 3000)
    assert many < few + 4096


def test_known_positions_are_not_searched_again(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 2, 8)
    url = f"sqlite:///{bench.folder / 'cache.sqlite'}"
    command = ("games.pgn", *WRITE, "--cache-url", url, "--depth", "12")
    bench.run(*command)
    once = bench.bytes_of(*RESULTS)
    # Every position would be poison now, if it were searched.
    flag = bench.folder / "searched"
    bench.run(*command, "--restart", habits=[f"dies-once:{flag}"])
    assert flag.exists()  # another command is another engine,
    flag.unlink()
    bench.run(*command, "--restart")  # and the same is not asked
    assert bench.bytes_of(*RESULTS) == once


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["games.pgn", "--nodes", "9"], "analyse needs somewhere to write"),
        (["games.pgn", "-o", "x.pgn"], "analyse needs --nodes, --depth or --movetime"),
        (["no.pgn", "-o", "x.pgn", "--nodes", "9"], "no.pgn cannot be read: No such file"),
        (
            ["packed.pgn", "-o", "x.pgn", "--nodes", "9"],
            "packed.pgn is packed: zstdcat packed.pgn |",
        ),
        (["games.pgn", "-o", "games.pgn", "--nodes", "9"], "is to be read, and cannot be written"),
        (
            ["games.pgn", "-o", "x", "--jsonl", "./x", "--nodes", "9"],
            "x is to have two results: give each a file of its own",
        ),
        (["games.pgn", "-o", "full.pgn", "--nodes", "9"], "full.pgn is there already"),
        (
            ["games.pgn", "-o", "x.pgn", "--nodes", "9", "--engine", "/no/such"],
            "there is no program",
        ),
        (["-", "-", "-o", "x.pgn", "--nodes", "9"], "can be read only once"),
        (["games.pgn", "-o", "x.pgn", "--nodes", "9", "--option", "Foo=1"], "has no option 'Foo'"),
        (["games.pgn", "-o", "no/x.pgn", "--nodes", "9"], "cannot be written"),
        (
            ["games.pgn", "-o", "x.pgn", "--nodes", "9", "--engine", "ws://x/y", "--cache"],
            "--cache is for engines of this machine",
        ),
        (["games.pgn", "-o", "-", "--nodes", "9"], "results go to a file"),
        (["games.pgn", "-o", "/dev/null", "--nodes", "9"], "/dev/null is a pipe or a device"),
        (
            ["games.pgn", "-o", "x.pgn", "--nodes", "9", "--pin", "ab"],
            "--pin is for an engine of a server, and --engine rookery is none",
        ),
        (
            ["games.pgn", "-o", "x.pgn", "--nodes", "9", "--token-file", "t"],
            "--token-file is for an engine of a server",
        ),
    ],
)
def test_impossible_job_is_refused_before_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text("1. e4 *\n")
    (tmp_path / "full.pgn").write_text("1. e4 *\n")
    (tmp_path / "packed.pgn").write_bytes(b"\x28\xb5\x2f\xfd....")
    with pytest.raises(ConfigError, match=re.escape(text)):
        run(arguments)


def test_no_games_at_all(bench: AnalyseProgram) -> None:
    (bench.folder / "games.pgn").write_text("\n\n")
    assert "there are no games in games.pgn" in bench.run("games.pgn", *WRITE, status=1).stderr
