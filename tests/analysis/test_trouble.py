"""Input that is no PGN, and places without results: the errors, and no job that hangs."""

import asyncio
import bz2
import gzip
import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import chess.pgn
import pytest
from helpers.analyse_program import DATA, PATIENCE, AnalyseProgram, write_games

from rookery_analysis.analysed_game import AnalysedGame
from rookery_analysis.game import ParsedGame, parse_game
from rookery_analysis.game_source import ReadAhead
from rookery_analysis.job_record import FORM, Checkpoint
from rookery_analysis.pgn_splitter import split_games
from rookery_protocol.errors import ConfigError
from rookery_server.commands.analyse import run
from rookery_uci import Position


def works(text: str) -> list[ParsedGame]:
    return [parse_game(each, 1, "x") for each in split_games(io.BytesIO(text.encode()))]


@pytest.mark.parametrize(
    ("moves", "flaw"),
    [
        ("1. e4 e5 2. Ke5 ) 2. d4 {x} *", "line 3: illegal san: 'Ke5'"),
        ("1. e4 e5 ) 2. Ke5 (2. d4) 2... d5 *", "line 3: illegal san: 'Ke5'"),
        ("1. e4 ( 1-0 Ke5 ) e5 *", "line 3: illegal san: 'Ke5'"),
        ("1. e4 ( {x} 1. Ke5 $1 {y} (1. Kd5 d6) e6 ) e5 *", "line 3: illegal san: 'Ke5'"),
        ("1. e4 ( 1. d4 d5 ( 1... Ke3 ) 2. c4 ) e5 *", "line 3: illegal san: 'Ke3'"),
    ],
)
def test_only_the_broken_part_of_a_game_is_left_out(moves: str, flaw: str) -> None:
    (work,) = works(f'[Event "x"]\n\n{moves}\n')
    assert work.moves == ("e2e4", "e7e5")
    assert [each.partition(" in ")[0] for each in work.flaws] == [flaw]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. e4 (1. Ke5) e5 2. Nf3 *", "e2e4 e7e5 g1f3"),
        # On the board before the broken variation this would be a move of White's.
        ("1. d4 Nf6 2. Nf3 (2. Kd3) d5 *", "d2d4 g8f6 g1f3 d7d5"),
    ],
)
def test_the_main_line_goes_on_behind_a_broken_variation(text: str, moves: str) -> None:
    (work,) = works(text)
    assert " ".join(work.moves) == moves
    assert len(work.flaws) == 1
    assert AnalysedGame(work).status == "partly"


def test_legal_moves_of_a_broken_variation_stay_and_comments_on_the_others_do_not() -> None:
    (work,) = works("1. e4 (1. d4 {a} d5 $1 2. Ke5 $2 {b} Kd7 $4) {c} e5 {d} *")
    text = str(work.pgn.accept(chess.pgn.StringExporter(headers=False, columns=None)))
    assert text == "1. e4 { c } ( 1. d4 { a } 1... d5 $1 ) 1... e5 { d } *"


@pytest.mark.parametrize("null", ["--", "Z0", "0000"])
def test_null_move_is_part_of_the_game_and_engines_get_the_position_behind_it(null: str) -> None:
    (main,) = works(f"1. e4 {null} 2. d4 d5 *")
    assert main.moves == ("e2e4", "0000", "d2d4", "d7d5")
    assert main.remarks == ("line 1: half-move 2 is a null move",)
    assert AnalysedGame(main).status == "analysed"
    behind = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"
    assert main.positions()[1:4] == [
        Position(None, ("e2e4",)), Position(behind, ()), Position(behind, ("d2d4",)),
    ]  # fmt: skip
    (within,) = works(f"1. e4 (1. {null} e5) e5 *")
    assert within.moves == ("e2e4", "e7e5")
    assert not within.flaws


@pytest.mark.parametrize("moves", ["1. e4 Ke5 ) {x} *", "1. Nf3 ( 1-0 ) Nf3 *"])
def test_a_broken_game_does_not_stop_those_behind_it(bench: AnalyseProgram, moves: str) -> None:
    games = write_games(bench.folder / "games.pgn", 2, 6)
    games.write_text(f'[Event "x"]\n\n{moves}\n\n{games.read_text()}')
    bench.run("games.pgn", "--jsonl", "out.jsonl")
    first, *rest = [each["status"] for each in bench.records()]
    assert first in ("partly", "skipped")
    assert rest == ["analysed", "analysed"]


