"""Decides who a client is by what it shows, and whether it may try at all."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import unquote

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import LOCAL, RESERVED, Account, Role, is_account_name
from rookery_server.access.login_throttle import Guard
from rookery_server.access.token import Keyring

# How people put tokens into URLs.
_TELLTALE = re.compile(
    r"(?:^|[&;])(?:(?:access_|auth_)?token|auth|authorization|bearer)=|rk_[0-9a-f]{12}_",
    re.IGNORECASE,
)


class Login:
    """Log-ins of one server.  `now` is in seconds since 1970.

    Without a `keyring` no token is wanted, and all are one account; with an empty one
    nobody comes in.
    """

    def __init__(self, keyring: Keyring | None = None, all_are: Account = LOCAL) -> None:
        self.keyring = keyring
        self.all_are = all_are
        self._guard = Guard()

    def admit(self, token: str | None, source: str | None, *, now: float, ticks: float) -> Account:
        """Return whose token it is.

        Args:
            token: what the client has shown, if anything.
            source: for whom failures are counted; None for one that is exempt.
            now: the time, by which tokens expire.
            ticks: seconds of a clock that nobody sets, by which one has to wait.

        Raises:
            RefusedError: it is nobody's; while the source has to wait, that is said instead.

        """
        if self.keyring is None:
            return self.all_are
        # A good token never waits: it cannot be guessed, and neighbours behind one address, or an
        # attacker among them, must not keep its owner out.
        account = None if token is None else self.keyring.account(token, _date(now))
        if account is not None:
            return account
        wait = self._guard.wait(source, ticks) if source else 0.0
        if wait:
            raise RefusedError(
                Code.TOO_MANY_TRIES,
                f"too many log-ins from this address have failed; wait {wait:.0f} s",
                wait=wait,
            )
        if token is None:  # Not a guess, and so not counted.
            raise RefusedError(
                Code.UNAUTHORIZED, "this server wants a token: ask its operator for one"
            )
        if source:
            self._guard.failed(source, ticks)
        raise RefusedError(
            Code.UNAUTHORIZED, "the token is unknown, revoked or expired: ask for another"
        )

    def still_admits(self, account: Account, *, now: float) -> bool:
        """Say whether an account that has come in could do so again."""
        if self.keyring is None or account.token is None:
            return True
        return self.keyring.still_knows(account, _date(now))


def certified(name: str | None) -> Account:
    """Return the account of a client certificate, by its common name.

    Raises:
        RefusedError: it has none that an account can have.

    """
    if name is None or not is_account_name(name) or name in (*RESERVED, *Role):
        raise RefusedError(
            Code.UNAUTHORIZED, f"the certificate's common name is no name of an account: {name!r}"
        )
    return Account(name)


def bearer(authorization: str) -> str | None:
    """Return the token of an `Authorization` header; None if it is of another kind."""
    scheme, _, token = authorization.strip().partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def has_token(target: str) -> bool:
    """Say whether a URL seems to have a token in its query."""
    return _TELLTALE.search(unquote(target.partition("?")[2])) is not None


def common_name(certificate: Mapping[str, object] | None) -> str | None:
    """Return whom a certificate is for, as the `ssl` module tells it."""
    subject = (certificate or {}).get("subject", ())
    assert isinstance(subject, tuple)
    names = [value for part in subject for key, value in part if key == "commonName"]
    return names[0] if len(names) == 1 else None


def _date(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC)
