"""The operations of signing in, as `operations` has the others."""

from rookery_server.api.documents import JSON
from rookery_server.api.operation import Operation, QueryMember
from rookery_server.api.sign_in_schema import (
    CodeRequest,
    CodeState,
    OpenCode,
    SignIn,
    SignInRequest,
    SignOut,
)
from rookery_server.http.web_app import API

_CODES = f"{API}/sign-in/codes"
_ID = QueryMember("id", {"type": "string", "maxLength": 100}, "Of the code", where="path")
_BODY_ERRORS = (408, 413, 415, 422)

SIGN_IN_OPERATIONS = (
    Operation(
        "post", f"{API}/sign-in", "signIn", "Sign in with a one-use code",
        "The browser gets a token of its own for the code, which is good no more. A code that was"
        " used, has expired or is not known is refused (401), and counts as a wrong token does.",
        {200: ("The token", {JSON: SignIn})},
        bodies={JSON: SignInRequest}, errors=_BODY_ERRORS, tag="sign-in", is_public=True,
    ),
    Operation(
        "delete", f"{API}/sign-in", "signOut", "Sign out a browser that a code has signed in",
        "Its token is revoked, as by `rookery-server token revoke`: its sessions end, and so do the"
        " tokens of browsers for which it has made codes. A token that no code has made stays good."
        " 503: the server cannot write its file of tokens, so the token stays good.",
        {200: ("What has become of the token", {JSON: SignOut})},
        tag="sign-in",
    ),
    Operation(
        "post", _CODES, "createCode", "Make a one-use code",
        "A code that signs one more browser in to this account, such as that of a phone. An admin"
        " may make one for another account. 409: the server wants no tokens, or may not write"
        " their file.",
        {201: ("The code", {JSON: OpenCode})},
        bodies={JSON: CodeRequest}, errors=(404, 409, *_BODY_ERRORS), tag="sign-in",
    ),
    Operation(
        "get", f"{_CODES}/{{id}}", "getCode", "Look at a one-use code",
        "Whether the code was used, for the account that has made it.",
        {200: ("The code", {JSON: CodeState})},
        parameters=(_ID,), errors=(404,), tag="sign-in",
    ),
    Operation(
        "delete", f"{_CODES}/{{id}}", "withdrawCode", "Withdraw a one-use code",
        "A code that nobody has used signs nobody in any more. What it has signed in stays so.",
        {204: ("It is withdrawn", {})},
        parameters=(_ID,), errors=(404,), tag="sign-in",
    ),
)  # fmt: skip
