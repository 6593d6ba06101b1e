"""Which build of an engine it is, as far as can be seen from outside.

A name and a version do not tell two builds apart.  So it is noted how the files of an
engine's command were when it was started: whoever reads them later knows whether they are
still what runs.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file as it was at a moment: when any of it is different, so may be its contents."""

    path: str
    device: int
    inode: int
    size: int
    modified: int  # ns
    changed: int  # ns


Stamps = tuple[Stamp | None, ...]  # one for each word of a command


@dataclass(frozen=True, slots=True)
class Build:
    """An engine: what it says it is, and the words of its command, some of them files."""

    name: str
    words: tuple[str, ...]
    files: Stamps


def stamps_of(words: Iterable[str]) -> Stamps:
    """Look at the files of a command now."""
    return tuple(stamp(path_in(word)) for word in words)


def path_in(word: str) -> str:
    """Return what may be a path in a word of a command: `--weights=FILE` has one."""
    return word.partition("=")[2] if word.startswith("-") and "=" in word else word


def stamp(path: str) -> Stamp | None:
    """Return how a file is now; None if there is no such file, or it is a folder or a device."""
    if "/" not in path:
        return None
    try:
        found = os.stat(path)  # noqa: PTH116  # A Path takes three times as long.
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Stamp(
        path, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
    )
