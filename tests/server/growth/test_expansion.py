"""Growth of trees of made-up games, which have transpositions, cycles and ends."""

from dataclasses import replace
from itertools import pairwise

import chess
import hypothesis
import pytest
from helpers.growing import (
    MadeUpGame,
    Reference,
    as_positions,
    check_tree,
    grow,
    key_of,
    made_up_engine,
    plant,
)
from hypothesis import given
from hypothesis import strategies as st

from rookery_server.growth.expansion import (
    NotClaimedError,
    Project,
    claim_again,
    claim_leaf,
    finish_by_tablebase,
    finish_leaf,
    give_up_leaf,
    release_leaf,
)
from rookery_server.growth.finding import Finding, Leaf, Line, RefusedFindingError
from rookery_server.growth.node import OTHERS, ROOT, Kind, Node
from rookery_server.growth.rules import ChessRules
from rookery_server.growth.settings import GrowthSettings, SideSettings
from rookery_server.growth.steering import add_line, exclude_move, pin_move
from rookery_server.growth.value import TABLE

BOUNDED = hypothesis.settings(deadline=None, max_examples=60)
SEEDS = st.integers(0, 10**6)
GAMES = st.builds(
    MadeUpGame, SEEDS, st.integers(0, 4), places=st.integers(1, 7), branching=st.integers(1, 5)
)
SIDES = st.builds(
    SideSettings,
    st.sampled_from((10, 25, 60)),
    lines=st.integers(1, 5),
    limit=st.none() | st.integers(1, 3),
)
SETTINGS = st.builds(GrowthSettings, SIDES, SIDES, st.just(1000))
ACTIONS = st.sampled_from(
    ("claim", "claim", "claim", "finish", "finish", "finish", "release", "give up",
     "again", "exclude", "allow", "pin", "unpin", "line", "tablebase")
)  # fmt: skip


@BOUNDED
@given(GAMES, SETTINGS, SEEDS, st.integers(1, 40))
def test_values_and_priorities_follow_from_the_searches(
    game: MadeUpGame, settings: GrowthSettings, seed: int, searches: int
) -> None:
    project = plant(game, game.root(), settings)
    engine = made_up_engine(game, seed)
    for _ in range(searches):
        if not grow(project, engine, 1):
            break
        check_tree(project)
    assert not any(project.store.node(each).is_claimed for each in project.store.numbers())


@BOUNDED
@given(GAMES, SETTINGS, SEEDS)
def test_the_cheapest_leaf_is_claimed(
    game: MadeUpGame, settings: GrowthSettings, seed: int
) -> None:
    project = plant(game, game.root(), settings)
    engine = made_up_engine(game, seed)
    for _ in range(25):
        cheapest = Reference(project).cheapest(ROOT)
        links, known = link_count(project), dict(project.store.nodes)
        leaf = claim_leaf(project)
        if leaf is None:
            break
        is_linked = link_count(project) > links + (leaf.number not in known)
        if not is_linked and not is_again(leaf, known):
            assert leaf.key in cheapest
        finish_leaf(project, leaf, engine(leaf))


def is_again(leaf: Leaf, known: dict[int, Node]) -> bool:
    """Return whether a leaf is another search of all moves of a node."""
    return not leaf.moves and leaf.number in known and known[leaf.number].kind is Kind.SEARCHED


def link_count(project: Project) -> int:
    nodes = project.store.nodes.values()
    return sum(each.child is not None for node in nodes for each in node.candidates)


@BOUNDED
@given(GAMES, SETTINGS, SEEDS)
def test_the_same_seed_grows_the_same_tree(
    game: MadeUpGame, settings: GrowthSettings, seed: int
) -> None:
    trees = []
    for _ in range(2):
        project = plant(game, game.root(), settings)
        grow(project, made_up_engine(game, seed), 30)
        trees.append(project.store.nodes)
    assert trees[0] == trees[1]


