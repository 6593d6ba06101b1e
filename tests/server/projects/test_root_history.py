"""The last changes at the root of a project."""

from collections.abc import Iterator

import pytest
from helpers.projecting import MUCH, Worker, new_project

from rookery_server.growth.node import ROOT, Candidate, Node
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.root_history import MOST_CHANGES, RootChange, with_root

KEY = "8/8/8/8/8/8/8/k1K5 w - -"


@pytest.fixture
def store(url: str) -> Iterator[ProjectStore]:
    store = ProjectStore(url)
    yield store
    store.close()


def root_with(value: int, size: int, move: str = "c1c2") -> Node:
    return Node(KEY, 0, candidates=(Candidate(move, value, value=value),), size=size)


def test_a_root_without_a_value_has_no_history() -> None:
    assert with_root((), Node(KEY, 0), 1) == ()


def test_what_stays_is_told_once() -> None:
    history = with_root((), root_with(10, 1), 5)
    assert history == (RootChange(1, 5, "c1c2", 10),)
    assert with_root(history, root_with(10, 2), 6) == history


@pytest.mark.parametrize("root", [root_with(11, 2), root_with(10, 2, "c1d2")])
def test_another_value_and_another_move_are_changes(root: Node) -> None:
    history = with_root((), root_with(10, 1), 5)
    best = root.candidates[0]
    assert with_root(history, root, 6)[1:] == (RootChange(2, 6, best.move, best.own or 0),)


def test_only_the_last_changes_are_kept() -> None:
    history: tuple[RootChange, ...] = ()
    for size in range(2 * MOST_CHANGES):
        history = with_root(history, root_with(size, size), size)
    assert [each.size for each in history] == list(range(MOST_CHANGES, 2 * MOST_CHANGES))


def test_a_project_has_the_history_of_its_root(store: ProjectStore) -> None:
    worker = Worker(store, store.register_server(), store.create(new_project(), MUCH))
    worker.grow(60)
    found = store.project_of(worker.project.account.name, worker.project.id)
    assert found
    assert found.history == worker.project.history
    assert len(found.history) > 1
    root = store.read_tree(found.number, lambda tree: tree.node(ROOT))
    best = root.best()
    assert best
    assert (found.history[-1].move, found.history[-1].value) == (best.move, root.value)
    sizes = [each.size for each in found.history]
    assert sizes == sorted(sizes)
