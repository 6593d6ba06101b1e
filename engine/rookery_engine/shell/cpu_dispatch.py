"""Choice of the build of the core that runs: the fastest that this processor can.

A wheel has the compiled modules for every processor of its kind.  On x86-64 each folder of them
has them a second time, in a folder below it, for the processors since 2013 or so (x86-64-v3: AVX2
and what came with it).  `choose_build` makes Python look there first; call it before anything of
the core is imported, or the modules that run everywhere are loaded.  A build for the machine
itself has no such folder.  See setup.py.
"""

import os

import rookery_engine

FOLDER = "x86_64_v3"


def choose_build() -> None:
    """Make Python import the core from the second build, if there is one and it runs here."""
    folder = os.path.join(rookery_engine.__path__[0], "core", FOLDER)  # noqa: PTH118  # 3 ms less
    if not os.path.isdir(folder):  # noqa: PTH112
        return
    from rookery_engine import core, nnue, search, syzygy
    from rookery_engine.core.processor import has_v3

    if has_v3():
        for package in (core, nnue, search, syzygy):
            package.__path__.insert(0, os.path.join(package.__path__[0], FOLDER))  # noqa: PTH118
