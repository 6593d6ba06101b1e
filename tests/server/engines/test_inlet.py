"""An engine's input pipe: little in it, all of it in order, and known what was read."""

import asyncio
import os
from collections.abc import Iterator

import pytest
from helpers.support import until

from rookery_server.engines.stdin_writer import AHEAD, PAGE, StdinWriter

LINE = b"setoption name Hash value 16\n"


class Pipe:
    """Both ends of a pipe."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.reading, False)
        self.inlet = StdinWriter(self.writing, asyncio.get_running_loop())

    def read(self, most: int = 1 << 16) -> bytes:
        try:
            return os.read(self.reading, most)
        except BlockingIOError:
            return b""


@pytest.fixture
async def pipe() -> Iterator[Pipe]:
    result = Pipe()
    yield result
    result.inlet.close()
    os.close(result.reading)
    os.close(result.writing)


async def test_what_is_said_now_and_then_goes_through_at_once(pipe: Pipe) -> None:
    for _ in range(1000):
        pipe.inlet.put(LINE)
        assert pipe.inlet.unsent == 0
        assert pipe.read() == LINE


async def test_line_of_any_length_goes_through_at_once(pipe: Pipe) -> None:
    line = b"position startpos moves" + b" e2e4" * 700 + b"\n"
    assert AHEAD < len(line) < PAGE
    pipe.inlet.put(line)
    assert pipe.read() == line


async def test_engine_that_does_not_read_gets_little(pipe: Pipe) -> None:
    for _ in range(1000):
        pipe.inlet.put(LINE)
    await asyncio.sleep(0)
    taken, left = pipe.inlet.backlog()
    assert (taken, left) == (0, 1000 * len(LINE))
    assert left - pipe.inlet.unsent <= AHEAD
    assert pipe.read(10) == LINE[:10]
    assert pipe.inlet.backlog() == (10, left - 10)


async def test_all_comes_in_order_and_whole_lines_at_a_time(pipe: Pipe) -> None:
    lines = [b"%d\n" % number * (number % 7) for number in range(1000)]
    lines.append(b"x" * 3 * PAGE + b"\n")  # more than the pipe holds
    whole, heard = b"".join(lines), b""
    for line in lines:
        pipe.inlet.put(line)
    taken: list[int] = []
    pipe.inlet.when_taken(lambda: taken.append(len(heard)))
    async with asyncio.timeout(20):
        while len(heard) < len(whole):
            heard += pipe.read()
            assert heard.endswith(b"\n") or len(heard) > len(whole) - 3 * PAGE - 2
            await asyncio.sleep(0)
    assert heard == whole
    assert len(taken) == 1
    assert pipe.inlet.backlog() == (len(whole), 0)


async def test_slow_engine_gets_a_line_at_a_time(pipe: Pipe) -> None:
    """So what it reads tells how far it is."""
    for _ in range(200):
        pipe.inlet.put(LINE)
    pieces = []
    for _ in range(20):
        await until(lambda: pipe.inlet.backlog().left > pipe.inlet.unsent)
        pieces.append(len(pipe.read()))
        await asyncio.sleep(0.015)
    assert pieces[0] <= AHEAD
    assert pieces[-1] <= 2 * len(LINE)


async def test_last_lines_are_written_before_the_end(pipe: Pipe) -> None:
    ended: list[bool] = []
    for _ in range(100):
        pipe.inlet.put(LINE)
    pipe.inlet.when_written(lambda: ended.append(True))
    heard = b""
    while not ended:
        heard += pipe.read()
        await asyncio.sleep(0)
    assert heard + pipe.read() == 100 * LINE


async def test_closed_one_takes_nothing(pipe: Pipe) -> None:
    for _ in range(100):
        pipe.inlet.put(LINE)
    pipe.inlet.close()
    await asyncio.sleep(0)
    left = pipe.inlet.unsent
    pipe.inlet.put(LINE)
    assert pipe.inlet.unsent == left
