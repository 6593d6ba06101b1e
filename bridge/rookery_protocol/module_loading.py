"""The loading of a program's modules, without the search for garbage.

Modules make hundreds of thousands of objects that stay.  Python looks through them for garbage
again and again while they are made, which takes a tenth of the CPU time of a start.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Load modules in this context; garbage is looked for again after it."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
