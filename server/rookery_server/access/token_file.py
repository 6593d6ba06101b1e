"""The file of tokens, and a watcher that reads it again when it changes.

The file has one JSON object a line, with no secret in it:

    {"id": "5f0c...", "name": "alice", "role": "member", "digest": "9b71...",
     "created": "2026-11-21T20:00:00+00:00", "expires": null}

The token of a browser that a code has signed in has a `device`, and perhaps a `parent`, too.  The
file is replaced as a whole, so that a reader sees it before or after a change; and changed
under a lock, so that no change is lost.  A file that others may write would let them in,
so it is refused, and so is one that they may read.
"""

import contextlib
import fcntl
import json
import logging
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from rookery_protocol.atomic_file import replace_file
from rookery_protocol.errors import ConfigError
from rookery_server.access.account import (
    DIGEST_BYTES,
    ID_BYTES,
    SECRET_BYTES,
    AccessToken,
    Keyring,
    Role,
    TokenRecord,
    is_account_name,
)
from rookery_server.config.files import contents

logger = logging.getLogger(__name__)

# The group may read: containers are given such files by group.
_TOO_OPEN = stat.S_IWGRP | stat.S_IXGRP | stat.S_IRWXO

Stamp = tuple[int, int, int]  # time of change, inode and size


class TokenFile:
    """The file at a path."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def stamp(self) -> Stamp | None:
        """Return what tells one version of the file from the next; None if there is no file."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        # Not `st_mtime_ns`: `chmod` leaves it alone, and may be what makes the file usable.
        return status.st_ctime_ns, status.st_ino, status.st_size

    def read(self) -> Keyring:
        """Return the tokens.

        Raises:
            ConfigError: the file is missing, others may read it, or it is no such file.

        """
        try:
            file = contents("the file of tokens", self.path)
            lines = file.data.decode().splitlines()
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
            raise ConfigError(f"cannot read the tokens: {self.path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise ConfigError(f"{self.path} is no file of tokens: it is not UTF-8") from error
        if file.mode & _TOO_OPEN:
            raise ConfigError(
                f"others can use the tokens in {self.path} (mode {stat.S_IMODE(file.mode):04o}):"
                f" chmod 600 {self.path}"
            )
        return Keyring(
            _parse(f"{self.path}, line {number}", line)
            for number, line in enumerate(lines, 1)
            if line.strip()
        )

    def is_changeable(self) -> bool:
        """Return whether this process may change the tokens, as far as the folder tells."""
        return os.access(self.path.resolve().parent, os.W_OK)

    def add_token(
        self,
        name: str | None,
        role: Role,
        expires: datetime | None = None,
        *,
        device: str = "",
        parent: str | None = None,
    ) -> tuple[AccessToken, TokenRecord]:
        """Make a token, of an account of its own if it has no name; keep what the server needs.

        Raises:
            ConfigError: the file cannot be read or written.

        """
        token = AccessToken(secrets.token_hex(ID_BYTES), secrets.token_urlsafe(SECRET_BYTES))
        now = datetime.now(UTC).replace(microsecond=0)
        record = TokenRecord(
            token.id,
            name or f"guest-{token.id}",
            role,
            token.digest(),
            now,
            expires,
            device,
            parent,
        )
        self.change(lambda keyring: keyring.updated([record]))
        return token, record

    def change(self, by: Callable[[Keyring], Keyring]) -> Keyring:
        """Replace the tokens; return the new ones.

        Raises:
            ConfigError: the file cannot be read or written.

        """
        target = self.path.resolve()  # The file behind a link is replaced, not the link.
        try:
            with _locked(target.parent):
                # The server may run as another user than the one that changes its tokens.
                former = target.stat() if target.exists() else None
                keyring = by(self.read() if former else Keyring())
                replace_file(target, "".join(map(_print, keyring)), former=former)
        except OSError as error:
            raise ConfigError(f"cannot write the tokens: {self.path}: {error.strerror}") from error
        return keyring


class TokenWatcher:
    """The tokens that a running server accepts, while their file changes under it.

    An editor empties a file before it writes it, and a reader sees no token in between, or
    half of them.  So a new token is accepted at once, because its owner is about to use it;
    but one that is missing is dropped only when nothing has happened to the file between two
    polls.
    """

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            ConfigError: it cannot be used.

        """
        self.file = TokenFile(path)
        self._read_stamp = self.file.stamp()  # of what was read
        self._last_stamp = self._read_stamp  # at the last poll
        self.keyring = self.file.read()
        self._unconfirmed: Keyring | None = None  # in the file, while `keyring` has more
        self._trouble = ""  # that was logged last

    def reload(self) -> None:
        """Accept what is in the file and nothing else; if it cannot be used, change nothing."""
        self._trouble = ""
        if (keyring := self._read()) is not None:
            self._confirm(keyring)

    def add_new(self) -> None:
        """Accept what is new in the file."""
        if self.file.stamp() != self._read_stamp and (keyring := self._read()) is not None:
            self.keyring = self.keyring.updated(keyring)

    def poll(self) -> None:
        """Accept what is new, and drop what was missing at the last poll and is missing still."""
        before, self._last_stamp = self._last_stamp, self.file.stamp()
        if self._last_stamp != self._read_stamp:
            self.add_new()
        elif self._last_stamp == before and self._unconfirmed is not None:
            self._confirm(self._unconfirmed)

    def _read(self) -> Keyring | None:
        self._unconfirmed, self._read_stamp = None, self.file.stamp()
        try:
            self._unconfirmed = self.file.read()
            self._trouble = ""
        except ConfigError as error:
            if isinstance(error.__cause__, OSError):  # Perhaps there is no descriptor left.
                self._read_stamp = None
            if str(error) != self._trouble:  # It may be tried again and again.
                self._trouble = str(error)
                logger.warning("the tokens are as before: %s", error)
        return self._unconfirmed

    def _confirm(self, keyring: Keyring) -> None:
        self.keyring, self._unconfirmed = keyring, None
        logger.info("%d tokens read", len(keyring))


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock the folder: the file itself is another one after each change."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _parse(where: str, line: str) -> TokenRecord:
    try:
        entry = json.loads(line)
        if not isinstance(entry, dict):
            raise ValueError("it is no object of JSON")
        expires = entry["expires"]
        return TokenRecord(
            id=_text(entry["id"]),
            name=_name(entry["name"]),
            role=Role(entry["role"]),
            digest=_digest(entry["digest"]),
            created=_date(entry["created"]),
            expires=None if expires is None else _date(expires),
            device=_text(entry.get("device", "")),
            parent=_text(entry["parent"]) if entry.get("parent") else None,
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(
            f"{where}: this is no token: {_reason(error)}; remove that line, or take the file"
            " from a backup: a token that is lost is made anew with 'rookery-server token add'"
        ) from error


def _reason(error: Exception) -> str:
    """Return in words why a line is no token."""
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


def _print(record: TokenRecord) -> str:
    entry = {
        "id": record.id,
        "name": record.name,
        "role": record.role,
        "digest": record.digest.hex(),
        "created": record.created.isoformat(timespec="seconds"),
        "expires": record.expires and record.expires.isoformat(timespec="seconds"),
    }
    entry |= {
        name: value
        for name, value in (("device", record.device), ("parent", record.parent))
        if value
    }
    return json.dumps(entry) + "\n"
