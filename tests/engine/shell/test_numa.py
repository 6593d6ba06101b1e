"""Processors of the threads."""

import os
import threading
from pathlib import Path

import pytest

from rookery_engine.shell import numa
from rookery_uci import UciError


def cpus(text: str) -> frozenset[int]:
    return numa.parse_cpus(text, text)


@pytest.fixture
def two_nodes(monkeypatch, tmp_path: Path) -> None:
    """A machine of two groups, of which this process may not use processor 3."""
    for node, text in enumerate(("0-3", "4-5,8")):
        (tmp_path / f"node{node}").mkdir()
        (tmp_path / f"node{node}" / "cpulist").write_text(f"{text}\n")
    (tmp_path / "node2").mkdir()
    (tmp_path / "node2" / "cpulist").write_text("\n")  # memory without processors
    monkeypatch.setattr(numa, "NODES", tmp_path)
    monkeypatch.setattr(numa, "allowed_cpus", lambda: frozenset({0, 1, 2, 4, 5, 8}))


def test_lists_of_processors() -> None:
    assert cpus("3") == {3}
    assert cpus("0-2,7,9-10") == {0, 1, 2, 7, 9, 10}


@pytest.mark.parametrize("text", [
    "x", "1,", "1-", "-1", "3-1", "0-99999", "1:x", "0-15;3", "\u0661", "1 2", "system,1",
])  # fmt: skip
def test_what_is_no_policy_is_refused(text: str) -> None:
    with pytest.raises(UciError, match="NumaPolicy needs auto, none"):
        numa.places(text, 2)


def test_policies(two_nodes: None) -> None:
    assert numa.nodes_of("none") == []
    assert numa.nodes_of("hardware") == [cpus("0-3"), cpus("4-5,8")]
    assert numa.nodes_of("system") == [cpus("0-2"), cpus("4-5,8")]
    assert numa.nodes_of("0-1:2") == [cpus("0-1"), cpus("2")]


def test_auto_binds_when_one_node_would_be_crowded(two_nodes: None) -> None:
    assert numa.places("auto", 1) == []
    assert numa.places("", 1) == []
    assert numa.places("auto", 2) == [cpus("0-2"), cpus("4-5,8")]


def test_threads_are_spread_by_size() -> None:
    nodes = [cpus("0-3"), cpus("4-5")]
    placed = numa.distribute(nodes, 6)
    assert [placed.count(node) for node in nodes] == [4, 2]


def test_machine_with_one_node_binds_nothing(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numa, "NODES", tmp_path)
    assert numa.places("auto", 64) == numa.places("system", 64) == []


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux binds threads")
def test_a_thread_is_bound_and_no_other() -> None:
    before = os.sched_getaffinity(0)
    (first, *_) = before
    seen: list[set[int]] = []

    def work() -> None:
        numa.bind(frozenset({first}))
        seen.append(os.sched_getaffinity(0))
        numa.bind(frozenset({numa.MAX_CPU}))
        seen.append(os.sched_getaffinity(0))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [{first}, {first}]
    assert os.sched_getaffinity(0) == before
