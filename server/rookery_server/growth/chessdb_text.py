"""Positions of a tree in the text form of chessdb.cn's API.

https://www.chessdb.cn/cloudbookc_api_en.html: scores are those of the side to move, in
centipawns, and 30000 less the plies for a mate.
"""

import math

from rookery_server.growth.node import OTHERS, Candidate, Kind, Node
from rookery_server.growth.value import MATE, TABLE, is_decided

UNKNOWN, INVALID = "unknown", "invalid board"
_MATE, _TABLE = 30_000, 20_000  # as chessdb has a mate and a win by tablebase
_GOOD = 30  # centipawns that a good move may be worse than the best
_STEEPNESS = 0.003682  # of the chance to win by a score, as the page has it
_ENDS = {Kind.CHECKMATE: "checkmate", Kind.STALEMATE: "stalemate"}


def all_moves(node: Node) -> str:
    """Return the answer to `queryall`: the moves with values, best first."""
    if end := _ENDS.get(node.kind):
        return end
    found = [each for each in node.counting() if each.move != OTHERS and each.value is not None]
    found.sort(key=lambda each: -(each.value or 0))
    if not found:
        return UNKNOWN
    return "|".join(_move(each, found[0]) for each in found)


def best_line(node: Node, line: tuple[str, ...]) -> str:
    """Return the answer to `querypv`: the value and the main line of the tree."""
    if end := _ENDS.get(node.kind):
        return end
    if not line or node.value is None:
        return UNKNOWN
    return f"score:{_score(node.value)},depth:{len(line)},pv:{'|'.join(line)}"


def _move(candidate: Candidate, best: Candidate) -> str:
    value, top = candidate.value or 0, best.value or 0
    rank = 2 if value == top else 1 if top - value <= _GOOD else 0
    note = "!" if rank == 2 else "*" if rank == 1 else "?"
    chance = 50 + 50 * (2 / (1 + math.exp(-_STEEPNESS * max(-1000, min(1000, value)))) - 1)
    return (
        f"move:{candidate.move},score:{_score(value)},rank:{rank},note:{note},winrate:{chance:.2f}"
    )


def _score(value: int) -> int:
    if not is_decided(value):
        return value
    is_mate = abs(value) > TABLE
    size = _MATE - (MATE - abs(value)) if is_mate else _TABLE - (TABLE - abs(value))
    return size if value > 0 else -size
