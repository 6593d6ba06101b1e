"""Tokens: what a client shows to say who it is, and what the server keeps of them.

A token is `rk_ID_SECRET`.  The id is no secret: it names the token in lists and logs.
Of the secret only the SHA-256 is kept.  It needs no salt and no slow hash, because it
is not chosen by people: nobody can try 2^192 of them.
"""

import hmac
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from rookery_server.access.account import Account, Role

ID_BYTES = 6
SECRET_BYTES = 24  # 192 bits; 128 would do, and this fills its base64 without padding
DIGEST_BYTES = 32

_FORM = re.compile(r"rk_([0-9a-f]{12})_([A-Za-z0-9_-]{32})")
_NO_DIGEST = bytes(DIGEST_BYTES)  # of no secret that anybody knows


@dataclass(frozen=True, slots=True)
class Token:
    """A token as its owner has it.  Printing it shows the id only; see `reveal`."""

    id: str
    secret: str = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> "Token | None":
        """Read a token; None if it is none, whatever a stranger has sent instead."""
        form = _FORM.fullmatch(text)
        return cls(form[1], form[2]) if form else None

    def reveal(self) -> str:
        """Return the whole token."""
        return f"rk_{self.id}_{self.secret}"

    def digest(self) -> bytes:
        """Return what the server keeps of the secret."""
        return sha256(self.secret.encode()).digest()


@dataclass(frozen=True, slots=True)
class Record:
    """A token as the server has it.  Without `expires` it is good until it is revoked."""

    id: str
    name: str
    role: Role
    digest: bytes
    created: datetime
    expires: datetime | None = None

    def is_good(self, now: datetime) -> bool:
        """Say whether the token may still be used."""
        return self.expires is None or now < self.expires

    def account(self) -> Account:
        """Return whose token it is."""
        return Account(self.name, self.role, self.id)


class Keyring:
    """The tokens that the server knows."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._records = {record.id: record for record in records}

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def account(self, text: str, now: datetime) -> Account | None:
        """Return whose token a text is; None if it is nobody's, or no longer good.

        The time it takes tells nothing about the secret.
        """
        token = Token.parse(text)
        if token is None:
            return None
        record = self._records.get(token.id)
        known = hmac.compare_digest(token.digest(), record.digest if record else _NO_DIGEST)
        return record.account() if record and known and record.is_good(now) else None

    def still_knows(self, account: Account, now: datetime) -> bool:
        """Say whether an account that has logged in could do so again."""
        record = self._records.get(account.token or "")
        return record is not None and record.account() == account and record.is_good(now)

    def with_record(self, record: Record) -> "Keyring":
        """Return a ring that has one more."""
        return Keyring((*self, record))

    def updated(self, other: "Keyring") -> "Keyring":
        """Return a ring that has those of another, too, and of each token what that one has."""
        return Keyring((*self, *other))

    def without(self, name_or_id: str) -> "Keyring":
        """Return a ring without the token of that id, and all those of that account."""
        return Keyring(record for record in self if name_or_id not in (record.id, record.name))
