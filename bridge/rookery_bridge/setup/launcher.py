"""The files that a chess GUI takes as an engine: a script, an `.exe`, a `.cmd`, a desktop file.

Each runs the bridge with the file of a pairing, by full paths: GUIs start engines with other
folders, and other environments, than the user's own.  No token is in it, nor in what it runs.

An `.exe`, for Windows, is the program itself under another name: it finds its pairing by that.
"""

import filecmp
import os
import re
import shlex
import shutil
import sys
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PureWindowsPath

from rookery_bridge.one_file import IS_EXECUTABLE, PROGRAM
from rookery_bridge.setup.pairing import Pairing, PairingError
from rookery_protocol.atomic_file import move_into_place

_EXECUTABLE = 0o755
_LONGEST = 80  # letters of a title
_PAIRED = "--paired"  # what every launcher has, and hardly another file
_LOOKED_AT = 1 << 16  # bytes of a file; a launcher is far smaller
_WINDOWS = "win32"
_EXE = ".exe"
# What is behind the end of our executables: of PyInstaller's a list of names, of pip's a script.
_OWN = b"rookery_bridge"
# Variables of Windows for folders that may have the user's name in their paths.
_PLACES = ("LOCALAPPDATA", "APPDATA", "USERPROFILE")


def program(
    argv: Sequence[str], executable: str, *, is_frozen: bool = IS_EXECUTABLE
) -> tuple[str, ...]:
    """Return the command that has started this program, for others to start it as well.

    Args:
        argv: of this process; a script, the folder of a package, or a zipped application.
        executable: the Python that runs it.
        is_frozen: it is the program itself, as one file.

    """
    if is_frozen:
        return (executable,)
    started = Path(argv[0]).resolve()
    if started.name == "__main__.py":  # `python -m`, or unpacked
        return (executable, "-m", started.parent.name)
    if started.suffix in (".pyz", ".zip", ".py"):
        return (executable, str(started))
    with_suffix = started.with_name(f"{started.name}{_EXE}")
    if not started.exists() and with_suffix.exists():  # as Windows says it
        started = with_suffix
    return (str(started),)


def own_executable(command: Sequence[str], *, is_frozen: bool = IS_EXECUTABLE) -> Path | None:
    """Return the file of this program that works under any name, if it is of that kind.

    It is what PyInstaller makes, or pip's wrapper on Windows: that has a zip at its end.

    Args:
        command: what starts this program.
        is_frozen: it is of PyInstaller.

    """
    path = Path(command[0])
    is_wrapper = len(command) == 1 and path.suffix.casefold() == _EXE and zipfile.is_zipfile(path)
    return path if is_frozen or is_wrapper else None


def script(title: str, command: Sequence[str]) -> str:
    """Return a shell script that is the engine."""
    return f'#!/bin/sh\n# {_plain(title)}\nexec {shlex.join(command)} "$@"\n'


def batch(
    title: str,
    command: Sequence[str],
    folder: str = "",
    environment: Mapping[str, str] = os.environ,
) -> str:
    """Return a batch file for Windows that is the engine.

    It is read in the code page of the console.  So paths with other letters than those of ASCII
    are named by their folders' variables.  Where that is not enough, the code page is UTF-8 as long
    as the engine runs.

    Args:
        title: what it is called.
        command: what it runs.
        folder: where it is.
        environment: of the user.

    """
    places = {"~dp0": folder} | {f"{name}%": environment.get(name, "") for name in _PLACES}
    line = " ".join(_batch_word(word, places) for word in command) + " %*"
    start = ["@echo off", f"rem {_plain(title)}"]
    if line.isascii():
        return "\r\n".join([*start, line, ""])
    # `chcp` alone prints a text of the system's language, a colon, the number, perhaps a full stop.
    return "\r\n".join(
        [
            *start,
            "setlocal",
            'for /f "tokens=2 delims=:." %%p in (\'chcp\') do set "page=%%p"',
            "chcp 65001 >nul",
            line,
            'set "status=%errorlevel%"',
            "chcp %page% >nul",
            "exit /b %status%",
            "",
        ]
    )


def _batch_word(word: str, places: Mapping[str, str]) -> str:
    """Return a word in quotes, from its folder's variable on if it is not of ASCII."""
    for variable, place in places.items() if not word.isascii() else ():
        with suppress(ValueError):
            rest = str(PureWindowsPath(word).relative_to(PureWindowsPath(place)))
            if place and rest.isascii():
                # That of the batch file's own folder ends with a backslash.
                between = "" if variable == "~dp0" else "\\"
                return f'"%{variable}{between}{_literal(rest)}"'
    return f'"{_literal(word)}"'


