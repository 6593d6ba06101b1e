"""The effort for a piece of lines: it is compiled, so that others never wait for long.

Effort is counted in calls, which are the same on each machine.
"""

import pytest
from helpers.saying import answer, heard, say
from helpers.support import effort

from rookery_server.rooms.room import Room
from rookery_server.rooms.snapshot import Snapshot
from rookery_server.session.session import Session

PIECE = 16384  # bytes


@pytest.mark.parametrize("line", [b"x\n", b"\n", b"x\n\n", b"id x\n", "info string é\n".encode()])
def test_lines_that_are_no_answers_are_looked_at_together(searching: Session, line: bytes) -> None:
    few, many = (
        effort(lambda piece=line * count: searching.engine_said(piece))  # type: ignore[misc]  # bytes
        for count in (10, PIECE // len(line))
    )
    assert many <= few
    assert len(heard(searching)) == (0 if line == b"\n" else 10 + PIECE // len(line))


@pytest.mark.parametrize("line", [b"x\n", b"info depth 1\n"])
def test_lines_that_are_for_all_are_shared_together(line: bytes) -> None:
    room: Room[object] = Room()
    few, many = (
        effort(lambda piece=line * count: room.split(piece))  # type: ignore[misc]  # bytes
        for count in (10, PIECE // len(line))
    )
    assert many <= few


@pytest.mark.parametrize("line", [b"x\n", b"x\ninfo depth 1\n"])
def test_lines_that_nobody_has_missed_are_left_out_together(line: bytes) -> None:
    snapshot = Snapshot()
    few, many = (
        effort(lambda piece=line * count: snapshot.record(piece))  # type: ignore[misc]  # bytes
        for count in (10, PIECE // len(line))
    )
    assert many <= few + 10


@pytest.mark.parametrize("last", ["go depth 1", "stop"])
def test_search_begins_as_soon_however_many_wait_behind_it(searching: Session, last: str) -> None:
    efforts = []
    for _ in range(2):
        say(searching, *["go depth 1"] * 100)
        say(searching, last)
        efforts.append(effort(lambda: answer(searching, "bestmove e2e4")))
        say(searching, *["go depth 1"] * 900)
    few, many = efforts
    assert many - few < 5 * 1000
