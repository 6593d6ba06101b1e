"""The stored form of a node's candidates: compact JSON with a version.

`[1, [move, own, child, value, priority, flags], ...]`: flags are a sum of the numbers in `_FLAGS`.
What is read is checked, as a file or a database may be damaged.
"""

import re
from typing import Annotated

import msgspec

from rookery_server.growth.node import OTHERS, Candidate
from rookery_server.growth.value import MATE, is_valid

VERSION = 1

_FLAGS = {"is_proven": 1, "is_excluded": 2, "is_pinned": 4, "is_added": 8}
_ALL_FLAGS = sum(_FLAGS.values())
_SET_FLAGS = [
    {name: bool(flags & flag) for name, flag in _FLAGS.items()} for flags in range(_ALL_FLAGS + 1)
]
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrqk]?|[PNBRQK]@[a-h][1-8]")
_MAX_NUMBER = 2**62  # of a node; the absolute value of a priority
_SHOWN = 40  # characters of what is wrong

_Value = Annotated[int, msgspec.Meta(ge=-MATE, le=MATE)]


class _Row(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A candidate as it is stored."""

    move: str
    own: _Value | None
    child: Annotated[int, msgspec.Meta(ge=1, lt=_MAX_NUMBER)] | None
    value: _Value | None
    priority: Annotated[int, msgspec.Meta(ge=-_MAX_NUMBER, lt=_MAX_NUMBER)] | None
    flags: Annotated[int, msgspec.Meta(ge=0, le=_ALL_FLAGS)]


_decoder = msgspec.json.Decoder(list[int | _Row])


class DamagedNodeError(ValueError):
    """Stored candidates of a node cannot be what `candidate_text` has written."""


def candidate_text(candidates: tuple[Candidate, ...]) -> str:
    """Return candidates as JSON; `parse_candidates` reads it."""
    return msgspec.json.encode([VERSION, *map(_row, candidates)]).decode()


def parse_candidates(text: str) -> tuple[Candidate, ...]:
    """Read what `candidate_text` has written.

    Raises:
        DamagedNodeError: it is something else, or of a newer version.

    """
    try:
        found = _decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise DamagedNodeError(f"no candidates: {error}: {text[:_SHOWN]!r}") from error
    if found[:1] != [VERSION]:
        raise DamagedNodeError(f"candidates are not of version {VERSION}: {text[:_SHOWN]!r}")
    candidates = tuple(map(_candidate, found[1:]))
    moves = {each.move for each in candidates}
    if len(moves) != len(candidates):
        stand = " ".join(each.move for each in candidates)
        raise DamagedNodeError(f"a candidate stands twice: {stand}")
    return candidates


def _row(candidate: Candidate) -> _Row:
    flags = sum(flag for name, flag in _FLAGS.items() if getattr(candidate, name))
    return _Row(
        candidate.move, candidate.own, candidate.child, candidate.value, candidate.priority, flags
    )


def _candidate(row: int | _Row) -> Candidate:
    """Return the candidate of a row; raise DamagedNodeError if there is none like it."""
    if (
        isinstance(row, int)
        or not (row.move == OTHERS or _MOVE.fullmatch(row.move))
        or not (row.own is None or is_valid(row.own))
        or not (row.value is None or is_valid(row.value))
    ):
        raise DamagedNodeError(f"no candidate: {row}")
    set_flags = _SET_FLAGS[row.flags]
    return Candidate(row.move, row.own, row.child, row.value, row.priority, **set_flags)
