"""What is the same of every engine that runs, wherever that is: who hears it, and for how long."""

from abc import ABC, abstractmethod

from rookery_server.engines.engine_build import Files
from rookery_server.engines.running_engine import EngineListener


class BaseEngine(ABC):
    """What the engines of all hosts have of an `Engine` in common.

    Each says besides how its lines go there and back, and how it ends.
    """

    files: Files

    def __init__(self, listener: EngineListener) -> None:
        self.listener = listener  # who hears it; it may be handed on
        self.asked_to_end = False  # its end is no accident
        self.paused = False  # nobody listens to it for now: its silence is no fault of its own
        self.has_left = False  # its machine has, and so its end is nothing of its own
        self._cpu_seen = 0.0

    async def known_files(self) -> Files:
        """Return `files`: they are known, or never will be."""
        return self.files

    @abstractmethod
    def cpu_total(self) -> float | None:
        """Return the CPU time that it has used in all; None if that cannot be known."""

    def cpu_seconds(self) -> float:
        """Return the CPU time that it has used since this was last asked."""
        total = self.cpu_total()
        if total is None:
            return 0.0
        used, self._cpu_seen = total - self._cpu_seen, total
        return used

    def hand_on(self, listener: EngineListener) -> None:
        """Let somebody else hear it."""
        self.listener = listener
        self.resume()

    @abstractmethod
    def resume(self) -> None:
        """Hear the engine again."""
