"""The thread of the database: its requests, and the failures that it survives."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.support import TIMEOUT, full_disk, until

from rookery_analysis.evaluation import PositionEvaluation
from rookery_server.cache import cache_service
from rookery_server.cache.cache_query import CacheQuery
from rookery_server.cache.cache_service import CacheService
from rookery_server.cache.evaluation_store import EvaluationStore
from rookery_server.cache.question import Question
from rookery_server.config.sections import CacheConfig
from rookery_server.database.database import StoreError
from rookery_server.engines.engine_build import Build, stamps_of
from rookery_uci import Position

SAID = b"info depth 20 multipv 1 score cp 31 nodes 5000 time 700 pv e2e4 e7e5\n"
CONFIG = CacheConfig()


class WaitingService(CacheService):
    """A service whose replies can be awaited."""

    async def answer(self, query: CacheQuery) -> bytes:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bytes] = loop.create_future()
        if not self.look_up(query, future.set_result):
            return b"no answer"
        async with asyncio.timeout(TIMEOUT):
            return await future

    async def until_works(self, works: bool, query: CacheQuery) -> None:
        async with asyncio.timeout(TIMEOUT):
            while True:
                await self.answer(query)
                if self.works is works:
                    return
                await asyncio.sleep(0.01)

    async def until_stored(self, count: int) -> None:
        await until(lambda: self.counts.stored >= count)


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_service, "BATCH_TIME", 0.05)
    monkeypatch.setattr(cache_service, "FIRST_REST", 0.1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache.sqlite"


@pytest.fixture
async def service(path: Path) -> AsyncIterator[WaitingService]:
    service = WaitingService(CONFIG, f"sqlite:///{path}")
    yield service
    await asyncio.get_running_loop().run_in_executor(None, service.close)


@contextmanager
def no_room(path: Path) -> Iterator[None]:
    """Fill the disk: the database can be read, and not written."""
    with closing(EvaluationStore(f"sqlite:///{path}")) as other:
        other.evaluations_of("")  # Its connection keeps SQLite's other files, which need room too.
        with full_disk(4096):
            yield


def program(folder: Path, text: str = "1") -> Path:
    path = folder / "engine"
    path.write_text(text)
    return path


def query_of(
    program: Path | None = None,
    *,
    name: str = "E 1",
    account: str = "",
    words: tuple[str, ...] = (),
    moves: tuple[str, ...] = (),
    options: tuple[tuple[str, str], ...] = (),
    lines: int = 1,
) -> CacheQuery:
    words = (str(program), *words) if program else ("engine", *words)
    question = Question(Position(None, moves), options=options, lines=lines)
    return CacheQuery(question, Build(name, words, stamps_of(words)), account)


async def test_stored_evaluation_is_found_at_once_and_later(
    service: WaitingService, path: Path
) -> None:
    query = query_of()
    assert await service.answer(query) == b""
    service.store(query, SAID)
    first = await service.answer(query)
    assert first.startswith(b"info string rookery cached: 1 line follows")
    assert first.endswith(b"\ninfo depth 20 multipv 1 score cp 31 nodes 0 time 0 pv e2e4 e7e5\n")
    await service.until_stored(1)
    assert await service.answer(query) == first
    counts = service.counts
    assert (counts.hits, counts.misses, counts.stored, counts.rows) == (2, 1, 1, 1)
    assert (counts.errors, counts.dropped) == (0, 0)


async def test_absurd_numbers_are_not_stored(service: WaitingService) -> None:
    """SQLite cannot hold them; engines say such when a clock goes backwards."""
    service.store(query_of(), SAID.replace(b"time 700", b"time 18446744073709551615"))
    service.store(query_of(moves=("e2e4",)), SAID.replace(b"e2e4 e7e5", b"e7e5"))
    await service.until_stored(1)
    assert await service.answer(query_of()) == b""
    assert service.counts.errors == 0


async def test_row_that_the_database_refuses_is_tried_once(
    service: WaitingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise OverflowError("a bug")

    with monkeypatch.context() as patch:
        patch.setattr(EvaluationStore, "store_rows", fail)
        service.store(query_of(), SAID)
        await until(lambda: service.counts.errors)
    service.store(query_of(moves=("e2e4",)), SAID.replace(b"e2e4 e7e5", b"e7e5"))
    await service.until_stored(1)
    assert service.counts.errors == 1


async def test_batch_is_written_at_the_end(path: Path) -> None:
    service = WaitingService(CONFIG, f"sqlite:///{path}")
    service.store(query_of(), SAID)
    await asyncio.get_running_loop().run_in_executor(None, service.close)
    store = EvaluationStore(f"sqlite:///{path}")
    assert store.summary().engines == {"E 1": 1}
    store.close()


async def test_shallow_analyses_are_not_stored(service: WaitingService) -> None:
    service.store(query_of(), SAID.replace(b"depth 20", b"depth 9"))
    assert await service.answer(query_of()) == b""


@pytest.mark.parametrize(
    "other",
    [
        {"name": "E 2"},
        {"account": "anna"},
        {"words": ("--strong",)},
        {"moves": ("e2e4",)},
        {"options": (("contempt", "5"),)},
    ],
)
async def test_other_question_has_no_answer(
    service: WaitingService, other: dict[str, object]
) -> None:
    service.store(query_of(), SAID)
    assert await service.answer(query_of(**other)) == b""  # type: ignore[arg-type]
    assert await service.answer(query_of())


async def test_same_program_elsewhere_is_the_same_engine(
    service: WaitingService, tmp_path: Path
) -> None:
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    first, second = (program(folder) for folder in folders)
    service.store(query_of(first), SAID)
    assert await service.answer(query_of(second))
    assert await service.answer(query_of(program(folders[1], "2"))) == b""


async def test_replaced_program_has_no_key(service: WaitingService, tmp_path: Path) -> None:
    running = query_of(program(tmp_path))
    service.store(running, SAID)
    assert await service.answer(running)
    replaced = query_of(program(tmp_path, "2"))
    assert await service.answer(running) == b""  # It runs still, but nobody knows what it is.
    service.store(running, SAID)
    assert await service.answer(replaced) == b""
    assert await service.answer(query_of(program(tmp_path))) != b""


async def test_program_that_cannot_be_read_has_no_key(
    service: WaitingService, tmp_path: Path
) -> None:
    query = query_of(program(tmp_path))
    gone = replace(query, build=replace(query.build, files=(None,)))
    (tmp_path / "engine").unlink()
    service.store(query, SAID)
    assert await service.answer(query) == b""
    assert await service.answer(gone) == b""
    assert service.works


async def test_network_of_an_option_counts_by_its_content(
    service: WaitingService, tmp_path: Path
) -> None:
    nets = [tmp_path / name for name in "abc"]
    for net, text in zip(nets, ("1", "1", "2"), strict=True):
        net.write_text(text)
    queries = [query_of(options=(("evalfile", str(net)),)) for net in nets]
    service.store(queries[0], SAID)
    assert await service.answer(queries[1])
    assert await service.answer(queries[2]) == b""


async def test_repeated_positions_are_neither_stored_nor_found(service: WaitingService) -> None:
    back = query_of(moves=("g1f3", "g8f6", "f3g1", "f6g8"))
    service.store(back, SAID)
    assert await service.answer(query_of()) == b""
    service.store(query_of(), SAID)
    assert await service.answer(back) == b""


async def test_client_gets_as_many_lines_as_it_wants(service: WaitingService) -> None:
    second = b"info depth 20 multipv 2 score cp 9 pv d2d4\n"
    service.store(query_of(lines=2), SAID + second)
    assert (await service.answer(query_of())).count(b"\n") == 2
    assert (await service.answer(query_of(lines=2))).count(b"\n") == 3
    assert (await service.answer(query_of(lines=9))).count(b"\n") == 3


# --- troubles


async def test_broken_file_is_one_line_in_the_log_until_it_is_removed(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "rookery_server.cache.cache_service")
    path.write_bytes(b"no database" * 1000)
    service = WaitingService(CONFIG, f"sqlite:///{path}")
    await service.until_works(False, query_of())
    async with asyncio.timeout(TIMEOUT):
        while service.counts.errors < 3:  # It has been tried again, twice.
            await service.answer(query_of())
            service.store(query_of(), SAID)
            await asyncio.sleep(0.01)
    assert service.counts.dropped
    path.unlink()
    await service.until_works(True, query_of())
    service.store(query_of(), SAID)
    assert await service.answer(query_of())
    await asyncio.get_running_loop().run_in_executor(None, service.close)
    warning, info = caplog.messages
    assert warning.startswith("analyses are not kept for now, but that is tried again: ")
    assert f"{path}: file is not a database" in warning
    assert info == "the cache works again"


async def test_locked_file_hinders_writing_and_not_reading(
    service: WaitingService, path: Path
) -> None:
    await service.answer(query_of())
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    service.store(query_of(), SAID)
    await until(lambda: not service.works)
    assert service.counts.errors == 1
    other.execute("ROLLBACK")
    other.close()
    await service.until_works(True, query_of())


async def test_full_disk_is_one_line_in_the_log(
    service: WaitingService, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Reading does not show a full disk, and `rookery_cache_up` must stay 0."""
    caplog.set_level(logging.INFO, "rookery_server.cache.cache_service")
    await service.answer(query_of())
    with no_room(path):
        service.store(query_of(), SAID)
        await until(lambda: not service.works)
        async with asyncio.timeout(TIMEOUT):
            while service.counts.errors < 4:
                await service.answer(query_of())
                service.store(query_of(), SAID)
                assert not service.works
                await asyncio.sleep(0.01)
        assert service._backoff._wait > cache_service.FIRST_REST
        (warning,) = caplog.messages
    assert warning.startswith("analyses are not kept for now, but that is tried again: ")


