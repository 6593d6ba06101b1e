"""The file of tokens: one JSON object a line, with no secret in it.

    {"id": "5f0c...", "name": "alice", "role": "member", "digest": "9b71...",
     "created": "2026-11-21T20:00:00+00:00", "expires": null}

It is replaced as a whole, so that who reads it sees it before or after a change; and
changed under a lock, so that no change is lost.  A file that others may write would
let them in, so it is refused, and one that they may read, too.
"""

import contextlib
import fcntl
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_server.access.account import Role, is_account_name
from rookery_server.access.token import DIGEST_BYTES, Keyring, Record
from rookery_server.config.files import contents

# The group may read: containers are given such files by group.
_TOO_OPEN = stat.S_IWGRP | stat.S_IXGRP | stat.S_IRWXO
_PRIVATE = 0o600

Stamp = tuple[int, int, int]


class TokenFile:
    """The file, by its path; `read` it, `change` it, or ask whether it `has_changed`.

    Who looks at it now and again hears whether it `rests`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: Stamp | None = None  # of what was read
        self._looked: Stamp | None = None  # at the last look

    def read(self) -> Keyring:
        """Return what is in it.

        Raises:
            ConfigError: it is not there, others may read it, or it is no such file.

        """
        self._seen = self._stamp()
        try:
            found = contents("the file of tokens", self.path)
            lines = found.data.decode().splitlines()
        except FileNotFoundError as error:
            raise ConfigError(
                f"there are no tokens in {self.path}: make one with"
                f" 'rookery-server token add NAME --file {self.path}'"
            ) from error
        except PermissionError as error:
            raise ConfigError(
                f"cannot read the tokens: {self.path}: {error.strerror}: give the server's group"
                f" the right: chgrp GROUP {self.path}; chmod 640 {self.path}"
            ) from error
        except OSError as error:
            self._seen = None  # It may be good: there is no descriptor left, say.
            raise ConfigError(f"cannot read the tokens: {self.path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise ConfigError(f"{self.path} is no file of tokens: it is not UTF-8") from error
        if found.mode & _TOO_OPEN:
            raise ConfigError(
                f"others can use the tokens in {self.path} (mode {stat.S_IMODE(found.mode):04o}):"
                f" chmod 600 {self.path}"
            )
        return Keyring(
            _parse(f"{self.path}, line {number}", line)
            for number, line in enumerate(lines, 1)
            if line.strip()
        )

    def has_changed(self) -> bool:
        """Say whether it is another file than the one that was read."""
        return self._stamp() != self._seen

    def rests(self) -> bool:
        """Say whether nothing has happened to it since this was last asked."""
        before, self._looked = self._looked, self._stamp()
        return self._looked == before

    def change(self, by: Callable[[Keyring], Keyring]) -> Keyring:
        """Replace what is in it; return what is in it now.

        Raises:
            ConfigError: it cannot be read or written.

        """
        target = self.path.resolve()  # Of a link it is the file behind it that is replaced.
        try:
            with _locked(target.parent):
                exists = target.exists()
                keyring = by(self.read() if exists else Keyring())
                _replace(target, "".join(map(_print, keyring)), exists=exists)
        except OSError as error:
            raise ConfigError(f"cannot write the tokens: {self.path}: {error.strerror}") from error
        return keyring

    def _stamp(self) -> Stamp | None:
        """Return what tells one file from the next; None if there is none."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        # Not `st_mtime_ns`: `chmod` leaves it alone, which may be what the file wanted.
        return status.st_ctime_ns, status.st_ino, status.st_size


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder: the file itself is another one after each change."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _replace(path: Path, text: str, *, exists: bool) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            os.fchmod(descriptor, _PRIVATE)
            if exists:  # The server need not run as who changes its tokens.
                former = path.stat()
                os.fchown(descriptor, former.st_uid, former.st_gid)
                os.fchmod(descriptor, stat.S_IMODE(former.st_mode))
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink()
        raise


def _parse(where: str, line: str) -> Record:
    try:
        entry = json.loads(line)
        if not isinstance(entry, dict):
            raise ValueError("it is no object of JSON")
        expires = entry["expires"]
        return Record(
            id=_text(entry["id"]),
            name=_name(entry["name"]),
            role=Role(entry["role"]),
            digest=_digest(entry["digest"]),
            created=_date(entry["created"]),
            expires=None if expires is None else _date(expires),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(
            f"{where}: this is no token: {_reason(error)}; remove that line, or take the file"
            " from a backup: a token that is lost is made anew with 'rookery-server token add'"
        ) from error


def _reason(error: Exception) -> str:
    """Say why a line is no token, as people say it."""
    match error:
        case json.JSONDecodeError():
            return "it is no line of JSON, or is cut off"
        case KeyError():
            return f"it has no {error.args[0]!r}"
        case ValueError():
            return str(error)
    return "a value in it is of another kind than 'rookery-server token add' writes"


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _name(value: object) -> str:
    if not is_account_name(_text(value)):
        raise ValueError(f"{value!r} is no name of an account")
    return _text(value)


def _digest(value: object) -> bytes:
    digest = bytes.fromhex(_text(value))
    if len(digest) != DIGEST_BYTES:
        raise ValueError("a digest has 64 hexadecimal digits")
    return digest


def _date(text: str) -> datetime:
    date = datetime.fromisoformat(text)
    if date.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone")
    return date


def _print(record: Record) -> str:
    entry = {
        "id": record.id,
        "name": record.name,
        "role": record.role,
        "digest": record.digest.hex(),
        "created": record.created.isoformat(timespec="seconds"),
        "expires": record.expires and record.expires.isoformat(timespec="seconds"),
    }
    return json.dumps(entry) + "\n"
