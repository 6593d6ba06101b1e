"""Probes of tablebases, compared with python-chess; and damaged tables."""

import os
import random
import shutil
import threading
from pathlib import Path

import chess
import chess.syzygy
import pytest

from rookery_engine.core.board import Board
from rookery_engine.syzygy.probing import Prober

TABLES = Path(__file__).parents[2] / "data" / "syzygy"
WITH_DTZ = ("KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KRvKR")
WDL_ONLY = ("KPvKP", "KRRvK")


@pytest.fixture(scope="module")
def theirs() -> chess.syzygy.Tablebase:
    with chess.syzygy.open_tablebase(str(TABLES)) as tables:
        yield tables


@pytest.fixture(scope="module")
def ours() -> Prober:
    return prober(TABLES)


def prober(*folders: Path) -> Prober:
    made = Prober()
    assert made.add_folders(os.pathsep.join(map(str, folders))) == []
    return made


def random_position(rng: random.Random, material: str) -> chess.Board:
    """A legal position with the material, whichever side has it."""
    letters = material.replace("v", "").lower()
    first = rng.random() < 0.5
    colours = [first] * material.index("v") + [not first] * (len(letters) - material.index("v"))
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), len(letters))
        for square, letter, colour in zip(squares, letters, colours, strict=True):
            board.set_piece_at(square, chess.Piece(chess.PIECE_SYMBOLS.index(letter), colour))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board


def positions(material: str, count: int) -> list[chess.Board]:
    rng = random.Random(material)
    return [random_position(rng, material) for _ in range(count)]


@pytest.mark.parametrize("material", WITH_DTZ)
def test_wdl_and_dtz_are_those_of_python_chess(
    material: str, ours: Prober, theirs: chess.syzygy.Tablebase
) -> None:
    for board in positions(material, 60):
        found = Board(board.fen())
        assert ours.wdl(found) == theirs.probe_wdl(board), board.fen()
        assert ours.dtz(found) == theirs.probe_dtz(board), board.fen()


@pytest.mark.parametrize("material", WDL_ONLY)
def test_wdl_is_that_of_python_chess(
    material: str, ours: Prober, theirs: chess.syzygy.Tablebase
) -> None:
    for board in positions(material, 100):
        assert ours.wdl(Board(board.fen())) == theirs.probe_wdl(board), board.fen()


@pytest.mark.parametrize("fen", [
    "8/8/8/8/kpP5/8/8/K7 b - c3 0 1",
    "7k/8/8/8/1pP5/8/8/6K1 b - c3 0 1",
    "8/8/8/k7/1pP5/8/8/1K6 b - c3 0 1",  # the only legal moves are the king's and this
    "K7/8/8/4Pp2/8/8/8/7k w - f6 0 1",
])  # fmt: skip
def test_en_passant_is_looked_at(fen: str, ours: Prober, theirs: chess.syzygy.Tablebase) -> None:
    assert ours.wdl(Board(fen)) == theirs.probe_wdl(chess.Board(fen))


def test_kings_alone_are_a_draw(ours: Prober) -> None:
    board = Board("8/8/4k3/8/8/3K4/8/8 w - - 0 1")
    assert (ours.wdl(board), ours.dtz(board)) == (0, 0)


@pytest.mark.parametrize("fen", [
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",  # may castle
    "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1",  # more men than any table has
    "4k3/8/8/8/8/8/8/3QK1N1 w - - 0 1",  # no such table
    "4k3/8/8/8/8/8/r7/3QK3 b - - 0 1",
])  # fmt: skip
def test_unknown_positions(fen: str, ours: Prober) -> None:
    board = Board(fen)
    assert (ours.wdl(board), ours.dtz(board)) == (None, None)


def test_dtz_needs_its_own_table(ours: Prober) -> None:
    board = Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1")
    assert (ours.wdl(board), ours.dtz(board)) == (2, None)


def test_folders_are_separated_as_the_system_does_or_by_semicolons(tmp_path: Path) -> None:
    for folder, material in (("a", "KQvK"), ("b", "KRvK"), ("c", "KRvKR")):
        (tmp_path / folder).mkdir()
        shutil.copy(TABLES / f"{material}.rtbw", tmp_path / folder)
    found = Prober()
    assert found.add_folders(f"{tmp_path}/a{os.pathsep}{tmp_path}/b;{tmp_path}/c") == []
    assert (found.wdl_count, found.dtz_count, found.largest) == (3, 0, 4)


def test_missing_folder_is_reported() -> None:
    assert "cannot be read: No such file" in Prober().add_folders("/nowhere")[0]