async def test_database_is_tried_again_without_questions(
    service: WaitingService, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "rookery_server.cache.cache_service")
    await service.answer(query_of())
    with no_room(path):
        service.store(query_of(), SAID)
        await until(lambda: service.counts.errors >= 2)
    await until(lambda: service.works)
    await until(lambda: caplog.messages[1:] == ["the cache works again"])
    service.store(query_of(), SAID)
    await service.until_stored(1)
    assert service.counts.rows == 1


async def test_analyses_that_cannot_be_written_are_counted_as_dropped(
    service: WaitingService, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_service, "BATCH", 2)
    await service.answer(query_of())
    with no_room(path):
        service.store(query_of(), SAID)
        service.store(query_of(moves=("e2e4",)), SAID.replace(b"e2e4 e7e5", b"e7e5"))
        await until(lambda: service.counts.dropped == 2)
    assert service.counts.stored == 0


async def test_analyses_that_wait_when_a_look_up_fails_are_counted_as_dropped(
    service: WaitingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> list[PositionEvaluation]:
        raise StoreError("gone")

    monkeypatch.setattr(cache_service, "BATCH_TIME", TIMEOUT)
    service.store(query_of(), SAID)
    with monkeypatch.context() as patch:
        patch.setattr(EvaluationStore, "evaluations_of_all", fail)
        assert await service.answer(query_of()) == b""
    assert (service.counts.dropped, service.counts.errors) == (2, 1)  # With the look-up.
    await until(lambda: service.works)


async def test_database_that_fails_does_not_delay_the_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_service, "FIRST_REST", 10 * TIMEOUT)
    path.write_bytes(b"no database" * 1000)
    service = WaitingService(CONFIG, f"sqlite:///{path}")
    await until(lambda: not service.works)
    await asyncio.get_running_loop().run_in_executor(None, service.close)
    assert not service._thread.is_alive()
    assert (service.counts.errors, service.counts.dropped) == (1, 0)


