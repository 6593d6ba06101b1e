"""Trees that are merged, and parts of trees that are copied."""

import dataclasses

import hypothesis
import pytest
from helpers.growing import (
    MadeUpGame,
    MemoryStore,
    as_positions,
    check_tree,
    grow,
    made_up_engine,
    plant,
)
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rookery_server.growth.backup import rebuild
from rookery_server.growth.expansion import Project, claim_leaf
from rookery_server.growth.merging import (
    ForeignTreeError,
    copy_children,
    copy_root,
    merge_links,
    merge_position,
    rank_of_root,
    settle_root,
)
from rookery_server.growth.node import OTHERS, ROOT, Kind, Node
from rookery_server.growth.settings import GrowthSettings, SideSettings
from rookery_server.growth.steering import add_line, exclude_move, pin_move

BOUNDED = hypothesis.settings(deadline=None, max_examples=60)
SEEDS = st.integers(0, 10**6)
GAMES = st.builds(
    MadeUpGame, SEEDS, st.integers(0, 4), places=st.integers(1, 7), branching=st.integers(1, 5)
)
# The engine's seed, the width, the searches, and the nodes of each.
GROWTHS = st.tuples(SEEDS, st.integers(5, 80), st.integers(0, 40), st.integers(100, 101))


def grown(game: MadeUpGame, growth: tuple[int, int, int, int], engine: int = 0) -> Project:
    seed, width, searches, nodes = growth
    side = SideSettings(width, lines=seed % 4 + 1)
    project = plant(game, game.root(), GrowthSettings(side, side, nodes))
    grow(project, made_up_engine(game, seed, engine), searches)
    steer(project, seed)
    return project


def steer(project: Project, seed: int) -> None:
    """Exclude and pin a few moves, and leave a claim and a line that is not searched."""
    numbers = list(project.store.numbers())
    node = project.store.node(numbers[seed % len(numbers)])
    for count, each in enumerate(node.candidates):
        if (seed + count) % 3 == 0:
            exclude_move(project, node.number, each.move)
        elif (seed + count) % 5 == 0 and each.move != OTHERS:
            pin_move(project, node.number, each.move)
    moves = project.rules.moves(project.store.node(ROOT).key)
    add_line(project, moves[:1])


def merged(first: Project, second: Project, settings: GrowthSettings, engines=(0, 1)) -> Project:
    """Return a copy of the first with the second merged into it."""
    store = MemoryStore()
    store.nodes, store.by_key = dict(first.store.nodes), dict(first.store.by_key)
    store.above = {child: set(parents) for child, parents in first.store.above.items()}
    other = second.store
    base = rank_of_root(store, other)
    for number in other.numbers():
        merge_position(store, other.node(number), base, first.rules, engines)
    for number in other.numbers():
        merge_links(store, other, other.node(number), base)
    rebuild(store, settings)
    settle_root(store)
    return dataclasses.replace(first, store=store, settings=settings)


def copied(project: Project, number: int) -> Project:
    """Return a copy of a node and all below."""
    store = MemoryStore()
    last = copy_root(project.store, number, store)
    at = ROOT
    while at <= last:
        last = max([last, *copy_children(project.store, store, at)])
        at += 1
    rebuild(store, project.settings)
    settle_root(store)
    return dataclasses.replace(project, store=store)


@BOUNDED
@given(GAMES, GROWTHS, GROWTHS)
def test_merging_is_the_same_both_ways(
    game: MadeUpGame, one: tuple[int, int, int, int], two: tuple[int, int, int, int]
) -> None:
    first, second = grown(game, one), grown(game, two, 1)
    there = merged(first, second, GrowthSettings())
    back = merged(second, first, GrowthSettings())
    check_tree(there)
    check_tree(back)
    assert as_positions(there) == as_positions(back)
    assert set(as_positions(there)) == set(first.store.by_key) | set(second.store.by_key)
    root = there.store.node(ROOT)
    assert root.turned == root.size
    grow(there, made_up_engine(game, 5), 10)
    check_tree(there)


