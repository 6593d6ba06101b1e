"""Blocking calls in the background: a program can end before they do."""

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable

import pytest
from helpers.support import TIMEOUT

from rookery_bridge.server_inquiry import call_in_thread
from rookery_bridge.setup import doctor
from rookery_bridge.setup.doctor import Doctor
from rookery_protocol.address import Address
from rookery_protocol.tls_trust import Trust


class Blocked:
    """A function that returns only when it may."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.may_end = threading.Event()

    def __call__(self, *_: object, **__: object) -> None:
        self.begun.set()
        self.may_end.wait(2 * TIMEOUT)


def ends_when_cancelled(blocked: Blocked, work: Callable[[], Awaitable[object]]) -> bool:
    """Say whether a program that is interrupted ends, while the function still blocks."""

    async def interrupted() -> None:
        task = asyncio.ensure_future(work())
        while not blocked.begun.is_set():
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})

    program = threading.Thread(target=lambda: asyncio.run(interrupted()), daemon=True)
    program.start()
    program.join(TIMEOUT)
    has_ended = not program.is_alive()
    blocked.may_end.set()
    return has_ended


def test_nobody_waits_for_an_errand() -> None:
    blocked = Blocked()
    assert ends_when_cancelled(blocked, lambda: call_in_thread(blocked))


@pytest.mark.parametrize("step", ["name", "http"])
def test_doctor_can_be_interrupted(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = Blocked()
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = Address.parse(f"ws://127.0.0.1:{server.getsockname()[1]}/engines/a")

        async def examine() -> None:
            async for _ in Doctor(address, Trust()).examine():
                pass

        if step == "http":
            monkeypatch.setattr(doctor, "ask_server", blocked)
        else:
            monkeypatch.setattr(doctor.socket, "getaddrinfo", blocked)
        assert ends_when_cancelled(blocked, examine)


async def test_errand_returns_and_raises_what_the_function_does() -> None:
    assert await call_in_thread(max, 1, 2) == 2
    with pytest.raises(ZeroDivisionError):
        await call_in_thread(divmod, 1, 0)
