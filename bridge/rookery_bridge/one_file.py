"""The program as one executable file that needs no Python, which PyInstaller makes.

It is two processes: the first unpacks Python and its libraries into a folder of its own, starts
the second, which is this one, and removes the folder in the end.  A chess program that kills its
engine kills the first one only.  So this one ends when the first is gone, and sees that the folders
go which others have left behind.  (tools/executable.py)
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

PROGRAM = "rookery-bridge"  # the file's name, unless it is named after a pairing

IS_EXECUTABLE = bool(getattr(sys, "frozen", False))  # This program runs from such a file.

_PREFIX = "_MEI"  # of the folder's name; the number of the first process follows
_DIGITS = 8
_OURS = "rookery_chess-*.dist-info"  # in the folder, and in none of another program
_LOOK_INTERVAL = 1.0  # s


def started_name(argv0: str, executable: str, *, is_frozen: bool = IS_EXECUTABLE) -> str:
    """Return the name of the file that was started, without the `.exe` of Windows."""
    name = Path(executable if is_frozen else argv0).name
    return name[:-4] if name.casefold().endswith(".exe") else name


def follow_first_process(leave: Callable[[], object]) -> None:
    """Call `leave`, in a thread, when the process is gone that has unpacked this one."""
    own = Path(sys._MEIPASS)  # type: ignore[attr-defined]  # PyInstaller sets it.

    def follow() -> None:
        adopt_leftovers(own)
        _wait_for_end(_first_process(own) or os.getppid())
        # The loop may be closed: the program is ending anyway.
        with contextlib.suppress(RuntimeError):
            leave()

    Thread(target=follow, name="follow first process", daemon=True).start()


def adopt_leftovers(own: Path) -> None:
    """Move the folders of programs that were killed into this program's own, to go with it.

    To remove them takes longer than some programs last, and half a folder is no more to be known.
    """
    for folder in own.parent.glob(f"{_PREFIX}*"):
        number = _first_process(folder)
        if number and folder != own and not _is_running(number) and any(folder.glob(_OURS)):
            with contextlib.suppress(OSError):  # Another one has it, or it is in use yet.
                folder.rename(own / folder.name)


def _first_process(folder: Path) -> int | None:
    """Return the number of the process that has made a folder, if the name has one."""
    digits = folder.name.removeprefix(_PREFIX)[:_DIGITS]
    try:
        return int(digits, 16) if len(digits) == _DIGITS else None
    except ValueError:
        return None


if sys.platform == "win32":
    import _winapi

    def _wait_for_end(number: int) -> None:
        with contextlib.suppress(OSError):  # It has ended already.
            process = _winapi.OpenProcess(_winapi.SYNCHRONIZE, False, number)
            _winapi.WaitForSingleObject(process, _winapi.INFINITE)

    def _is_running(number: int) -> bool:
        # `os.kill(number, 0)` would end it there.
        try:
            process = _winapi.OpenProcess(_winapi.SYNCHRONIZE, False, number)
        except OSError as error:
            return error.winerror != _NO_SUCH_PROCESS
        try:
            return _winapi.WaitForSingleObject(process, 0) != _winapi.WAIT_OBJECT_0
        finally:
            _winapi.CloseHandle(process)

    _NO_SUCH_PROCESS = 87  # ERROR_INVALID_PARAMETER
else:

    def _wait_for_end(number: int) -> None:
        while os.getppid() == number:  # A process that has lost its own gets another.
            time.sleep(_LOOK_INTERVAL)

    def _is_running(number: int) -> bool:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return False
        except OSError:  # It is of another user.
            return True
        return True
