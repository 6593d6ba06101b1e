"""Weaker play: weaker and legal, and weaker as intended."""

from itertools import pairwise

import chess
import pytest

from rookery_engine.core.board import Board
from rookery_engine.core.fen_codec import START
from rookery_engine.search.searcher import Searcher
from rookery_engine.shell.bench import POSITIONS
from rookery_engine.shell.options import MAX_ELO, MAX_SKILL, MIN_ELO, Options
from rookery_engine.shell.strength import (
    MEASURED,
    TOP_LEVEL,
    elo_of_skill,
    handicap_of,
    handicap_of_elo,
)
from rookery_uci import BestMove, Info, Limits, parse_reply

SEEDS = range(20)

# A mate in one for White, of different kinds.
MATES = (
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
)

# (position, the move that takes a queen)
RECAPTURES = (
    ("r2qkbnr/ppp1pppp/2n5/8/3Q2b1/5N2/PPP1PPPP/RNB1KB1R b KQkq - 0 5", "d8d4"),
    ("3qk3/5ppp/8/8/8/2P5/3Q1PPP/3RK3 b - - 0 1", "d8d2"),
    ("4k3/4qppp/8/8/8/8/4QPPP/4R1K1 b - - 0 1", "e7e2"),
)


def limited(elo: int) -> Options:
    options = Options()
    options.set_value("UCI_LimitStrength", "true")
    options.set_value("UCI_Elo", str(elo))
    return options


def search(
    fen: str,
    options: Options,
    *,
    words: str = "",
    moves: tuple[str, ...] = (),
    searcher: Searcher | None = None,
) -> tuple[BestMove, list[Info]]:
    board = Board(fen)
    for move in moves:
        assert board.play(move)
    lines: list[str] = []
    searcher = searcher or Searcher(1, 1)
    searcher.prepare_search(board, Limits.parse(words), options, report=lines.extend)
    best = searcher.run()
    return best, [info for info in map(parse_reply, lines) if isinstance(info, Info)]


def test_more_elo_never_means_to_see_less() -> None:
    players = [handicap_of_elo(elo) for elo in range(MIN_ELO, MAX_ELO + 1)]
    for weaker, stronger in pairwise(players):
        assert stronger.nodes >= weaker.nodes
        assert stronger.blindness <= weaker.blindness
        assert stronger.misjudgement <= weaker.misjudgement
        assert stronger.wavering <= weaker.wavering
    assert players[0].nodes < players[-1].nodes


def test_measured_levels_reach_from_the_lowest_to_the_highest_elo() -> None:
    elos, levels = zip(*MEASURED, strict=True)
    assert list(elos) == sorted(set(elos))
    assert list(levels) == sorted(set(levels))
    assert elos[0] <= MIN_ELO
    assert elos[-1] >= MAX_ELO
    assert levels[0] >= 0
    assert levels[-1] <= TOP_LEVEL


def test_elo_counts_only_while_the_strength_is_limited() -> None:
    options = Options()
    options.set_value("UCI_Elo", str(MIN_ELO))
    assert handicap_of(options) is None
    options.set_value("UCI_LimitStrength", "true")
    assert handicap_of(options) == handicap_of_elo(MIN_ELO)


def test_skill_level_goes_from_the_lowest_elo_to_full_strength() -> None:
    options = Options()
    options.set_value("Skill Level", "0")
    assert handicap_of(options) == handicap_of_elo(MIN_ELO)
    elos = [elo_of_skill(skill) for skill in range(MAX_SKILL)]
    assert elos == sorted(set(elos))
    assert elos[-1] < MAX_ELO
    options.set_value("Skill Level", str(MAX_SKILL))
    assert handicap_of(options) is None


def test_elo_comes_before_skill_level() -> None:
    options = limited(MAX_ELO)
    options.set_value("Skill Level", "0")
    assert handicap_of(options) == handicap_of_elo(MAX_ELO)


