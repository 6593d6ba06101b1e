"""The positions to which engine, server, bridge and page are held: data/positions.json."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "data" / "positions.json"


@dataclass(frozen=True)
class Case:
    """A text, perhaps moves from there, and what of it is read; or why it is refused."""

    fen: str
    moves: str = ""
    read: str | None = None
    refused: str = ""
    chess960: bool = False

    def __str__(self) -> str:
        return f"{self.fen} {self.moves}".strip()


def cases(part: str) -> list[Any]:
    """Return the cases of a part: `positions`, or `moves`."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return [Case(**fields) for fields in found[part]]
