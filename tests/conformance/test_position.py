"""`position`: rows 86 to 101."""

import random

import chess
import pytest
from conformance.rows import rows

KIWI = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
RUY = "e2e4 e7e5 g1f3 b8c6 f1b5"
AFTER_RUY = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
BLACK_TO_MOVE = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1"
WINNING = "8/8/8/4k3/8/8/8/1K1Q4 w - - 0 1"
LOSING = "7k/6pp/8/8/8/8/1q4PP/7K w - - 0 1"
ROOK_UP = "8/8/8/8/3k4/8/8/R3K3 w - - {} 80"


def legal_moves(fen, moves=""):
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return {move.uci() for move in board.legal_moves}


@rows(86)
def test_startpos(gui):
    assert gui.moves("position startpos") == legal_moves(chess.STARTING_FEN)


@rows(87)
@pytest.mark.parametrize("fen", [KIWI, AFTER_RUY, BLACK_TO_MOVE])
def test_fen(gui, fen):
    assert gui.moves(f"position fen {fen}") == legal_moves(fen)


@rows(88)
def test_startpos_with_moves(gui):
    assert gui.moves(f"position startpos moves {RUY}") == legal_moves(chess.STARTING_FEN, RUY)


@rows(89)
def test_fen_with_moves(gui):
    moves = "e1g1 e8c8 e5f7"
    assert gui.moves(f"position fen {KIWI} moves {moves}") == legal_moves(KIWI, moves)


@rows(90)
def test_each_position_replaces_the_one_before(gui):
    gui.say(f"position startpos moves {RUY}", f"position fen {KIWI}", "position startpos")
    assert gui.moves() == legal_moves(chess.STARTING_FEN)


@rows(91)
def test_position_of_another_game_needs_no_ucinewgame(gui):
    for fen in (KIWI, BLACK_TO_MOVE, AFTER_RUY, chess.STARTING_FEN):
        assert gui.search("go depth 4", f"position fen {fen}").move in legal_moves(fen)


@rows(92)
@pytest.mark.parametrize("fen", [KIWI, AFTER_RUY, BLACK_TO_MOVE])
def test_fen_without_counters(gui, fen):
    short = " ".join(fen.split()[:4])
    assert gui.moves(f"position fen {short}") == legal_moves(fen)
    assert "e2e4" in gui.moves("position startpos")
    moves = sorted(legal_moves(fen))[0]
    assert gui.moves(f"position fen {short} moves {moves}") == legal_moves(fen, moves)


@rows(93)
@pytest.mark.parametrize("castling", ["KQkq", "K", "Q", "k", "q", "-", "Kq"])
@pytest.mark.parametrize("side", "wb")
def test_castling_field_is_honoured(gui, castling, side):
    fen = f"r3k2r/8/8/8/8/8/8/R3K2R {side} {castling} - 0 1"
    assert gui.moves(f"position fen {fen}") == legal_moves(fen)


@rows(93)
@pytest.mark.parametrize("square", ["d6", "f6", "-"])
def test_en_passant_field_is_honoured(gui, square):
    fen = f"4k3/8/8/3pPp2/8/8/8/4K3 w - {square} 0 2"
    assert gui.moves(f"position fen {fen}") == legal_moves(fen)


@rows(94)
def test_half_move_clock_is_honoured(gui):
    won = gui.search("go depth 6", f"position fen {ROOK_UP.format(0)}").last["score"]
    gui.say("ucinewgame")
    drawn = gui.search("go depth 6", f"position fen {ROOK_UP.format(99)}").last["score"]
    assert won.get("cp", 10_000) > 200
    assert drawn.get("cp") is not None
    assert abs(drawn["cp"]) <= 20


def repeat(board, move, reply):
    """Return moves after which `move` gives a position for the third time."""
    back, reply_back = (chess.Move(m.to_square, m.from_square) for m in (move, reply))
    return [move, reply, back, reply_back] * 2


def assert_repeats(board, moves, expected):
    """Check the story: whether a last move makes the third repetition."""
    for move in moves:
        assert move in board.legal_moves
        board.push(move)
    assert board.is_repetition(3) is expected


