"""A remote engine that this user has been invited to, and the file that remembers it.

The file has the token, so it is the user's alone: made with mode 0600 in a folder of 0700, and
not read if others may read it.  (On Windows the folder of the user's settings sees to that.)
"""

import difflib
import json
import os
import re
import shlex
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any

from rookery_protocol.address import Address
from rookery_protocol.atomic_file import replace_file
from rookery_protocol.tls_trust import Trust, read_pin, token_of

_SUFFIX = ".json"
_PRIVATE_FOLDER = 0o700
_TOO_OPEN = stat.S_IRWXG | stat.S_IRWXO
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# Names of devices on Windows, with whatever ending; and the commands of this program.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{it}{n}" for it in ("com", "lpt") for n in range(10))}
_KINDS: dict[str, tuple[type | UnionType, str]] = {
    "address": (str, "an address in quotes"),
    "token": (str | None, "a token in quotes, or null"),
    "pin": (str | None, "a fingerprint in quotes, or null"),
    "title": (str, "a text in quotes"),
    "insecure": (bool, "true or false"),
    "launchers": (list, "a list, [...]"),
}
_NEEDED = ("address", "token", "pin", "launchers")
_AGAIN = "pair it again, or mend the file"
_OURS = "rookery"
# The folder of the launchers in the home folder, for file dialogues hide those with a dot.
LAUNCHERS = "rookery-engines"

COMMANDS = ("pair", "list", "unpair", "doctor")
# Those that use the analysis service of a server.
SERVICE_COMMANDS = ("analyse", "jobs", "projects", "mcp")
# All words that the program takes for a command.
RESERVED = (*COMMANDS, *SERVICE_COMMANDS, "lichess")


def config_folder(environment: Mapping[str, str], home: Path, platform: str = sys.platform) -> Path:
    """Return the folder of what the user has set up; it need not be there."""
    if platform == "win32":
        base = environment.get("APPDATA")
        return (Path(base) if base else home / "AppData" / "Roaming") / _OURS
    if platform == "darwin":
        return home / "Library" / "Application Support" / _OURS
    base = environment.get("XDG_CONFIG_HOME", "")
    # A relative path there is to be ignored, says the XDG Base Directory Specification.
    return (Path(base) if base.startswith("/") else home / ".config") / _OURS


def pairings_folder() -> Path:
    """Return the folder of the engines that this user has been invited to."""
    return config_folder(os.environ, Path.home()) / "engines"


class PairingError(Exception):
    """A pairing cannot be used; the text says why and what to do."""


class BrokenError(PairingError):
    """The file of a pairing has none, so nothing is lost with it."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A remote engine.

    `name` is what the user calls it, and its files; `title` what the engine calls itself;
    `insecure` that the token may go there unencrypted; `launchers` are the files that a GUI
    takes as the engine.
    """

    name: str
    address: Address
    token: str | None = field(default=None, repr=False)
    pin: str | None = None
    title: str = ""
    insecure: bool = False
    launchers: tuple[Path, ...] = ()

    @property
    def trust(self) -> Trust:
        """The token for its server, and how the server is authenticated."""
        pin = read_pin(self.pin) if self.pin else None
        return Trust(self.token, None, pin, of_link=True)


_Found = tuple[str, Pairing | PairingError]  # by name: why it cannot be used, if it cannot


def is_name(text: str) -> bool:
    """Say whether a pairing may be called so: it must be safe as the name of a file anywhere."""
    stem = text.partition(".")[0].casefold()
    is_safe = _NAME.fullmatch(text) is not None and not text.endswith(".")
    return is_safe and stem not in _DEVICES and text.casefold() not in RESERVED


def name_for(address: Address, taken: Iterable[str] = ()) -> str:
    """Return a name for an engine that no other has, on systems that ignore case either."""
    host = re.sub(r"[^A-Za-z0-9.-]+", "-", address.host).strip("-.") or "host"
    engine = (address.engine or "default").replace("@", "-")  # of one that has joined
    name = f"{engine}-{host}"[:56].rstrip(".-")
    name = name if is_name(name) else f"rookery-{name}"
    others = {each.casefold() for each in taken}
    candidates = (name, *(f"{name}-{number}" for number in range(2, len(others) + 3)))
    return next(each for each in candidates if each.casefold() not in others)