@BOUNDED
@given(GAMES, GROWTHS)
def test_merging_with_itself_changes_no_value(
    game: MadeUpGame, growth: tuple[int, int, int, int]
) -> None:
    project = grown(game, growth)
    twice = merged(project, project, project.settings)
    before, after = as_positions(project), as_positions(twice)
    assert {key: plain(node) for key, node in after.items()} == {
        key: plain(node) for key, node in before.items()
    }


def plain(node: Node) -> Node:
    return replace(node, turned=0)


def test_a_stronger_search_counts_and_its_engine_is_found() -> None:
    game = MadeUpGame(4, places=20)
    weak, strong = grown(game, (1, 25, 20, 100)), grown(game, (2, 25, 20, 500))
    for there in (merged(weak, strong, GrowthSettings(), (7,)),
                  merged(strong, weak, GrowthSettings(), (3,))):  # fmt: skip
        for key, node in as_positions(there).items():
            if node.kind is Kind.SEARCHED and key in strong.store.by_key:
                assert node.own == as_positions(strong)[key].own
    there = as_positions(merged(weak, strong, GrowthSettings(), (7,)))
    assert there[game.root()].engine == 7


@BOUNDED
@given(GAMES, GROWTHS, GROWTHS, SEEDS)
def test_a_tree_from_an_inner_position_is_grafted(
    game: MadeUpGame,
    one: tuple[int, int, int, int],
    two: tuple[int, int, int, int],
    choice: int,
) -> None:
    project = grown(game, one)
    numbers = list(project.store.numbers())
    inner = project.store.node(numbers[choice % len(numbers)])
    other = plant(game, inner.key, GrowthSettings(nodes=two[3]))
    grow(other, made_up_engine(game, two[0], 1), two[2])
    there = merged(project, other, GrowthSettings())
    check_tree(there)
    assert set(as_positions(there)) == set(project.store.by_key) | set(other.store.by_key)
    assert there.store.node(inner.number).rank <= inner.rank


def test_a_tree_that_has_no_position_in_common_is_refused() -> None:
    game = MadeUpGame(1)
    project = plant(game, game.root())
    other = plant(game, "0.3 b")
    with pytest.raises(ForeignTreeError):
        merged(project, other, GrowthSettings())


@BOUNDED
@given(GAMES, GROWTHS, SEEDS)
def test_a_copy_of_a_subtree_has_all_below_and_no_claims(
    game: MadeUpGame, growth: tuple[int, int, int, int], choice: int
) -> None:
    project = grown(game, growth)
    claim_leaf(project)
    number = choice % len(project.store.nodes) + 1
    copy = copied(project, number)
    target = copy.store
    check_tree(copy)
    below = {project.store.node(each).key for each in reachable(project, number)}
    assert set(target.by_key) == below
    assert not any(node.is_claimed for node in target.nodes.values())
    assert target.node(ROOT).turned == target.node(ROOT).size
    grow(copy, made_up_engine(game, 9), 10)
    check_tree(copy)


def reachable(project: Project, number: int) -> set[int]:
    found, waiting = {number}, [number]
    while waiting:
        node = project.store.node(waiting.pop())
        children = (each.child for each in node.candidates if each.child is not None)
        new = {each for each in children if node.is_above(project.store.node(each))} - found
        found |= new
        waiting += new
    return found


@BOUNDED
@given(GAMES, GROWTHS, st.integers(5, 80))
def test_other_settings_count_after_a_tree_is_rebuilt(
    game: MadeUpGame, growth: tuple[int, int, int, int], width: int
) -> None:
    project = grown(game, growth)
    before = as_positions(project)
    rebuild(project.store, project.settings)
    assert as_positions(project) == before
    side = SideSettings(width)
    other = dataclasses.replace(project, settings=GrowthSettings(side, side))
    rebuild(other.store, other.settings)
    check_tree(other)
