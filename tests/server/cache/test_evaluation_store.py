"""The database of analyses: the same rules for SQLite and PostgreSQL, and what can go wrong."""

import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import chess
import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from helpers.jobbing import clear, file_url
from helpers.support import full_disk

from rookery_analysis.evaluation import PositionEvaluation
from rookery_server.cache.cache_query import StoredEvaluation
from rookery_server.cache.evaluation_store import EvaluationStore
from rookery_server.database.database import StoreError, upgrade
from rookery_server.database.tables import HEAD, metadata

PLENTY = 1000
TWO = """\
info depth {} multipv 1 score cp 31 nodes {} pv e2e4
info depth {} multipv 2 score cp 9 pv d2d4
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a database that has not even our tables yet."""
    if request.param == "sqlite":
        yield file_url(tmp_path)
        return
    found: str = request.getfixturevalue("postgres_server")
    clear(found)
    yield found
    clear(found)  # Some tests leave another form, which the tests of other modules cannot use.


@pytest.fixture
def store(url: str) -> Iterator[EvaluationStore]:
    store = EvaluationStore(url)
    yield store
    store.close()


def engine_of(url: str) -> sa.Engine:
    return sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))


def evaluation(depth: int = 20, nodes: int = 1000, variations: int = 1) -> PositionEvaluation:
    said = TWO.format(depth, nodes, depth).encode()
    found = PositionEvaluation.of_search(said, chess.Board())
    assert found
    return found.cut(variations)


def row(
    key: str = "a", stored: int = 5, account: str = "", engine: str = "E", **fields: int
) -> StoredEvaluation:
    return StoredEvaluation(key, account, engine, "startpos", evaluation(**fields), stored)


def put(store: EvaluationStore, *rows: StoredEvaluation, most: int = PLENTY) -> int:
    return store.store_rows(rows, {}, most)


def depths(store: EvaluationStore, key: str = "a") -> list[int]:
    return [each.depth for each in store.evaluations_of(key)]


def test_stored_rows_are_found(store: EvaluationStore) -> None:
    assert store.evaluations_of("a") == []
    assert put(store, row(variations=2)) == 1
    (found,) = store.evaluations_of("a")
    assert found.lines == evaluation(variations=2).lines
    assert found.stored == 5
    assert store.evaluations_of("b") == []


def test_rows_are_found_when_the_database_is_opened_again(store: EvaluationStore, url: str) -> None:
    put(store, row())
    again = EvaluationStore(url)
    assert depths(again) == [20]
    again.close()


def test_only_the_better_replaces(store: EvaluationStore) -> None:
    put(store, row(depth=20, nodes=1000))
    put(store, row(depth=19, nodes=9000))
    assert depths(store) == [20]
    put(store, row(depth=20, nodes=1001))
    assert store.evaluations_of("a")[0].nodes == 1001
    put(store, row(depth=21, nodes=5))
    assert depths(store) == [21]


def test_numbers_of_variations_do_not_replace_each_other(store: EvaluationStore) -> None:
    assert put(store, row(depth=30, variations=1), row(depth=20, variations=2)) == 2
    assert sorted(depths(store)) == [20, 30]


def test_the_least_used_goes_first(store: EvaluationStore) -> None:
    put(store, *(row(key, stored=when) for when, key in enumerate("abcd")))
    store.store_rows([row("e", stored=9)], {"a": 10}, 3)
    assert [key for key in "abcde" if store.evaluations_of(key)] == ["a", "d", "e"]


def test_many_of_one_second_do_not_all_go(store: EvaluationStore) -> None:
    assert put(store, *(row(str(n)) for n in range(300)), most=200) == 198


def test_prune_removes_the_old_and_the_surplus(store: EvaluationStore) -> None:
    put(store, *(row(key, stored=when) for when, key in enumerate("abcd")))
    assert store.prune(before=1) == 1
    assert store.prune(most=2) == 1
    assert [key for key in "abcd" if store.evaluations_of(key)] == ["c", "d"]
    assert store.prune(most=2, before=0) == 0


def test_clear_removes_of_an_engine_or_an_account(store: EvaluationStore) -> None:
    put(store, row("a", engine="X"), row("b", account="anna"), row("c", engine="X", account="bob"))
    assert store.clear(account="anna") == 1
    assert store.clear(engine="X", account="bob") == 1
    assert store.summary().engines == {"X": 1}
    assert store.clear() == 1
    assert store.summary().rows == 0


def test_summary_says_what_there_is(store: EvaluationStore) -> None:
    put(store, row("a", stored=3), row("b", stored=8, engine="F"))
    summary = store.summary()
    assert (summary.rows, summary.oldest, summary.newest) == (2, 3, 8)
    assert summary.engines == {"E": 1, "F": 1}
    assert store.size() > 0


def test_trial_leaves_what_is_there_as_it_is(store: EvaluationStore) -> None:
    put(store, row())
    before = store.summary()
    for _ in range(2):
        store.try_writing()
    assert store.summary() == before
    assert put(store, row("b")) == 2


