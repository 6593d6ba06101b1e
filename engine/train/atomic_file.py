"""A file that is written as a whole or not at all."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def check_folder(path: Path) -> None:
    """Check that there is a folder for a file: better before hours of work than after.

    Raises:
        FileNotFoundError: there is none.

    """
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` when everything is written.

    If anything fails, what was at `path` is still there.  An OSError names the path;
    it is one too if something is there that is no file, such as a device.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a file", str(path))
    fresh = path.with_name(path.name + ".new")
    try:
        with fresh.open("wb") as file:
            yield file
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
