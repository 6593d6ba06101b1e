"""Replacement of a file as a whole: a reader sees it before or after, and never half."""

import os
import stat
import sys
import tempfile
import time
from pathlib import Path

# s from one attempt to the next: scanners for viruses are done in a moment.
_WAITS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_IN_USE = (5, 32)  # errors of Windows: ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION


def replace_file(path: Path, text: str, *, former: os.stat_result | None = None) -> None:
    """Replace a file, or create it.

    It is the user's alone from its first byte on, or has the owner and the mode of the former one.

    Raises:
        OSError: it cannot be written; then it is as it was.

    """
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            if former and sys.platform != "win32":
                os.fchown(descriptor, former.st_uid, former.st_gid)
                os.fchmod(descriptor, stat.S_IMODE(former.st_mode))
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        move_into_place(Path(draft), path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def move_into_place(draft: Path, path: Path) -> None:
    """Let a file that is whole take the place of another.

    On Windows that is refused while another program has one of the two open: it is tried again
    for a second.

    Raises:
        OSError: it cannot be done; both are as they were.

    """
    for wait in _WAITS:
        try:
            draft.replace(path)
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _IN_USE:
                raise
            time.sleep(wait)
        else:
            return
    draft.replace(path)
