"""The network, held against plain Python that follows the contract word by word."""

import hashlib
import random
import struct
from collections.abc import Iterator, Sequence
from operator import mul
from pathlib import Path
from typing import TypeVar

import chess
import pytest
from helpers.searches import Search

from rookery_engine.core.board import Board
from rookery_engine.nnue import network
from rookery_engine.nnue.eval_line import EvalLine, measure
from rookery_engine.nnue.evaluate import evaluate_board
from rookery_engine.search.searcher import Searcher
from rookery_engine.shell import network_file
from rookery_uci import UciError

KING_BUCKETS, HIDDEN, BUCKETS, NEURONS, WIN_BOUND = 4, 512, 8, 8, 31507
Number = TypeVar("Number")
WEIGHTS_AT = 8  # bytes
BIASES_AT = WEIGHTS_AT + 2 * KING_BUCKETS * 768 * HIDDEN
LAYER_AT = BIASES_AT + 2 * HIDDEN
LAYER_BIASES_AT = LAYER_AT + BUCKETS * NEURONS * 2 * HIDDEN
MIX_AT = LAYER_BIASES_AT + 4 * BUCKETS * NEURONS
SIZE = MIX_AT + 2 * BUCKETS * (NEURONS - 1) * 2


class Plain:
    """A network in plain Python, slow and plain."""

    def __init__(self, payload: bytes) -> None:
        def numbers(kind: str, first: int, end: int) -> tuple[int, ...]:
            size = struct.calcsize("<" + kind)
            return struct.unpack(f"<{(end - first) // size}{kind}", payload[first:end])

        self.weights = rows(numbers("h", WEIGHTS_AT, BIASES_AT), HIDDEN)
        self.bias = numbers("h", BIASES_AT, LAYER_AT)
        self.layers = rows(rows(numbers("b", LAYER_AT, LAYER_BIASES_AT), 2 * HIDDEN), NEURONS)
        self.layer_biases = rows(numbers("i", LAYER_BIASES_AT, MIX_AT), NEURONS)
        self.mixes = rows(rows(numbers("h", MIX_AT, SIZE), 2), NEURONS - 1)

    def view(self, board: chess.Board, side: chess.Color) -> list[int]:
        king = board.king(side)
        assert king is not None
        turn = turn_of(king, side)
        rows = [
            self.weights[
                768 * king_bucket(king ^ turn)
                + (0 if piece.color == side else 384)
                + 64 * (piece.piece_type - 1)
                + (square ^ turn)
            ]
            for square, piece in board.piece_map().items()
        ]
        return [sum(column) for column in zip(self.bias, *rows, strict=True)]

    def score(self, board: chess.Board, bucket: int | None = None) -> int:
        if bucket is None:
            bucket = (len(board.piece_map()) - 2) // 4
        inputs = [
            max(0, min(value, 255)) ** 2 + 128 >> 8
            for side in (board.turn, not board.turn)
            for value in self.view(board, side)
        ]
        linear, *neurons = (
            bias + sum(map(mul, inputs, row))
            for bias, row in zip(self.layer_biases[bucket], self.layers[bucket], strict=True)
        )
        mixed = 0
        for neuron, (plain, squared) in zip(neurons, self.mixes[bucket], strict=True):
            value = max(-254 * 256, min(neuron, 254 * 256)) >> 4
            mixed += plain * max(value, 0) * 254 * 16 + squared * value**2
        output = (linear + to_zero(mixed, 254 * 256)) * 140
        return max(1 - WIN_BOUND, min(to_zero(output, 254 * 256), WIN_BOUND - 1))


def rows(numbers: Sequence[Number], size: int) -> list[Sequence[Number]]:
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


def turn_of(king: chess.Square, side: chess.Color) -> int:
    """The mask that turns the board as the side sees it, with its king on the files a to d."""
    return (0 if side == chess.WHITE else 56) ^ (7 if chess.square_file(king) > 3 else 0)


def king_bucket(seen: chess.Square) -> int:
    if seen >= 16:
        return 3
    if seen >= 8:
        return 2
    return 0 if seen in (chess.A1, chess.B1) else 1


def to_zero(number: int, divisor: int) -> int:
    return abs(number) // divisor * (1 if number >= 0 else -1)


