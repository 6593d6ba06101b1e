"""The benchmark: positions searched within a limit, and how fast that went.

The sum of the nodes is the signature of the search: it changes when, and only
when, the search or the evaluation does something else, on any machine.  Nodes per
second are the engine's speed.
"""

import time
from pathlib import Path

from rookery_engine.core.board import Board
from rookery_engine.nnue.evaluate import evaluate_board
from rookery_engine.search.searcher import Searcher
from rookery_engine.shell import engine_output
from rookery_engine.shell.loaded_core import DEFAULT_HASH
from rookery_engine.shell.options import MAX_HASH, MAX_THREADS
from rookery_engine.shell.task import check_perft_depth
from rookery_uci import FenError, Limits, UciError

DEFAULT_LIMIT = 13  # plies; half a second
LIMITS = ("depth", "nodes", "movetime", "mate", "perft", "infinite", "eval")
USAGE = (
    "bench needs [HASH [THREADS [LIMIT [default|current|FILE [LIMIT_TYPE]]]]],"
    f" the type one of {', '.join(LIMITS)}"
)

# Start and endgames that need technique; then 20 of the Bratko-Kopec test and 10
# of Win at Chess.
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - -",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "8/8/1KP5/3r4/8/8/8/k7 w - -",
    "7K/8/k1P5/7p/8/8/8/8 w - -",
    "8/8/8/5N2/8/p7/8/2NK3k w - -",
    "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - -",
    "3k4/8/3K4/3P4/8/8/8/3r3R b - -",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - -",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - -",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - -",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq -",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - -",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - -",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - -",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - -",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - -",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - -",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - -",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - -",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - -",
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - -",
    "2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - -",
    "r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq -",
    "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - -",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - -",
    "3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - -",
    "r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - -",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -",
    "rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq -",
    "r1bqk2r/ppp1nppp/4p3/n5N1/2BPp3/P1P5/2P2PPP/R1BQK2R w KQkq -",
    "k4r2/1R4pb/1pQp1n1p/3P4/5p1P/3P2P1/r1q1R2K/8 w - -",
    "8/k1b5/P4p2/1Pp2p1p/K1P2P1P/8/3B4/8 w - -",
    "4r1k1/p1qr1p2/2pb1Bp1/1p5p/3P1n1R/1B3P2/PP3PK1/2Q4R w - -",
    "2rqrn1k/pb4pp/1p2pp2/n2P4/2P3N1/P2B2Q1/1B3PPP/2R1R1K1 w - -",
    "2b5/1r6/2kBp1p1/p2pP1P1/2pP4/1pP3K1/1R3P2/8 b - -",
    "r3q2r/2p1k1p1/p5p1/1p2Nb2/1P2nB2/P7/2PNQbPP/R2R3K b - -",
    "4r3/1Q1qk2p/p4pp1/3Pb3/P7/6PP/5P2/4R1K1 w - -",
)


class Benchmark:
    """One run of the benchmark, with a table of its own.

    The words are Stockfish's: size of the table, threads, limit, positions, type of
    the limit; a missing one is the default, and so is `_`.  A sixth, which older editions
    of Stockfish had for the kind of evaluation, is ignored.

    Raises:
        UciError: the words cannot be used.

    """

    survives_quit = True
    is_searching = False
    waits_for_gui = False
    ends_by_itself = True

    def __init__(self, words: list[str], current: Board) -> None:
        hash_mb, threads, limit, positions, kind = [
            *("" if word == "_" else word for word in words[:5]),
            *[""] * (5 - len(words)),
        ]
        self._limit = _number(limit, DEFAULT_LIMIT, 1 << 62)
        self._kind = kind or "depth"
        if self._kind not in LIMITS or len(words) > 6:
            raise UciError(USAGE)
        if self._kind == "perft":
            check_perft_depth(self._limit)
        self._boards = _boards(positions or "default", current)
        self._searcher = _new_searcher(
            _number(hash_mb, DEFAULT_HASH, MAX_HASH), _number(threads, 1, MAX_THREADS)
        )
        self._stopped = False

    def run(self) -> None:
        """Search all positions and write time, nodes and speed as Stockfish does."""
        nodes = 0
        started = time.perf_counter()
        for number, board in enumerate(self._boards, 1):
            if self._stopped:
                break
            engine_output.write(f"Position: {number}/{len(self._boards)} ({board.fen})")
            nodes += self._measure(board)
        seconds = max(time.perf_counter() - started, 0.001)
        engine_output.write(
            "===========================\n"
            f"Total time (ms) : {seconds * 1000:.0f}\n"
            f"Nodes searched  : {nodes}\n"
            f"Nodes/second    : {nodes / seconds:.0f}"
        )

    def stop(self) -> None:
        """End after the positions searched so far."""
        self._stopped = True
        self._searcher.stop()
        for board in self._boards:
            board.halt()

    def ponderhit(self) -> None:
        """Do nothing."""

    def _measure(self, board: Board) -> int:
        """Return the nodes that one position took."""
        if self._kind == "perft":
            return board.perft(self._limit)
        if self._kind == "eval":
            engine_output.write(f"evaluation: {evaluate_board(board).score}")
            return 0
        words = "infinite" if self._kind == "infinite" else f"{self._kind} {self._limit}"
        self._searcher.prepare_search(board, Limits.parse(words))
        if self._stopped:  # it may have come before `prepare_search`, which forgets it
            self._searcher.stop()
        self._searcher.run()
        return self._searcher.nodes


def _new_searcher(hash_mb: int, threads: int) -> Searcher:
    try:
        searcher = Searcher(hash_mb)
    except MemoryError as error:
        raise UciError(f"no memory for a table of {hash_mb} MiB") from error
    if not searcher.set_threads(threads):
        raise UciError(f"no memory for {threads} threads")
    return searcher


def _number(word: str, default: int, most: int) -> int:
    if not word:
        return default
    if not word.isascii() or not word.isdecimal() or not 1 <= int(word[:20]) <= most:
        raise UciError(USAGE)
    return int(word)


def _boards(name: str, current: Board) -> list[Board]:
    """Return the positions of that name: `default`, `current`, or a file of FENs."""
    if name == "default":
        return [Board(fen) for fen in POSITIONS]
    if name == "current":
        return [current.copy()]
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise UciError(f"{name!r} cannot be read as a file of FENs: {error}") from error
    boards = []
    for number, line in enumerate(lines, 1):
        fen = line.partition(";")[0].strip()
        if fen and not fen.startswith("#"):
            try:
                boards.append(Board(fen, current.chess960))
            except FenError as error:
                raise UciError(f"{name!r}, line {number}: {error}") from error
    return boards
