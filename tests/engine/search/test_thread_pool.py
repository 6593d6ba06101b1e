"""Several threads: one answer, all stopped before it, and memory that may lack."""

import os
import subprocess
import sys
import threading

import pytest
from helpers.searches import Search

from rookery_engine.core.board import Board
from rookery_engine.search.searcher import Searcher
from rookery_uci import Info, Limits

MANY = 64


def with_threads(count: int, hash_mb: int = 4) -> Searcher:
    searcher = Searcher(hash_mb)
    assert searcher.set_threads(count)
    return searcher


def running() -> int:
    """Return the number of system threads of this process."""
    return len(os.listdir("/proc/self/task"))


@pytest.mark.parametrize("words", ["depth 9", "nodes 50000", "movetime 50", "mate 1", "nodes 1",
                                   "wtime 1000 btime 1000"])  # fmt: skip
@pytest.mark.parametrize("count", [2, MANY])
def test_every_limit_ends_all_threads(words: str, count: int) -> None:
    before = running()
    search = Search(words=words, searcher=with_threads(count, 1))
    assert running() <= before  # less: the thread of a test before this one was just ending
    search.assert_legal(search.last.pv)
    assert search.last.pv[0] == search.best.move


def test_nodes_are_summed_and_still_a_limit() -> None:
    searches = [Search(words="nodes 300000", searcher=with_threads(2)) for _ in range(3)]
    for search in searches:
        assert search.nodes >= 300_000
        assert search.last.nodes <= search.nodes
    # The first thread sees the nodes of the other one every 1024 of its own, but not while a busy
    # system lets it wait.
    assert min(each.nodes for each in searches) < 330_000


def test_depth_is_that_of_the_first_thread() -> None:
    search = Search(words="depth 8", searcher=with_threads(4))
    assert search.last.depth == 8


def test_stop_ends_all_threads() -> None:
    def on_info(search: Search, _: Info) -> None:
        search.searcher.stop()

    before = running()
    assert Search(words="infinite", searcher=with_threads(8), on_info=on_info).best.move
    assert running() <= before  # less: the thread of a test before this one was just ending


HASTY = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1"  # Qxf7 is mate


@pytest.mark.parametrize("count", [1, 4])
@pytest.mark.parametrize("limits", [Limits(infinite=True), Limits(ponder=True)])
def test_stop_before_the_first_node_still_lets_it_look_once(limits: Limits, count: int) -> None:
    searcher = with_threads(count)
    searcher.prepare_search(Board(HASTY), limits)
    searcher.stop()
    assert searcher.run().move == "h5f7"


def test_time_that_is_over_before_the_first_thread_has_begun_still_lets_it_look_once() -> None:
    searcher = with_threads(128, 1)
    for _ in range(10):
        assert Search(HASTY, "movetime 1", searcher=searcher).best.move == "h5f7"


def test_one_thread_again_is_as_if_there_had_never_been_more() -> None:
    searcher = with_threads(3)
    Search(words="depth 7", searcher=searcher)
    searcher.set_threads(1)
    searcher.clear()
    assert Search(words="depth 9", searcher=searcher).nodes == Search(words="depth 9").nodes


def test_number_of_threads_is_kept_within_its_bounds() -> None:
    for count in (-5, 0, 1, 512, 10**6):
        searcher = Searcher(1)
        assert searcher.set_threads(count)


def test_threads_of_a_searcher_may_change_between_searches() -> None:
    searcher = Searcher(1)
    for count in (3, 1, 8, 2):
        searcher.set_threads(count)
        before = threading.active_count()
        assert Search(words="depth 6", searcher=searcher).best.move
        assert threading.active_count() == before


LACKING = """
import resource
from rookery_engine.core.board import Board
from rookery_engine.search.searcher import Searcher
from rookery_uci import Limits

def limit(mib):
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (mib << 20), -1))

def search():
    texts = []
    searcher.prepare_search(Board(), Limits(depth=5), report=texts.extend)
    return searcher.run().move, [text[12:] for text in texts if text.startswith("info string")]

searcher = Searcher(4)
searcher.set_threads(2)
limit(2)
print(search())
limit(20)
print(searcher.set_threads(400), searcher.set_threads(3), searcher.resize(1024), search())
"""


def test_lack_of_memory_is_reported() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LACKING], capture_output=True, text=True, timeout=60, check=True
    )
    no_stack, no_room = done.stdout.splitlines()
    assert "only 1 of 2 threads started" in no_stack
    assert no_room.startswith("False True False ('")


def test_more_threads_than_cores_end_in_time() -> None:
    """Any thread may see that the time is over; the first may not get its turn for seconds."""
    search = Search(words="movetime 100", searcher=with_threads(512, 1))
    assert search.last.time < 3000


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux binds threads")
def test_threads_stay_where_they_are_placed() -> None:
    (cpu, *_) = os.sched_getaffinity(0)
    seen: list[list[frozenset[int]]] = []

    def on_info(search: Search, _: Info) -> None:
        if not seen:
            mine = threading.get_native_id()
            tasks = [int(name) for name in os.listdir("/proc/self/task") if int(name) not in before]
            seen.append([frozenset(os.sched_getaffinity(task)) for task in (mine, *tasks)])
            search.searcher.stop()

    def run() -> None:
        searcher = Searcher(4)
        searcher.set_threads(3)
        searcher.set_places([frozenset({cpu})] * 3)
        before.add(threading.get_native_id())
        Search(words="infinite", searcher=searcher, on_info=on_info)

    before = {int(name) for name in os.listdir("/proc/self/task")}
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [[frozenset({cpu})] * 3]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux binds threads")
def test_thread_runs_anywhere_again_after_its_search() -> None:
    """It may be the one to do `setoption`, which then asks what processors there are."""
    everywhere = os.sched_getaffinity(0)
    (cpu, *_) = everywhere
    seen: list[set[int]] = []

    def run() -> None:
        searcher = with_threads(2)
        searcher.set_places([frozenset({cpu})] * 2)
        Search(words="depth 3", searcher=searcher)
        seen.append(os.sched_getaffinity(0))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [everywhere]
