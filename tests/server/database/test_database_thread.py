"""Calls of a database's thread whose callers go away."""

import asyncio
import threading

from rookery_server.database.database_thread import DatabaseThread


class NotedStore:
    """A store that notes what is done."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.may_go_on = threading.Event()

    def wait(self) -> None:
        self.may_go_on.wait(10)

    def note(self, what: str) -> None:
        self.done.append(what)

    def close(self) -> None:
        self.done.append("closed")


async def test_what_was_asked_for_is_done_when_the_caller_is_gone() -> None:
    """Also what the thread has not begun."""
    store = NotedStore()
    thread = DatabaseThread("test", lambda: store)
    waiting = asyncio.create_task(thread.run(NotedStore.wait))
    asking = asyncio.create_task(thread.run(NotedStore.note, "asked"))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait({asking})
    assert asking.cancelled()
    store.may_go_on.set()
    await waiting
    await thread.close()
    assert store.done == ["asked", "closed"]
