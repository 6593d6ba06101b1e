"""The event loop that this program's commands run on."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


def run(program: Coroutine[None, None, T]) -> T:
    """Run a program to its end."""
    try:
        import uvloop  # Its loop turns in half the time of asyncio's own; it is for Unix only.
    except ImportError:
        return asyncio.run(program)
    return uvloop.run(program)