def random_payload(seed: int, *, loud: int = 1) -> bytes:
    """Return numbers with which neurons reach both ends of what they are clipped to."""
    chance = random.Random(seed)

    def pack(kind: str, count: int, size: int) -> bytes:
        numbers = (chance.randint(-size, size) for _ in range(count))
        return struct.pack(f"<{count}{kind}", *numbers)

    return b"".join((
        struct.pack("<HHHH", KING_BUCKETS, HIDDEN, BUCKETS, NEURONS),
        pack("h", KING_BUCKETS * 768 * HIDDEN, 60),
        pack("h", HIDDEN, 200),
        pack("b", BUCKETS * NEURONS * 2 * HIDDEN, 60),
        pack("i", BUCKETS * NEURONS, 20_000 * loud),
        pack("h", BUCKETS * (NEURONS - 1) * 2, 200),
    ))  # fmt: skip


@pytest.fixture(autouse=True)
def own_network() -> Iterator[None]:
    yield
    network.use_network("")


def games(*, chess960: bool) -> Iterator[tuple[chess.Board, random.Random]]:
    for seed in range(6):
        chance = random.Random(seed)
        start = chance.randrange(960)
        yield chess.Board.from_chess960_pos(start) if chess960 else chess.Board(), chance


def ours(board: chess.Board) -> Board:
    return Board(board.shredder_fen() if board.chess960 else board.fen(), board.chess960)