def test_impossible_path_is_reported() -> None:
    (message, *_) = Prober().add_folders("a\0b")
    assert "cannot be read: " in message
    assert "embedded null" in message


def test_folder_without_tables_is_reported(tmp_path: Path) -> None:
    (tmp_path / "KvK.rtbw").touch()
    (tmp_path / "KQvK.txt").touch()
    assert Prober().add_folders(str(tmp_path)) == [f"no new tablebases in folder '{tmp_path}'"]


def replace(at: int, new: bytes):
    return lambda data: data[:at] + new + data[at + len(new) :]


@pytest.mark.parametrize(("name", "damage", "fault"), [
    ("KRvK.rtbw", lambda _: b"", "has not the size of a tablebase"),
    ("KRvK.rtbw", lambda data: data[:-1], "has not the size of a tablebase"),
    ("KRvK.rtbw", replace(0, b"\0"), "has not the magic number of its kind"),
    ("KRvK.rtbz", replace(4, b"\3"), "has a header that makes no sense"),  # pawns
    ("KPvK.rtbw", replace(5, b"\xff"), "has a header that makes no sense"),  # order
    ("KRvK.rtbw", replace(6, b"\x55"), "has a header that makes no sense"),  # two queens
    ("KRvKR.rtbw", lambda data: data[:-128], "ends too early"),
    ("KRvKR.rtbw", lambda data: data[:80], "has a header that makes no sense"),
])  # fmt: skip
def test_damaged_files_are_refused(tmp_path: Path, name: str, damage, fault: str) -> None:
    (tmp_path / name).write_bytes(damage((TABLES / name).read_bytes()))
    for other in ("KRvK.rtbw", "KPvK.rtbw", "KRvKR.rtbw"):
        if name != other:
            shutil.copy(TABLES / other, tmp_path)
    found = prober(tmp_path)
    assert found.faults() == []  # files are not looked at before they are needed
    for position in positions(name.split(".")[0], 5):
        board = Board(position.fen())
        answers = (found.wdl(board), found.dtz(board))
        assert None in answers or any(map(position.is_capture, position.legal_moves))
    assert [text.split(f"{name} ")[1] for text in found.faults()] == [fault]


@pytest.mark.parametrize(("flags", "faults"), [
    (0x80, []), (0x81, ["has a header that makes no sense"]),
])  # fmt: skip
def test_list_of_the_other_side_is_refused_where_both_are_alike(
    tmp_path: Path, flags: int, faults: list[str]
) -> None:
    """Whoever is to move would be looked up in the other's list, and so for ever."""
    encodings = (TABLES / "KPvKP.rtbw").read_bytes()[4:30]
    constant = bytes([flags, 0]) * 4
    data = b"\xd7\x66\x0c\xa5" + encodings + constant
    (tmp_path / "KPvKP.rtbz").write_bytes(data.ljust(80, b"\0"))
    found = prober(tmp_path, TABLES)
    for position in positions("KPvKP", 30):
        found.dtz(Board(position.fen()))
    assert [text.split("KPvKP.rtbz ")[1] for text in found.faults()] == faults


def test_damaged_contents_do_no_harm(tmp_path: Path) -> None:
    """Any bytes may be wrong; what comes out may be too, but nothing crashes."""
    rng = random.Random(1)
    names = sorted(path.name for path in TABLES.glob("*.rtb?"))
    for number in range(150):
        name = rng.choice(names)
        data = bytearray((TABLES / name).read_bytes())
        for _ in range(rng.choice([1, 2, 8])):
            data[rng.randrange(rng.choice([40, 200, 1000, len(data)])) % len(data)] = rng.choice(
                [0, 255, rng.randrange(256)]
            )
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / name).write_bytes(data)
        found = prober(folder, TABLES)
        for board in positions(name.split(".")[0], 5):
            assert found.wdl(Board(board.fen())) in (None, -2, -1, 0, 1, 2)
            found.dtz(Board(board.fen()))


def test_threads_may_open_a_table_together(theirs: chess.syzygy.Tablebase) -> None:
    boards = positions("KPvK", 4)
    expected = [theirs.probe_dtz(board) for board in boards]
    for _ in range(20):
        fresh = prober(TABLES)
        answers: list[list[int | None]] = []
        start = threading.Barrier(4)

        def ask(
            fresh: Prober = fresh,
            answers: list[list[int | None]] = answers,
            start: threading.Barrier = start,
        ) -> None:
            start.wait()
            answers.append([fresh.dtz(Board(board.fen())) for board in boards])

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [expected] * 4
