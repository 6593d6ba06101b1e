"""The growth of projects in the database: the same rules for SQLite and PostgreSQL."""

import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec
import pytest
import sqlalchemy as sa
from helpers import projecting
from helpers.projecting import MUCH, SETTINGS, Worker, finished, found_in, new_project, tree_of

from rookery_protocol.errors import RefusedError
from rookery_server.access.account import Account
from rookery_server.config.resources import Quota
from rookery_server.database import database
from rookery_server.database.server_register import OwnClaims
from rookery_server.database.tables import project_claims, project_links
from rookery_server.growth.backup import rebuild
from rookery_server.growth.finding import Line, RefusedFindingError
from rookery_server.growth.node import ROOT, Kind
from rookery_server.growth.steering import UnknownMoveError, add_line, exclude_move
from rookery_server.growth.value import TABLE
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.stored_project import (
    DamageError,
    EndCause,
    ProjectBudget,
    ProjectStage,
    SideRules,
    StoredProject,
)
from rookery_server.projects.tree_growth import FinishedSearch

ANNA = Account("anna")
FINISHED, PAUSED, FAILED = ProjectStage.FINISHED, ProjectStage.PAUSED, ProjectStage.FAILED
MATED = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"  # in one
SIZE = 150  # nodes


@pytest.fixture
def store(url: str) -> Iterator[ProjectStore]:
    store = ProjectStore(url)
    yield store
    store.close()


@pytest.fixture
def server(store: ProjectStore) -> int:
    return store.register_server()


def grown(store: ProjectStore, server: int, size: int = SIZE, **fields: object) -> Worker:
    worker = Worker(store, server, store.create(new_project(ANNA, **fields), MUCH))
    worker.grow(size)
    return worker


def now_of(store: ProjectStore, project: StoredProject) -> StoredProject:
    found = store.project_of(project.account.name, project.id)
    assert found
    return found


def run_sql(store: ProjectStore, text: str, **values: object) -> None:
    with store._database.writing() as connection:
        connection.execute(sa.text(text), values)


def test_tree_grows_with_what_was_found(store: ProjectStore, server: int) -> None:
    worker = grown(store, server)
    project = now_of(store, worker.project)
    assert project.positions >= SIZE
    assert project.leaves == len(worker.made)
    assert project.nodes == sum(each.leaf.nodes for each in worker.made)
    assert project.spent == project.leaves
    assert project.held == len(worker.held) == 2
    root = store.read_tree(project.number, lambda tree: tree.node(ROOT))
    assert root.kind is Kind.SEARCHED
    assert root.size == project.positions - project.held
    best = root.best()
    assert best
    assert best.value == root.value
    nodes = store.read_tree(project.number, lambda tree: tree.nodes_behind(0, 1000))
    assert [each.number for each in nodes] == list(range(1, project.positions + 1))
    known = {each.key for each in nodes}
    assert len(known) == len(nodes)
    child = nodes[-1]
    assert child.found_by
    assert child.found_by in store.read_tree(
        project.number, lambda tree: tree.parents(child.number)
    )


def test_two_projects_grow_to_one_tree(store: ProjectStore, server: int, url: str) -> None:
    one, other = grown(store, server), grown(store, server)
    trees = [tree_of(url, each.project) for each in (one, other)]
    assert [row[1:] for row in trees[0]] == [row[1:] for row in trees[1]]


def test_growth_that_is_cut_between_its_steps_comes_to_the_same_tree(
    store: ProjectStore, server: int, url: str
) -> None:
    undisturbed = grown(store, server).project
    chooser = random.Random(1)
    project = store.create(new_project(ANNA), MUCH)
    while project.positions < SIZE:
        worker = Worker(store, server, project)
        worker.grow(min(SIZE, project.positions + chooser.randint(1, 15)))
        project = worker.project
        store.remove_server(server)  # as others do with one that is gone
        store._own.claims.clear()
        server = store.register_server()
    assert [row[1:] for row in tree_of(url, project)] == [
        row[1:] for row in tree_of(url, undisturbed)
    ]


