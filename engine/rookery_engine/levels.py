"""Which build of the core runs: the fastest that this processor can.

A wheel has the compiled modules for every processor of its kind.  On x86-64 it has them a
second time, in a folder of their own, for the processors since 2013 or so (x86-64-v3: AVX2
and what came with it).  `choose` has Python look there first; it must be called before
anything of the core is imported, and whoever does not call it gets the modules that run
everywhere.  A build for the machine itself has no such folder.  See setup.py.
"""

import os

import rookery_engine

FOLDER = "x86_64_v3"


def choose() -> None:
    """Have the core imported from the second build, if there is one and it runs here."""
    folder = os.path.join(rookery_engine.__path__[0], FOLDER)  # noqa: PTH118  # 3 ms less
    if os.path.isdir(folder):  # noqa: PTH112
        from rookery_engine.processor import has_v3

        if has_v3():
            rookery_engine.__path__.insert(0, folder)