async def test_full_queue_loses_and_counts_and_never_waits(
    service: WaitingService, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = query_of()
    await service.answer(query)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    service.store(query, SAID)  # The thread is to wait for the lock.
    for _ in range(3 * cache_service.MAX_JOBS):
        service.store(query, SAID)
    assert service.counts.dropped >= cache_service.MAX_JOBS
    other.execute("ROLLBACK")
    other.close()


async def test_database_that_stands_still_delays_no_client(
    service: WaitingService,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Otherwise each search would be silent for `cache.patience`, without a reason in the log."""
    caplog.set_level(logging.INFO, "rookery_server.cache.cache_service")
    query = query_of()
    await service.answer(query)  # Opening it may take longer than that.
    monkeypatch.setattr(cache_service, "SLOW", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    service.store(query, SAID)  # The thread is to wait for the lock.
    await until(lambda: not service.look_up(query, lambda _: None))
    assert not service.works
    assert caplog.text.count("the database has not answered for 0.05 s") == 1
    other.execute("ROLLBACK")
    other.close()
    await until(lambda: service.works)  # And that though nobody asks.
    await until(lambda: "the cache works again" in caplog.text)


async def test_missing_database_is_tried_less_and_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_service, "LONGEST_REST", 0.4)
    service = WaitingService(CONFIG, f"postgresql://nobody@/none?host={tmp_path}")
    rests = set()
    async with asyncio.timeout(TIMEOUT):
        while max(rests, default=0.0) < 0.4:
            await service.answer(query_of())
            rests.add(service._backoff._wait)
            await asyncio.sleep(0.01)
    assert not service.works
    await asyncio.get_running_loop().run_in_executor(None, service.close)


async def test_question_that_breaks_something_does_not_end_the_thread(
    service: WaitingService,
) -> None:
    assert await service.answer(query_of(moves=("e2e5",))) is not None
    broken = query_of(moves=("what",))
    assert await service.answer(broken) == b""
    assert service.counts.errors == 1
    service.store(query_of(), SAID)
    assert await service.answer(query_of())
