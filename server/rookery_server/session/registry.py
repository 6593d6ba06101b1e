"""The sessions that clients may come back to.  No I/O, no clock.

A client that has asked for it gets a pass: a name and a secret.  With it any connection of the
same account takes the session over, whether it has lost its connection or not: the
newest connection is right, since the older may be dead without a sign.  Each
return changes the secret; the former ones stay good until a newer one is known to
have arrived, because it is used or a line of the client shows it.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")

_NAME_BYTES = 6
_SECRET_BYTES = 24
_MOST = 8  # passes of a session that are good at once


@dataclass(slots=True)
class _Entry(Generic[T]):
    """A session: its owner, the digests of secrets that open it, when it was left."""

    session: T
    account: str
    digests: list[bytes] = field(default_factory=list)
    left_at: float | None = None  # s


class Registry(Generic[T]):
    """The sessions that have passes.

    Args:
        grace: s that a session is kept without a connection.

    """

    def __init__(self, grace: float) -> None:
        self.grace = grace
        self._entries: dict[str, _Entry[T]] = {}
        self._names: dict[T, str] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def enroll(self, session: T, account: str) -> str:
        """Return the pass of a session, which is known from now on; a new one each time."""
        name = self._names.get(session)
        if name is None:
            name = secrets.token_hex(_NAME_BYTES)
            self._names[session] = name
            self._entries[name] = _Entry(session, account)
        return self._new_pass(name)

    def session_of_pass(self, text: str, account: str) -> T | None:
        """Return the session that a pass opens for an account."""
        name, _, secret = text.partition(".")
        entry = self._entries.get(name)
        digest = _digest(secret)
        if entry is None or entry.account != account:
            return None
        places = [
            place for place, known in enumerate(entry.digests) if hmac.compare_digest(digest, known)
        ]
        if not places:
            return None
        # Those before it are void.  Those after it may be with the client all the same: what
        # comes now may be an attempt that it has given up, and that was long under way.
        del entry.digests[: places[0]]
        return entry.session

    def confirm(self, session: T) -> None:
        """Make the passes before the newest void: that one has arrived."""
        entry = self._entries[self._names[session]]
        del entry.digests[:-1]

    def begin_grace(self, session: T, now: float) -> bool:
        """Begin the grace of a session without connection; return whether it is known."""
        name = self._names.get(session)
        if name is None:
            return False
        self._entries[name].left_at = now
        return True

    def end_grace(self, session: T) -> None:
        """End the grace of a session: it has a connection again."""
        self._entries[self._names[session]].left_at = None

    def expired(self, now: float) -> list[T]:
        """Return the sessions whose grace is over."""
        return [
            entry.session
            for entry in self._entries.values()
            if entry.left_at is not None and now - entry.left_at > self.grace
        ]

    def knows(self, account: str) -> bool:
        """Return whether there is a session that an account may come back to."""
        return any(entry.account == account for entry in self._entries.values())

    def of(self, account: str) -> list[T]:
        """Return the sessions that an account may come back to."""
        return [entry.session for entry in self._entries.values() if entry.account == account]

    def left(self, account: str | None = None) -> list[T]:
        """Return the sessions, perhaps of an account, that have no connection, by when that was."""
        left = [
            entry
            for entry in self._entries.values()
            if entry.left_at is not None and account in (None, entry.account)
        ]
        return [entry.session for entry in sorted(left, key=lambda entry: entry.left_at or 0.0)]

    def forget(self, session: T) -> None:
        """Forget a session that is over."""
        name = self._names.pop(session, None)
        if name is not None:
            del self._entries[name]

    def _new_pass(self, name: str) -> str:
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        entry = self._entries[name]
        entry.digests.append(_digest(secret))
        del entry.digests[1 : -_MOST + 1]
        return f"{name}.{secret}"


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="replace")).digest()
