"""The last changes of the best move and the value at a project's root.  No I/O and no clock."""

import msgspec

from rookery_server.growth.node import Node

MOST_CHANGES = 32  # the last ones: those before are in the root's trend


class RootChange(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The best move of the root from a moment on, and its value for the side to move.

    `size` was that of the root then, and `at` the time, in seconds of the epoch.
    """

    size: int
    at: int
    move: str
    value: int


RootHistory = tuple[RootChange, ...]


def with_root(history: RootHistory, root: Node, now: int) -> RootHistory:
    """Return a history with what the root has now, if that is new.

    Args:
        history: the changes before, the oldest first.
        root: the root.
        now: s of the epoch.

    """
    best = root.best()
    if best is None or best.value is None:
        return history
    if history and (history[-1].move, history[-1].value) == (best.move, best.value):
        return history
    return (*history, RootChange(root.size, now, best.move, best.value))[-MOST_CHANGES:]
