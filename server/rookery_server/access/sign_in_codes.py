"""One-use codes that sign a browser in, such as that of a phone.  No I/O and no clock.

A code is good once, for some minutes, and for one account; the browser gets a token of its own for
it.  Of a code only the SHA-256 is kept: like a token it is random, and cannot be tried out.  It is
kept in memory alone, so that a restart of the server ends all codes.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

from rookery_server.access.account import Account

CODE_BYTES = 18  # 144 bits; base64 has them without padding
LONGEST = 60  # minutes that a code may be good for
USUAL = 10
MAX_KEPT = 20  # codes that were made by one account: a further one ends the oldest
REMEMBERED = 3600.0  # s after its end in which a code's refusal still says what has become of it
_ID_BYTES = 9

# What browsers and systems are known by: most call themselves by the names of others, too, so the
# first that is found counts.
_BROWSERS = (
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


class CodeError(Exception):
    """A code signs nobody in; the text says why, and what to do."""


@dataclass(slots=True)
class SignInCode:
    """A code that was made.

    `account` is whom it signs in: by its `token`, if it names one, the browser's token is made, and
    goes with it.  `maker` is the account that has made the code; None is the operator.  `secret`
    is a token that is there already, for the browser.  Times are in seconds of one monotonic clock.
    """

    id: str
    digest: bytes = field(repr=False)
    account: Account
    maker: Account | None
    expires: float
    secret: str | None = field(default=None, repr=False)
    device: str | None = None  # that has used it

    def state(self, now: float) -> Literal["open", "used", "expired"]:
        """Return `open`, `used` or `expired`."""
        if self.device is not None:
            return "used"
        return "open" if now < self.expires else "expired"


class SignInCodes:
    """The codes of one server."""

    def __init__(self) -> None:
        self._codes: dict[str, SignInCode] = {}  # by their ids, the oldest first

    def make_code(
        self,
        account: Account,
        maker: Account | None,
        *,
        now: float,
        seconds: float,
        secret: str | None = None,
    ) -> tuple[str, SignInCode]:
        """Make a code; return it, and what is kept of it."""
        self._forget(maker, now)
        text = secrets.token_urlsafe(CODE_BYTES)
        id_ = secrets.token_urlsafe(_ID_BYTES)
        code = SignInCode(id_, _digest(text), account, maker, now + seconds, secret)
        self._codes[id_] = code
        return text, code

    def find_code(self, id_: str, maker: Account | None) -> SignInCode | None:
        """Return a code that an account has made, or the operator (None)."""
        code = self._codes.get(id_)
        return code if code and code.maker == maker else None

    def withdraw_code(self, code: SignInCode) -> None:
        """End a code that nobody has used."""
        if code.device is None:
            self._codes.pop(code.id, None)

    def use_code(self, text: str, device: str, now: float) -> SignInCode:
        """Use a code up, on a device; the time it takes tells nothing about other codes.

        Raises:
            CodeError: it was used, has expired or is not known.

        """
        digest, found = _digest(text), None
        for code in self._codes.values():
            if hmac.compare_digest(code.digest, digest):
                found = code
        if found is None:
            raise CodeError(
                "this code is not known here: it has expired or was withdrawn, or the server has"
                " been restarted; have a new one shown, and scan that"
            )
        match found.state(now):
            case "used":
                raise CodeError(
                    "this code was used already, and is good once: have a new one shown, and scan"
                    " that; if it was not you who used it, tell the operator, who can end the"
                    " other device's token"
                )
            case "expired":
                raise CodeError("this code has expired: have a new one shown, and scan that")
        found.device = device
        return found

    def reopen_code(self, code: SignInCode) -> None:
        """Make a code good again: its use has failed by no fault of the device."""
        code.device = None

    def _forget(self, maker: Account | None, now: float) -> None:
        """Forget what nobody asks about any more, and make room for a code of an account."""
        past = [id_ for id_, code in self._codes.items() if now > code.expires + REMEMBERED]
        for id_ in past:
            del self._codes[id_]
        own = [code.id for code in self._codes.values() if code.maker == maker]
        for id_ in own[: max(0, len(own) + 1 - MAX_KEPT)]:
            del self._codes[id_]


def _digest(text: str) -> bytes:
    return sha256(text.encode(errors="surrogatepass")).digest()


def device_name(agent: str) -> str:
    """Return what a browser is called in lists, by what it says of itself (`User-Agent`).

    No word of the browser's own is in it.
    """
    browser = next((name for sign, name in _BROWSERS if sign in agent), "another program")
    system = next((name for sign, name in _SYSTEMS if sign in agent), None)
    return f"{browser} on {system}" if system else browser
