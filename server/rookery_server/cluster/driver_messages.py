"""GRAMMAR: what the server has its driver do, and what that tells: a line of JSON each."""

import json
from dataclasses import asdict, dataclass, fields

from rookery_server.config.engines import ResourceLimits

BESIDE_HASH = 128  # MiB that an engine takes besides its hash, set aside with it


@dataclass(frozen=True, slots=True)
class StartOrder:
    """An engine that is wanted: what is started, what for is set aside, and who waits for it.

    Attributes:
        number: of the engine, the server's own.
        command: the program, on the node, and its arguments.
        words: the command, and the files beside it.
        nice: see `ResourceLimits`.
        memory_mb: see `ResourceLimits`.
        threads: that a node sets aside.
        hash_mb: that a node sets aside, and what an engine takes besides.
        host: address at which the server waits for its words.
        port: likewise.
        token: what opens it, for this engine alone.

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
        """What the node holds it to."""
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
        given = json.loads(text)
        given["command"], given["words"] = tuple(given["command"]), tuple(given["words"])
        return cls(**{each.name: given[each.name] for each in fields(cls)})


@dataclass(frozen=True, slots=True)
class StopOrder:
    """An engine that is wanted no more."""

    number: int

    def __str__(self) -> str:
        return json.dumps({"drop": self.number})


@dataclass(frozen=True, slots=True)
class EngineLost:
    """An engine that Ray has none for, or not any more; None as its number is: for any."""

    number: int | None
    reason: str

    def __str__(self) -> str:
        return json.dumps({"lost": self.number, "reason": self.reason})


@dataclass(frozen=True, slots=True)
class ClusterJoined:
    """The driver is part of the cluster, whose nodes have so many CPUs for engines."""

    cpus: int

    def __str__(self) -> str:
        return json.dumps({"cpus": self.cpus})


def parse_order(line: str) -> StartOrder | StopOrder:
    """Read a line for the driver."""
    given = json.loads(line)
    return StopOrder(given["drop"]) if "drop" in given else StartOrder.parse(line)


def parse_word(line: str) -> ClusterJoined | EngineLost:
    """Read a line of the driver.

    Raises:
        ValueError: it is none.

    """
    try:
        given = json.loads(line)
        if "cpus" in given:
            return ClusterJoined(int(given["cpus"]))
        return EngineLost(given["lost"], str(given["reason"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"the driver said {line[:200]!r}") from error
