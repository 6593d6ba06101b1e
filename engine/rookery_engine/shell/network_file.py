"""The file format of a network: our own, which `export_net` writes and `EvalFile` reads.

A line with the kind of file, a line with the SHA-256 of what follows, then the numbers
as network.py takes them.  Our own is the one file in the folder `net` whose name ends in
`.network` and begins with its SHA-256: to change it, change the file.
"""

import hashlib
from pathlib import Path

from rookery_uci import UciError

KIND = b"rookery network 3\n"
OLD_KINDS = (b"rookery network 1\n", b"rookery network 2\n")  # with fewer layers
SUFFIX = ".network"
FOLDER = Path(__file__).resolve().parents[1] / "net"  # no link: a new file is seen at once
NAME_SIZE = 12  # digits of the SHA-256 that name a network
OWN = "the engine's own network"
_DIGEST_SIZE = 64
_MAX_SIZE = 1 << 24  # bytes; far more than there are numbers


def name_of(numbers: bytes) -> str:
    """Return the name of a network: the start of the SHA-256 of its numbers."""
    return hashlib.sha256(numbers).hexdigest()[:NAME_SIZE]


def write_network(path: str, numbers: bytes) -> str:
    """Write a network to a file; return its path.

    Without one the file gets the network's name, in the current folder.

    Raises:
        UciError: the file cannot be written.

    """
    target = Path(path or name_of(numbers) + SUFFIX)
    digest = hashlib.sha256(numbers).hexdigest()
    try:
        target.write_bytes(KIND + digest.encode() + b"\n" + numbers)
    except (OSError, ValueError) as error:
        raise UciError(f"{str(target)!r} cannot be written: {_reason(error)}") from error
    return str(target)


def read_own(folder: Path = FOLDER) -> bytes:
    """Return the numbers that the engine comes with.

    Raises:
        UciError: there are none, or more than one file, or it is damaged.

    """
    found = list(folder.glob("*" + SUFFIX))
    if len(found) != 1:
        raise UciError(f"{OWN} should be one file *{SUFFIX} in {str(folder)!r}, not {len(found)}")
    numbers = read_network(found[0], OWN)
    name = name_of(numbers) + SUFFIX
    if found[0].name != name:
        raise UciError(f"{OWN} is named {found[0].name!r}, but its SHA-256 says {name!r}")
    return numbers


def read_network(path: Path, label: str) -> bytes:
    """Return the numbers of a file, which an error calls by its `label`.

    Raises:
        UciError: it cannot be read, is none of ours, or damaged.

    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_SIZE)
    except (OSError, ValueError) as error:
        raise UciError(f"{label} cannot be read: {_reason(error)}") from error
    if data.startswith(OLD_KINDS):
        raise UciError(
            f"{label} is a network of an older kind, with fewer layers: make one of this kind of"
            " it, by `make train ARGS='widen NEW OLD'`"
        )
    if not data.startswith(KIND):
        raise UciError(f"{label} is no network of Rookery's (see export_net)")
    head = len(KIND) + _DIGEST_SIZE + 1
    digest, numbers = data[len(KIND) : head], data[head:]
    found = hashlib.sha256(numbers).hexdigest()
    if digest != found.encode() + b"\n":
        raise UciError(f"{label} is damaged: its SHA-256 is not what it says")
    return numbers


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
