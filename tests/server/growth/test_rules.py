"""The rules of chess, its phases, and draws along a path."""

from random import Random

import chess
import chess.variant
import pytest
from helpers.growing import FACTS, MadeUpGame, grow, key_of, made_up_engine, plant

from rookery_protocol.legality import VARIANTS
from rookery_server.growth.expansion import claim_leaf
from rookery_server.growth.node import Kind
from rookery_server.growth.path import Path
from rookery_server.growth.rules import ChessRules, Ending, IllegalMoveError
from rookery_server.growth.value import MATE

RULES = ChessRules()


@pytest.mark.parametrize(
    ("fen", "ending"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Ending(Kind.STALEMATE, 0)),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Ending(Kind.CHECKMATE, -MATE)),
        ("7k/8/6K1/8/8/8/8/6N1 b - - 0 1", Ending(Kind.DEAD_DRAW, 0)),
        ("7k/8/6K1/8/8/8/8/6R1 b - - 99 80", None),
        (chess.STARTING_FEN, None),
    ],
)
def test_games_end_by_the_rules(fen: str, ending: Ending | None) -> None:
    assert RULES.ending(key_of(fen)) == ending


def test_a_variant_has_ends_of_its_own() -> None:
    rules = ChessRules(variant="antichess")
    assert rules.ending("8/8/8/8/8/8/8/4k3 w - -") == Ending(Kind.CHECKMATE, MATE)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
@pytest.mark.parametrize("chess960", [False, True])
def test_no_move_makes_the_phase_more(variant: str, chess960: bool) -> None:
    """A move that makes it less can never be undone; else links could make a cycle."""
    rules = ChessRules(chess960=chess960, variant=variant)
    random = Random(f"{variant} {chess960}")
    for _ in range(4):
        board = VARIANTS[variant](chess960=chess960)
        key = rules.key(board)
        for _ in range(60):
            moves = rules.moves(key)
            if not moves or rules.ending(key):
                break
            move = random.choice(moves)
            step = rules.step(key, move)
            played = board.parse_uci(move)
            assert step.is_zeroing == board.is_zeroing(played)
            if variant != "crazyhouse" and step.is_zeroing:
                assert step.phase < rules.phase(key)
            if not board.is_irreversible(played):
                assert step.phase == rules.phase(key)
            assert step.phase <= rules.phase(key)
            board.push(played)
            key = step.key
            assert key == rules.key(board)
            assert step.phase == rules.phase(key)


def test_positions_that_differ_by_counters_or_an_idle_en_passant_square_are_one() -> None:
    by_pawn = RULES.step(key_of(chess.STARTING_FEN), "e2e4").key
    assert by_pawn == key_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 5 9")
    assert by_pawn.endswith(" b HAha -")


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="e2e5 is not legal in rnbq"):
        RULES.step(key_of(chess.STARTING_FEN), "e2e5")
    with pytest.raises(IllegalMoveError, match="0000"):
        RULES.step(key_of(chess.STARTING_FEN), "0000")


def test_a_repetition_is_a_draw_until_a_move_cannot_be_undone() -> None:
    key = key_of("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1")
    path = Path((key,), RULES.phase(key))

    def drawn(moves: str) -> bool:
        now, at = path, key
        for move in moves.split():
            step = RULES.step(at, move)
            now, at = now.after(step), step.key
        return now.is_drawn(RULES)

    assert not drawn("a1a2 e8d8 a2a1 d8e8")  # the right to castle is lost
    assert drawn("a1a2 e8d8 a2a1 d8e8 a1a2")
    assert not drawn("a1a2 e8d8 e2e3 d8e8 a2a1")


def test_no_leaf_is_beyond_fifty_moves() -> None:
    """At the last but one ply, only captures and mates count for more than a draw."""
    key = key_of("8/8/8/8/3k4/4R3/8/K7 b - - 98 90")
    project = plant(RULES, key, clock=98)
    grow(project, made_up_engine(RULES, 1, mates=0), 500)
    assert claim_leaf(project) is None
    nodes = [project.store.node(number) for number in project.store.numbers()]
    assert {node.rank for node in nodes if node.kind not in FACTS} == {0, 1}
    taken = [node for node in nodes if node.kind is Kind.DEAD_DRAW]
    assert [node.key for node in taken] == [RULES.step(key, "d4e3").key]

    fresh = plant(RULES, key)
    grow(fresh, made_up_engine(RULES, 1, mates=0), 60)
    assert max(fresh.store.node(number).rank for number in fresh.store.numbers()) > 1


def test_a_mate_at_the_last_ply_is_a_mate() -> None:
    key = key_of("7k/8/6K1/8/8/8/8/R7 w - - 99 90")
    project = plant(RULES, key, clock=99)
    grow(project, made_up_engine(RULES, 1, mates=0), 500)
    root = project.store.node(1)
    assert root.is_proven
    assert root.value == MATE - 1


def test_positions_of_the_game_before_the_root_are_no_leaves() -> None:
    for seed in range(20):
        game = MadeUpGame(seed, phases=1, places=6)
        before = ["1.3 b", "1.3 w", "1.4 b"]
        project = plant(game, game.root(), history=before)
        grow(project, made_up_engine(game, seed), 500)
        assert not set(before) & set(project.store.by_key)


def test_a_search_near_fifty_moves_does_not_visit_all_that_is_below(monkeypatch) -> None:
    """It gives up at a bound, and takes a leaf that is a draw on the way to it."""
    project = plant(RULES, key_of("8/8/8/8/3k4/4R3/8/K7 b - - 98 90"), clock=98)
    grow(project, made_up_engine(RULES, 1, mates=0), 500)
    assert claim_leaf(project) is None
    monkeypatch.setattr("rookery_server.growth.expansion.MAX_VISITED", 1)
    leaf = claim_leaf(project)
    assert leaf
    assert project.store.node(leaf.number).rank == 2
