"""The documents of signing in (see `schema.py`): what requests must be, and what answers are."""

from typing import Annotated, Literal

from msgspec import Meta

from rookery_server.access.sign_in_codes import LONGEST, USUAL
from rookery_server.api.schema import AnswerDocument, RequestDocument

Minutes = Annotated[int, Meta(ge=1, le=LONGEST, description="For how long the code is good")]
AccountName = Annotated[
    str, Meta(min_length=1, max_length=64, description="Only an admin may name another account")
]


class SignInRequest(RequestDocument, kw_only=True):
    """A one-use code, as it is behind `#signin=` in the address that the QR code has."""

    code: Annotated[str, Meta(min_length=1, max_length=200)]


class SignIn(AnswerDocument, kw_only=True):
    """The token of a browser that has signed in, and the name that the token has in lists."""

    token: str
    account: str
    device: str


class SignOut(AnswerDocument, kw_only=True):
    """The end of a browser's token; if it stays good, `reason` says why, and what ends it."""

    revoked: bool
    reason: str | None = None


class CodeRequest(RequestDocument, kw_only=True):
    """A one-use code to make: for this account, or another one and the `role` that it has."""

    account: AccountName | None = None
    role: Literal["member", "admin"] = "member"
    minutes: Minutes = USUAL


class OpenCode(AnswerDocument, kw_only=True):
    """A one-use code that was made.  It is told this once: `url` has it, and so has `qr`.

    `qr` is the QR code of `url` as a picture in SVG; `seconds` is how long the code is good.
    """

    id: str
    account: str
    url: str
    qr: str
    seconds: int


class CodeState(AnswerDocument, kw_only=True):
    """The state of a one-use code.  `device` is what it has signed in."""

    id: str
    account: str
    state: Literal["open", "used", "expired"]
    seconds: int
    device: str | None = None