@pytest.mark.parametrize("elo", [MIN_ELO, (MIN_ELO + MAX_ELO) // 2, MAX_ELO])
def test_all_lines_are_legal_and_the_last_pv_is_played(elo: int) -> None:
    searcher = Searcher(1, 1)
    for fen in POSITIONS[:20]:
        best, infos = search(fen, limited(elo), words="nodes 20000", searcher=searcher)
        for info in infos:
            board = chess.Board(fen + " 0 1")
            assert info.pv
            for move in info.pv:
                board.push(board.parse_uci(move))  # raises if it is not legal
        assert infos[-1].pv[0] == best.move


@pytest.mark.parametrize("elo", [MIN_ELO, MAX_ELO])
def test_multipv_lists_each_move_once_and_begins_with_the_one_played(elo: int) -> None:
    options = limited(elo)
    options.set_value("MultiPV", "500")
    best, infos = search(START, options, words="depth 3")
    final = infos[-20:]
    assert [info.multipv for info in final] == list(range(1, 21))
    assert {info.pv[0] for info in final} == set(Board().legal_moves())
    assert final[0].pv[0] == best.move


def test_same_seed_same_play_and_other_games_other_play() -> None:
    options = limited(MIN_ELO)
    one, same = Searcher(1, 7), Searcher(64, 7)
    played = []
    for _ in range(10):
        first, again = (search(START, options, searcher=searcher) for searcher in (one, same))
        assert first[0] == again[0]
        assert first[1][-1].nodes == again[1][-1].nodes
        played.append(first[0].move)
        assert search(START, options, searcher=one)[0] == first[0]  # the same position again
        one.clear()  # a new game
        same.clear()
    assert len(set(played)) > 1


def test_a_repeated_position_is_looked_at_afresh() -> None:
    fens = [START[:-1] + str(number) for number in range(1, 11)]
    assert len({search(fen, limited(MIN_ELO))[0].move for fen in fens}) > 1


def test_full_strength_is_as_if_nothing_had_been() -> None:
    searcher = Searcher(4, 1)
    fresh = search(START, Options(), words="depth 8", searcher=searcher)[1][-1].nodes
    searcher.clear()
    search(START, limited(MIN_ELO), searcher=searcher)
    after = search(START, Options(), words="depth 8", searcher=searcher)[1][-1].nodes
    assert after == fresh


def test_a_weaker_player_looks_at_fewer_positions() -> None:
    nodes = [search(POSITIONS[1], limited(elo))[1][-1].nodes for elo in (MIN_ELO, 1600, MAX_ELO)]
    assert nodes == sorted(nodes)
    assert nodes[0] * 5 < nodes[1]
    assert nodes[1] * 4 < nodes[2]


@pytest.mark.parametrize("words", ["nodes 1", "nodes 50", "depth 1", "movetime 0", "mate 1",
                                   "wtime 1000 btime 1000", "searchmoves a2a3"])  # fmt: skip
def test_limits_still_hold(words: str) -> None:
    best, infos = search(START, limited(MIN_ELO), words=words)
    assert best.move in Board().legal_moves()
    if words.startswith("nodes"):
        assert infos[-1].nodes == int(words.split()[1])
    if words.startswith("searchmoves"):
        assert best.move == "a2a3"


@pytest.mark.parametrize("fen", MATES)
def test_the_lowest_level_mates_in_one(fen: str) -> None:
    for seed in SEEDS:
        best, _ = search(fen, limited(MIN_ELO), searcher=Searcher(1, seed))
        board = chess.Board(fen)
        board.push_uci(best.move)
        assert board.is_checkmate()


@pytest.mark.parametrize(("fen", "taken"), RECAPTURES)
def test_the_lowest_level_takes_a_queen_back(fen: str, taken: str) -> None:
    options = limited(MIN_ELO)
    played = [search(fen, options, moves=(taken,), searcher=Searcher(1, s))[0] for s in SEEDS]
    taken_back = [best for best in played if best.move[2:4] == taken[2:4]]
    assert len(taken_back) >= len(SEEDS) - 5  # 85 to 100 %, of 200 seeds


def test_the_lowest_level_seldom_leaves_its_queen_to_a_pawn() -> None:
    """The queen on d4 is attacked by the pawn on e5; most moves lose it."""
    fen = "rnbqkbnr/pppp1ppp/8/4p3/3QP3/8/PPP2PPP/RNB1KBNR w KQkq - 0 4"
    kept = 0
    for seed in SEEDS:
        best, _ = search(fen, limited(MIN_ELO), searcher=Searcher(1, seed))
        board = chess.Board(fen)
        board.push_uci(best.move)
        queen = board.pieces(chess.QUEEN, chess.WHITE).pop()
        kept += not any(
            board.piece_type_at(square) == chess.PAWN
            for square in board.attackers(chess.BLACK, queen)
        )
    assert kept >= len(SEEDS) - 3


def test_the_lowest_level_overlooks_what_the_highest_sees() -> None:
    """Errors are there: over many positions the weak one chooses otherwise."""
    other = 0
    for fen in POSITIONS[10:40]:
        weak, _ = search(fen, limited(MIN_ELO))
        strong, _ = search(fen, limited(MAX_ELO), words="nodes 20000")
        other += weak.move != strong.move
    assert other >= 10


def test_infinite_does_not_end_by_itself(engine) -> None:
    engine.send("setoption name UCI_LimitStrength value true")
    engine.send(f"setoption name UCI_Elo value {MIN_ELO}", "position startpos", "go infinite")
    engine.query("isready", until="readyok")
    assert not any(line.startswith("bestmove") for line in engine.quiet_lines())
    lines = engine.query("stop", until="bestmove")
    pvs = [line.split(" pv ")[1].split()[0] for line in lines if " pv " in line]
    assert pvs[-1] == lines[-1].split()[1]