@rows(95)
def test_winning_side_avoids_the_third_repetition(gui):
    board = chess.Board(WINNING)
    best = chess.Move.from_uci(gui.search("go depth 8", f"position fen {WINNING}").move)
    after = board.copy()
    after.push(best)
    for reply in list(after.legal_moves):
        story = repeat(board, best, reply)
        trial = board.copy()
        if all(trial.is_legal(move) and not trial.push(move) for move in story):
            break
    else:
        raise AssertionError(f"{best} cannot be taken back: choose another position")
    gui.say("ucinewgame")
    moves = " ".join(move.uci() for move in story)
    search = gui.search("go depth 8", f"position fen {WINNING} moves {moves}")
    assert_repeats(board, [*story, chess.Move.from_uci(search.move)], False)


@rows(96)
def test_losing_side_takes_the_third_repetition(gui):
    board = chess.Board(LOSING)
    move, reply = chess.Move.from_uci("h1g1"), chess.Move.from_uci("h8g8")
    story = repeat(board, move, reply)
    moves = " ".join(m.uci() for m in story)
    search = gui.search("go depth 8", f"position fen {board.fen()} moves {moves}")
    assert_repeats(board, [*story, chess.Move.from_uci(search.move)], True)


@rows(97)
def test_game_of_more_than_300_moves(gui):
    choose = random.Random(97)
    board = chess.Board()
    while board.ply() < 700:
        moves = list(board.legal_moves)
        quiet = [m for m in moves if not board.is_capture(m)] or moves
        board.push(choose.choice(quiet))
        if not any(board.legal_moves) or board.is_insufficient_material():
            board.pop()
            board.pop()
    position = "position startpos moves " + " ".join(move.uci() for move in board.move_stack)
    assert gui.search("go depth 3", position).move in {m.uci() for m in board.legal_moves}
    assert gui.moves() == {m.uci() for m in board.legal_moves}


def assert_survived(gui, line):
    gui.say(line)
    gui.sync()
    assert gui.search("go depth 2", "position startpos").move in legal_moves(chess.STARTING_FEN)


@rows(98)
@pytest.mark.parametrize(
    "line",
    [
        "position", "position fen", "position moves e2e4", "position startpos moves",
        "position startpos e2e4", "position startpos startpos", "position fen moves e2e4",
        "position fen startpos", "position startpos fen", "position 8/8/8/8/8/8/8/8 w - - 0 1",
    ],
)  # fmt: skip
def test_malformed_position_is_survived(gui, line):
    assert_survived(gui, line)


ILLEGAL_FENS = [
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "k7/8/8/8/8/8/8/8 w - - 0 1",
    "kk6/8/8/8/8/8/8/KK6 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/ppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w ABCDxyz e9 -1 -1",
    "PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPKPPP/ppppkppp/pppppppp/pppppppp/pppppppp w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ/8/8/8/7k w - - 0 1",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",  # the side that moved is in check
    "joho",
    "/ w - -",
]


@rows(99)
@pytest.mark.parametrize("fen", ILLEGAL_FENS)
def test_illegal_fen_is_survived(gui, fen):
    assert_survived(gui, f"position fen {fen}")


@rows(99)
@pytest.mark.parametrize("fen", ILLEGAL_FENS)
def test_go_after_an_illegal_fen_is_survived(gui, fen):
    gui.say(f"position fen {fen}", "go depth 2")
    gui.hear_until("bestmove", timeout=5)
    assert_survived(gui, "position startpos")


@rows(100)
@pytest.mark.parametrize(
    "moves",
    ["e2e5", "e2e4 e2e4", "joho", "e2e4 e7e5 xxxx g1f3", "0000", "e1e1", "e7e8q", "e2e9", "z"],
)
def test_illegal_move_in_the_list_is_survived(gui, moves):
    gui.say(f"position startpos moves {moves}", "go depth 2")
    gui.hear_until("bestmove")
    assert_survived(gui, f"position startpos moves {moves}")


@rows(101)
@pytest.mark.parametrize("fen", [BLACK_TO_MOVE, AFTER_RUY])
def test_black_to_move(gui, fen):
    assert gui.search("go depth 4", f"position fen {fen}").move in legal_moves(fen)
