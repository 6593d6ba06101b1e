"""Replacement of a file as a whole: a reader sees it before or after, and never half."""

import os
import stat
import tempfile
from pathlib import Path


def replace_file(path: Path, text: str, *, former: os.stat_result | None = None) -> None:
    """Replace a file, or create it.

    It is the user's alone from its first byte on, or has the owner and the mode of the former one.

    Raises:
        OSError: it cannot be written; then it is as it was.

    """
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            if former:
                os.fchown(descriptor, former.st_uid, former.st_gid)
                os.fchmod(descriptor, stat.S_IMODE(former.st_mode))
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
