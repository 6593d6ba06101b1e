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
class _Entry:
    """A session's owner, its name in passes, the digests of their secrets, when it was left."""

    account: str
    name: str
    digests: list[bytes] = field(default_factory=list)
    left_at: float | None = None  # s


class Registry(Generic[T]):
    """The sessions that have passes.

    Args:
        grace: s that a session is kept without a connection.

    """

    def __init__(self, grace: float) -> None:
        self.grace = grace
        self._entries: dict[T, _Entry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def enroll(self, session: T, account: str) -> str:
        """Return the pass of a session, which is known from now on; a new one each time."""
        if (entry := self._entries.get(session)) is None:
            entry = self._entries[session] = _Entry(account, secrets.token_hex(_NAME_BYTES))
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        entry.digests.append(_digest(secret))
        del entry.digests[1 : -_MOST + 1]
        return f"{entry.name}.{secret}"

    def session_of_pass(self, text: str, account: str) -> T | None:
        """Return the session that a pass opens for an account."""
        name, _, secret = text.partition(".")
        digest = _digest(secret)
        for session, entry in self._entries.items():
            if (entry.name, entry.account) != (name, account):
                continue
            for place, known in enumerate(entry.digests):
                if hmac.compare_digest(digest, known):
                    # Those before it are void.  Those after it may be with the client all the same:
                    # what comes now may be an attempt that it has given up, and that was long under
                    # way.
                    del entry.digests[:place]
                    return session
        return None

    def confirm(self, session: T) -> None:
        """Make the passes before the newest void: that one has arrived."""
        del self._entries[session].digests[:-1]

    def begin_grace(self, session: T, now: float) -> bool:
        """Begin the grace of a session without connection; return whether it is known."""
        if entry := self._entries.get(session):
            entry.left_at = now
        return entry is not None

    def end_grace(self, session: T) -> None:
        """End the grace of a session: it has a connection again."""
        self._entries[session].left_at = None

    def expired(self, now: float) -> list[T]:
        """Return the sessions whose grace is over."""
        return [
            session
            for session, entry in self._entries.items()
            if entry.left_at is not None and now - entry.left_at > self.grace
        ]

    def of(self, account: str) -> list[T]:
        """Return the sessions that an account may come back to."""
        return [session for session, entry in self._entries.items() if entry.account == account]

    def left(self, account: str | None = None) -> list[T]:
        """Return the sessions, perhaps of an account, that have no connection, by when that was."""
        left = [
            session
            for session, entry in self._entries.items()
            if entry.left_at is not None and account in (None, entry.account)
        ]
        return sorted(left, key=lambda session: self._entries[session].left_at or 0.0)

    def forget(self, session: T) -> None:
        """Forget a session that is over."""
        self._entries.pop(session, None)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="replace")).digest()