class PairingStore:
    """The pairings of a user, by the folder of their files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return the file of a pairing."""
        return self.folder / f"{name}{_SUFFIX}"

    def names(self) -> list[str]:
        """Return the names of those there are, in their order."""
        return sorted(path.stem for path in self.folder.glob(f"*{_SUFFIX}") if is_name(path.stem))

    def taken(self) -> list[str]:
        """Return the names that a new one cannot have: those whose files are more than broken."""
        return [name for name, found in self.pairings() if not isinstance(found, BrokenError)]

    def pairings(
        self, *, may_be_open: bool = False
    ) -> Iterator[tuple[str, Pairing | PairingError]]:
        """Yield all by name, each with what it is or why its file cannot be used."""
        for name in self.names():
            try:
                yield name, self.load(name, may_be_open=may_be_open)
            except PairingError as error:
                yield name, error

    def load(self, name: str, *, may_be_open: bool = False) -> Pairing:
        """Return one; `may_be_open` as `read_pairing` has it.

        Raises:
            PairingError: there is none of that name, or its file cannot be used.

        """
        if not is_name(name) or not self.path(name).exists():
            names = ", ".join(self.names()) or "none yet: 'rookery-bridge pair' makes one"
            raise PairingError(f"there is no remote engine {name!r}; there are: {names}")
        return read_pairing(self.path(name), may_be_open=may_be_open)

    def save(self, pairing: Pairing) -> Path:
        """Keep one; return its file.

        Raises:
            PairingError: it cannot be written.

        """
        path = self.path(pairing.name)
        entry = {
            "address": str(pairing.address),
            "token": pairing.token,
            "pin": pairing.pin,
            "title": pairing.title,
            "insecure": pairing.insecure,
            "launchers": [str(each) for each in pairing.launchers],
        }
        try:
            self.folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
            replace_file(path, json.dumps(entry, indent=1))
        except OSError as error:
            raise PairingError(f"cannot write {path}: {error.strerror}") from error
        return path

    def remove(self, name: str, launchers: Iterable[Path]) -> list[Path]:
        """Remove one, and its launchers; return what was removed.

        Raises:
            PairingError: one of them cannot be removed.

        """
        removed = []
        for path in (*launchers, self.path(name)):
            try:
                path.unlink()
            except FileNotFoundError:
                continue
            except OSError as error:
                # Windows keeps the file of a program that runs.
                advice = "; end the chess program that runs it" if path.suffix == ".exe" else ""
                raise PairingError(f"cannot remove {path}: {error.strerror}{advice}") from error
            removed.append(path)
        return removed


def read_pairing(path: Path, *, may_be_open: bool = False) -> Pairing:
    """Read the file of a pairing.

    `may_be_open`: others may read it, as its token is not to be used but replaced.

    Raises:
        BrokenError: what it has is no pairing.
        PairingError: it cannot be used.

    """
    try:
        # To open a pipe is to wait for its other end.
        if path.exists() and not path.is_file():
            raise PairingError(f"{path} is no file: move it away, and {_AGAIN}")
        with path.open(encoding="utf-8-sig") as file:  # Editors on Windows put a mark first.
            mode = os.fstat(file.fileno()).st_mode
            text = file.read()
    except FileNotFoundError as error:
        raise PairingError(f"there is no {path}: 'rookery-bridge pair' makes it") from error
    except OSError as error:
        raise PairingError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BrokenError(f"{path} is no UTF-8 text: {_AGAIN}") from error
    if os.name == "posix" and mode & _TOO_OPEN and not may_be_open:
        raise PairingError(
            f"others can read the token in {path} (mode {stat.S_IMODE(mode):04o}):"
            f" chmod 600 {shlex.quote(str(path))}"
        )
    try:
        return Pairing(path.stem, **_entry(text))
    except ValueError as error:
        raise BrokenError(f"{path} is no remote engine: {error}; {_AGAIN}") from error


def _entry(text: str) -> dict[str, Any]:
    """Return the fields of the pairing that a file has.

    Raises:
        ValueError: it has none; the text says why, and shows no value of it.

    """
    try:
        entry = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno} is no JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise ValueError("it is no JSON that can be read") from error
    if not isinstance(entry, dict):
        raise ValueError("it needs an object, {...}")
    for key, value in entry.items():
        if key not in _KINDS:
            near = difflib.get_close_matches(key, _KINDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_KINDS)}"
            raise ValueError(f"there is no {key[:40]!r}: {hint}")
        kind, what = _KINDS[key]
        if not isinstance(value, kind):
            raise ValueError(f"{key!r} needs {what}")
    if missing := [key for key in _NEEDED if key not in entry]:
        raise ValueError(f"{missing[0]!r} is missing")
    if not all(isinstance(each, str) and "\0" not in each for each in entry["launchers"]):
        raise ValueError("'launchers' needs paths in quotes")
    if entry["token"] is not None:
        token_of("'token'", entry["token"])
    if entry["pin"] is not None:
        read_pin(entry["pin"])
    address, launchers = Address.parse(entry["address"]), map(Path, entry["launchers"])
    return entry | {"address": address, "launchers": tuple(launchers)}
