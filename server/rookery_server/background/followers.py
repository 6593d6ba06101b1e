"""The clients that wait for changes of works, by an event each."""

import asyncio
from collections.abc import Collection, Iterator
from contextlib import contextmanager


class Followers:
    """The events of those that follow the works of one kind, which have numbers."""

    def __init__(self) -> None:
        self._events: dict[int, set[asyncio.Event]] = {}

    def __len__(self) -> int:
        """Return how many works are followed."""
        return len(self._events)

    @contextmanager
    def following(self, works: Collection[int]) -> Iterator[asyncio.Event]:
        """Have an event that is set whenever one of some works has changed."""
        event = asyncio.Event()
        for each in works:
            self._events.setdefault(each, set()).add(event)
        try:
            yield event
        finally:
            for each in works:
                events = self._events.get(each, set())
                events.discard(event)
                if not events:
                    self._events.pop(each, None)

    def wake(self, work: int) -> None:
        """Set the events of all that follow a work."""
        for event in self._events.get(work, ()):
            event.set()

    def wake_all(self) -> None:
        """Set all events: the server ends."""
        for work in self._events:
            self.wake(work)
