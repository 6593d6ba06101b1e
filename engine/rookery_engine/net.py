"""The evaluation's numbers as a file: what `export_net` writes and `EvalFile` reads.

A line with the kind of file, a line with the SHA-256 of what follows, then the
numbers as evaluate.py takes them.
"""

import hashlib
from pathlib import Path

from rookery_engine import evaluate
from rookery_engine.uci import UciError

KIND = b"rookery evaluation 1\n"
_DIGEST_SIZE = 64
_MAX_SIZE = 1 << 20  # bytes; far more than there are numbers


def export(path: str) -> str:
    """Write the numbers in use to a file; return its path.

    Without one the file is named by the start of its SHA-256, in the current folder.

    Raises:
        UciError: the file cannot be written.

    """
    numbers = evaluate.numbers()
    digest = hashlib.sha256(numbers).hexdigest()
    target = Path(path or f"rookery-{digest[:12]}.eval")
    try:
        target.write_bytes(KIND + digest.encode() + b"\n" + numbers)
    except (OSError, ValueError) as error:
        raise UciError(f"{str(target)!r} cannot be written: {_reason(error)}") from error
    return str(target)


def use(path: str) -> None:
    """Evaluate with the numbers of a file, or with our own if there is no path.

    Raises:
        UciError: the file cannot be read, or is not of this kind; nothing has changed.

    """
    evaluate.use(_read(path) if path else evaluate.own_numbers())


def _read(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MAX_SIZE)
    except (OSError, ValueError) as error:
        raise UciError(f"EvalFile {path!r} cannot be read: {_reason(error)}") from error
    if not data.startswith(KIND):
        raise UciError(f"EvalFile {path!r} is no evaluation of Rookery's (see export_net)")
    digest = data[len(KIND) :][:_DIGEST_SIZE]
    numbers = data[len(KIND) + _DIGEST_SIZE + 1 :]
    if len(numbers) != evaluate.SIZE or hashlib.sha256(numbers).hexdigest().encode() != digest:
        raise UciError(f"EvalFile {path!r} is damaged: its SHA-256 is another than it says")
    return numbers


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
