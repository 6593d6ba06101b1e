"""The commands of `rookery-engine` on a terminal that need the compiled core."""

import sys
import time

from rookery_engine.shell import engine_output
from rookery_uci import UciError, to_number


def main(words: list[str]) -> int:
    """Run `bench`, `perft` or `eval` with its arguments; return the exit status."""
    commands = {"bench": bench, "perft": perft, "eval": evaluation}
    try:
        commands[words[0]](words[1:])
    except ImportError as error:
        from rookery_engine.shell.loop import missing_core

        return report_failure(missing_core(error))
    except ValueError as error:  # UciError and FenError among them
        return report_failure(str(error))
    return 0


def bench(words: list[str]) -> None:
    """Search positions and print time, nodes and speed."""
    from rookery_engine.core.board import Board
    from rookery_engine.shell.bench import Benchmark

    Benchmark(words, Board()).run()


def perft(words: list[str]) -> None:
    """Print the count of each first move, the sum, and the time."""
    from rookery_engine.core.board import Board
    from rookery_engine.core.fen_codec import START
    from rookery_engine.shell.task import check_perft_depth, perft_lines

    chess960 = "--chess960" in words
    words = [word for word in words if word != "--chess960"]
    depth = to_number(words[0]) if words else None
    if depth is None or depth < 0:
        raise UciError("perft needs a depth: DEPTH [FEN] [--chess960]")
    check_perft_depth(depth)
    board = Board(" ".join(words[1:]) or START, chess960)
    started = time.perf_counter()
    engine_output.write("\n".join(perft_lines(board.divide(depth), depth, board.legal_moves())))
    engine_output.write(f"Total time (ms) : {(time.perf_counter() - started) * 1000:.0f}")


def evaluation(words: list[str]) -> None:
    """Print the evaluation of a position."""
    from rookery_engine.core.board import Board
    from rookery_engine.core.fen_codec import START
    from rookery_engine.shell import display

    engine_output.write(display.evaluation(Board(" ".join(words) or START, True)))


def report_failure(reason: str) -> int:
    """Print why the command cannot be done; return the exit status."""
    sys.stderr.write(f"rookery-engine: {reason}\n")
    return 2