def test_growth_whose_commits_were_not_heard_of_comes_to_the_same_tree(
    store: ProjectStore, server: int, url: str
) -> None:
    undisturbed = grown(store, server).project
    worker = Worker(store, server, store.create(new_project(ANNA), MUCH))
    chooser = random.Random(2)
    while worker.project.positions < SIZE:
        if chooser.random() < 0.3:
            before, held = set(store._own.claims), list(worker.held)
            store.advance(
                worker.project.number, server, [finished(each) for each in held[:1]], 1, MUCH
            )
            store._own.claims = before
        worker.search_next()
    tree, expected = tree_of(url, worker.project), tree_of(url, undisturbed)
    assert [row[1:] for row in tree] == [row[1:] for row in expected]


@pytest.mark.timeout(300)
def test_process_is_killed_again_and_again(url: str) -> None:
    """At random moments, in the middle of transactions too."""
    store = ProjectStore(url)
    undisturbed = grown(store, store.register_server()).project
    store.change_stage(undisturbed.number, [ProjectStage.ACTIVE], PAUSED)
    project = store.create(new_project(ANNA), MUCH)
    chooser = random.Random(3)
    for number in range(1, 6):
        with subprocess.Popen([sys.executable, projecting.__file__, url, str(SIZE)]) as process:
            while now_of(store, project).positions < number * SIZE // 6:
                assert process.poll() is None
                time.sleep(chooser.random() / 50)
            process.send_signal(signal.SIGKILL)
    subprocess.run([sys.executable, projecting.__file__, url, str(SIZE)], check=True)
    tree, expected = tree_of(url, project), tree_of(url, undisturbed)
    assert [row[1:] for row in tree] == [row[1:] for row in expected]
    store.close()


def test_two_servers_never_have_one_leaf(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 30.0)  # A server would ask again.
    first = ProjectStore(url)
    project = first.create(new_project(ANNA), MUCH)
    first_server = first.register_server()
    begun = Worker(first, first_server, project)
    begun.grow(10)
    first.release(begun.held, first_server)
    lock, both = threading.Lock(), threading.Barrier(2)
    places: list[int] = []

    def grow_share(_: int) -> int:
        store = ProjectStore(url)
        worker = Worker(store, store.register_server(), project)
        for _ in range(3):
            worker.search_next()
        both.wait()  # SQLite may give one of them all turns after that.
        worker.grow(SIZE)
        with lock:
            places.extend(each.place for each in worker.made)
        store.release(worker.held, worker.server)
        store.close()
        return len(worker.made)

    with ThreadPoolExecutor(2) as threads:
        shares = list(threads.map(grow_share, range(2)))
    assert min(shares) > 1
    assert len(set(places)) == len(places)
    last = Worker(first, first_server, project)
    last.grow(SIZE + 20)
    assert last.project.leaves == len(begun.made) + len(places) + len(last.made)
    before = tree_of(url, project)
    first.change_tree(project.number, lambda tree: rebuild(tree.store, tree.settings), MUCH)
    assert tree_of(url, project) == before
    first.close()


def test_result_of_a_released_claim_is_refused(store: ProjectStore, server: int) -> None:
    worker = grown(store, server, 20)
    claim, other = worker.held
    store.release([claim], server)
    growth = store.advance(worker.project.number, server, [finished(claim)], 1, MUCH)
    assert growth
    assert growth.lost == (claim.number,)
    assert [each.leaf for each in growth.claims] == [claim.leaf]  # It is free, and the oldest.
    assert growth.claims[0].number != claim.number
    again = store.advance(worker.project.number, server, [finished(other)], 0, MUCH)
    assert again
    assert again.lost == ()
    twice = store.advance(worker.project.number, server, [finished(other)], 0, MUCH)
    assert twice
    assert twice.lost == (other.number,)


def test_paused_project_grows_no_more_and_goes_on(store: ProjectStore, server: int) -> None:
    worker = grown(store, server, 20)
    number, held = worker.project.number, list(worker.held)
    assert store.change_stage(number, [ProjectStage.ACTIVE], PAUSED)
    assert store.advance(number, server, [finished(held[0])], 1, MUCH) is None
    assert store.change_stage(number, [PAUSED], ProjectStage.ACTIVE)
    growth = store.advance(number, server, [], 2, MUCH)
    assert growth
    assert [each.leaf for each in growth.claims] == [each.leaf for each in held]


