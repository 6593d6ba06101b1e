"""The stored form of a node's candidates: compact JSON with a version.

`[1, [move, own, child, value, priority, flags], ...]`: flags are a sum of the numbers in `_FLAGS`.
What is read is checked, as a file or a database may be damaged.
"""

import json
import re
from typing import TypeGuard

from rookery_server.growth.node import OTHERS, Candidate
from rookery_server.growth.value import is_valid

VERSION = 1

_FLAGS = {"is_proven": 1, "is_excluded": 2, "is_pinned": 4, "is_added": 8}
_ALL_FLAGS = sum(_FLAGS.values())
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrqk]?|[PNBRQK]@[a-h][1-8]")
_MAX_NUMBER = 2**62  # of a node; the absolute value of a priority


class DamagedNodeError(ValueError):
    """Stored candidates of a node cannot be what `candidate_text` has written."""


def candidate_text(candidates: tuple[Candidate, ...]) -> str:
    """Return candidates as JSON; `parse_candidates` reads it."""
    return json.dumps([VERSION, *map(_row, candidates)], separators=(",", ":"))


def parse_candidates(text: str) -> tuple[Candidate, ...]:
    """Read what `candidate_text` has written.

    Raises:
        DamagedNodeError: it is something else, or of a newer version.

    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedNodeError(f"candidates are no JSON: {text[:40]!r}") from error
    if not isinstance(found, list) or not found or type(found[0]) is not int:
        raise DamagedNodeError(f"candidates need a list that begins with a version: {text[:40]!r}")
    if found[0] != VERSION:
        raise DamagedNodeError(f"candidates of version {found[0]}, not {VERSION}")
    candidates = tuple(map(_candidate, found[1:]))
    moves = [each.move for each in candidates]
    if len(set(moves)) != len(moves):
        raise DamagedNodeError(f"a candidate stands twice: {' '.join(moves)}")
    return candidates


def _row(candidate: Candidate) -> list[str | int | None]:
    flags = sum(flag for name, flag in _FLAGS.items() if getattr(candidate, name))
    return [
        candidate.move, candidate.own, candidate.child, candidate.value, candidate.priority, flags
    ]  # fmt: skip


def _candidate(row: object) -> Candidate:
    """Read one candidate; raise DamagedNodeError if it cannot be one."""
    match row:
        case [str(move), own, child, value, priority, int(flags)] if (
            (move == OTHERS or _MOVE.fullmatch(move))
            and _is_value(own)
            and _is_number(child, least=1)
            and _is_value(value)
            and _is_number(priority, least=-_MAX_NUMBER)
            and _is_number(flags, least=0)
            and flags <= _ALL_FLAGS
        ):
            set_flags = {name: bool(flags & flag) for name, flag in _FLAGS.items()}
            return Candidate(move, own, child, value, priority, **set_flags)
        case _:
            raise DamagedNodeError(f"no candidate: {str(row)[:80]}")


def _is_value(found: object) -> TypeGuard[int | None]:
    return found is None or (type(found) is int and is_valid(found))


def _is_number(found: object, least: int) -> TypeGuard[int | None]:
    return found is None or (type(found) is int and least <= found < _MAX_NUMBER)
