"""One who watches a room, and says or hears more than is good for the others."""

import asyncio
from collections.abc import Callable, Hashable

import pytest
from helpers.support import until

from rookery_protocol.notices import Close
from rookery_server.access.account import LOCAL
from rookery_server.rooms import broadcaster as module
from rookery_server.rooms.broadcaster import Spectator
from rookery_server.session.client_channel import ClientChannel

RATE = 200.0  # lines in a second
BURST = 10


class Connection:
    """A client that says lines as long as it is heard."""

    def __init__(self) -> None:
        self.address = ""
        self.relay = None
        self.is_heard = True
        self.told: list[bytes] = []
        self.closed: Close | None = None

    def send_lines(self, piece: bytes) -> None:
        self.told.append(piece)

    def finish(self, code: Close, reason: str) -> None:
        self.closed = code

    def hold_input(self, why: Hashable) -> None:
        self.is_heard = False

    def release_input(self, why: Hashable) -> None:
        self.is_heard = True


class Stage:
    """A room in which nothing is said."""

    greeting = b"uciok\n"

    def __init__(self) -> None:
        self.left = 0

    def has_control(self, spectator: Spectator) -> bool:
        return False

    def execute(self, spectator: Spectator, line: bytes) -> None:
        raise AssertionError(line)

    def catch_up(self, spectator: Spectator) -> None: ...

    def return_control(self, spectator: Spectator) -> None: ...

    def remove_spectator(self, spectator: Spectator) -> None:
        self.left += 1


@pytest.fixture
def client() -> Connection:
    return Connection()


@pytest.fixture
async def spectator(client: Connection, monkeypatch: pytest.MonkeyPatch) -> Spectator:
    monkeypatch.setattr(module, "_LINES_PER_SECOND", RATE)
    monkeypatch.setattr(module, "_LINES_BURST", BURST)
    return Spectator(ClientChannel(client), LOCAL, Stage())  # type: ignore[arg-type]


def timers() -> int:
    """Return how many timers are set."""
    scheduled = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]  # asyncio's
    return sum(not each.cancelled() for each in scheduled)


def say(spectator: Spectator, count: int) -> None:
    """Say lines that have come in one piece: all are heard, whatever is paused meanwhile."""
    for _ in range(count):
        spectator.client_said(b"isready")


async def test_client_that_says_too_much_is_heard_when_all_of_it_is_paid_for(
    spectator: Spectator, client: Connection
) -> None:
    loop = asyncio.get_running_loop()
    before, began = timers(), loop.time()
    say(spectator, BURST + 50)
    assert not client.is_heard
    assert timers() == before + 1
    await until(lambda: client.is_heard)
    assert loop.time() - began >= 0.9 * 50 / RATE
    assert timers() == before
    assert len(client.told) == BURST + 50  # no line is lost


@pytest.mark.parametrize(
    "end",
    [
        lambda spectator: spectator.client_said(b"quit"),
        lambda spectator: spectator.client_ended(),
        lambda spectator: spectator.client_overlong(),
        lambda spectator: spectator.client_gone(spectator.client),
    ],
    ids=["quit", "ended", "overlong", "gone"],
)
async def test_nothing_waits_for_one_who_has_left(
    spectator: Spectator, client: Connection, end: Callable[[Spectator], None]
) -> None:
    before = timers()
    say(spectator, 1000)
    end(spectator)
    assert timers() == before
    assert client.is_heard  # The closing handshake is read, too.
