"""The benchmark: fixed positions at a fixed depth, and `perft` on the command line.

The sum of the nodes is the signature of the search: it changes when, and only
when, the search or the evaluation does something else, on any machine.  Nodes per
second are the engine's speed.
"""

import sys
import time

from rookery_engine.loop import NOT_COMPILED, divide_lines, write
from rookery_engine.uci import Limits

DEFAULT_DEPTH = 13  # two to three seconds
DEFAULT_HASH = 16  # MiB

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


def main(words: list[str]) -> int:
    """Run `bench` or `perft` with its arguments; return the exit status."""
    try:
        return bench(words[1:]) if words[0] == "bench" else perft(words[1:])
    except ImportError as error:
        if not str(error.name).startswith("cython"):
            raise
        return fail(NOT_COMPILED)


def bench(words: list[str]) -> int:
    """Search all positions and print time, nodes and speed as Stockfish does."""
    from rookery_engine.board import Board
    from rookery_engine.searcher import Searcher

    if not all(word.isdecimal() for word in words[:3]):
        return fail("bench needs numbers: [HASH [THREADS [DEPTH]]]")
    numbers = [int(word) for word in words[:3]]
    hash_mb, _, depth = numbers + [DEFAULT_HASH, 1, DEFAULT_DEPTH][len(numbers) :]
    searcher = Searcher(hash_mb)
    nodes = 0
    started = time.monotonic()
    for fen in POSITIONS:
        searcher.begin(Board(fen), Limits(depth=depth))
        searcher.run()
        nodes += searcher.nodes
    seconds = max(time.monotonic() - started, 0.001)
    write(f"Total time (ms) : {seconds * 1000:.0f}")
    write(f"Nodes searched  : {nodes}")
    write(f"Nodes/second    : {nodes / seconds:.0f}")
    return 0


def perft(words: list[str]) -> int:
    """Print the count of each first move, the sum, and the time."""
    from rookery_engine.board import Board
    from rookery_engine.fen import START, FenError

    chess960 = "--chess960" in words
    words = [word for word in words if word != "--chess960"]
    if not words or not words[0].isdecimal():
        return fail("perft needs a depth: DEPTH [FEN] [--chess960]")
    try:
        board = Board(" ".join(words[1:]) or START, chess960)
    except FenError as error:
        return fail(str(error))
    started = time.monotonic()
    for line in divide_lines(board, int(words[0])):
        write(line)
    write(f"Total time (ms) : {(time.monotonic() - started) * 1000:.0f}")
    return 0


def fail(reason: str) -> int:
    """Say why the command cannot be done."""
    sys.stderr.write(f"rookery-engine: {reason}\n")
    return 2
