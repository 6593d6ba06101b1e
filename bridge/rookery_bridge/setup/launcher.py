"""The files that a chess GUI takes as an engine: a shell script, a `.cmd`, a desktop file.

Each runs the bridge with the file of a pairing, by full paths: GUIs start engines with other
folders, and other environments, than the user's own.  No token is in it, nor in what it runs.
"""

import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rookery_bridge.setup.pairing import Pairing, PairingError

_EXECUTABLE = 0o755
_LONGEST = 80  # letters of a title
_PAIRED = "--paired"  # what every launcher has, and hardly another file
_LOOKED_AT = 1 << 16  # bytes of a file; a launcher is far smaller


def program(argv: Sequence[str], executable: str) -> tuple[str, ...]:
    """Return the command that has started this program, for others to start it as well.

    Args:
        argv: of this process; a script, the folder of a package, or a zipped application.
        executable: the Python that runs it.

    """
    started = Path(argv[0]).resolve()
    if started.name == "__main__.py":  # `python -m`, or unpacked
        return (executable, "-m", started.parent.name)
    if started.suffix in (".pyz", ".zip", ".py"):
        return (executable, str(started))
    if not started.exists() and started.with_suffix(".exe").exists():  # as Windows says it
        started = started.with_suffix(".exe")
    return (str(started),)


def script(title: str, command: Sequence[str]) -> str:
    """Return a shell script that is the engine."""
    return f'#!/bin/sh\n# {_plain(title)}\nexec {shlex.join(command)} "$@"\n'


def batch(title: str, command: Sequence[str]) -> str:
    """Return a batch file for Windows that is the engine."""
    # It is read in the encoding of the console, and `%` is a variable even in quotes.
    words = " ".join(f'"{word}"' for word in command).replace("%", "%%")
    lines = ["@echo off", f"rem {_plain(title)}", "chcp 65001 >nul"]
    return "\r\n".join([*lines, f"{words} %*", ""])


def desktop(title: str, command: Sequence[str]) -> str:
    """Return an entry for desktops: it is the engine, in a terminal if need be.

    (Desktop Entry Specification 1.5)
    """
    return (
        "[Desktop Entry]\nType=Application\nVersion=1.5\n"
        f"Name={_plain(title)}\nComment=A chess engine on another machine, for chess programs\n"
        f"Exec={_exec(command)}\nTerminal=true\nCategories=Game;BoardGame;\n"
    )


def write(pairing: Pairing, file: Path, folder: Path, command: Sequence[str]) -> tuple[Path, ...]:
    """Write the launchers of this system for a pairing, and return them.

    Args:
        pairing: what is launched.
        file: where it is kept.
        folder: where the launchers are to be.
        command: what runs the bridge.

    Raises:
        PairingError: they cannot be written, or would take the place of other files.

    """
    title = f"{pairing.title or pairing.address.engine or 'default'} on {pairing.address.host}"
    line = [*command, _PAIRED, str(file)]
    if os.name == "nt":
        texts = {f"{pairing.name}.cmd": batch(title, line)}
    else:
        texts = {pairing.name: script(title, line)}
        if sys.platform != "darwin":
            texts[f"{pairing.name}.desktop"] = desktop(title, line)
    paths = {folder / name: text for name, text in texts.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if other := next(filter(is_other, paths), None):
            raise PairingError(
                f"{other} is there already, and is no launcher: move it away, or use another"
                " --name or --to"
            )
        for path, text in paths.items():
            path.write_text(text, encoding="utf-8", newline="")
            path.chmod(_EXECUTABLE)
    except OSError as error:
        raise PairingError(f"cannot write the launchers in {folder}: {error.strerror}") from error
    return tuple(paths)


def is_other(path: Path) -> bool:
    """Say whether something is there that is no launcher, and so not ours to replace or remove.

    Raises:
        OSError: one cannot tell.

    """
    if not path.is_file():  # To open a pipe is to wait for its other end.
        return path.exists()
    with path.open("rb") as file:
        return _PAIRED.encode() not in file.read(_LOOKED_AT)


def _plain(title: str) -> str:
    """Return a title that means nothing to any shell: a server has chosen it."""
    return re.sub(r"[^A-Za-z0-9 .,()+-]", " ", title)[:_LONGEST]


def _exec(command: Sequence[str]) -> str:
    """Return a command as the key `Exec` wants it: quoted, and that as a string of the file."""
    words = (re.sub(r'[\\"`$]', r"\\\g<0>", word) for word in command)
    return " ".join(f'"{word}"' for word in words).replace("%", "%%").replace("\\", "\\\\")
