"""Projects in the database: the same rules for SQLite and PostgreSQL."""

import concurrent.futures
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import msgspec
import pytest
import sqlalchemy as sa
from helpers.projecting import (
    MUCH,
    SETTINGS,
    Worker,
    build,
    finished,
    found_in,
    new_project,
    tree_of,
)
from helpers.support import TIMEOUT

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account, Role
from rookery_server.api.schema import MAX_OPTIONS
from rookery_server.config.resources import Quota
from rookery_server.database.tables import (
    project_claims,
    project_links,
    project_nodes,
    projects,
)
from rookery_server.growth.expansion import Project
from rookery_server.growth.merging import ForeignTreeError
from rookery_server.growth.node import ROOT, Node
from rookery_server.growth.steering import add_line, exclude_move
from rookery_server.projects import project_store
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.stored_project import (
    EndCause,
    GrowthEnd,
    ProjectBudget,
    ProjectEngine,
    ProjectSettings,
    ProjectStage,
    SideRules,
    StoredProject,
)
from rookery_server.projects.tree_growth import Claim, FinishedSearch

ANNA, BOB = Account("anna"), Account("bob", Role.ADMIN, "token")
ACTIVE, PAUSED, FAILED = ProjectStage.ACTIVE, ProjectStage.PAUSED, ProjectStage.FAILED
TABLES = (project_claims, project_links, project_nodes, projects)


@pytest.fixture
def store(url: str) -> Iterator[ProjectStore]:
    store = ProjectStore(url)
    yield store
    store.close()


def change_row(store: ProjectStore, project: StoredProject, **values: object) -> None:
    here = projects.c.number == project.number
    with store._database.writing() as connection:
        connection.execute(sa.update(projects).where(here).values(values))


def count(store: ProjectStore, table: sa.Table) -> int:
    with store._database.reading() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def test_each_change_raises_the_revision(store: ProjectStore) -> None:
    server = store.register_server()
    project = store.create(new_project(ANNA), MUCH)

    def revision() -> int:
        found = store.project_of(ANNA.name, project.id)
        assert found
        return found.revision

    found = [project.revision]
    grown = store.advance(project.number, server, [], 1, MUCH)
    assert grown
    assert grown.project.revision == revision()
    found.append(revision())
    changes: list[Callable[[], object]] = [
        lambda: store.release(grown.claims, server),
        lambda: store.change(project.number, name="other"),
        lambda: store.change_account(project.number, BOB),
        lambda: store.change_stage(project.number, [ACTIVE], PAUSED),
        lambda: store.change_tree(project.number, lambda tree: None, MUCH),
    ]
    for change in changes:
        change()
        found.append(revision())
    assert found == list(range(found[0], found[0] + len(found)))


def test_a_step_of_growth_does_not_undo_a_pause(store: ProjectStore, url: str) -> None:
    """Begin a step that has read the project, and store a pause by another server meanwhile."""
    project = store.create(new_project(ANNA), MUCH)
    other = ProjectStore(url)
    is_asked = threading.Event()

    def pause() -> bool:
        is_asked.set()
        return other.change_stage(project.number, [ACTIVE], PAUSED)

    with ThreadPoolExecutor(1) as thread:

        def step(_: object) -> None:
            nonlocal paused
            paused = thread.submit(pause)
            assert is_asked.wait(TIMEOUT)
            concurrent.futures.wait([paused], timeout=0.2)  # It may not, and waits for this step.

        paused: Future[bool] | None = None
        store.change_tree(project.number, step, MUCH)
        assert paused
        assert paused.result(TIMEOUT)
    other.close()
    found = store.project_of(ANNA.name, project.id)
    assert found
    assert found.stage is PAUSED


def test_project_is_its_accounts_as_it_was_posted(store: ProjectStore) -> None:
    side = SideRules(10, 3, 2)
    engines = (ProjectEngine("a", (("Hash", "16"),)), ProjectEngine("b"))
    settings = msgspec.structs.replace(SETTINGS, engines=engines, white=side)
    new = new_project(
        BOB,
        name="Ä \N{WHITE CHESS KING}",
        moves=("e2e4", "e7e5"),
        settings=settings,
        budget=ProjectBudget(positions=7),
    )
    project = store.create(new, MUCH)
    found = store.project_of("bob", project.id)
    assert found == project
    assert (found.account, found.account.token, found.name) == (BOB, "token", new.name)
    assert (found.root, found.settings, found.budget) == (new.root, settings, new.budget)
    assert (found.stage, found.positions, found.held) == (ACTIVE, 1, 0)
    assert found.settings.growth.white.limit == 2
    assert store.project_of("anna", project.id) is None
    assert store.projects_of("anna") == []
    assert len(project.id) == 32


