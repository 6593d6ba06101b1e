"""Targets of the conformance tests, and records of their conversations.

A test that only needs an engine gets one that other tests have used (`gui`): all
tests are one long conversation with each target, as in a GUI.  A test about the
process itself starts its own (`start`).  The watcher of each conversation reports
to `faults`, which `test_whole_run.py` judges at the end.
"""

import json
import math
import random
from collections import defaultdict
from pathlib import Path

import pytest
from conformance.gui import GoneError, Gui, SilenceError
from conformance.target import TARGETS, Targets

DEFAULT = ("engine", "bridge")
WHOLE_RUN = "test_whole_run"
# Random conversations of each kind, unless --interleavings says otherwise.
CONVERSATIONS = {"engine": 50, "bridge": 10, "tcp": 5, "stockfish": 10}
BATCH = 10  # of them with one process


def pytest_configure(config):
    config.addinivalue_line("markers", "rows(*numbers): the rows of the specification it checks")
    config.addinivalue_line("markers", "also_tcp: by default run over TCP too")
    config.addinivalue_line("markers", "command_line: a bridge has a command line of its own")
    config.stash[RESULTS] = []


RESULTS = pytest.StashKey()


def target_names(metafunc):
    """Return the targets of a test function."""
    marked = metafunc.definition.get_closest_marker
    names = dict.fromkeys(metafunc.config.getoption("--target") or DEFAULT)
    if marked("also_tcp") and not metafunc.config.getoption("--target"):
        names["tcp"] = None
    if marked("command_line"):
        return [name for name in names if TARGETS[name] != "bridge"]
    return list(names)


def pytest_generate_tests(metafunc):
    if "target" in metafunc.fixturenames:
        if "batch" in metafunc.fixturenames:
            add_batches(metafunc)
        else:
            metafunc.parametrize("target", target_names(metafunc), indirect=True)


def add_batches(metafunc):
    """Have as many batches of conversations with each target as were asked for."""
    asked = metafunc.config.getoption("--interleavings")
    new_seed = metafunc.config.getoption("--seed")
    if new_seed is None:
        new_seed = random.randrange(1_000_000)
    cases = []
    for name in target_names(metafunc):
        count = CONVERSATIONS[name] if asked is None else asked
        cases += [
            pytest.param(
                *(name, number, min(BATCH, count - number * BATCH), 0 if number else new_seed),
                id=f"{name}-{number or 'new'}",
            )
            for number in range(math.ceil(count / BATCH))
        ]
    metafunc.parametrize(("target", "batch", "size", "seed"), cases, indirect=["target"])


def target_of(item):
    return getattr(item, "callspec", None) and item.callspec.params.get("target")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Judge the whole run at its end, for those who took part in it."""
    others = [item for item in items if WHOLE_RUN not in item.nodeid]
    tested = set(map(target_of, others))
    items[:] = [
        *others,
        *(item for item in items if WHOLE_RUN in item.nodeid and target_of(item) in tested),
    ]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    numbers = [number for mark in item.iter_markers("rows") for number in mark.args]
    target = target_of(item)
    if isinstance(target, str) and numbers and (report.when == "call" or not report.passed):
        reason = str(call.excinfo.value)[:300] if call.excinfo else ""
        item.config.stash[RESULTS].append(
            {
                "rows": numbers,
                "target": target,
                "test": item.nodeid.rpartition("/")[2],
                "outcome": report.outcome,
                "reason": reason,
            }
        )


def pytest_sessionfinish(session):
    file = session.config.getoption("--rows-json")
    if file:
        Path(file).write_text(json.dumps(session.config.stash[RESULTS], indent=1))


class Faults:
    """Return the reports of the watchers of all conversations with all targets."""

    def __init__(self):
        self._found = defaultdict(list)  # (target, row) -> texts
        self.seen = defaultdict(set)  # target -> fields of info

    def reporter(self, target, where):
        return lambda row, text: self._found[target, row].append(f"{where}: {text}")

    def of(self, target, row):
        return self._found[target, row]

    def count(self):
        return sum(map(len, self._found.values()))

    def all(self):
        return [f"row {row}, {text}" for (_, row), texts in self._found.items() for text in texts]


@pytest.fixture(scope="session")
def faults():
    return Faults()


@pytest.fixture(scope="session")
def targets():
    targets = Targets()
    yield targets
    targets.close()


@pytest.fixture(scope="session")
def shared():
    """Keep the engines that tests share, one for each target."""
    guis = {}
    yield guis
    for gui in guis.values():
        gui.kill()


@pytest.fixture
def target(request, targets):
    return targets.get(request.param)


@pytest.fixture
def judged(target, faults):
    """Fail a test for what the watcher saw in it: then it is known what to try again."""
    before = faults.count()
    yield
    if target.own and faults.count() > before:
        pytest.fail("\n".join(faults.all()[-5:]))


@pytest.fixture
def start(request, target, faults, judged):
    """Start engines that are ended with the test."""
    running = []

    def start_one(*arguments):
        report = faults.reporter(target.name, request.node.name)
        running.append(Gui(target, report, arguments))
        return running[-1]

    yield start_one
    for gui in running:
        ended = gui.process.poll() is not None
        if not ended:
            gui.kill()
        gui.watch_end() if ended else gui.watch()
        gui.kill()
        faults.seen[target.name] |= gui.watcher.seen


@pytest.fixture
def fresh(start):
    """Return an engine of the test's own, to which `uci` was said."""
    gui = start()
    gui.meet()
    gui.sync()
    return gui


@pytest.fixture
def gui(request, target, faults, shared, judged):
    """Return an engine that was used before, in its first state again."""
    gui = shared.pop(target.name, None)
    report = faults.reporter(target.name, request.node.name)
    if gui is None:
        gui = Gui(target, report)
        gui.meet()
        gui.sync()
    gui.watcher.report = report
    yield gui
    try:
        gui.settle()
    except (SilenceError, GoneError):
        gui.watch()
        gui.kill()
    else:
        shared[target.name] = gui
    faults.seen[target.name] |= gui.watcher.seen
