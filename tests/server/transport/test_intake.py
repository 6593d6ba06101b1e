"""Input of several clients, read in turns, whole and in order."""

import asyncio
import time
from collections.abc import Iterator

import pytest
from helpers.support import TIMEOUT, Running, until

from rookery_server.transport.input_queue import PIECE, TURN, InputQueue, RoundRobin

DATA = bytes(range(256)) * 512


class Reading(asyncio.Transport):
    """A transport as an input needs it: reading, which may be paused."""

    reads = True
    aborted = False

    def pause_reading(self) -> None:
        assert self.reads, "paused twice"
        self.reads = False

    def resume_reading(self) -> None:
        assert not self.reads, "resumed twice"
        self.reads = True

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None:
        self.aborted = True


class Taken:
    """Takes bytes as slowly as if there were much to do with them."""

    def __init__(self, turns: RoundRobin) -> None:
        self.data = b""
        self.transport = Reading()
        self.input = InputQueue(self.transport, self.take, turns)

    def take(self, data: bytes) -> None:
        self.data += data
        until = time.perf_counter() + TURN / 2
        while time.perf_counter() < until:
            pass


@pytest.fixture
async def taken() -> Taken:
    return Taken(RoundRobin())


def pieces() -> Iterator[bytes]:
    for start in range(0, len(DATA), 5 * PIECE):
        yield DATA[start : start + 5 * PIECE]


async def test_little_is_taken_at_once(taken: Taken) -> None:
    taken.input.receive(b"go\n")
    assert taken.data == b"go\n"
    assert taken.transport.reads


async def test_much_is_taken_in_turns_and_no_more_is_read_meanwhile(taken: Taken) -> None:
    taken.input.receive(DATA)
    turns = 0
    while len(taken.data) < len(DATA):
        assert not taken.transport.reads
        before = len(taken.data)
        await asyncio.sleep(0)
        turns += len(taken.data) > before
    assert turns > 5
    assert taken.data == DATA
    assert taken.transport.reads


async def test_of_all_who_say_much_one_has_a_turn_at_a_time() -> None:
    turns = RoundRobin()
    crowd = [Taken(turns) for _ in range(5)]
    for each in crowd:
        each.input.receive(DATA)
    assert sum(bool(each.data) for each in crowd) == 1
    shares = []
    while any(len(each.data) < len(DATA) for each in crowd):
        before = [len(each.data) for each in crowd]
        await asyncio.sleep(0)
        moved = [now > then for now, then in zip((len(e.data) for e in crowd), before, strict=True)]
        assert sum(moved) <= 2  # A turn may be over before its time: then the next begins.
        shares.append(moved)
    assert all(each.data == DATA and each.transport.reads for each in crowd)
    assert all(any(column) for column in zip(*shares[:10], strict=True)), "one had to wait for all"


async def test_little_that_is_dear_is_taken_in_turns_too() -> None:
    turns = RoundRobin()
    crowd = [Taken(turns) for _ in range(6)]
    for one in crowd:
        one.input.receive(b"GET / HTTP/1.1", is_costly=True)
    assert 0 < sum(bool(one.data) for one in crowd) < 6
    await until(lambda: all(one.data == b"GET / HTTP/1.1" for one in crowd))


async def test_error_of_ours_ends_the_connection_that_has_met_it_and_no_other() -> None:
    turns = RoundRobin()
    taken = Taken(turns)

    def fail(_: bytes) -> None:
        if taken.data:  # It is not its first turn: nobody but the event loop hears of it.
            raise RuntimeError

    transport = Reading()
    taken.input.receive(DATA)
    InputQueue(transport, fail, turns).receive(DATA)
    async with asyncio.timeout(TIMEOUT):
        while len(taken.data) < len(DATA):
            await asyncio.sleep(0)
    assert transport.aborted
    assert not taken.transport.aborted


async def test_who_leaves_has_no_turn_any_more() -> None:
    turns = RoundRobin()
    crowd = [Taken(turns) for _ in range(3)]
    for each in crowd:
        each.input.receive(DATA)
    crowd[1].input.clear()
    async with asyncio.timeout(TIMEOUT):
        while len(crowd[2].data) < len(DATA):
            await asyncio.sleep(0)
    assert not crowd[1].data


async def test_what_comes_meanwhile_keeps_its_place(taken: Taken) -> None:
    for piece in pieces():  # TLS may hand over some that it has read already
        taken.input.receive(piece)
    async with asyncio.timeout(TIMEOUT):
        while len(taken.data) < len(DATA):
            await asyncio.sleep(0)
    assert taken.data == DATA


async def test_nothing_is_taken_while_it_is_held(taken: Taken) -> None:
    taken.input.receive(DATA)
    taken.input.pause("slow")
    taken.input.pause("slow")
    before = taken.data
    taken.input.receive(b"go\n")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert taken.data == before
    taken.input.resume("slow")
    async with asyncio.timeout(TIMEOUT):
        while not taken.transport.reads:
            await asyncio.sleep(0)
    assert taken.data == DATA + b"go\n"


async def test_who_is_held_for_two_reasons_is_heard_when_both_are_gone(taken: Taken) -> None:
    taken.input.pause("slow")
    taken.input.pause("full")
    taken.input.receive(b"go\n")
    taken.input.resume("slow")
    taken.input.resume("never held")
    await asyncio.sleep(0)
    assert not taken.transport.reads
    assert taken.data == b""
    taken.input.resume("full")
    await until(lambda: taken.data == b"go\n")
    assert taken.transport.reads


async def test_at_the_end_little_that_waits_is_taken() -> None:
    turns = RoundRobin()
    busy, taken = Taken(turns), Taken(turns)
    busy.input.receive(DATA)
    taken.input.receive(b"go\n", is_costly=True)
    assert taken.data == b""
    assert taken.input.finish()
    assert taken.data == b"go\n"


async def test_at_the_end_much_that_waits_is_taken_for_one_turn(taken: Taken) -> None:
    taken.input.receive(DATA)
    before = len(taken.data)
    assert not taken.input.finish()
    assert before < len(taken.data) <= before + 3 * PIECE
    end = taken.data
    await asyncio.sleep(0)
    assert taken.data == end


async def test_nothing_is_taken_when_the_connection_is_gone(taken: Taken) -> None:
    taken.input.receive(DATA)
    before = taken.data
    taken.input.clear()
    await asyncio.sleep(0)
    assert taken.data == before


COUNT = 5000


async def test_every_line_of_many_at_once_is_answered(app: Running) -> None:
    async with app.tcp() as client:
        client.say("rookery engine polite", *["isready"] * COUNT)
        client.writer.write_eof()
        async with asyncio.timeout(TIMEOUT):
            assert await client.reader.read() == b"readyok\n" * COUNT


async def test_every_message_of_many_at_once_is_answered(app: Running) -> None:
    async with (
        app.websocket("polite") as client,
        asyncio.timeout(TIMEOUT),
        asyncio.TaskGroup() as tasks,
    ):

        async def say() -> None:
            for _ in range(COUNT):
                await client.send("isready")

        tasks.create_task(say(), name="say")
        for _ in range(COUNT):
            assert await client.recv() == "readyok"