def test_impossible_result_is_refused_and_changes_nothing(
    store: ProjectStore, server: int, url: str
) -> None:
    worker = grown(store, server, 20)
    before = tree_of(url, worker.project)
    claim = worker.held[0]
    found = found_in(claim.leaf)
    for wrong in (
        replace(found, lines=(Line("e2e5", 0),)),
        replace(found, lines=(Line(found.lines[0].move, 25_000),)),
        replace(found, lines=()),
        replace(found, nodes=-1),
        25_000,  # no value of a tablebase
    ):
        result = FinishedSearch(claim.number, wrong)
        with pytest.raises(RefusedFindingError):
            store.advance(worker.project.number, server, [result], 1, MUCH)
    assert tree_of(url, worker.project) == before
    assert now_of(store, worker.project).stage is ProjectStage.ACTIVE
    assert worker.search_next()


def test_leaf_that_no_engine_can_search_is_left_out(store: ProjectStore, server: int) -> None:
    worker = grown(store, server, 20)
    claim = worker.held[0]
    result = FinishedSearch(claim.number, None)
    growth = store.advance(worker.project.number, server, [result], 1, MUCH)
    assert growth
    assert growth.lost == ()
    assert claim.leaf.number not in {each.leaf.number for each in growth.claims}
    node = store.read_tree(worker.project.number, lambda tree: tree.node(claim.leaf.number))
    assert (node.kind, node.value) == (Kind.FAILED, None)


def test_tablebase_gives_a_leaf_its_value(store: ProjectStore, server: int) -> None:
    worker = grown(store, server, 20)
    claim = worker.held[0]
    won = FinishedSearch(claim.number, TABLE)
    assert store.advance(worker.project.number, server, [won], 1, MUCH)
    node = store.read_tree(worker.project.number, lambda tree: tree.node(claim.leaf.number))
    assert (node.kind, node.value, node.is_proven) == (Kind.TABLEBASE, TABLE, True)


@pytest.mark.parametrize(
    ("budget", "cause", "reason"),
    [
        (ProjectBudget(positions=40), "positions", "it has the 40 positions that it was to have"),
        (ProjectBudget(nodes=90_000), "nodes", "it has searched the 90000 nodes"),
        (ProjectBudget(cpu_seconds=1), "cpu_seconds", "it has taken the 1 seconds of CPU"),
        (ProjectBudget(until=1), "until", "its time is over"),
        (ProjectBudget(stable=8), "stable", "its best move has been the same"),
    ],
)
def test_budget_ends_a_project(
    store: ProjectStore, server: int, budget: ProjectBudget, cause: str, reason: str
) -> None:
    worker = Worker(store, server, store.create(new_project(ANNA, budget=budget), MUCH))
    if budget.cpu_seconds:
        run_sql(store, "UPDATE projects SET spent = 990")
    worker.grow(200)
    project = now_of(store, worker.project)
    assert project.stage is FINISHED
    assert project.cause == cause
    assert reason in (project.reason or "")
    assert project.held == 0
    if budget.positions:
        assert project.positions == 40
    # More of it, and it goes on.
    store.change(project.number, budget=ProjectBudget())
    store.change_stage(project.number, [FINISHED], ProjectStage.ACTIVE)
    assert now_of(store, project).cause is None
    assert worker.search_next()


def test_project_without_anything_to_search_is_finished(store: ProjectStore, server: int) -> None:
    mated = "R6k/8/6K1/8/8/8/8/8 b - - 0 1"
    worker = Worker(store, server, store.create(new_project(ANNA, fen=mated), MUCH))
    assert not worker.search_next()
    project = now_of(store, worker.project)
    assert (project.stage, project.cause) == (FINISHED, EndCause.EXHAUSTED)
    assert project.reason == "there is nothing left to search"


def test_quota_pauses_a_project(store: ProjectStore, server: int) -> None:
    other = grown(store, server, 30).project
    quota = Quota(project_nodes=other.positions + 25)
    worker = Worker(store, server, store.create(new_project(ANNA), MUCH), quota)
    worker.grow(200)
    project = now_of(store, worker.project)
    assert (project.stage, project.positions) == (PAUSED, 25)
    assert project.cause is EndCause.QUOTA
    assert project.reason == "its account has as many positions as it may"
    with pytest.raises(RefusedError, match="positions, and may have 25"):
        store.change_tree(
            project.number, lambda tree: add_line(tree, ["a2a3", "a7a6", "a3a4", "a6a5"]), quota
        )
    assert now_of(store, project).positions == 25


