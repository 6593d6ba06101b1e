"""Options of the test run, how it is spread over processes, and what several folders need."""

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from bench.cluster import Cluster
from helpers import spread


def pytest_configure(config):
    # A shell that starts a run in the background lets it ignore Ctrl-C, and all that the
    # tests start would ignore it too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # What servers keep belongs to this run, and not to who has started it.
    state = tempfile.TemporaryDirectory(prefix="rookery-")
    config.add_cleanup(state.cleanup)
    os.environ["XDG_STATE_HOME"] = state.name


def pytest_addoption(parser):
    group = parser.getgroup("uci", "tests of the rows of the UCI specification")
    group.addoption(
        "--target",
        action="append",
        choices=("engine", "bridge", "tcp", "stockfish"),
        help="whom to test; may be repeated (default: engine and bridge)",
    )
    group.addoption(
        "--interleavings", type=int, metavar="N", help="random conversations with each target"
    )
    group.addoption(
        "--cuts", type=int, default=12, metavar="N", help="connections that are cut in test_chaos"
    )
    group.addoption("--ugly-files", type=int, default=12, metavar="N", help="files in test_ugly")
    group.addoption("--seed", type=int, help="of the one random batch of conversations")
    group.addoption("--rows-json", metavar="FILE", help="write the results of each row to a file")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    return spread.workers()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    if config.getoption("dist") not in ("load", "loadfile"):
        return None  # asked for, and so not ours
    config.option.loadscopereorder = False  # the order is that of the next function
    return spread.Spread(config, log)


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):  # one of several processes
        items.sort(key=lambda item: spread.rank(item.nodeid))


def pytest_collection_finish(session):
    # The tests stay to the end.  A look for garbage, of which some tests take several, would go
    # through all of them: half a second each.
    gc.freeze()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Return a cluster of one node."""
    if sys.platform != "linux":
        pytest.skip("engines run on Ray on Linux only")
    assert find_spec("ray"), "Ray is missing: `make build .venv/dev` installs it"
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:  # paths of sockets must be short
        cluster = Cluster(Path(folder))
        try:
            cluster.start_head(cpus=4)
            yield cluster
        finally:
            cluster.end()
