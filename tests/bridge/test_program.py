"""The start of the bridge as an engine: its clock, and the engine of this machine."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from rookery_bridge import program


def coarse(name: str) -> SimpleNamespace:
    """Return what Python 3.12 says of its clocks on Windows."""
    return SimpleNamespace(resolution={"monotonic": 0.015625, "perf_counter": 1e-7}[name])


def test_clock_of_the_loop_is_fine_where_the_usual_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "get_clock_info", coarse)
    late: list[float] = []

    async def measure() -> None:
        loop = asyncio.get_running_loop()
        assert loop.time() == pytest.approx(time.perf_counter(), abs=1.0)
        due = loop.time() + 0.02
        done = asyncio.Event()
        loop.call_at(due - 0.005, time.time)  # It is awake just before.
        loop.call_at(due, lambda: (late.append(loop.time() - due), done.set()))
        await done.wait()

    monkeypatch.setattr(time, "monotonic", lambda: 0.0)  # Nothing of it goes by that one.
    with asyncio.Runner(loop_factory=program.new_event_loop) as runner:
        runner.run(measure())
    assert late[0] >= 0.0  # Coarse clocks call back early.


def test_usual_loop_will_do_where_its_clock_is_fine() -> None:
    loop = program.new_event_loop()
    try:
        assert loop.time() == pytest.approx(time.monotonic(), abs=1.0)
        assert "time" not in vars(loop)
    finally:
        loop.close()
