"""GRAMMAR: what is told of an engine that runs elsewhere, besides what it says itself.

One line each, `MARK` and an object of JSON, so that it can stand among the engine's own
lines: whoever carries them leaves `MARK` out of what the engine says.
"""

import json
from dataclasses import asdict, dataclass

MARK = b"\0"  # begins such a line; no line of UCI has it
MAX_TEXT = 1000  # characters of a complaint


@dataclass(frozen=True, slots=True)
class News:
    """Something about an engine; None is no news.

    Attributes:
        label: what the log calls it, `PID at MACHINE`.
        files: digests of the files of its words, "" for a word that is no file; None for one
            that could not be read.
        cpu: CPU time that it has used in all, in seconds.
        memory_mb: memory that it shares with no other, in MiB.
        complaint: a line of its stderr.
        ended: that it is gone, and how it ended; the last that is told of it.

    """

    label: str | None = None
    files: tuple[str | None, ...] | None = None
    cpu: float | None = None
    memory_mb: int | None = None
    complaint: str | None = None
    ended: str | None = None

    def __bytes__(self) -> bytes:
        told = {key: value for key, value in asdict(self).items() if value is not None}
        return b"%b%b\n" % (MARK, json.dumps(told, separators=(",", ":")).encode())

    @classmethod
    def parse(cls, line: bytes) -> "News":
        """Read a line, with its mark; what is unknown in it is left out.

        Raises:
            ValueError: it is none.

        """
        try:
            told = json.loads(line.removeprefix(MARK))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"news of an engine need JSON, not {line[:80]!r}") from error
        if not isinstance(told, dict):
            raise ValueError(f"news of an engine need an object, not {line[:80]!r}")
        return cls(
            label=_text(told.get("label")),
            files=_files(told.get("files")),
            cpu=_number(told.get("cpu")),
            memory_mb=_whole(told.get("memory_mb")),
            complaint=_text(told.get("complaint")),
            ended=_text(told.get("ended")),
        )


def _text(value: object) -> str | None:
    return value[:MAX_TEXT] if isinstance(value, str) else None


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < 1e12 else None  # type: ignore[arg-type,operator]  # it is one


def _whole(value: object) -> int | None:
    number = _number(value)
    return None if number is None else int(number)


def _files(value: object) -> tuple[str | None, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(_text(each) for each in value)