@pytest.mark.parametrize("chess960", [False, True])
def test_score_is_that_of_plain_python(chess960: bool) -> None:
    buckets, kings, halves = set(), set(), set()
    for board, chance in games(chess960=chess960):
        payload = random_payload(chance.randrange(1 << 30))
        network.load(payload)
        plain = Plain(payload)
        for ply in range(160):
            moves = list(board.legal_moves)
            if not moves:
                break
            captures = [move for move in moves if board.is_capture(move)]
            board.push(chance.choice(captures if captures and chance.random() < 0.5 else moves))
            if ply % 8:
                continue
            assert evaluate_board(ours(board)).score == plain.score(board), board.fen()
            buckets.add((len(board.piece_map()) - 2) // 4)
            squares = [(board.king(side), side) for side in (True, False)]
            kings.update(king_bucket(king ^ turn_of(king, side)) for king, side in squares)
            halves.add(tuple(chess.square_file(king) > 3 for king, _ in squares))
    assert buckets == set(range(BUCKETS))
    assert len(halves) == 4
    assert kings == set(range(KING_BUCKETS))


def test_each_output_is_that_of_plain_python() -> None:
    payload = random_payload(1)
    network.load(payload)
    plain, board = Plain(payload), chess.Board()
    assert evaluate_board(Board()).outputs == [
        plain.score(board, bucket) for bucket in range(BUCKETS)
    ]
    assert len(set(evaluate_board(Board()).outputs)) == BUCKETS


def test_score_stays_below_a_win() -> None:
    """Beyond 32 bits, too: the sums are small, what is added is not."""
    for seed in range(6):
        payload = random_payload(seed, loud=20_000)
        network.load(payload)
        assert evaluate_board(Board()).score == Plain(payload).score(chess.Board())
    assert abs(evaluate_board(Board()).score) == WIN_BOUND - 1


def test_incremental_is_refreshed_after_every_move() -> None:
    """Each move may be weighed or not, and be taken back; null moves come between."""
    network.load(random_payload(2))
    for chess960 in (False, True):
        for board, chance in games(chess960=chess960):
            line = EvalLine(ours(board))
            for _ in range(220):
                if len(board.move_stack) > 3 and chance.random() < 0.1:
                    back = chance.randint(1, 3)
                    line.go_back(back)
                    for _ in range(back):
                        board.pop()
                moves = list(board.legal_moves)
                if not moves:
                    break
                if chance.random() < 0.05 and not board.is_check():
                    board.push(chess.Move.null())
                    line.play_null()
                else:
                    special = [move for move in moves if is_special(board, move)]
                    board.push(chance.choice(special or moves))
                    line.play(text(board))
                if chance.random() < 0.6:
                    assert line.evaluation == evaluate_board(ours(board)).score, board.fen()
            assert line.sound


def is_special(board: chess.Board, move: chess.Move) -> bool:
    return board.is_castling(move) or board.is_en_passant(move) or move.promotion is not None


def text(board: chess.Board) -> str:
    """Return the last move as UCI text."""
    move = board.pop()
    written = board.uci(move)
    board.push(move)
    return written


@pytest.mark.parametrize(("fen", "moves", "chess960"), [
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1g1 e8c8", False),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "e8g8 e1c1", False),
    ("5kr1/5pp1/8/8/8/8/5PP1/R4KR1 w GAg -", "f1g1 f8g8", True),  # each where the other was
    ("4k3/8/8/8/8/8/8/2R2KR1 w C -", "f1c1", True),
    ("1r2k1r1/1p6/8/8/8/8/1P6/RK5R w HAgb -", "b1a1 e8g8", True),
    ("4k3/8/8/8/8/8/8/5RK1 w F -", "g1f1", True),
    ("4k3/8/8/8/8/8/8/6KR w H -", "g1h1", True),  # only the rook goes
    ("4k3/8/8/8/8/8/8/3RK3 w D -", "e1d1", True),  # only the king goes
    ("4k3/8/8/8/4p3/8/3P4/4K3 w - -", "d2d4 e4d3", False),
    ("3rk3/4P3/8/8/8/8/2p5/1B2K3 w - -", "e7d8n c2b1q", False),
    ("4k3/8/8/8/8/8/8/3K4 w - -", "d1e1 e8d8 e1d1 d8e8", False),
])  # fmt: skip
@pytest.mark.parametrize("each", [False, True])
def test_special_moves(fen: str, moves: str, chess960: bool, each: bool) -> None:
    network.load(random_payload(3))
    board = Board(fen, chess960)
    line = EvalLine(board)
    assert line.evaluation == evaluate_board(board).score
    for move in moves.split():
        line.play(move)
        assert board.play(move)
        if each:
            assert line.evaluation == evaluate_board(board).score
    assert line.evaluation == evaluate_board(board).score
    assert line.sound


@pytest.mark.parametrize("fen", [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
])  # fmt: skip
def test_incremental_is_refreshed_in_the_search(fen: str) -> None:
    """Wherever the search is cut short, the sums of the line it was in are true."""
    searcher = Searcher(4)
    for nodes in range(200, 20_000, 1500):
        Search(fen, f"nodes {nodes}", searcher=searcher)
        assert searcher.sound
    searcher.set_threads(2)
    Search(fen, "nodes 20000", searcher=searcher)
    assert searcher.sound


def test_search_forgets_the_evaluations_of_another_network() -> None:
    searcher = Searcher(4)
    Search(words="depth 5", searcher=searcher)
    network.load(random_payload(3))
    searcher.clear()
    assert Search(words="depth 5", searcher=searcher).nodes == Search(words="depth 5").nodes


def test_measuring_gives_nanoseconds() -> None:
    assert 0 < measure(2)["output"] < 1e6


# --- files


def file_of(numbers: bytes, *, kind: bytes = network_file.KIND) -> bytes:
    return kind + hashlib.sha256(numbers).hexdigest().encode() + b"\n" + numbers


def changed(at: int, layout: str, *values: int) -> bytes:
    numbers = bytearray(random_payload(4))
    struct.pack_into(layout, numbers, at, *values)
    return bytes(numbers)


def damaged() -> bytes:
    data = bytearray(file_of(random_payload(4)))
    data[5000] ^= 1
    return bytes(data)


REFUSED = {
    "kind": (lambda: file_of(random_payload(4), kind=b"rookery evaluation 1\n"), "no network"),
    "empty": (lambda: b"", "no network"),
    "only a kind": (lambda: network_file.KIND, "damaged"),
    "nothing in it": (lambda: file_of(b""), "needs 4 king buckets, 512 and 8 neurons"),
    "damage": (damaged, "its SHA-256 is not what it says"),
    "king buckets": (lambda: file_of(changed(0, "<H", 1)), "not 1 king buckets, 512 and 8 neurons"),
    "neurons": (lambda: file_of(changed(2, "<H", 128)), "not 4 king buckets, 128 and 8 neurons"),
    "outputs": (lambda: file_of(changed(4, "<H", 1)), "8 neurons and 1 outputs"),
    "second layer": (lambda: file_of(changed(6, "<H", 16)), "not 4 .* and 16 neurons and"),
    "too short": (
        lambda: file_of(random_payload(4)[:-2]),
        f"{SIZE} bytes of numbers, not {SIZE - 2}",
    ),
    "too long": (lambda: file_of(random_payload(4) + b"\0"), f"{SIZE} bytes of numbers"),
    "first kind": (
        lambda: file_of(random_payload(4)[2:], kind=b"rookery network 1\n"),
        "of an older kind, with fewer layers: .*widen",
    ),
    "second kind": (
        lambda: file_of(random_payload(4), kind=b"rookery network 2\n"),
        "of an older kind, with fewer layers: .*widen",
    ),
    "neuron": (lambda: file_of(changed(WEIGHTS_AT, "<h", -1100)), "neuron 0 could reach"),
    "bias": (lambda: file_of(changed(BIASES_AT + 2, "<h", -32768)), "neuron 1 could reach"),
    "layer bias": (
        lambda: file_of(changed(LAYER_BIASES_AT + 4, "<i", 1 - (1 << 30))),
        "a bias of the second layer is -1073741823, beyond 536870912",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("make", "reason"), REFUSED.values(), ids=REFUSED)
def test_bad_file_is_refused_and_nothing_changes(make, reason: str, tmp_path: Path) -> None:
    before = network.payload()
    path = tmp_path / "bad.network"
    path.write_bytes(make())
    with pytest.raises(UciError, match=reason) as error:
        network.use_network(str(path))
    assert str(path) in str(error.value)
    assert network.payload() == before


def test_largest_numbers_that_are_safe_are_taken() -> None:
    numbers = bytearray(changed(BIASES_AT, "<h", 32767 - 32 * 60))
    struct.pack_into("<h", numbers, WEIGHTS_AT, 60)
    network.load(bytes(numbers))
    struct.pack_into("<h", numbers, BIASES_AT, 32767 - 32 * 60 + 1)
    with pytest.raises(UciError, match="neuron 0 could reach 32768"):
        network.load(bytes(numbers))


def test_largest_numbers_of_the_later_layers_do_not_overflow() -> None:
    numbers = bytearray(random_payload(7))
    count = BUCKETS * NEURONS
    struct.pack_into(f"<{count * 2 * HIDDEN}b", numbers, LAYER_AT, *[127] * count * 2 * HIDDEN)
    struct.pack_into(f"<{count}i", numbers, LAYER_BIASES_AT, *[1 << 29] * count)
    mixes = (SIZE - MIX_AT) // 2
    for largest in (32767, -32768):
        struct.pack_into(f"<{mixes}h", numbers, MIX_AT, *[largest] * mixes)
        network.load(bytes(numbers))
        assert evaluate_board(Board()).score == Plain(bytes(numbers)).score(chess.Board())


def test_export_and_import_are_a_round_trip(tmp_path: Path) -> None:
    payload = random_payload(5)
    network.load(payload)
    path = tmp_path / "copy.network"
    network_file.write_network(str(path), network.payload())
    network.use_network("")
    assert network.payload() != payload
    network.use_network(str(path))
    assert network.payload() == payload
    assert path.read_bytes() == file_of(payload)


def test_own_network_is_one_file_named_by_its_hash() -> None:
    (path,) = network_file.FOLDER.glob("*.network")
    numbers = path.read_bytes().split(b"\n", 2)[2]
    assert path.name == hashlib.sha256(numbers).hexdigest()[:12] + ".network"
    assert network.payload() == numbers
    assert network.network_name() == path.stem


def test_bad_own_network_is_reported(tmp_path: Path) -> None:
    numbers = random_payload(6)
    name = hashlib.sha256(numbers).hexdigest()[:12]
    with pytest.raises(UciError, match=r"one file \*.network in .*, not 0"):
        network_file.read_own(tmp_path)
    (tmp_path / "other.network").write_bytes(file_of(numbers))
    with pytest.raises(UciError, match=f"its SHA-256 says '{name}.network'"):
        network_file.read_own(tmp_path)
    (tmp_path / f"{name}.network").write_bytes(file_of(numbers))
    with pytest.raises(UciError, match="not 2"):
        network_file.read_own(tmp_path)
    (tmp_path / "other.network").unlink()
    assert network_file.read_own(tmp_path) == numbers
    (tmp_path / f"{name}.network").write_bytes(file_of(numbers)[:-1])
    with pytest.raises(UciError, match="the engine's own network is damaged"):
        network_file.read_own(tmp_path)
