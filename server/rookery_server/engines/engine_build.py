"""The identity of an engine's build, as far as can be seen from outside.

A name and a version do not tell two builds apart.  So the state of the files of an
engine's command is recorded when it is started: a later reader knows whether they are
still what runs.  An engine that runs on another machine has its files there: of them only
the digests of their contents are known here.
"""

import hashlib
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_DIGEST_SIZE = 16  # bytes


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file as it was at a moment: when any of it is different, so may be its contents."""

    path: str
    device: int
    inode: int
    size: int
    modified: int  # ns
    changed: int  # ns


@dataclass(frozen=True, slots=True)
class Content:
    """A file of another machine, as it was when the engine started: the digest of what was in it.

    None is that it is not known (yet).
    """

    digest: str | None


Stamps = tuple[Stamp | None, ...]  # one for each word of a command
Files = tuple[Stamp | Content | None, ...]  # likewise, wherever they are
UNKNOWN = Content(None)


@dataclass(frozen=True, slots=True)
class Build:
    """An engine: what it says it is, and the words of its command, some of them files."""

    name: str
    words: tuple[str, ...]
    files: Files

    def digest(self) -> str | None:
        """Return the digest of the build; None if its files have changed or cannot be read.

        Files count by their contents, so that a path does not matter: the same build is the same
        on two machines, and another build in the same place is another.
        """
        parts = [self.name]
        for word, file in zip(self.words, self.files, strict=True):
            if file is None:
                parts.append(word)
                continue
            digest = file.digest if isinstance(file, Content) else digest_of_file(file)
            if digest is None:
                return None
            parts.append(word.removesuffix(path_in(word)) + digest)
        return digest_of_texts(parts)


def stamps_of(words: Iterable[str]) -> Stamps:
    """Return the state of the files of a command now."""
    return _shared(tuple(stamp(path_in(word)) for word in words))


@lru_cache(maxsize=64)
def _shared(stamps: Stamps) -> Stamps:
    """Return the same for all that are equal: an engine of ours has 40 files, which take 14 KB."""
    return stamps


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


def digest_of_file(file: Stamp) -> str | None:
    """Return the digest of what is in a file; None if it is not as it was, or cannot be read."""
    try:
        return _read_digest(file) if stamp(file.path) == file else None
    except OSError:
        return None


@lru_cache(maxsize=1000)
def _read_digest(file: Stamp) -> str:
    """Return the digest of a file, which is read once; an error is not remembered."""
    with Path(file.path).open("rb") as opened:
        digest = hashlib.file_digest(opened, _new_digest).hexdigest()
    if stamp(file.path) != file:
        raise OSError("it was written to while it was read")
    return digest


def contents_of(files: Stamps) -> tuple[str | None, ...]:
    """Read the files of an engine; that says which build it is to another machine.

    Returns:
        Their digests; "" for what is no file, None for one that is not as it was.

    """
    return tuple("" if file is None else digest_of_file(file) for file in files)


def digest_of_texts(texts: Iterable[str]) -> str:
    """Return the digest of some texts, each apart from the next."""
    whole = _new_digest()
    for each in texts:
        text = each.encode()
        whole.update(b"%d:%b" % (len(text), text))
    return whole.hexdigest()


def _new_digest() -> "hashlib.blake2b":
    return hashlib.blake2b(digest_size=_DIGEST_SIZE)
