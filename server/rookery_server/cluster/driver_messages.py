"""The messages between the server and its Ray driver: a line of JSON each."""

import json
from dataclasses import asdict, dataclass
from typing import NamedTuple

from rookery_server.config.engines import ResourceLimits

BESIDE_HASH = 128  # MiB that an engine takes besides its hash, set aside with it


@dataclass(frozen=True, slots=True)
class StartOrder:
    """An engine that is wanted, for the driver and for its actor.

    Attributes:
        number: of the engine, the server's own.
        command: the program, on the node, and its arguments.
        words: the command, and the files beside it.
        nice: see `ResourceLimits`.
        memory_mb: see `ResourceLimits`.
        threads: that a node sets aside.
        hash_mb: that a node sets aside, and what an engine takes besides.
        host: address at which the server waits for the engine's lines.
        port: likewise.
        token: opens that port, for this engine alone.

    """

    number: int
    command: tuple[str, ...]
    words: tuple[str, ...]
    nice: int
    memory_mb: int | None
    threads: int
    hash_mb: int
    host: str
    port: int
    token: str

    @property
    def limits(self) -> ResourceLimits:
        """The limits of its process."""
        return ResourceLimits(self.nice, self.memory_mb)

    @property
    def memory_bytes(self) -> int:
        """Memory that a node sets aside."""
        return (self.hash_mb + BESIDE_HASH) << 20

    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, text: str) -> "StartOrder":
        """Read what the server has written."""
        fields = json.loads(text)
        fields["command"], fields["words"] = tuple(fields["command"]), tuple(fields["words"])
        return cls(**fields)


class StopOrder(NamedTuple):
    """An engine that is wanted no more."""

    number: int

    def __str__(self) -> str:
        return json.dumps({"stop": self.number})


class EngineLost(NamedTuple):
    """An engine that Ray has none for, or not any more; None as its number is: for any."""

    number: int | None
    reason: str

    def __str__(self) -> str:
        return json.dumps({"lost": self.number, "reason": self.reason})


class ClusterJoined(NamedTuple):
    """The driver is part of the cluster, whose nodes have so many CPUs for engines."""

    cpus: int

    def __str__(self) -> str:
        return json.dumps({"cpus": self.cpus})


def parse_order(line: str) -> StartOrder | StopOrder:
    """Parse a line for the driver."""
    fields = json.loads(line)
    return StopOrder(fields["stop"]) if "stop" in fields else StartOrder.parse(line)


def parse_report(line: str) -> ClusterJoined | EngineLost:
    """Parse a line of the driver.

    Raises:
        ValueError: it is none.

    """
    try:
        fields = json.loads(line)
        if "cpus" in fields:
            return ClusterJoined(int(fields["cpus"]))
        return EngineLost(fields["lost"], str(fields["reason"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"the driver said {line[:200]!r}") from error