def test_quota_of_projects(store: ProjectStore) -> None:
    quota = Quota(projects=2)
    first, _ = (store.create(new_project(ANNA), quota) for _ in range(2))
    with pytest.raises(RefusedError, match="2 projects, and may have 2") as refused:
        store.create(new_project(ANNA), quota)
    assert refused.value.notice.code is Code.QUOTA_PROJECTS
    store.create(new_project(BOB), quota)
    assert store.change_stage(first.number, [ACTIVE], ProjectStage.DELETED)
    assert store.create(new_project(ANNA), quota)
    mine = store.projects_of("anna")
    assert (len(mine), sum(each.positions for each in mine)) == (2, 2)


def test_stage_settings_and_budget_change(store: ProjectStore) -> None:
    project = store.create(new_project(ANNA), MUCH)
    full = GrowthEnd(EndCause.QUOTA, "full")
    assert store.change_stage(project.number, [ACTIVE], PAUSED, full)
    assert not store.change_stage(project.number, [ACTIVE], PAUSED)
    wider = msgspec.structs.replace(SETTINGS, white=SideRules(width=60))
    budget = ProjectBudget(stable=100)
    assert store.change(project.number, name="other", settings=wider, budget=budget)
    store.change_account(project.number, Account("anna", Role.ADMIN, "later"))
    found = store.project_of("anna", project.id)
    assert found
    assert (found.stage, found.name) == (PAUSED, "other")
    assert (found.cause, found.reason) == (full.cause, full.reason)
    assert (found.settings, found.budget) == (wider, budget)
    assert (found.account.role, found.account.token) == (Role.ADMIN, "later")
    assert store.active_projects() == []
    assert store.states() == {"paused": 1}
    assert store.change_stage(project.number, [PAUSED], ProjectStage.DELETED)
    assert not store.change(project.number, name="gone")
    assert store.project_of("anna", project.id) is None


@pytest.mark.parametrize(
    ("column", "text", "reason"),
    [
        ("settings", "{", "the settings of the project cannot be read"),
        ("settings", '{"engines":[]}', "length >= 1 - at `$.engines`"),
        ("settings", '{"engines":[{"name":"a"}],"nodes":0}', ">= 1 - at `$.nodes`"),
        ("budget", '{"nodes":-1}', "the budget of the project cannot be read"),
        ("budget", '{"other":1}', "unknown field `other`"),
        ("root", "[]", "the root of the project cannot be read"),
        ("stage", "eaten", "'eaten'"),
        ("cause", "hunger", "'hunger'"),
        ("role", "queen", "'queen'"),
        ("positions", -1, "positions is -1"),
    ],
)
def test_damaged_project_has_failed_and_others_have_not(
    store: ProjectStore, column: str, text: object, reason: str
) -> None:
    damaged, other = (store.create(new_project(ANNA), MUCH) for _ in range(2))
    change_row(store, damaged, **{column: text})
    found = {each.number: each for each in store.projects_of("anna")}
    if column != "stage":  # One of an unknown state is shown to none.
        assert found[damaged.number].stage is FAILED
        assert found[damaged.number].cause is EndCause.DAMAGE
        assert reason in (found[damaged.number].reason or "")
        assert [each.number for each in store.active_projects()] == [other.number]
        assert store.states() == {"active": 1, "failed": 1}
    assert found[other.number].stage is ACTIVE
    server = store.register_server()
    assert store.advance(damaged.number, server, [], 1, MUCH) is None
    assert store.advance(other.number, server, [], 1, MUCH)


def test_deleted_project_is_removed_piece_by_piece(
    store: ProjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_store, "PURGED", 10)
    server = store.register_server()
    gone, other = (store.create(new_project(ANNA), MUCH) for _ in range(2))
    for each in (gone, other):
        Worker(store, server, each).grow(35)
    before = {table.name: count(store, table) for table in TABLES}
    store.change_stage(gone.number, [ACTIVE], ProjectStage.DELETED)
    assert [each.id for each in store.projects_of("anna")] == [other.id]
    assert store.advance(gone.number, server, [], 1, MUCH) is None
    steps = 0
    while store.purge():
        steps += 1
    assert steps > 3
    assert {table.name: 2 * count(store, table) for table in TABLES} == before


def test_claims_of_a_server_that_is_gone_are_free(store: ProjectStore, url: str) -> None:
    here, gone, late = (store.register_server() for _ in range(3))
    project = store.create(new_project(ANNA), MUCH)
    worker = Worker(store, gone, project)
    worker.grow(10)
    left = [each.leaf for each in worker.held]
    store._own.claims.clear()  # They are another process's.
    for now in range(0, 31, 5):
        assert store.show_server(here, now) == (True, 2)
        store.show_server(late, now)
    assert store.show_server(here, 35) == (True, 1)
    taken = store.advance(project.number, here, [], 2, MUCH)
    assert taken
    assert [each.leaf for each in taken.claims] == left
    # The other is still there, after all: nothing of it counts.
    result = finished(worker.held[0])
    before = tree_of(url, project)
    refused = store.advance(project.number, gone, [result], 0, MUCH)
    assert refused
    assert (refused.lost, refused.claims) == ((result.claim,), ())
    assert tree_of(url, project) == before
    assert store.show_server(gone, 36) == (False, 2)


