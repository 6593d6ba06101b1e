"""Distribution of the tests over processes that run side by side (pytest-xdist).

A process is given whole files, for their fixtures' sake, and the next when it is done: so the
longest come first, or one of them would be all that still runs at the end.
"""

import os

from xdist.scheduler import LoadScopeScheduling

# Most tests wait for other programs: with one process for each core, nearly half of the cores' time
# was idle; with three, nothing was gained.
PER_CORE = 2
MOST = 8

RAY = "a cluster of Ray"  # dear to start
TOGETHER = {
    "tests/analysis/test_cluster.py": RAY,
    "tests/server/engines/test_engine_hosts.py": RAY,
    "tests/server/cluster/test_ray.py": RAY,
}
# Two browsers at a time: each has more threads than small machines have cores, but one alone would
# be busy when all other tests are done.
WEB = "tests/web/"
HALF = WEB + "test_m"  # from here on: the second half of the files
UCI = "tests/conformance/"
TARGETS = ("engine", "bridge", "tcp", "stockfish")

# What takes 20 s or more, the longest first; `--durations` shows what else belongs here.
LONG = (
    WEB,
    UCI,
    "tests/bench/test_endure.py",
    "tests/server/engines/test_engine_hosts.py",
    "tests/server/cluster/test_ray.py",
    "tests/analysis/test_cluster.py",
    "tests/bench/test_tune.py",
    "tests/bridge/test_games.py",
    "tests/e2e/",
    "tests/bridge/test_return.py",
    "tests/analysis/test_analyse.py",
    "tests/client/test_trouble.py",
    "tests/bench/test_lane.py",
)


class Spread(LoadScopeScheduling):
    """Gives each process one scope after the other."""

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)


def workers() -> int:
    """Return how many processes `-n auto` means."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(PER_CORE * (cores or 1), MOST)


def scope_of(nodeid: str) -> str:
    """Return the name of what is run in one process: mostly a file.

    The tests of UCI are one long conversation with each target, which is judged at its end.
    """
    file, _, test = nodeid.partition("::")
    if file.startswith(UCI):
        target = test.partition("[")[2].rstrip("]").partition("-")[0]
        return UCI + target if target in TARGETS else file
    if file.startswith(WEB):
        return f"{WEB} {'second' if file >= HALF else 'first'} half"
    return next((name for start, name in TOGETHER.items() if file.startswith(start)), file)


def rank(nodeid: str) -> int:
    """Return a key to sort tests by: the long ones first, and all others as they are."""
    return next((rank for rank, start in enumerate(LONG) if nodeid.startswith(start)), len(LONG))
