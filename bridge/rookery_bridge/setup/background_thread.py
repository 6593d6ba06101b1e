"""What blocks, done by a thread that nobody need wait for.

`asyncio.to_thread` has its threads waited for before the program may end: after Ctrl-C too, and
for a name that no name server answers for a minute.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def errand(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a thread of its own, and return what it does, or raise likewise.

    Who is cancelled leaves the thread alone; it ends with the program, if not before.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(settling: Callable[..., None], value: object) -> None:
        if not done.done():
            settling(value)

    def go() -> None:
        settling: Callable[..., None] = done.set_result
        value: object
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            settling, value = done.set_exception, error
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, settling, value)

    Thread(target=go, name="errand", daemon=True).start()
    return await done