def test_broken_text_is_no_evaluation(store: EvaluationStore, url: str) -> None:
    put(store, row())
    engine = engine_of(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE evaluations SET lines = 'bestmove e2e4'"))
    engine.dispose()
    assert store.evaluations_of("a") == []


# --- the form of the database


def test_migrations_lead_to_the_tables_of_the_code(store: EvaluationStore, url: str) -> None:
    engine = engine_of(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == HEAD
    engine.dispose()


def test_older_form_is_upgraded_with_what_is_in_it(url: str) -> None:
    engine = engine_of(url)
    with engine.begin() as connection:
        upgrade(connection, to="v1_evaluations")
        values = row(stored=7).values()
        del values["used"]
        old = sa.table("evaluations", *map(sa.column, values))
        connection.execute(sa.insert(old).values(values))
    engine.dispose()
    store = EvaluationStore(url)
    assert depths(store) == [20]
    assert store.prune(before=7) == 0
    assert store.prune(before=8) == 1  # It counts as used when it was stored.
    store.close()


def test_newer_form_is_refused_and_left_alone(url: str) -> None:
    EvaluationStore(url).close()
    engine = engine_of(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'v99'"))
    with pytest.raises(StoreError, match="a newer server has made it"):
        EvaluationStore(url)
    with engine.connect() as connection:
        assert sa.inspect(connection).has_table("evaluations")
    engine.dispose()


def test_two_servers_may_begin_at_once(url: str) -> None:
    with ThreadPoolExecutor(2) as threads:
        stores = list(threads.map(EvaluationStore, [url] * 2))
    for depth, store in enumerate(stores, start=10):
        put(store, row(depth=depth))
    assert depths(stores[0]) == [11]
    for store in stores:
        store.close()


# --- SQLite's own troubles


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "cache.sqlite"


def file_store(path: Path) -> EvaluationStore:
    return EvaluationStore(f"sqlite:///{path}")


def test_file_is_for_its_owner_only(path: Path) -> None:
    store = file_store(path)
    put(store, row())
    for each in (path, path.with_name(path.name + "-wal"), path.parent):
        assert not stat.S_IMODE(each.stat().st_mode) & 0o077, each
    store.close()


def test_file_that_is_no_database_is_reported_and_kept(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 1000)
    with pytest.raises(StoreError, match=r"not a database; see that it is the server's file"):
        file_store(path)
    assert path.read_bytes().startswith(b"no database")


def test_backup_is_named_for_the_servers_own_file_only(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(path.parent))
    path.parent.mkdir()
    path.write_bytes(b"no database " * 1000)
    with pytest.raises(StoreError, match=r"not a database; move .*cache\.sqlite .* backup"):
        file_store(path)


def test_file_of_something_else_is_left_as_it_is(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE games (pgn TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="tables of something else"):
        file_store(path)
    assert path.read_bytes() == before


def test_damage_is_an_error_of_ours(path: Path) -> None:
    store = file_store(path)
    put(store, *(row(str(n)) for n in range(500)))
    store.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
    with pytest.raises(StoreError, match="malformed"):
        file_store(path).evaluations_of("77")


def test_locked_file_is_an_error_until_it_is_free(path: Path) -> None:
    store = file_store(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        put(store, row())
    assert store.evaluations_of("a") == []  # Reading does not wait.
    other.execute("ROLLBACK")
    assert put(store, row()) == 1
    other.close()
    store.close()


def test_full_disk_is_an_error_until_there_is_room(path: Path) -> None:
    store = file_store(path)
    with full_disk(65536), pytest.raises(StoreError, match=r"cache\.sqlite: "):
        put(store, *(row(str(n)) for n in range(2000)), most=10**6)
    assert store.summary().rows == 0
    assert put(store, row()) == 1
    store.close()


def test_trial_finds_a_full_disk_where_opening_finds_none(path: Path) -> None:
    file_store(path).close()
    size = path.stat().st_size
    with full_disk(65536):
        store = file_store(path)
        assert store.summary().rows == 0
        with pytest.raises(StoreError, match=r"cache\.sqlite: "):
            store.try_writing()
    store.try_writing()
    assert store.size() == size
    store.close()


def test_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"File exists.*; set cache\.file"):
        file_store(tmp_path / "file" / "cache.sqlite")


# --- PostgreSQL's own


def test_database_that_is_not_there_is_an_error_without_a_password(tmp_path: Path) -> None:
    place = f"/rookery?host={tmp_path}"
    for url in (f"anna:hunter2@{place}", f"anna@{place}&password=hunter2"):
        with pytest.raises(StoreError) as caught:
            EvaluationStore(f"postgresql://{url}")
        assert "hunter2" not in str(caught.value)
        assert "connection" in str(caught.value)


def test_machine_that_vanishes_is_noticed_in_seconds(postgres_server: str) -> None:
    """TCP itself would take a quarter of an hour, or two hours if nothing is on its way."""
    with (
        closing(EvaluationStore(postgres_server)) as store,
        store._database.engine.connect() as connection,
    ):
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        told = driver.info.get_parameters()
    assert 0 < int(told["tcp_user_timeout"]) <= 10_000
    last = int(told["keepalives_count"]) * int(told["keepalives_interval"])
    assert int(told["keepalives_idle"]) + last <= 12


def test_url_that_cannot_be_read_is_an_error_without_a_password() -> None:
    with pytest.raises(StoreError, match="URL cannot be read") as caught:
        EvaluationStore("postgresql://anna:hunter2@host:port/rookery")
    assert "hunter2" not in str(caught.value)
    assert caught.value.__suppress_context__
