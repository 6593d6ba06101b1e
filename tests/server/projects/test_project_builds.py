"""Trees that are built of others in portions, in SQLite and PostgreSQL."""

from collections.abc import Iterator

import msgspec
import pytest
import sqlalchemy as sa
from helpers.projecting import MUCH, Worker, build, new_project, statements_of

from rookery_protocol.errors import RefusedError
from rookery_server.access.account import Account
from rookery_server.config.resources import Quota
from rookery_server.database.tables import project_links, project_nodes, projects
from rookery_server.growth.backup import rebuild
from rookery_server.growth.expansion import Project
from rookery_server.growth.node import ROOT, Node
from rookery_server.growth.steering import add_line
from rookery_server.projects import project_builds, tree_build, tree_store
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.stored_project import (
    DamageError,
    EndCause,
    ProjectStage,
    SideRules,
    StoredProject,
)

ANNA = Account("anna")
SIZE = 60


@pytest.fixture
def store(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ProjectStore]:
    monkeypatch.setattr(tree_build, "NODES", 11)
    monkeypatch.setattr(tree_build, "MERGED", 11)
    monkeypatch.setattr(tree_build, "ROWS", 17)
    store = ProjectStore(url)
    yield store
    store.close()


def grown(store: ProjectStore, size: int = SIZE, *moves: str) -> StoredProject:
    worker = Worker(
        store, store.register_server(), store.create(new_project(ANNA, moves=moves), MUCH)
    )
    worker.grow(size)
    return now(store, worker.project)


def now(store: ProjectStore, project: StoredProject) -> StoredProject:
    found = store.project_of(project.account.name, project.id)
    assert found
    return found


def nodes_of(store: ProjectStore, project: StoredProject) -> list[Node]:
    return store.read_tree(project.number, lambda tree: tree.nodes_behind(0, 10_000))


def merge(store: ProjectStore, one: StoredProject, other: StoredProject) -> StoredProject:
    assert store.builds.begin_merge(one.number, other.number)
    return build(store, one)


def counts(store: ProjectStore) -> list[int]:
    with store._database.reading() as connection:
        return [
            connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in (projects, project_nodes, project_links)
        ]


