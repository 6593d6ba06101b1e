"""Engines' stderr, in the log."""

import asyncio
import os

import pytest
from helpers.support import effort, until

from rookery_server.engines.running_engine import NULL_LISTENER
from rookery_server.engines.socket_engine import EngineEvent, SocketEngine
from rookery_server.engines.stderr_log import BURST, LONGEST, PIECE, StderrLog


async def test_a_line_is_in_the_log_with_the_engines_name(caplog: pytest.LogCaptureFixture) -> None:
    log = StderrLog("odd")
    os.write(log.writing, b"no network file\n" + b"x" * (LONGEST + 1) + b"\n")
    await until(lambda: len(caplog.messages) == 2)
    log.close()
    assert caplog.messages == ["engine odd: 'no network file'", f"engine odd: '{'x' * LONGEST}'"]


async def test_a_line_of_an_engine_elsewhere_is_cut_as_well(
    caplog: pytest.LogCaptureFixture,
) -> None:
    SocketEngine(("odd",), NULL_LISTENER, name="odd").apply_event(
        EngineEvent(complaint="x" * (LONGEST + 1))
    )
    assert caplog.messages == [f"engine odd: '{'x' * LONGEST}'"]


async def test_of_a_flood_the_log_has_enough_and_how_much_it_has_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = StderrLog("noisy")
    words = [f"oh {'a' * (number % 40)}{'b' * (number // 40)}" for number in range(int(BURST) + 7)]
    lines = len(words)
    os.write(log.writing, "".join(f"{each}\n" for each in words).encode())  # read at once
    await until(lambda: bool(caplog.messages))
    log.close()
    told = int(BURST)
    assert caplog.messages == [
        *[f"engine noisy: {each!r}" for each in words[:told]],
        f"engine noisy: {lines - told} lines are left out here",
    ]


async def test_engine_that_says_at_each_start_why_it_cannot_is_logged_less_and_less(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = StderrLog("broken")
    now = asyncio.get_running_loop().time()
    for start in range(720):  # an hour, in which it is started every 5 s
        log._log(f"process {start}: no network file", now + 5 * start)
        log._log("the program ends", now + 5 * start)
    log.close()
    assert caplog.messages[:2] == [
        "engine broken: 'process 0: no network file'",
        "engine broken: 'the program ends'",
    ]
    assert len(caplog.messages) < 24
    assert caplog.messages[2].endswith("(1 times since this was last said)")


async def test_flood_takes_the_server_no_time() -> None:
    log = StderrLog("noisy")
    efforts = []
    for lines in (int(BURST), PIECE // len(b"x\n"), 10):
        os.write(log.writing, b"x\n" * lines)
        efforts.append(effort(log._readable))
    log.close()
    assert efforts[1] - efforts[2] < PIECE // 8
