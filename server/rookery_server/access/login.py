"""Log-ins by token or certificate, and the wait of addresses whose log-ins fail.

Each source of connections has a count of failed log-ins.  A few are free, for slips; from
then on each one doubles the time in which every other one is refused unread.  Counts fade with
time, and the sources that are remembered are bounded: where there are too many, the one that
has been quiet for longest is forgotten.  (After sshd's `PerSourcePenalties`.)
"""

import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import unquote

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import LOCAL, RESERVED, Account, Role, is_account_name
from rookery_server.access.origin import source_of
from rookery_server.access.token_file import TokenWatcher

FREE = 5  # failures before a source has to wait
LONGEST = 900.0  # s that a source has to wait at most
FADES = 120.0  # s in which one failure is forgotten
MAX_SOURCES = 10_000

# The ways in which people put tokens into URLs.
_TOKEN_IN_QUERY = re.compile(
    r"(?:^|[&;])(?:(?:access_|auth_)?token|auth|authorization|bearer)=|rk_[0-9a-f]{12}_",
    re.IGNORECASE,
)


class Login:
    """The log-ins of one server.

    Without a `watcher` no token is wanted, and all clients have one account; with one that has no
    tokens every client is refused.
    """

    def __init__(
        self, watcher: TokenWatcher | None = None, shared_account: Account = LOCAL
    ) -> None:
        self.watcher = watcher
        self.shared_account = shared_account
        self._throttle = LoginThrottle()

    def admit(self, token: str | None, address: str | None, *, now: float, ticks: float) -> Account:
        """Return the account of a token.

        Args:
            token: what the client has shown, if anything.
            address: for which failures are counted, by its source; None is exempt.
            now: s since 1970, by which tokens expire.
            ticks: s of a monotonic clock, by which a source has to wait.

        Raises:
            RefusedError: the token is no good, or the source has to wait.

        """
        if self.watcher is None:
            return self.shared_account
        # A good token never waits: it cannot be guessed, and neighbours behind one address, or an
        # attacker among them, must not keep its owner out.
        account = None if token is None else self.watcher.keyring.account(token, _date(now))
        if account is not None:
            return account
        if token is None:  # It is not a guess, and so not counted.
            text = "this server wants a token: ask its operator for one"
        else:
            text = "the token is unknown, revoked or expired: ask for another"
        raise self.refusal(text, address, ticks=ticks, is_guess=token is not None)

    def refusal(
        self, text: str, address: str | None, *, ticks: float, is_guess: bool = True
    ) -> RefusedError:
        """Return the refusal of a log-in, which a guess counts for; the arguments are `admit`'s."""
        source = source_of(address) if address else None
        wait = self._throttle.wait(source, ticks) if source else 0.0
        if wait:
            return RefusedError(
                Code.TOO_MANY_TRIES,
                f"too many log-ins from this address have failed; wait {wait:.0f} s",
                wait=wait,
            )
        if source and is_guess:
            self._throttle.count_failure(source, ticks)
        return RefusedError(Code.UNAUTHORIZED, text)

    def still_admits(self, account: Account, *, now: float) -> bool:
        """Return whether an account that has logged in could do so again."""
        if self.watcher is None or account.token is None:
            return True
        return self.watcher.keyring.is_still_good(account, _date(now))

    def account_of_token(self, token_id: str, *, now: float) -> Account | None:
        """Return the account of a token by its id alone; None if the token is no longer good."""
        if self.watcher is None:
            return None
        return self.watcher.keyring.account_of(token_id, _date(now))


def certified_account(certificate: Mapping[str, object] | None) -> Account:
    """Return the account of a client certificate (as `ssl` returns it), by its common name.

    Raises:
        RefusedError: it has no common name that an account can have.

    """
    subject = (certificate or {}).get("subject", ())
    assert isinstance(subject, tuple)
    names = [value for part in subject for key, value in part if key == "commonName"]
    name = names[0] if len(names) == 1 else None
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
    """Return whether a URL seems to have a token in its query."""
    query = target.partition("?")[2]
    return bool(query) and _TOKEN_IN_QUERY.search(unquote(query)) is not None


def _date(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC)


@dataclass(slots=True)
class _Suspect:
    failures: float = 0.0
    since: float = 0.0  # when `failures` was that
    until: float = 0.0  # when the source may try again


class LoginThrottle:
    """Failed log-ins by source.  All times are in seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._suspects: OrderedDict[str, _Suspect] = OrderedDict()

    def __len__(self) -> int:
        return len(self._suspects)

    def wait(self, source: str, now: float) -> float:
        """Return for how many seconds a source has to wait; 0 if it may try."""
        suspect = self._suspects.get(source)
        return max(0.0, suspect.until - now) if suspect else 0.0

    def count_failure(self, source: str, now: float) -> None:
        """Count a failed log-in."""
        suspect = self._suspects.setdefault(source, _Suspect(since=now))
        self._suspects.move_to_end(source)
        faded = max(0.0, suspect.failures - (now - suspect.since) / FADES)
        suspect.failures, suspect.since = faded + 1, now
        excess = suspect.failures - FREE
        if excess > 0:
            # The exponent is bounded first: it may come from a year of guessing.
            suspect.until = now + min(LONGEST, 2.0 ** min(excess, 30.0))
        if len(self._suspects) > MAX_SOURCES:
            self._suspects.popitem(last=False)