@BOUNDED
@given(GAMES, SETTINGS, SEEDS, st.lists(st.tuples(ACTIONS, SEEDS), min_size=25, max_size=60))
def test_work_in_any_order_keeps_the_tree_right(
    game: MadeUpGame, settings: GrowthSettings, seed: int, actions: list[tuple[str, int]]
) -> None:
    """Several engines finish in any order, give up, and the owner steers meanwhile."""
    project = plant(game, game.root(), settings)
    store = project.store
    engine = made_up_engine(game, seed)
    leaves = []
    for action, choice in actions:
        number = choice % len(store.nodes) + 1
        node = store.node(number)
        moves = [each.move for each in node.candidates]
        move = moves[choice % len(moves)] if moves else None
        store.written.clear()
        if action == "claim":
            leaf = claim_leaf(project)
            leaves += [leaf] if leaf else []
        elif action == "again":
            leaf = claim_again(project, number, 5000)
            leaves += [leaf] if leaf else []
        elif action == "line":
            add_line(project, line_from(game, node.key, choice), start=number)
        elif action in ("finish", "release", "give up", "tablebase") and leaves:
            leaf = leaves.pop(choice % len(leaves))
            if action == "finish":
                finish_leaf(project, leaf, engine(leaf))
            elif action == "release":
                release_leaf(project, leaf.number)
            elif action == "give up":
                give_up_leaf(project, leaf)
            elif store.node(leaf.number).kind is Kind.UNSEARCHED:
                finish_by_tablebase(project, leaf, choice % 3 * TABLE - TABLE)
            else:
                release_leaf(project, leaf.number)
        elif action in ("exclude", "allow") and move:
            exclude_move(project, number, move, is_excluded=action == "exclude")
        elif action in ("pin", "unpin") and move and move != OTHERS:
            pin_move(project, number, move, is_pinned=action == "pin")
        if action != "claim":  # one that links several positions backs up several times
            assert max(store.written.values(), default=0) <= 1
        check_tree(project)
        assert sorted(leaf.number for leaf in leaves) == [
            number for number in store.numbers() if store.node(number).is_claimed
        ]


def line_from(game: MadeUpGame, key: str, choice: int) -> list[str]:
    """Return legal moves from a position, up to five."""
    line = []
    while (moves := game.moves(key)) and len(line) < choice % 6:
        line.append(moves[choice % len(moves)])
        key = game.step(key, line[-1]).key
    return line


@BOUNDED
@given(GAMES, SETTINGS, SEEDS)
def test_a_tree_that_is_grown_to_its_end_has_all_that_can_be_reached(
    game: MadeUpGame, settings: GrowthSettings, seed: int
) -> None:
    project = plant(game, game.root(), settings)
    assert grow(project, made_up_engine(game, seed), 2000) < 2000
    check_tree(project)
    for number in project.store.numbers():
        assert project.store.node(number).kind is not Kind.UNSEARCHED
    assert claim_leaf(project) is None


@BOUNDED
@given(GAMES, SEEDS)
def test_claims_given_up_leave_the_tree_as_if_they_never_were(game: MadeUpGame, seed: int) -> None:
    project = plant(game, game.root())
    engine = made_up_engine(game, seed)
    grow(project, engine, 10)
    leaf = claim_leaf(project)
    if leaf is None:
        return
    release_leaf(project, leaf.number)
    again = claim_leaf(project)
    assert again
    assert (again.number, again.moves) == (leaf.number, leaf.moves)


def test_several_leaves_at_once_are_different() -> None:
    game = MadeUpGame(7, places=30)
    project = plant(game, game.root())
    grow(project, made_up_engine(game, 1), 20)
    leaves = [claim_leaf(project) for _ in range(8)]
    numbers = {leaf.number for leaf in leaves if leaf}
    assert len(numbers) == 8


def test_a_finding_that_cannot_be_is_refused_and_changes_nothing() -> None:
    game = MadeUpGame(3)
    project = plant(game, game.root())
    leaf = claim_leaf(project)
    assert leaf
    before = as_positions(project)
    good = Finding((Line("m0", 10),), 5, 1000, 0)
    for bad, reason in (
        (replace(good, lines=()), "needs a variation"),
        (replace(good, lines=(Line("m9", 1),)), "m9 was not to be searched"),
        (replace(good, lines=(Line("m0", 1), Line("m0", 2))), "stands twice: m0 m0"),
        (replace(good, lines=(Line("m0", 25_000),)), "25000 is no value of m0"),
        (replace(good, depth=-1), "are no counts"),
        (replace(good, depth=10**5), "are no counts"),
        (replace(good, nodes=2**63), "are no counts"),
        (replace(good, engine=-1), "are no counts"),
    ):
        with pytest.raises(RefusedFindingError, match=reason):
            finish_leaf(project, leaf, bad)
    assert as_positions(project) == before
    finish_leaf(project, leaf, good)
    with pytest.raises(NotClaimedError, match="no search of node 1"):
        finish_leaf(project, leaf, good)


def test_a_leaf_that_no_engine_can_search_is_left_out_until_it_is_asked_for() -> None:
    game = MadeUpGame(7, places=30)
    project = plant(game, game.root())
    engine = made_up_engine(game, 1)
    grow(project, engine, 5)
    leaf = claim_leaf(project)
    assert leaf
    give_up_leaf(project, leaf)
    node = project.store.node(leaf.number)
    assert (node.kind, node.value, node.priority) == (Kind.FAILED, None, None)
    while other := claim_leaf(project):
        assert other.number != leaf.number
        give_up_leaf(project, other)
    again = claim_again(project, leaf.number, 5000)
    assert again
    finish_leaf(project, again, engine(again))
    assert project.store.node(leaf.number).kind is Kind.SEARCHED
    check_tree(project)


