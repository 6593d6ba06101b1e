"""Reader of the files that the operator names; none can hold the server up.

A read of a pipe waits for a writer, and a device such as /dev/zero has no
end; the server may read its files while it serves.  So only a regular file is read, and only
as much as one of its kind can have.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from rookery_protocol.errors import ConfigError

MOST = 16 << 20  # bytes; 70,000 tokens
_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


@dataclass(frozen=True, slots=True)
class Contents:
    """The bytes of a file, and its mode."""

    data: bytes
    mode: int


def contents(name: str, path: Path, most: int = MOST) -> Contents:
    """Read a file.

    Args:
        name: its key in the configuration, for errors, such as `tls.key`.
        path: where it is.
        most: bytes that it may have.

    Raises:
        OSError: it does not exist, or may not be read.
        ConfigError: it is no regular file, or has too much.

    """
    with open(path, "rb", opener=_at_once) as file:  # A Path takes no opener.
        status = os.fstat(file.fileno())
        if kind := _KINDS.get(stat.S_IFMT(status.st_mode)):
            raise ConfigError(f"{name}: {path} is {kind}: a regular file is wanted")
        data = b"" if status.st_size > most else file.read(most + 1)
    if max(status.st_size, len(data)) > most:
        raise ConfigError(f"{name}: {path} has more than {most} bytes: it is another file, perhaps")
    return Contents(data, status.st_mode)


def _at_once(path: str, flags: int) -> int:
    """Open a file without waiting for the other end of a pipe."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
