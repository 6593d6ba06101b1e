"""A remote engine that this user has been invited to, and the file that remembers it.

The file has the token, so it is the user's alone: made with mode 0600 in a folder of 0700, and
not read if others may read it.  (On Windows the folder of the user's settings sees to that.)
"""

import json
import os
import re
import stat
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rookery_bridge.address import Address, AddressError
from rookery_bridge.trust import Trust, TrustError, read_pin, token_of

_SUFFIX = ".json"
_PRIVATE_FOLDER = 0o700
_TOO_OPEN = stat.S_IRWXG | stat.S_IRWXO
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# Names of devices on Windows, with whatever ending; and the commands of this program.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{it}{n}" for it in ("com", "lpt") for n in range(10))}
COMMANDS = ("pair", "list", "unpair", "doctor")


class PairingError(Exception):
    """A pairing cannot be used; the text says why and what to do."""


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
        """What is shown to its server, and whom one believes to be it."""
        return Trust(self.token, None, read_pin(self.pin) if self.pin else None)


def is_name(text: str) -> bool:
    """Say whether a pairing may be called so: it must be safe as the name of a file anywhere."""
    stem = text.partition(".")[0].casefold()
    is_safe = _NAME.fullmatch(text) is not None and not text.endswith(".")
    return is_safe and stem not in _DEVICES and text.casefold() not in COMMANDS


def name_for(address: Address, taken: Iterable[str] = ()) -> str:
    """Return a name for an engine that no other has, on systems that ignore case either."""
    host = re.sub(r"[^A-Za-z0-9.-]+", "-", address.host).strip("-.") or "host"
    engine = (address.engine or "default").replace("@", "-")  # of one that has joined
    name = f"{engine}-{host}"[:56].rstrip(".-")
    name = name if is_name(name) else f"rookery-{name}"
    others = {each.casefold() for each in taken}
    candidates = (name, *(f"{name}-{number}" for number in range(2, len(others) + 3)))
    return next(each for each in candidates if each.casefold() not in others)


class Store:
    """The pairings of a user, by the folder of their files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return the file of a pairing."""
        return self.folder / f"{name}{_SUFFIX}"

    def names(self) -> list[str]:
        """Return the names of those there are, in their order."""
        return sorted(path.stem for path in self.folder.glob(f"*{_SUFFIX}") if is_name(path.stem))

    def read(self, name: str) -> Pairing:
        """Return one.

        Raises:
            PairingError: there is none of that name, or its file cannot be used.

        """
        if not is_name(name) or not self.path(name).exists():
            names = ", ".join(self.names()) or "none yet: 'rookery-bridge pair' makes one"
            raise PairingError(f"there is no remote engine {name!r}; there are: {names}")
        return read(self.path(name))

    def write(self, pairing: Pairing) -> Path:
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
            # It is the user's alone from its first byte on, and never half there.
            descriptor, draft = tempfile.mkstemp(dir=self.folder, prefix=".")
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    json.dump(entry, file, indent=1)
                Path(draft).replace(path)
            except BaseException:
                Path(draft).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise PairingError(f"cannot write {path}: {error.strerror}") from error
        return path

    def forget(self, pairing: Pairing) -> list[Path]:
        """Remove one, and its launchers; return what was removed."""
        removed = []
        for path in (*pairing.launchers, self.path(pairing.name)):
            try:
                path.unlink()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise PairingError(f"cannot remove {path}: {error.strerror}") from error
            removed.append(path)
        return removed


def read(path: Path) -> Pairing:
    """Read the file of a pairing.

    Raises:
        PairingError: it cannot be used.

    """
    try:
        with path.open(encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            entry = json.load(file)
    except FileNotFoundError as error:
        raise PairingError(f"there is no {path}: 'rookery-bridge pair' makes it") from error
    except (OSError, ValueError, RecursionError) as error:
        raise PairingError(f"cannot read {path}: {error}") from error
    if os.name == "posix" and mode & _TOO_OPEN:
        raise PairingError(
            f"others can read the token in {path} (mode {stat.S_IMODE(mode):04o}): chmod 600 {path}"
        )
    try:
        return _pairing(path.stem, entry)
    except (KeyError, TypeError, AddressError, TrustError) as error:
        raise PairingError(f"{path} is no remote engine: {error}; pair it again") from error


def _pairing(name: str, entry: dict[str, object]) -> Pairing:
    token, pin, launchers = entry["token"], entry["pin"], entry["launchers"]
    if not isinstance(launchers, list):
        raise TypeError(f"'launchers' needs a list, not {launchers!r}")
    if pin is not None:
        read_pin(str(pin))
    return Pairing(
        name=name,
        address=Address.parse(str(entry["address"])),
        token=None if token is None else token_of("'token'", str(token)),
        pin=None if pin is None else str(pin),
        title=str(entry.get("title", "")),
        insecure=entry.get("insecure") is True,
        launchers=tuple(Path(str(each)) for each in launchers),
    )
