"""The resources of a machine, told from made-up files of the system."""

import resource
from pathlib import Path

import pytest

from rookery_server.config.resources import Size
from rookery_server.scheduling.machine_resources import (
    MIB,
    Machine,
    memory_mb,
    raise_descriptors,
    survey,
    threads,
)

GIB = 1 << 30
UNLIMITED_V1 = "9223372036854771712\n"


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def mount(at: str, kind: str, options: str = "rw", inside: str = "/") -> str:
    return f"31 23 0:28 {inside} {at} rw,nosuid shared:9 - {kind} none {options}\n"


V2 = {
    "proc/self/cgroup": "0::/club.slice/rookery.service\n",
    "proc/self/mountinfo": mount("/proc", "proc") + mount("/sys/fs/cgroup", "cgroup2"),
}
V1 = {
    "proc/self/cgroup": "4:memory:/club\n2:cpu,cpuacct:/club\n1:name=systemd:/\n",
    "proc/self/mountinfo": mount("/sys/fs/cgroup/cpu,cpuacct", "cgroup", "rw,cpu,cpuacct")
    + mount("/sys/fs/cgroup/memory", "cgroup", "rw,memory"),
}
OWN = "sys/fs/cgroup/club.slice/rookery.service/"


@pytest.mark.parametrize(("quota", "cpus"), [
    ("150000 100000\n", 1), ("200000 100000\n", 2), ("350000 100000\n", 3), ("max 100000\n", 8),
    ("20000 100000\n", 1), ("1600000 100000\n", 8), ("", 8), ("nonsense\n", 8), ("1000 0\n", 8),
    ("50000", 8),
])  # fmt: skip
def test_quota_leaves_whole_threads_and_at_least_one(tmp_path: Path, quota: str, cpus: int) -> None:
    assert threads(tree(tmp_path, V2 | {OWN + "cpu.max": quota}), 8) == cpus


@pytest.mark.parametrize(("quota", "cpus"), [("150000\n", 1), ("400000\n", 4), ("-1\n", 8)])
def test_quota_of_version_1(tmp_path: Path, quota: str, cpus: int) -> None:
    folder = "sys/fs/cgroup/cpu,cpuacct/club/"
    files = {folder + "cpu.cfs_quota_us": quota, folder + "cpu.cfs_period_us": "100000\n"}
    assert threads(tree(tmp_path, V1 | files), 8) == cpus


def test_tightest_of_the_groups_above_counts(tmp_path: Path) -> None:
    files = {
        OWN + "cpu.max": "600000 100000\n",
        "sys/fs/cgroup/club.slice/cpu.max": "300000 100000\n",
        OWN + "memory.max": "max\n",
        "sys/fs/cgroup/club.slice/memory.max": f"{2 * GIB}\n",
        "sys/fs/cgroup/memory.max": f"{3 * GIB}\n",
    }
    root = tree(tmp_path, V2 | files)
    assert threads(root, 8) == 3
    assert memory_mb(root, 16 * GIB) == 2048


def test_container_that_sees_only_its_own_part(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/docker/abc\n",
        "proc/self/mountinfo": mount("/sys/fs/cgroup", "cgroup2", inside="/docker/abc"),
        "sys/fs/cgroup/cpu.max": "200000 100000\n",
        "sys/fs/cgroup/memory.max": f"{GIB}\n",
    }
    root = tree(tmp_path, files)
    assert threads(root, 8) == 2
    assert memory_mb(root, 16 * GIB) == 1024


def test_group_within_the_part_that_a_container_sees(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/docker/abc/inner\n",
        "proc/self/mountinfo": mount("/sys/fs/cgroup", "cgroup2", inside="/docker/abc"),
        "sys/fs/cgroup/inner/cpu.max": "200000 100000\n",
    }
    assert threads(tree(tmp_path, files), 8) == 2


def test_container_with_a_namespace_of_its_own(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/\n",
        "proc/self/mountinfo": mount("/sys/fs/cgroup", "cgroup2"),
        "sys/fs/cgroup/cpu.max": "200000 100000\n",
    }
    assert threads(tree(tmp_path, files), 8) == 2


def test_nothing_outside_the_hierarchy_is_a_bound(tmp_path: Path) -> None:
    files = V2 | {"sys/fs/cpu.max": "100000 100000\n", "sys/cpu.max": "100000 100000\n"}
    assert threads(tree(tmp_path, files), 8) == 8


def test_place_with_a_blank_in_its_name(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/\n",
        "proc/self/mountinfo": mount(r"/my\040groups", "cgroup2"),
        "my groups/cpu.max": "200000 100000\n",
    }
    assert threads(tree(tmp_path, files), 8) == 2


@pytest.mark.parametrize(("bound", "mb"), [
    (f"{512 * MIB}\n", 512), (UNLIMITED_V1, 16384), ("-1\n", 16384),
])  # fmt: skip
def test_memory_of_version_1(tmp_path: Path, bound: str, mb: int) -> None:
    files = {"sys/fs/cgroup/memory/club/memory.limit_in_bytes": bound}
    assert memory_mb(tree(tmp_path, V1 | files), 16 * GIB) == mb


def test_machine_without_control_groups(tmp_path: Path) -> None:
    assert threads(tmp_path, 4) == 4
    assert memory_mb(tmp_path, 4 * GIB) == 4096


def test_half_of_the_memory_is_for_hash() -> None:
    assert Machine(threads=4, memory_mb=8192, descriptors=1024).size.hash_mb == 4096
    assert Machine(threads=4, memory_mb=8192, descriptors=1024).size.memory_mb == 6144
    assert Machine(threads=1, memory_mb=1, descriptors=1024).size == Size(1, 1, 1)


@pytest.mark.parametrize(("descriptors", "sessions"), [(1024, 320), (128, 21), (64, 10), (20, 3)])
def test_sessions_that_have_descriptors_enough(descriptors: int, sessions: int) -> None:
    assert Machine(threads=1, memory_mb=64, descriptors=descriptors).sessions == sessions


def test_few_descriptors_are_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for descriptors, told in ((4096, False), (64, True)):
        monkeypatch.setattr(
            "rookery_server.scheduling.machine_resources.raise_descriptors",
            lambda most=descriptors: most,
        )
        survey()
        assert ("room for 10 connections only" in caplog.text) is told


def test_soft_limit_of_descriptors_is_raised_to_the_hard_one() -> None:
    before = soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, soft), hard))
    try:
        most = raise_descriptors()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, hard)
        assert most > 256 or most == hard
        assert raise_descriptors() == most
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_this_machine_offers_something() -> None:
    machine = survey()
    assert machine.threads >= 1
    assert machine.memory_mb >= 64
    assert machine.sessions >= 1
