"""The opening book."""

import struct
from pathlib import Path

import chess
import chess.polyglot
import pytest


def write_book(path: Path, *entries: tuple[str, str, int]) -> Path:
    """Write a Polyglot book of (moves played, move, weight)."""
    records = []
    for played, answer, weight in entries:
        board = chess.Board()
        for word in played.split():
            board.push_uci(word)
        move = chess.Move.from_uci(answer)
        raw = move.to_square | move.from_square << 6
        records.append((chess.polyglot.zobrist_hash(board), raw, weight, 0))
    path.write_bytes(b"".join(struct.pack(">QHHI", *record) for record in sorted(records)))
    return path


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_book(tmp_path / "book.bin", ("", "a2a3", 1), ("a2a3", "h7h5", 1))


def use(engine, book: Path) -> None:
    engine.send(f"setoption name BookFile value {book}", "setoption name OwnBook value true")
    assert engine.quiet_lines() == []


def test_book_move_is_played(engine, book: Path) -> None:
    use(engine, book)
    lines = engine.query("position startpos", "go wtime 60000 btime 60000")
    assert lines[-1] == "bestmove a2a3"
    assert lines[-2].startswith("info depth 1 ")
    assert lines[-2].endswith("pv a2a3")
    assert engine.query("position startpos moves a2a3", "go movetime 50")[-1] == "bestmove h7h5"


@pytest.mark.parametrize("go", [
    "go depth 3 searchmoves e2e4", "go mate 1 depth 2", "go infinite", "go ponder",
])  # fmt: skip
def test_analysis_uses_no_book(engine, book: Path, go: str) -> None:
    use(engine, book)
    assert "book move" not in " ".join(engine.query("position startpos", go, "stop"))


def test_book_is_used_only_if_requested(engine, book: Path) -> None:
    engine.send(f"setoption name BookFile value {book}")
    assert engine.query("position startpos", "go depth 4")[-1] != "bestmove a2a3"
    engine.send("setoption name OwnBook value true")
    assert engine.query("go depth 4")[-1] == "bestmove a2a3"
    engine.send("setoption name UCI_AnalyseMode value true")
    assert engine.query("go depth 4")[-1] != "bestmove a2a3"
    engine.send("setoption name UCI_AnalyseMode value false", "setoption name OwnBook value false")
    assert engine.query("go depth 4")[-1] != "bestmove a2a3"


def test_book_that_is_found_later_is_used(engine, book: Path) -> None:
    """A GUI repeats only the option that its user has put right."""
    engine.send("setoption name BookFile value joho", "setoption name OwnBook value true")
    assert "BookFile 'joho' cannot be read" in engine.quiet_lines()[0]
    assert engine.query("position startpos", "go depth 3")[-2].startswith("info depth 3")
    engine.send(f"setoption name BookFile value {book}")
    assert engine.query("go depth 3")[-1] == "bestmove a2a3"


def test_position_outside_the_book_is_searched(engine, book: Path) -> None:
    use(engine, book)
    assert engine.query("position startpos moves e2e4", "go depth 3")[-2].startswith("info depth 3")


def test_illegal_and_weightless_moves_are_passed_over(engine, tmp_path: Path) -> None:
    use(engine, write_book(tmp_path / "odd.bin", ("", "e1e3", 9), ("", "a2a3", 0)))
    assert engine.query("position startpos", "go depth 3")[-2].startswith("info depth 3")


def test_castling_as_a_book_writes_it(engine, tmp_path: Path) -> None:
    """Polyglot writes castling as king takes rook."""
    played = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"
    use(engine, write_book(tmp_path / "castling.bin", (played, "e1h1", 1)))
    assert engine.query(f"position startpos moves {played}", "go depth 1")[-1] == "bestmove e1g1"
    engine.send("setoption name UCI_Chess960 value true")
    assert engine.query("go depth 1")[-1] == "bestmove e1h1"


@pytest.mark.parametrize("content", [b"", b"x" * 15, None])
def test_file_that_is_no_book(engine, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "book.bin"
    if content is not None:
        path.write_bytes(content)
    engine.send("setoption name OwnBook value true")
    lines = engine.query(f"setoption name BookFile value {path}", "isready", until="readyok")
    assert len(lines) == 2
    assert "BookFile" in lines[0]
    assert engine.query("go depth 2")[-2].startswith("info depth 2")


def test_start_does_not_load_the_library_of_the_book(command: tuple[str, ...]) -> None:
    import subprocess

    done = subprocess.run(
        [command[0], "-X", "importtime", *command[1:]],
        input="uci\nisready\nposition startpos\ngo depth 1\nquit\n",
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert "rookery_engine.search.searcher" in done.stderr
    assert "chess.polyglot" not in done.stderr


def test_nothing_comes_between_a_book_move_and_its_info(engine, book: Path) -> None:
    """Row 150."""
    use(engine, book)
    for _ in range(20):
        engine.send("position startpos", "go depth 1", *["isready"] * 20)
        heard = engine.read_until("bestmove")
        assert heard[-2].endswith("pv a2a3")
        while sum(line == "readyok" for line in heard) < 20:
            heard.append(engine.read_line())
