"""The status line of `rookery-server join`, where it is not read."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import TextIO

import pytest
from helpers.support import TIMEOUT

from rookery_server.commands.join import StatusLine


class Pipe:
    """A pipe, and a stream that writes to it."""

    def __init__(self) -> None:
        self.reading, writing = os.pipe()
        self.stream: TextIO = os.fdopen(writing, "w")

    def fill(self) -> int:
        """Write until there is no room; return how much that was."""
        size = 0
        os.set_blocking(self.stream.fileno(), False)
        with suppress(BlockingIOError):
            while True:
                size += os.write(self.stream.fileno(), b"x" * 4096)
        os.set_blocking(self.stream.fileno(), True)
        return size

    async def read(self, last: str) -> str:
        """Return the next lines, up to one that is this."""
        text = ""
        async with asyncio.timeout(TIMEOUT):
            while not text.endswith(f"{last}\n"):
                text += (await asyncio.to_thread(os.read, self.reading, 65536)).decode()
        return text


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    os.close(pipe.reading)
    with suppress(BrokenPipeError):  # What could not be written is tried again.
        pipe.stream.close()


async def test_each_is_said_once(pipe: Pipe) -> None:
    status = StatusLine(pipe.stream)
    for text in ("one", "one", "two"):
        status.show_line(text)
    status.end()
    assert await pipe.read("two") == "one\ntwo\n"


async def test_who_does_not_read_holds_nothing_up_and_has_the_newest(pipe: Pipe) -> None:
    status = StatusLine(pipe.stream)
    size = pipe.fill()
    for text in ("one", "two", "three"):
        status.show_line(text)
    assert (await pipe.read("three"))[size:] == "three\n"
    status.show_line("four")
    assert await pipe.read("four") == "four\n"


async def test_end_does_not_wait_for_who_does_not_read(pipe: Pipe) -> None:
    status = StatusLine(pipe.stream)
    pipe.fill()
    status.show_line("one")
    status.end()
    assert os.read(pipe.reading, 1) == b"x"


async def test_reader_that_has_left_is_not_missed(pipe: Pipe) -> None:
    status = StatusLine(pipe.stream)
    os.close(pipe.reading)
    status.show_line("one")
    status.show_line("two")
    status.end()
    pipe.reading = os.open(os.devnull, os.O_RDONLY)