def grown(
    store: ProjectStore, positions: int, *moves: str, account: Account = ANNA
) -> StoredProject:
    server = store.register_server()
    store.show_server(server, 0.0)
    worker = Worker(store, server, store.create(new_project(account, moves=moves), MUCH))
    worker.grow(positions)
    store.remove_server(server)
    return worker.project


def nodes_by_key(store: ProjectStore, project: StoredProject) -> dict[str, Node]:
    nodes = store.read_tree(project.number, lambda tree: tree.nodes_behind(0, 10_000))
    return {each.key: each for each in nodes}


def test_part_of_a_tree_is_copied_to_a_project(store: ProjectStore) -> None:
    source = grown(store, 60)
    nodes = nodes_by_key(store, source)
    [root] = [each for each in nodes.values() if each.number == 1]
    best = root.best()
    assert best
    assert best.child
    copy = store.builds.begin_copy(source, best.child, new_project(ANNA, moves=(best.move,)), MUCH)
    copy = build(store, copy)
    assert copy.stage is PAUSED
    found = nodes_by_key(store, copy)
    assert copy.positions == len(found) > 1
    [first] = [each for each in found.values() if each.number == 1]
    assert (first.rank, first.found_by) == (0, None)
    assert first.value == nodes[first.key].value
    # Those that carry are copied, though another move has found them first.
    assert all(found[key].own == nodes[key].own for key in found)
    little = Quota(projects=10, project_nodes=len(nodes) + len(found))
    with pytest.raises(RefusedError) as refused:
        build(store, store.builds.begin_copy(source, 1, new_project(ANNA), little), little)
    assert refused.value.notice.code is Code.QUOTA_PROJECTS
    assert len(store.projects_of("anna")) == 2


def test_an_account_with_too_many_positions_may_do_what_adds_none(store: ProjectStore) -> None:
    one = grown(store, 40)
    nothing = Quota(projects=10, project_nodes=1)
    move = store.read_tree(one.number, lambda tree: tree.node(ROOT)).candidates[0].move

    def exclude(tree: Project) -> str:
        exclude_move(tree, ROOT, move)
        return move

    assert store.change_tree(one.number, exclude, nothing) == move
    with pytest.raises(RefusedError):
        store.change_tree(one.number, lambda tree: add_line(tree, ("h2h4", "h7h5")), nothing)


def test_as_many_options_as_a_request_has_are_read_again(store: ProjectStore) -> None:
    options = tuple((f"Option {number}", "x") for number in range(MAX_OPTIONS))
    settings = ProjectSettings((ProjectEngine("rookery", options),))
    project = store.create(new_project(ANNA, settings=settings), MUCH)
    found = store.project_of("anna", project.id)
    assert found
    assert (found.stage, found.settings) == (ACTIVE, settings)


def test_times_that_no_search_takes_are_counted_as_the_most(store: ProjectStore) -> None:
    project = store.create(new_project(ANNA), MUCH)
    server = store.register_server()
    claims: tuple[Claim, ...] = ()
    for _ in range(5):
        done = [
            FinishedSearch(each.number, replace(found_in(each.leaf), nodes=2**53 - 1), 2**62)
            for each in claims
        ]
        growth = store.advance(project.number, server, done, 1, MUCH)
        assert growth
        claims = growth.claims
    assert growth.project.nodes == 4 * (2**53 - 1)
    assert growth.project.spent == 2**63 - 1


def test_trees_are_merged_in_the_database(store: ProjectStore) -> None:
    one, other = grown(store, 40), grown(store, 30)
    part = grown(store, 20, nodes_by_key(store, one)[one_key(store, one)].candidates[0].move)
    foreign = grown(store, 5, "h2h4", "h7h5", "g2g4")
    before = nodes_by_key(store, one).keys()
    keys = before | nodes_by_key(store, other).keys() | nodes_by_key(store, part).keys()
    for each in (other, part):
        assert store.builds.begin_merge(one.number, each.number)
        build(store, one)
    assert nodes_by_key(store, one).keys() == keys
    merged = store.project_of("anna", one.id)
    assert merged
    assert merged.positions == len(keys)
    with pytest.raises(ForeignTreeError):
        store.builds.begin_merge(one.number, foreign.number)
    little = Quota(projects=10, project_nodes=len(keys))
    more = grown(store, 80)
    assert store.builds.begin_merge(one.number, more.number)
    with pytest.raises(RefusedError):
        build(store, one, little)
    assert nodes_by_key(store, one).keys() == keys


def one_key(store: ProjectStore, project: StoredProject) -> str:
    return store.read_tree(project.number, lambda tree: tree.node(1)).key
