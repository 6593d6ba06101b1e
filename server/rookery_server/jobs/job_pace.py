"""The pace of a job at one server, and the size of batches that follows from it."""

from dataclasses import dataclass

BATCH_TIME = 2.0  # s of work in a batch; so much is lost when a server is killed
MOST_ITEMS = 2000  # of a batch
GROWTH = 8  # times that a batch may be larger than the one before


@dataclass(slots=True)
class JobPace:
    """The items of a job that a worker does in a second, and the size of its last batch."""

    rate: float = 0.0
    size: int = 1

    def next_size(self) -> int:
        """Return how many items take about as long as a batch should."""
        wanted = int(self.rate * BATCH_TIME) if self.rate else 1
        self.size = max(1, min(wanted, MOST_ITEMS, GROWTH * self.size))
        return self.size

    def learn(self, items: int, seconds: float) -> None:
        """Record a batch."""
        rate = items / max(seconds, 0.001)
        self.rate = (self.rate + rate) / 2 if self.rate else rate