async def test_a_fault_in_reading_ends_the_job() -> None:
    def games() -> Iterator[int]:
        yield 1
        raise KeyError("of ours")

    reader = ReadAhead(games())
    assert await reader.next_game() == 1
    with pytest.raises(KeyError, match="of ours"):
        async with asyncio.timeout(10):
            await reader.next_game()


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("games.pgn", data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("pack", "program"),
    [(gzip.compress, "zcat"), (bz2.compress, "bzcat"), (zipped, "unzip -p")],
)
def test_packed_input_is_refused_from_a_pipe_too(
    bench: AnalyseProgram, pack: Callable[[bytes], bytes], program: str
) -> None:
    packed = pack(write_games(bench.folder / "games.pgn", 2, 6).read_bytes())
    done = bench.run("-", "--jsonl", "out.jsonl", stdin=packed, status=2)
    assert f"standard input is packed: {program} FILE | rookery-server analyse -" in done.stderr
    # Nothing was done, so the same command with the right input begins.
    piped = (bench.folder / "games.pgn").read_bytes()
    bench.run("-", "--jsonl", "out.jsonl", stdin=piped)
    assert len(bench.records()) == 2


@pytest.mark.parametrize(
    "text", ["dear all,\n\nthese are no games\n", '[Variant "Foo"]\n\n1. e4 *\n']
)
def test_input_without_a_game_that_can_be_analysed_is_an_error(
    bench: AnalyseProgram, text: str
) -> None:
    (bench.folder / "games.txt").write_text(text)
    done = bench.run("games.txt", "--jsonl", "out.jsonl", status=1)
    assert "no game of games.txt was analysed, for the reason said of each" in done.stderr
    assert "say --restart to write over these results" in done.stderr
    assert {each["status"] for each in bench.records()} == {"skipped"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "nowhere/out.jsonl",
            "nowhere/out.jsonl cannot be written: make the folder .*nowhere first",
        ),
        ("folder", "folder is a folder: name a file in it"),
    ],
)
def test_results_need_a_file_in_a_folder(tmp_path: Path, path: str, text: str) -> None:
    (tmp_path / "folder").mkdir()
    games = write_games(tmp_path / "games.pgn", 1, 2)
    for option in ("-o", "--jsonl", "--report"):
        with pytest.raises(ConfigError, match=text):
            run([str(games), "--nodes", "1", option, str(tmp_path / path)])


def test_results_need_a_folder_that_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # For root, as whom tests may run, every folder may be.
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    games = write_games(tmp_path / "games.pgn", 1, 2)
    with pytest.raises(ConfigError, match=r"you may not write into .*; name a file elsewhere"):
        run([str(games), "--nodes", "1", "--jsonl", str(tmp_path / "out.jsonl")])


def test_checkpoint_of_another_version_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "progress"
    Checkpoint(path, {FORM: 0, "limits": "nodes 1"}).close()
    with pytest.raises(ConfigError, match="is of another version of this program; go on with that"):
        Checkpoint(path, {FORM: 1, "limits": "nodes 1"})


def test_a_pipe_is_read_only_as_standard_input(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    reading, writing = os.pipe()
    try:
        for pipe in (tmp_path / "fifo", Path(f"/dev/fd/{reading}")):
            with pytest.raises(ConfigError, match=r"COMMAND \| rookery-server analyse - "):
                run([str(pipe), "--nodes", "1", "--jsonl", str(tmp_path / "out.jsonl")])
    finally:
        os.close(reading)
        os.close(writing)


def test_no_more_engines_are_started_than_there_are_games(bench: AnalyseProgram) -> None:
    """And one before all others, to see whether it answers."""
    write_games(bench.folder / "games.pgn", 3, 4)
    judge = f"{sys.executable} {DATA / 'judging_engine.py'}"
    engine = f"sh -c 'echo >> starts; exec {judge}'"
    bench.run("games.pgn", "-o", "out.pgn", "--workers", "1000", "--engine", engine)
    assert len((bench.folder / "starts").read_text()) <= 4


def test_analysis_ends_though_its_output_is_closed(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 1, 4)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            bench.command("games.pgn", "-o", "out.pgn"),
            cwd=bench.folder, stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert b"rookery-server: cannot write to stdout: No space left on device\n" in done.stderr
    assert b"Traceback" not in done.stderr
    assert (bench.folder / "out.pgn").stat().st_size
    assert not (bench.folder / "out.pgn.progress").exists()


def test_analysis_goes_on_though_its_progress_cannot_be_written(bench: AnalyseProgram) -> None:
    write_games(bench.folder / "games.pgn", 1, 4)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            bench.command("games.pgn", "-o", "out.pgn"),
            cwd=bench.folder, stdout=subprocess.PIPE, stderr=full, timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.startswith(b"1 game, 5 positions\n")