def test_portions_make_the_tree_that_all_at_once_makes(
    store: ProjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = grown(store, 40, "e2e4")
    one, same = grown(store), grown(store)
    assert nodes_of(store, one) == nodes_of(store, same)
    merged = merge(store, one, other)
    monkeypatch.setattr(tree_build, "NODES", 10_000)
    monkeypatch.setattr(tree_build, "MERGED", 10_000)
    monkeypatch.setattr(tree_build, "ROWS", 10_000)
    at_once = merge(store, same, other)
    assert nodes_of(store, one) == nodes_of(store, same)
    assert merged.positions == at_once.positions > one.positions
    assert merged.stage is ProjectStage.ACTIVE
    # All values follow from the searches and the links.
    before = nodes_of(store, one)
    store.change_tree(one.number, lambda tree: rebuild(tree.store, tree.settings), MUCH)
    assert nodes_of(store, one) == before


def test_a_build_goes_on_after_a_kill_and_nothing_of_it_is_seen_before_its_end(
    store: ProjectStore, url: str
) -> None:
    one, other = grown(store), grown(store, 50, "e2e4")
    before = nodes_of(store, one)
    assert store.builds.begin_merge(one.number, other.number)
    server = store.register_server()
    portions, done = 0, [0]
    while True:
        again = ProjectStore(url)  # Each portion is another server's.
        has_more = again.builds.advance(one.number, MUCH)
        again.close()
        if not has_more:
            break
        portions += 1
        building = now(store, one)
        assert building.stage is ProjectStage.BUILDING
        assert building.build
        done.append(building.build.done)
        assert nodes_of(store, one) == before
        assert store.advance(one.number, server, [], 1, MUCH) is None
        assert store.change_tree(one.number, lambda tree: 1, MUCH) is None
        assert not store.builds.begin_merge(one.number, other.number)
    assert portions > 10
    assert done == sorted(set(done))
    assert len(nodes_of(store, one)) == now(store, one).positions > len(before)
    growth = store.advance(one.number, server, [], 1, MUCH)
    assert growth
    assert growth.claims


def test_a_build_that_is_refused_leaves_the_tree_and_is_removed(store: ProjectStore) -> None:
    one, other = grown(store), grown(store, 50, "e2e4")
    before, rows = nodes_of(store, one), counts(store)
    assert store.builds.begin_merge(one.number, other.number)
    little = Quota(projects=10, project_nodes=one.positions + other.positions + 5)
    with pytest.raises(RefusedError):
        build(store, one, little)
    assert nodes_of(store, one) == before
    assert now(store, one).stage is ProjectStage.ACTIVE
    with pytest.raises(RefusedError):
        build(store, store.builds.begin_copy(one, ROOT, new_project(ANNA), little), little)
    assert len(store.projects_of("anna")) == 2
    while store.purge():
        pass
    assert counts(store) == rows


def test_a_damaged_project_that_is_built_fails_and_is_built_no_more(store: ProjectStore) -> None:
    one, other = grown(store), grown(store, 50, "e2e4")
    assert store.builds.begin_merge(one.number, other.number)
    assert [each.number for each in store.builds.building()] == [one.number]
    with store._database.writing() as connection:
        here = projects.c.number == one.number
        connection.execute(sa.update(projects).where(here).values(settings="{"))
    assert store.builds.building() == []
    failed = now(store, one)
    assert (failed.stage, failed.cause) == (ProjectStage.FAILED, EndCause.DAMAGE)
    while store.purge():
        pass
    with store._database.reading() as connection:
        stages = connection.execute(sa.select(projects.c.stage)).scalars().all()
    assert sorted(stages) == [ProjectStage.ACTIVE, ProjectStage.FAILED]  # and no draft


def test_a_build_ends_when_a_project_of_it_is_deleted(store: ProjectStore) -> None:
    one, other = grown(store), grown(store, 50, "e2e4")
    before = nodes_of(store, one)
    assert store.builds.begin_merge(one.number, other.number)
    store.change_stage(other.number, [ProjectStage.ACTIVE], ProjectStage.DELETED)
    with pytest.raises(DamageError, match="was deleted"):
        build(store, one)
    assert nodes_of(store, one) == before
    third = grown(store, 10)
    assert store.builds.begin_merge(one.number, third.number)
    store.builds.advance(one.number, MUCH)
    store.change_stage(one.number, [ProjectStage.BUILDING], ProjectStage.DELETED)
    assert not store.builds.advance(one.number, MUCH)
    store.change_stage(third.number, [ProjectStage.ACTIVE], ProjectStage.DELETED)
    while store.purge():
        pass
    assert counts(store) == [0, 0, 0]


LINES = (("e2e4", "e7e5", "g1f3", "b8c6"), ("e2e4", "c7c5"), ("d2d4",), ("d2d4", "g8f6"))


def test_lines_are_added_in_portions_and_after_a_kill_go_on(
    store: ProjectStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_builds, "MOST_MOVES", 3)
    one, same = grown(store, 20), grown(store, 20)
    server = store.register_server()
    assert store.builds.begin_import(one.number, LINES)
    done = []
    has_more = True
    while has_more:
        building = now(store, one)
        assert building.stage is ProjectStage.BUILDING
        assert building.build
        assert building.build.total == sum(map(len, LINES))
        done.append(building.build.done)
        assert store.advance(one.number, server, [], 1, MUCH) is None
        assert not store.builds.begin_import(one.number, LINES)
        again = ProjectStore(url)  # Each portion is another server's.
        has_more = again.builds.advance(one.number, MUCH)
        again.close()
    assert done == [0, 4, 7]
    assert now(store, one).stage is ProjectStage.ACTIVE

    def add_all(tree: Project) -> None:
        for line in LINES:
            add_line(tree, line)

    store.change_tree(same.number, add_all, MUCH)
    assert nodes_of(store, one) == nodes_of(store, same)
    assert now(store, one).positions == now(store, same).positions
    growth = store.advance(one.number, server, [], 1, MUCH)
    assert growth
    assert growth.claims


def test_lines_that_are_too_many_are_refused(
    store: ProjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_builds, "MOST_MOVES", 1)
    little = Quota(projects=10, project_nodes=6)
    one = store.create(new_project(ANNA), little)
    assert store.change_stage(one.number, [ProjectStage.ACTIVE], ProjectStage.PAUSED)
    assert store.builds.begin_import(one.number, LINES)
    with pytest.raises(RefusedError, match="7 positions"):
        build(store, one, little)
    found = now(store, one)  # What was added stays.
    assert (found.stage, found.positions, found.build) == (ProjectStage.PAUSED, 6, None)
    assert len(nodes_of(store, one)) == 6
    new = store.create(new_project(ANNA), MUCH, LINES)
    with pytest.raises(RefusedError):
        build(store, new, Quota(projects=10, project_nodes=10))
    assert [each.number for each in store.projects_of("anna")] == [one.number]


def test_nodes_that_get_new_priorities_are_read_in_few_statements(store: ProjectStore) -> None:
    one = grown(store, 150)
    wider = msgspec.structs.replace(one.settings, white=SideRules(width=90))
    store.change(one.number, settings=wider)
    with statements_of(store) as statements:
        assert not store.refresh(one.number)
    assert 0 < len(statements) < one.positions / 2


def test_the_number_of_a_tree_is_not_another_projects(store: ProjectStore) -> None:
    one, other = grown(store, 20), grown(store, 20, "e2e4")
    for _ in range(2):
        merged = merge(store, one, other)
        while store.purge():
            pass
        new = store.create(new_project(ANNA), MUCH)
        assert len(nodes_of(store, new)) == 1
    assert len(nodes_of(store, one)) == merged.positions
    for each in store.projects_of("anna"):
        store.change_stage(each.number, [ProjectStage.ACTIVE], ProjectStage.DELETED)
    while store.purge():
        pass
    assert counts(store) == [0, 0, 0]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)  # PostgreSQL plans by what is there.
def test_a_position_is_found_by_its_hash_and_not_among_all(store: ProjectStore) -> None:
    query = tree_store._BY_HASH.compile(store._database.engine)
    with store._database.reading() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", (1, 2)).all()
    assert ["project_nodes_hash" in each.detail for each in plan] == [True]
