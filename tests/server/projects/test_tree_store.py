"""The nodes of a project in one transaction: what was read stays, and is never out of date."""

from collections.abc import Iterator

import pytest
from helpers.projecting import MUCH, new_project

from rookery_server.access.account import Account
from rookery_server.growth.node import Node
from rookery_server.projects import tree_store
from rookery_server.projects.project_queries import changing
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.tree_store import TreeStore

EMPTY = "8/8/8/8/8/8/8/K6k"
KEYS = [f"{EMPTY} w - {square}" for square in ("a6", "b6", "c6")]


@pytest.fixture
def tree(url: str) -> Iterator[TreeStore]:
    store = ProjectStore(url)
    project = store.create(new_project(Account("anna")), MUCH)
    with changing(store._database, project.number) as connection:
        yield TreeStore(connection, project.tree, project.positions)
    store.close()


def test_a_parent_that_is_linked_later_counts(tree: TreeStore) -> None:
    first, second, child = (tree.add(Node(key, 1)) for key in KEYS)
    tree.link(first, child)
    assert tree.parents(child) == [first]
    tree.link(second, child)
    tree.link(second, child)
    assert tree.parents(child) == [first, second]


def test_a_position_that_was_looked_for_in_vain_is_found_when_it_is_there(tree: TreeStore) -> None:
    assert tree.node_of(KEYS[0]) is None
    tree.read_positions(KEYS)
    assert tree.node_of(KEYS[1]) is None
    numbers = [tree.add(Node(key, 1)) for key in KEYS]
    assert [found.number for key in KEYS if (found := tree.node_of(key))] == numbers


def test_what_is_read_ahead_is_there_when_the_memory_is_full(
    tree: TreeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_store, "MOST_KEPT", 2)
    numbers = [tree.add(Node(key, 1)) for key in KEYS]
    tree.flush()
    tree.read_positions([*KEYS, f"{EMPTY} b - -"])
    assert [found.number for key in KEYS if (found := tree.node_of(key))] == numbers
    tree.read_nodes([*numbers, 99])
    assert [tree.node(each).key for each in numbers] == KEYS