def test_owner_changes_a_tree(store: ProjectStore, server: int) -> None:
    project = grown(store, server, 20).project
    root = store.read_tree(project.number, lambda tree: tree.node(ROOT))
    best = root.best()
    assert best
    store.change_tree(project.number, lambda tree: exclude_move(tree, ROOT, best.move), MUCH)
    changed = store.read_tree(project.number, lambda tree: tree.node(ROOT))
    assert changed.best() != best
    with pytest.raises(UnknownMoveError):  # No damage: it is the client who is wrong.
        store.change_tree(project.number, lambda tree: exclude_move(tree, ROOT, "e2e5"), MUCH)
    assert now_of(store, project).stage is ProjectStage.ACTIVE


def test_node_is_searched_again_next(store: ProjectStore, server: int) -> None:
    worker = grown(store, server, 20)
    number = worker.project.number
    assert store.search_again(number, 5, 7_000_000)
    assert not store.search_again(number, 5, 7_000_000)  # It is in work.
    growth = store.advance(number, server, [], 1, MUCH)
    assert growth
    (claim,) = growth.claims
    assert (claim.leaf.number, claim.leaf.nodes) == (5, 7_000_000)
    store.advance(number, server, [finished(claim)], 0, MUCH)
    assert store.read_tree(number, lambda tree: tree.node(5)).nodes == 7_000_000


def test_searches_with_times_count_in_the_budget_when_they_are_done(
    store: ProjectStore, server: int
) -> None:
    settings = msgspec.structs.replace(SETTINGS, nodes=10**9, movetime=50)
    budget = ProjectBudget(nodes=5 * 10**9)
    project = store.create(new_project(ANNA, settings=settings, budget=budget), MUCH)
    grown = store.advance(project.number, server, [], 1, MUCH)
    assert grown
    [claim] = grown.claims
    assert claim.leaf.movetime == 200
    store.release([claim], server)
    again = store.advance(project.number, server, [], 1, MUCH)
    assert again
    assert again.claims[0].leaf == claim.leaf
    done = [replace(finished(again.claims[0]), found=replace(found_in(claim.leaf), nodes=7))]
    more = store.advance(project.number, server, done, 3, MUCH)
    assert more
    assert (more.project.nodes, len(more.claims)) == (7, 3)


