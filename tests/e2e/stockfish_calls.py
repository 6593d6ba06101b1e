"""Call every public method of PyPI's `stockfish` on an engine: `python stockfish_calls.py PATH`.

It ends with an error if an answer is not what the package promises, or if a method of it has
no call here.
"""

import inspect
import sys
import warnings

from stockfish import Stockfish

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FLIPPED = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"
IN_CHECK = "4k3/8/8/8/7b/8/8/4K3 w - - 0 1"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
EN_PASSANT = "4k3/8/8/8/1pP5/8/8/4K3 b - c3 0 1"
GONE = {"get_parameters", "info"}  # discontinued: they raise


def main(path: str) -> None:
    """Call all methods and look at what they return."""
    engine = Stockfish(path, depth=6, parameters={"Hash": 1})
    called = {name for calls in (settings, boards, searches, counts) for name in calls(engine)}
    public = {name for name, _ in inspect.getmembers(Stockfish, inspect.isfunction)}
    missing = {name for name in public if not name.startswith("_")} - called - GONE
    assert missing == {"send_quit_command"}, missing
    engine.send_quit_command()


def settings(engine: Stockfish) -> list[str]:
    """Call what sets and returns numbers, and what says which engine it is."""
    engine.set_debug_view(False)
    engine.set_depth(6)
    engine.set_num_nodes(2000)
    engine.set_turn_perspective(False)
    assert (engine.get_depth(), engine.get_num_nodes()) == (6, 2000)
    assert not engine.get_turn_perspective()
    engine.set_turn_perspective(True)
    engine.set_elo_rating(1500)
    engine.set_skill_level(5)
    engine.resume_full_strength()
    engine.update_engine_parameters({"MultiPV": 2})
    assert engine.get_engine_parameters()["MultiPV"] == 2
    engine.reset_engine_parameters()
    engine.send_ucinewgame_command()
    assert engine.does_current_engine_version_have_wdl_option()
    version = engine.get_stockfish_major_version(), engine.get_stockfish_minor_version()
    assert engine.get_stockfish_major_minor_version() == "{}.{}".format(*version)
    assert not engine.is_development_build_of_engine()
    assert engine.get_stockfish_patch_version() == engine.get_stockfish_sha_version() == ""
    return [
        "set_debug_view", "set_depth", "set_num_nodes", "set_turn_perspective", "get_depth",
        "get_num_nodes", "get_turn_perspective", "set_elo_rating", "set_skill_level",
        "resume_full_strength", "update_engine_parameters", "get_engine_parameters",
        "reset_engine_parameters", "send_ucinewgame_command",
        "does_current_engine_version_have_wdl_option", "get_stockfish_major_version",
        "get_stockfish_minor_version", "get_stockfish_major_minor_version",
        "is_development_build_of_engine", "get_stockfish_patch_version",
        "get_stockfish_sha_version",
    ]  # fmt: skip


def boards(engine: Stockfish) -> list[str]:
    """Call what sets up and shows positions."""
    engine.set_fen_position(START)
    assert engine.get_fen_position() == START
    assert engine.get_board_visual().splitlines()[1] == "| r | n | b | q | k | b | n | r | 8"
    assert "h   g   f" in engine.get_board_visual(False)
    engine.flip()
    assert engine.get_fen_position() == FLIPPED
    engine.make_moves_from_start(["e2e4"])
    engine.make_moves_from_current_position(["d7d5"])
    assert engine.get_what_is_on_square("d5") is Stockfish.Piece.BLACK_PAWN
    assert engine.will_move_be_a_capture("e4d5") is Stockfish.Capture.DIRECT_CAPTURE
    assert engine.will_move_be_a_capture("g1f3") is Stockfish.Capture.NO_CAPTURE
    assert engine.is_fen_valid(START)
    assert not engine.is_fen_valid("8/8/8/8/8/8/8/8 w - - 0 1")
    engine.set_fen_position(EN_PASSANT)
    assert engine.will_move_be_a_capture("b4c3") is Stockfish.Capture.EN_PASSANT
    return [
        "set_fen_position", "get_fen_position", "get_board_visual", "flip", "make_moves_from_start",
        "make_moves_from_current_position", "get_what_is_on_square", "will_move_be_a_capture",
        "is_fen_valid",
    ]  # fmt: skip


def searches(engine: Stockfish) -> list[str]:
    """Call what searches."""
    engine.set_fen_position(START)
    assert engine.is_move_legal(engine.get_best_move())
    assert engine.is_move_legal(engine.get_best_move(wtime=100, btime=100))
    assert engine.is_move_legal(engine.get_best_move_time(20))
    assert engine.raw_stockfish_output(engine.get_best_move_time)[-1].startswith("bestmove")
    assert engine.get_evaluation()["type"] == engine.get_evaluation(20)["type"] == "cp"
    assert sum(engine.get_wdl_stats()) == sum(engine.get_wdl_stats(True, 20)) == 1000
    assert len(engine.get_top_moves(3)) == 3
    assert len(engine.get_top_moves(2, num_nodes=3000)) == 2
    assert all(line["WDL"] for line in engine.get_top_moves(2, verbose=True))
    engine.set_fen_position(MATED)
    assert engine.get_top_moves(3) == []
    assert engine.get_evaluation() == {"type": "mate", "value": 0}
    return [
        "get_best_move", "get_best_move_time", "raw_stockfish_output", "get_evaluation",
        "get_wdl_stats", "get_top_moves",
    ]  # fmt: skip


def counts(engine: Stockfish) -> list[str]:
    """Call what counts moves, evaluates without a search, and measures."""
    engine.set_fen_position(START)
    count, moves = engine.get_perft(3)
    assert (count, len(moves), moves["e2e4"]) == (8902, 20, 600)
    assert engine.is_move_legal("e2e4")
    assert not engine.is_move_legal("e2e5")
    assert -2 < engine.get_static_eval() < 2
    assert "Nodes/second" in engine.benchmark(Stockfish.BenchmarkParameters(ttSize=1, limit=1))
    engine.set_fen_position(IN_CHECK)
    assert engine.get_static_eval() is None
    assert engine.get_fen_position() == IN_CHECK
    return ["get_perft", "is_move_legal", "get_static_eval", "benchmark"]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1])