def _literal(text: str) -> str:
    """Return a text without variables: `%` begins one even in quotes."""
    return text.replace("%", "%%")


def desktop(title: str, command: Sequence[str]) -> str:
    """Return an entry for desktops: it is the engine, in a terminal if need be.

    (Desktop Entry Specification 1.5)
    """
    return (
        "[Desktop Entry]\nType=Application\nVersion=1.5\n"
        f"Name={_plain(title)}\nComment=A chess engine on another machine, for chess programs\n"
        f"Exec={_exec(command)}\nTerminal=true\nCategories=Game;BoardGame;\n"
    )


def write(
    pairing: Pairing,
    file: Path,
    folder: Path,
    command: Sequence[str],
    *,
    executable: Path | None = None,
    platform: str = sys.platform,
) -> tuple[Path, ...]:
    """Write the launchers of this system for a pairing, and return them, the best one first.

    Args:
        pairing: what is launched.
        file: where it is kept.
        folder: where the launchers are to be.
        command: what runs the bridge.
        executable: the program, if it works under any name.
        platform: the system.

    Raises:
        PairingError: they cannot be written, or would take the place of other files.

    """
    title = f"{pairing.title or pairing.address.engine or 'default'} on {pairing.address.host}"
    line = [*command, _PAIRED, str(file)]
    copies: tuple[Path, ...] = ()
    if platform == _WINDOWS:
        texts = {f"{pairing.name}.cmd": batch(title, line, str(folder))}
        if executable and pairing.name.casefold() != PROGRAM:
            copies = (folder / f"{pairing.name}{_EXE}",)
    else:
        texts = {pairing.name: script(title, line)}
        if platform != "darwin":
            texts[f"{pairing.name}.desktop"] = desktop(title, line)
    paths = {folder / name: text for name, text in texts.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if other := next(filter(is_other, (*copies, *paths)), None):
            raise PairingError(
                f"{other} is there already, and is no launcher: move it away, or use another"
                " --name or --to"
            )
        for path in copies:
            assert executable
            renew(path, executable)
        for path, text in paths.items():
            path.write_text(text, encoding="utf-8", newline="")
            path.chmod(_EXECUTABLE)
    except OSError as error:
        raise PairingError(f"cannot write the launchers in {folder}: {error.strerror}") from error
    return (*copies, *paths)


def renew(path: Path, executable: Path) -> bool:
    """Let a launcher be this program under the launcher's name; say whether it was another one.

    Raises:
        PairingError: it runs, and Windows does not replace it then.
        OSError: it cannot be written.

    """
    if path.exists() and _is_same(path, executable):
        return False
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    try:
        draft.hardlink_to(executable)
    except OSError:  # It is on another disk, or on one without links.
        shutil.copy(executable, draft)
    try:
        move_into_place(draft, path)
    except PermissionError as error:
        with suppress(OSError):
            draft.unlink()
        raise PairingError(
            f"cannot replace {path}, which is perhaps in use: end the chess program that runs it,"
            " and try again"
        ) from error
    return True


def renew_outdated(paths: Sequence[Path], executable: Path | None) -> list[Path]:
    """Renew the launchers that are another version of this program; return which they were.

    Raises:
        PairingError: one cannot be replaced.

    """
    try:
        return [
            path
            for path in paths
            if executable and path.suffix == _EXE and path.is_file() and not is_other(path)
            if renew(path, executable)
        ]
    except OSError as error:
        raise PairingError(f"cannot renew the launchers: {error.strerror}") from error


def _is_same(path: Path, executable: Path) -> bool:
    return path.samefile(executable) or filecmp.cmp(path, executable, shallow=False)


def is_other(path: Path) -> bool:
    """Say whether something is there that is no launcher, and so not ours to replace or remove.

    Raises:
        OSError: one cannot tell.

    """
    if not path.is_file():  # To open a pipe is to wait for its other end.
        return path.exists()
    with path.open("rb") as file:
        if path.suffix == _EXE:
            file.seek(max(path.stat().st_size - _LOOKED_AT, 0))
            return _OWN not in file.read()
        return _PAIRED.encode() not in file.read(_LOOKED_AT)


def _plain(title: str) -> str:
    """Return a title that means nothing to any shell: a server has chosen it."""
    return re.sub(r"[^A-Za-z0-9 .,()+-]", " ", title)[:_LONGEST]


def _exec(command: Sequence[str]) -> str:
    """Return a command as the key `Exec` wants it: quoted, and that as a string of the file."""
    words = (re.sub(r'[\\"`$]', r"\\\g<0>", word) for word in command)
    return " ".join(f'"{word}"' for word in words).replace("%", "%%").replace("\\", "\\\\")