def broad_game() -> MadeUpGame:
    """Return a game whose first position has five moves."""
    games = (MadeUpGame(seed, branching=5) for seed in range(100))
    return next(each for each in games if len(each.moves(each.root())) == 5)


def test_a_search_of_the_other_moves_gives_each_its_own_value() -> None:
    game = broad_game()
    project = plant(game, game.root(), GrowthSettings(SideSettings(lines=1), SideSettings(lines=1)))
    first = claim_leaf(project)
    assert first
    finish_leaf(project, first, Finding((Line("m0", 30),), 5, 1000, 0))
    exclude_move(project, ROOT, "m0")
    others = claim_leaf(project)
    assert others
    assert others.moves == ("m1", "m2", "m3", "m4")
    finish_leaf(project, others, Finding((Line("m3", 50), Line("m1", -20)), 5, 1000, 0))
    node = project.store.node(ROOT)
    assert [(each.move, each.own) for each in node.candidates] == [
        ("m0", 30), ("m3", 50), ("m1", -20), (OTHERS, -20),
    ]  # fmt: skip
    check_tree(project)


def test_another_search_of_a_node_replaces_the_first() -> None:
    """A move that the new one does not list is no better than the last that it lists."""
    game = broad_game()
    project = plant(game, game.root())
    leaf = claim_leaf(project)
    assert leaf
    first = (Line("m0", 30), Line("m1", 25), Line("m2", 20))
    finish_leaf(project, leaf, Finding(first, 5, 1000, 0))
    again = claim_again(project, ROOT, 9000)
    assert again
    assert again.nodes == 9000
    assert claim_again(project, ROOT, 9000) is None
    finish_leaf(project, again, Finding((Line("m3", 40), Line("m0", 10)), 8, 9000, 1))
    node = project.store.node(ROOT)
    assert [(each.move, each.own) for each in node.candidates] == [
        ("m3", 40), ("m0", 10), ("m1", 10), ("m2", 10), (OTHERS, 10),
    ]  # fmt: skip
    assert (node.depth, node.nodes, node.engine, node.own) == (8, 9000, 1, 40)
    check_tree(project)


def test_a_deep_search_is_overruled_only_by_one_that_has_its_share() -> None:
    game = broad_game()
    one = SideSettings(lines=1)
    project = plant(game, game.root(), GrowthSettings(one, one, nodes=1000))
    engine = made_up_engine(game, 5, mates=0)
    grow(project, engine, 5)
    child = next(each for each in project.store.node(ROOT).candidates if each.child)
    again = claim_again(project, ROOT, 1_000_000)
    assert again
    finish_leaf(project, again, Finding((Line(child.move, 40),), 30, 1_000_000, 0))
    assert project.store.node(ROOT).value == 40  # whatever the child says
    check_tree(project)
    leaf = claim_leaf(project)
    assert leaf
    assert (leaf.number, leaf.nodes) == (child.child, 1_000_000 // 16)
    move = game.moves(leaf.key)[0]
    finish_leaf(project, leaf, Finding((Line(move, 60),), 20, leaf.nodes, 0))
    carried = next(e for e in project.store.node(ROOT).candidates if e.move == child.move)
    assert carried.value == -project.store.node(leaf.number).value
    check_tree(project)


def test_the_first_search_of_a_child_has_its_share() -> None:
    game = broad_game()
    project = plant(game, game.root(), GrowthSettings(nodes=1000))
    assert claim_leaf(project)
    release_leaf(project, ROOT)
    root = claim_again(project, ROOT, 800_000)
    assert root
    finish_leaf(project, root, Finding((Line("m0", 10),), 30, 800_000, 0))
    leaf = claim_leaf(project)
    assert leaf
    assert leaf.nodes == 50_000


def test_a_node_is_searched_again_when_its_subtree_has_outgrown_its_search() -> None:
    """An engine that ends its searches early is not asked for the same again and again."""
    rules = ChessRules()
    project = plant(rules, key_of(chess.STARTING_FEN), GrowthSettings(nodes=1000))
    search = made_up_engine(rules, 3, mates=0)
    asked = []
    for _ in range(200):
        leaf = claim_leaf(project)
        assert leaf
        if leaf.number == ROOT and not leaf.moves:
            asked.append(leaf.nodes)
        finish_leaf(project, leaf, replace(search(leaf), nodes=min(leaf.nodes, 100)))
    assert asked[0] == 4000
    assert all(later >= 2 * before for before, later in pairwise(asked))
    assert len(asked) > 3
    assert max(asked) >= 1000 * project.store.node(ROOT).size