def test_new_settings_reach_all_nodes_in_portions(
    store: ProjectStore, server: int, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rookery_server.projects.tree_growth.REFRESHED", 20)
    worker = grown(store, server)
    number = worker.project.number
    assert not store.refresh(number)
    wider = msgspec.structs.replace(SETTINGS, white=SideRules(width=60), black=SideRules(width=10))
    store.change(number, settings=wider)
    before = tree_of(url, worker.project)
    steps = 1
    while store.refresh(number):
        worker.search_next()  # The growth goes on.
        steps += 1
    assert steps > SIZE // 20
    after = tree_of(url, worker.project)
    assert after[: len(before)] != before
    store.change_tree(number, lambda tree: rebuild(tree.store, tree.settings), MUCH)
    assert tree_of(url, worker.project) == after


CANDIDATES = "UPDATE project_nodes SET candidates = '[1,%s]' WHERE number = 1"
DAMAGES = {
    "no JSON": (CANDIDATES % "x", "node 1 is damaged: no candidates: JSON is malformed"),
    "a wild candidate": (CANDIDATES % '["e2e4",25000,null,0,null,0]', "no candidate"),
    "an illegal move": (CANDIDATES % '["e2e5",0,null,0,null,0]', "e2e5 is not legal"),
    "no child": (CANDIDATES % '["e2e4",0,4000,0,0,0]', "node 4000 is missing"),
    "no value": ("UPDATE project_nodes SET value = 25000 WHERE number = 1", "value 25000"),
    "no count": ("UPDATE project_nodes SET size = -1 WHERE number = 1", "size is -1"),
    "no kind": ("UPDATE project_nodes SET kind = 'eaten' WHERE number = 1", "'eaten'"),
    "no trend": ("UPDATE project_nodes SET trend = '[0.5]' WHERE number = 1", "node 1 is damaged"),
    "a wild trend": ("UPDATE project_nodes SET trend = '[31000]' WHERE number = 1", "no trend"),
    "no key": ("UPDATE project_nodes SET key = 'x' WHERE number = 1", "no key: 'x'"),
    "no position": ("UPDATE project_nodes SET key = '8/8/9/8 w - -'", "the tree is damaged"),
    "no node": ("DELETE FROM project_nodes WHERE number = 1", "node 1 is missing"),
    "no search": ("UPDATE project_claims SET search = '[]'", "the search of node"),
    "an unknown claim": ("UPDATE project_claims SET node = 1", "no search of node 1 is in work"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_tree_fails_and_says_why(store: ProjectStore, server: int, damage: str) -> None:
    text, reason = DAMAGES[damage]
    worker = grown(store, server, 10)
    run_sql(store, f"{text}{' AND' if 'WHERE' in text else ' WHERE'} project = 1")
    other = grown(store, server, 10)
    with pytest.raises(DamageError, match=reason):
        worker.grow(1000)
    project = now_of(store, worker.project)
    assert (project.stage, project.cause) == (FAILED, EndCause.DAMAGE)
    assert project.reason
    assert not worker.search_next()
    assert other.search_next()


def test_damage_that_a_reader_finds_fails_the_project(store: ProjectStore, server: int) -> None:
    project = grown(store, server, 10).project
    run_sql(store, "UPDATE project_nodes SET depth = -5 WHERE number = 3")
    with pytest.raises(DamageError, match="node 3 is damaged: depth is -5"):
        store.read_tree(project.number, lambda tree: tree.nodes_behind(0))
    assert now_of(store, project).stage is FAILED


def test_links_are_those_of_the_candidates(store: ProjectStore, server: int) -> None:
    project = grown(store, server).project
    nodes = store.read_tree(project.number, lambda tree: tree.nodes_behind(0))
    told = {(each.child, node.number) for node in nodes for each in node.candidates if each.child}
    with store._database.reading() as connection:
        query = sa.select(project_links.c.child, project_links.c.parent)
        assert {tuple(row) for row in connection.execute(query)} == told


def test_other_processes_claims_are_none_of_this_one(url: str) -> None:
    first, second = ProjectStore(url), ProjectStore(url, OwnClaims())
    worker = grown(first, first.register_server(), 10)
    before = [each.number for each in worker.held]
    server = second.register_server()
    assert second.show_server(server, 0.0) == (True, 1)
    growth = second.advance(worker.project.number, server, [], 2, MUCH)
    assert growth
    assert not {each.number for each in growth.claims} & set(before)
    query = sa.select(sa.func.count()).select_from(project_claims)
    with first._database.reading() as connection:
        assert connection.execute(query).scalar() == 4
    first.close()
    second.close()


@pytest.mark.parametrize("kept", [7, 5000])
def test_bottom_up_is_by_order_and_can_go_on(
    store: ProjectStore, server: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rookery_server.projects.tree_store.PORTION", 3)
    monkeypatch.setattr("rookery_server.projects.tree_store.MOST_KEPT", kept)
    project = grown(store, server, 60).project
    nodes = store.read_tree(project.number, lambda tree: tree.nodes_behind(0, 1000))
    expected = [each.number for each in sorted(nodes, key=lambda each: (each.order, each.number))]
    assert store.read_tree(project.number, lambda tree: list(tree.bottom_up())) == expected
    assert store.change_tree(project.number, lambda tree: list(tree.store.bottom_up()), MUCH)
    assert store.read_tree(project.number, lambda tree: list(tree.numbers())) == sorted(expected)
    by_number = {each.number: each for each in nodes}
    for at in (0, 10, len(expected) - 1):
        node = by_number[expected[at]]
        place = node.phase, node.rank, node.number
        rest = store.read_tree(
            project.number, lambda tree, place=place: list(tree.bottom_up(place))
        )
        assert rest == expected[at + 1 :]
