"""Accounts, the tokens that log in to them, and what the server keeps of a token.  No I/O.

A token is `rk_ID_SECRET`.  The id is no secret: it names the token in lists and logs.
Of the secret only the SHA-256 is kept.  It needs no salt and no slow hash, because it
is not chosen by people: nobody can try 2^192 of them.
"""

import hmac
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

ID_BYTES = 6
SECRET_BYTES = 24  # 192 bits; 128 would do, and this fills its base64 without padding
DIGEST_BYTES = 32

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_TOKEN = re.compile(r"rk_([0-9a-f]{12})_([A-Za-z0-9_-]{32})")
_NO_DIGEST = bytes(DIGEST_BYTES)  # of no known secret


class Role(StrEnum):
    """The rights of an account."""

    MEMBER = "member"  # holds sessions
    ADMIN = "admin"  # and may look after those of others
    HOST = "host"  # offers engines of other machines, and does nothing else


@dataclass(frozen=True, slots=True)
class Account:
    """The account that a connection has logged in to.

    `token` is the id of the token that was shown, so that the account's sessions can
    end with it.  Two tokens of one name are one account.
    """

    name: str
    role: Role = Role.MEMBER
    token: str | None = field(default=None, compare=False)


# Names that mean something else than an account of the file of tokens.
RESERVED = frozenset({"local", "anybody"})

# The accounts of a server that wants no token: LOCAL while only its own machine can reach it,
# ANYBODY once the operator has opened it to a network.
LOCAL = Account("local", Role.ADMIN)
ANYBODY = Account("anybody")
# Clients that may watch rooms without the token that all else wants; no account can have the name.
VISITOR = Account("(visitor)")
# The answer to other requests of theirs over HTTP.
ONLY_WATCHES = "without a token you may only watch rooms: send 'Authorization: Bearer TOKEN'"


def is_account_name(name: str) -> bool:
    """Return whether an account may have a name: it must be safe in a log and in a file."""
    return _NAME.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token as its owner has it.  Printing it shows the id only; see `reveal`."""

    id: str
    secret: str = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> "AccessToken | None":
        """Read a token; return None for any other text of a stranger's."""
        form = _TOKEN.fullmatch(text)
        return cls(form[1], form[2]) if form else None

    def reveal(self) -> str:
        """Return the whole token."""
        return f"rk_{self.id}_{self.secret}"

    def digest(self) -> bytes:
        """Return what the server keeps of the secret."""
        return sha256(self.secret.encode()).digest()


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A token as the server has it.  Without `expires` it is good until it is revoked.

    One that a browser got for a one-use code has the name of its `device`, and as its `parent` the
    id of the token with which the code was made, if there was one.
    """

    id: str
    name: str
    role: Role
    digest: bytes
    created: datetime
    expires: datetime | None = None
    device: str = ""
    parent: str | None = None

    def is_good(self, now: datetime) -> bool:
        """Return whether the token may still be used."""
        return self.expires is None or now < self.expires

    def account(self) -> Account:
        """Return the account of the token."""
        return Account(self.name, self.role, self.id)


class Keyring:
    """The tokens that the server knows."""

    def __init__(self, records: Iterable[TokenRecord] = ()) -> None:
        self._records = {record.id: record for record in records}

    def __iter__(self) -> Iterator[TokenRecord]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def account(self, text: str, now: datetime) -> Account | None:
        """Return the account of a token; None if the token is unknown or no longer good.

        The time it takes tells nothing about the secret.
        """
        token = AccessToken.parse(text)
        if token is None:
            return None
        record = self._records.get(token.id)
        is_same = hmac.compare_digest(token.digest(), record.digest if record else _NO_DIGEST)
        return record.account() if record and is_same and record.is_good(now) else None

    def account_of(self, token_id: str, now: datetime) -> Account | None:
        """Return the account of a token by its id alone; None if the token is no longer good."""
        record = self._records.get(token_id)
        return record.account() if record and record.is_good(now) else None

    def is_still_good(self, account: Account, now: datetime) -> bool:
        """Return whether an account that has logged in could do so again."""
        record = self._records.get(account.token or "")
        return record is not None and record.account() == account and record.is_good(now)

    def good_tokens(self, account: Account, now: datetime) -> list[TokenRecord]:
        """Return the good tokens of an account; only the one that it has logged in with, if any."""
        return [
            record
            for record in self
            if record.account() == account
            and account.token in (None, record.id)
            and record.is_good(now)
        ]

    def updated(self, records: Iterable[TokenRecord]) -> "Keyring":
        """Return a ring that has these records, too; a newer record replaces that of its token."""
        return Keyring((*self, *records))

    def without(self, name_or_id: str) -> "Keyring":
        """Return a ring without the token of that id, and all those of that account.

        A token goes with the one by which its code was made: its thief may have made the code.
        """
        gone = {record.id for record in self if name_or_id in (record.id, record.name)}
        while more := {each.id for each in self if each.parent in gone} - gone:
            gone |= more
        return Keyring(record for record in self if record.id not in gone)
