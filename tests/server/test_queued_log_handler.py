"""The log while nobody reads it, or nobody can: who logs never waits, and knows what is missing."""

import errno
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from helpers.support import TIMEOUT, fill

from rookery_server import queued_log_handler
from rookery_server.queued_log_handler import QueuedLogHandler

PROMPT = 5.0  # s; far beyond the time after which it gives up, and far below for ever


class Pipe:
    """A pipe that a handler writes to, and a logger of its own."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        self.handler = QueuedLogHandler(self.writing)
        self.logger = logging.Logger("x")  # one that nobody else has
        self.logger.addHandler(self.handler)

    def read_until(self, end: str) -> list[str]:
        """Return the lines up to one that ends so, but for those that have filled the pipe."""
        found = b""
        while not found.endswith(f"{end}\n".encode()):
            found += os.read(self.reading, 65536)
        return [line for line in found.decode().splitlines() if line]

    def close(self) -> None:
        os.set_blocking(self.reading, False)
        with suppress(BlockingIOError):  # A write that hangs goes on.
            while os.read(self.reading, 65536):
                pass
        self.handler.close()
        assert not self.handler._thread.is_alive()
        for each in (self.reading, self.writing):
            os.close(each)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.close()


@pytest.fixture(params=[True, False], ids=["blocking", "not blocking"])
def full(request: pytest.FixtureRequest, pipe: Pipe) -> Pipe:
    fill(pipe.writing)
    os.set_blocking(pipe.writing, request.param)
    return pipe


def test_lines_come_in_their_order(pipe: Pipe) -> None:
    texts = [f"line {number}" for number in range(1000)]
    for text in texts:
        pipe.logger.warning(text)
    assert pipe.read_until(texts[-1]) == texts


def test_who_logs_does_not_wait_for_who_reads(full: Pipe) -> None:
    full.logger.warning("first")
    full.logger.warning("last")
    assert full.read_until("last") == ["first", "last"]


def test_line_that_goes_in_piece_by_piece_is_whole(full: Pipe) -> None:
    text = "x" * 500_000
    full.logger.warning(text)
    full.logger.warning("last")
    assert full.read_until("last") == [text, "last"]


def test_lines_that_are_too_many_are_counted_where_they_are_missing(
    full: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queued_log_handler, "MOST_LINES", 10)
    for number in range(25):
        full.logger.warning(str(number))
    said = "15 lines are missing here, as nobody has read the log"
    assert full.read_until(said) == [*map(str, range(10)), said]
    full.logger.warning("after")
    assert full.read_until("after") == ["after"]


def test_bytes_that_are_too_many_are_not_kept(full: Pipe) -> None:
    half = "x" * (queued_log_handler.MOST_BYTES // 2 - 10)
    for _ in range(3):
        full.logger.warning(half)
    assert full.handler._size <= queued_log_handler.MOST_BYTES
    assert full.read_until("the log")[:-1] == [half, half]


def test_end_waits_for_what_can_be_written_and_for_nothing_else(full: Pipe) -> None:
    full.logger.warning("last")
    began = time.monotonic()
    full.handler.flush()
    full.handler.close()
    assert time.monotonic() - began < PROMPT
    full.logger.warning("never")
    assert full.read_until("last") == ["last"]
    full.handler._thread.join(TIMEOUT)
    assert not full.handler._thread.is_alive()


def test_what_is_logged_last_is_written_before_the_end(pipe: Pipe) -> None:
    for number in range(100):
        pipe.logger.warning(str(number))
    pipe.handler.flush()
    pipe.handler.close()
    assert pipe.read_until("99") == [str(number) for number in range(100)]


@pytest.mark.parametrize("error", [errno.EPIPE, errno.ENOSPC])
def test_what_cannot_be_written_is_dropped(
    pipe: Pipe, error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, failed = os.write, threading.Event()

    def fail(descriptor: int, line: bytes) -> int:
        if descriptor == pipe.writing and line == b"lost\n":
            failed.set()
            raise OSError(error, os.strerror(error))
        return write(descriptor, line)

    monkeypatch.setattr(os, "write", fail)
    pipe.logger.warning("lost")
    pipe.logger.warning("last")
    assert pipe.read_until("last") == ["last"]
    assert failed.is_set()


def test_letters_that_the_encoding_lacks_are_shown_somehow(pipe: Pipe) -> None:
    pipe.logger.warning("\udc80")
    assert pipe.read_until("80") == [r"\udc80"]


def test_program_ends_though_a_write_hangs() -> None:
    reading, writing = os.pipe()
    fill(writing)
    program = (
        "import logging\n"
        "from rookery_server.log import LogConfig, set_up\n"
        "set_up(LogConfig())\n"
        "logging.warning('last')\n"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", program], stderr=writing, timeout=TIMEOUT, check=False
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert done.returncode == 0
