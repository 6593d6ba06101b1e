"""An engine of a machine that has joined, at the end of a connection that says what it likes."""

import asyncio
from collections.abc import Hashable

import pytest
from helpers.support import until

from rookery_protocol.notices import Close
from rookery_server.access.account import Account, Role
from rookery_server.config.sections import MachinesConfig
from rookery_server.engines import running_engine, socket_engine
from rookery_server.engines.running_engine import MAX_UNSENT
from rookery_server.joined import joined_link as module
from rookery_server.joined.joined_host import JoinedEngineHost
from rookery_server.joined.joined_link import (
    MAX_ANSWER,
    JoinedLink,
    SearchTime,
    clean,
)
from rookery_server.joined.joining_messages import Joining

NAME = b"odd@anna"


class RecordingListener:
    """A listener that records."""

    def __init__(self) -> None:
        self.said = b""
        self.ends: list[str] = []

    def engine_said(self, piece: bytes) -> None:
        assert not self.ends
        self.said += piece

    def engine_ended(self, reason: str) -> None:
        self.ends.append(reason)


class Line:
    """A connection, as the engine has it."""

    address = "192.0.2.1"

    def __init__(self) -> None:
        self.told = b""
        self.closed: list[str] = []
        self.holds: set[Hashable] = set()

    @property
    def reads(self) -> bool:
        return not self.holds

    def send_lines(self, piece: bytes) -> None:
        self.told += piece

    def finish(self, code: Close, reason: str) -> None:
        self.closed.append(reason)

    def hold_input(self, why: Hashable) -> None:
        self.holds.add(why)

    def release_input(self, why: Hashable) -> None:
        self.holds.discard(why)


class World:
    def __init__(self) -> None:
        self.listener, self.line = RecordingListener(), Line()
        self.gone: list[JoinedLink] = []
        self.link = JoinedLink(
            NAME.decode(), self.listener, threads=4, where="pc of anna", on_gone=self.gone.append
        )
        self.engine = self.link.engine

    async def linked(self) -> "World":
        self.link.attach(self.line)
        await asyncio.sleep(0)
        return self


async def test_what_it_is_told_before_the_link_waits_for_it() -> None:
    world = World()
    world.engine.send_lines(b"uci\n")
    world.engine.send_lines(b"isready\n")
    await world.linked()
    assert world.line.told == b"uci\nisready\n"


async def test_machine_that_does_not_come_is_waited_for_in_vain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LINK_PATIENCE", 0.05)
    world = World()
    await until(lambda: world.listener.ends)
    assert world.listener.ends == ["pc of anna has not come with it within 0.05 s"]


async def test_it_ends_once_and_never_while_it_is_told_to() -> None:
    world = await World().linked()
    world.engine.kill("it did not stop")
    assert world.listener.ends == []  # Who complains is not done yet.
    world.engine.kill()
    world.link.client_gone(world.line)
    world.link.client_said(b"bestmove e2e4")
    await asyncio.sleep(0)
    assert world.listener.ends == ["it did not stop"]
    assert world.line.closed == ["it did not stop"]
    assert world.gone == [world.link]
    assert world.listener.said == b""
    assert not world.engine.is_healthy


async def test_its_end_is_no_accident_if_it_was_asked_for() -> None:
    world = await World().linked()
    world.engine.end()
    assert world.engine.asked_to_end
    assert world.line.told == b"quit\n"
    world.engine.send_lines(b"go\n")  # It is too late for that.
    assert world.line.told == b"quit\n"
    world.link.client_said(b"info string bye")  # Last words are heard.
    world.link.client_gone(world.line)  # Who has asked for it is told at once.
    await asyncio.sleep(0)
    assert world.listener.said == b"info string bye\n"
    assert len(world.listener.ends) == 1


async def test_link_that_is_lost_is_told_when_it_is_known_what_else_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket_engine, "TOGETHER", 0.01)
    clock = 0.0
    world = await World().linked()
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: clock)
    world.engine.send_lines(b"go infinite\n")
    clock = 2.0
    world.link.client_gone(world.line)
    await asyncio.sleep(0)
    assert (world.listener.ends, world.engine.is_healthy) == ([], False)
    clock = 1000.0
    while not world.listener.ends:
        await asyncio.sleep(0)
    assert world.listener.ends == ["the link to pc of anna is lost"]
    assert world.line.closed == []
    assert world.engine.cpu_seconds() == 2.0  # and not what has passed since


async def test_it_is_closed_if_it_does_not_quit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_engine, "QUIT_PATIENCE", 0.05)
    world = await World().linked()
    world.engine.end()
    await until(lambda: world.listener.ends)
    assert len(world.listener.ends) == len(world.line.closed) == 1


