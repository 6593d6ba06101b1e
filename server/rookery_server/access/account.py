"""Who is asking, after authentication.

What an account may do is for others to decide; here is only who it is.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


class Role(StrEnum):
    """What an account is to the server."""

    MEMBER = "member"  # holds sessions
    ADMIN = "admin"  # and may look after those of others
    HOST = "host"  # offers engines of other machines, and does nothing else


@dataclass(frozen=True, slots=True)
class Account:
    """Who is asking.

    `token` is the id of the token by which it has logged in, so that its sessions can
    end with it.  Two tokens of one name are one account.
    """

    name: str
    role: Role = Role.MEMBER
    token: str | None = field(default=None, compare=False)


# Names that mean something else than somebody's account.
RESERVED = frozenset({"local", "anybody"})

# Whoever reaches a server that wants no token: on loopback it is who works on this
# machine; if the operator has opened it to a network, it may be anybody.
LOCAL = Account("local", Role.ADMIN)
ANYBODY = Account("anybody")
# Who has shown no token where one is wanted, and may watch rooms: a name that no account has.
VISITOR = Account("(visitor)")


def is_account_name(name: str) -> bool:
    """Say whether an account may be called so: it must be safe in a log and in a file."""
    return _NAME.fullmatch(name) is not None