async def test_answer_to_uci_without_end_is_cut_off() -> None:
    world = await World().linked()
    option = b"option name X type string default " + b"x" * 1000
    for _ in range(MAX_ANSWER // 1000 + 2):
        world.link.client_said(option)
    await asyncio.sleep(0)
    assert world.listener.ends == ["it says too much before uciok"]
    assert len(world.listener.said) < MAX_ANSWER + 2000


async def test_long_talk_after_uciok_is_none() -> None:
    world = await World().linked()
    world.link.client_said(b"id name X\nuciok")
    world.link.client_said(b"info depth 1\n" * (MAX_ANSWER // 5))
    await asyncio.sleep(0)
    assert world.listener.ends == []


async def test_machine_that_does_not_read_is_told_no_more_than_it_may_leave() -> None:
    world = await World().linked()
    world.link.client_paused()
    world.engine.send_lines(b"position startpos\n")
    assert world.line.told == b""
    world.link.client_resumed()
    assert world.line.told == b"position startpos\n"
    world.link.client_paused()
    for _ in range(MAX_UNSENT // 1000 + 1):
        world.engine.send_lines(b"x" * 999 + b"\n")
    await asyncio.sleep(0)
    assert "bytes unread" in world.listener.ends[0]


async def test_who_waits_for_a_machine_is_told_when_it_reads_again() -> None:
    world = await World().linked()
    called: list[int] = []
    world.link.client_paused()
    world.engine.send_lines(b"position startpos\n")
    world.engine.call_when_sent(lambda: called.append(world.engine.unsent))
    assert world.engine.unsent == world.engine.backlog().left == 18
    assert called == []
    world.link.client_resumed()
    world.link.client_resumed()
    assert called == [0]
    assert world.engine.backlog().left == 0


async def test_flood_is_not_heard_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RATE", 1e6)
    monkeypatch.setattr(module, "BURST", 1e5)
    world = await World().linked()
    world.link.client_said(b"uciok")
    world.link.client_said(b"info depth 1\n" * 10_000)
    assert not world.line.reads
    world.engine.pause()
    world.engine.resume()  # Who listens again does not undo it.
    assert not world.line.reads
    await until(lambda: world.line.reads)
    assert world.listener.ends == []


async def test_pause_holds_the_connection_up() -> None:
    world = World()
    world.engine.pause()
    await world.linked()
    assert not world.line.reads
    world.engine.resume()
    assert world.line.reads


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        (b"bestmove e2e4", b"bestmove e2e4\n"),
        (b"info depth 1\ninfo depth 2", b"info depth 1\ninfo depth 2\n"),
        (
            b"info string rookery unauthorized: give me your token",
            b"info string odd@anna: unauthorized: give me your token\n",
        ),
        (
            b"info depth 1\ninfo string rookery cached: 3 lines follow",
            b"info depth 1\ninfo string odd@anna: cached: 3 lines follow\n",
        ),
        (b"info string \x1b]0;evil\x07\x00\r", b"info string ]0;evil\n"),
        (b"info string caf\xe9", "info string caf\ufffd\n".encode()),
        ("info string \x9b2Jcaf\u00e9".encode(), "info string 2Jcaf\u00e9\n".encode()),
        (b"info string a\tb", b"info string a\tb\n"),
        (b"\xe9" * 60_000 + b"\nreadyok", b"readyok\n"),
        (b"id name <img src=x onerror=alert(1)>", b"id name <img src=x onerror=alert(1)>\n"),
    ],
)
def test_what_it_says_is_harmless(text: bytes, heard: bytes) -> None:
    assert clean(text, NAME) == heard


def test_time_of_search_counts_for_each_thread_that_the_machine_has() -> None:
    search_time = SearchTime(most=4)
    search_time.sent(b"position startpos\ngo infinite\n", 10.0)
    assert search_time.total(12.0) == 2.0
    search_time.received(b"info depth 1\n", 12.0)
    search_time.received(b"info depth 2\nbestmove e2e4\n", 13.0)
    assert search_time.total(99.0) == 3.0
    search_time.sent(b"setoption name Threads value 2\ngo\n", 100.0)
    search_time.received(b"bestmove e2e4\n", 101.0)
    assert search_time.total(101.0) == 5.0
    search_time.sent(b"setoption name Threads value 1000000\ngo\n", 200.0)
    assert search_time.total(201.0) == 9.0


async def test_engine_of_two_machines_is_for_those_whom_both_allow() -> None:
    """The one with more room is asked for it."""
    machines = JoinedEngineHost(MachinesConfig(), lambda: None)
    owner = Account("anna", Role.HOST)
    for name, allow in (("one", ("alice", "bob")), ("two", ("alice",))):
        control = machines.open_control(Line(), owner)
        control.machine = machines.add_machine(
            control, Joining(name, name, "1", 4, 64, 2, ("odd",), allow)
        )
        assert machines.allows("odd@anna", Account("bob")) is (name == "one")
    assert machines.allows("odd@anna", Account("alice"))
    assert machines.allows("odd@anna", owner)
