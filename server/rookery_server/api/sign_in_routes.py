"""The routes of signing in by a one-use code, and out again: `/v1/sign-in` and what is below it.

A code is shown as a QR code, which is an address of the page with the code behind `#`: browsers
send that part to nobody.  The page takes it out of the address, and sends it in a body.
"""

import asyncio
import time
from datetime import UTC, datetime
from functools import partial
from logging import getLogger

from aiohttp import web

from rookery_protocol.errors import ConfigError
from rookery_server.access.account import AccessToken, Account, Keyring, Role, TokenRecord
from rookery_server.access.sign_in_codes import CodeError, SignInCode, device_name
from rookery_server.access.token_file import TokenFile
from rookery_server.api.documents import json_answer, read_json
from rookery_server.api.sign_in_schema import (
    CodeRequest,
    CodeState,
    OpenCode,
    SignIn,
    SignInRequest,
    SignOut,
)
from rookery_server.http.problem import ProblemError
from rookery_server.http.qr_code import sign_in_url, svg_of
from rookery_server.http.web_app import ACCOUNT, public
from rookery_server.log import about
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.http_connection import HEAD, connection_of

logger = getLogger(__name__)

_MOST = 4096  # bytes of a request
_FRESH = {"Cache-Control": "no-store"}
_NO_CODE = "there is no such code of this account, or not any more"
_OPEN = "this server wants no token, so there is none to revoke"
_OTHER_PAGE = "only the server's own page signs browsers in"


class SignInRoutes:
    """The routes of one server."""

    def __init__(self, policy: ConnectionPolicy) -> None:
        self._policy = policy
        self._codes = policy.sign_in_codes
        self._undoing: set[asyncio.Task[None]] = set()  # for devices that have gone

    @property
    def routes(self) -> list[web.RouteDef]:
        """The routes for `WebApp`."""
        one = "/v1/sign-in/codes/{id}"
        return [
            web.post("/v1/sign-in", public(partial(self._sign_in))),
            web.delete("/v1/sign-in", self._sign_out),
            web.post("/v1/sign-in/codes", self._make),
            web.get(one, self._look),
            web.delete(one, self._withdraw),
        ]

    async def _sign_in(self, request: web.Request) -> web.Response:
        connection, head = connection_of(request), request[HEAD]
        self._policy.follow_proxy(connection, head)
        self._policy.check_own_page(head, _OTHER_PAGE)
        wanted = await read_json(request, SignInRequest, _MOST)
        device = device_name(request.headers.get("User-Agent", ""))
        try:
            code = self._codes.use_code(wanted.code, device, time.monotonic())
            token = await self._token_for(code, device)
        except CodeError as error:
            raise self._policy.refuse_code(connection, str(error)) from None
        account = code.account.name
        text = "a code has signed in %s as %s"
        logger.info(text, device, account, extra=about(account=account))
        return json_answer(SignIn(token=token, account=account, device=device), fields=_FRESH)

    async def _token_for(self, code: SignInCode, device: str) -> str:
        """Return the token that a browser gets for a code.

        Raises:
            CodeError: the account is not good any more.
            ProblemError: the file of tokens cannot be written.

        """
        watcher, records = self._policy.tokens, self._good_tokens(code)
        if watcher is None or not records:
            self._codes.reopen_code(code)  # It has signed nobody in,
            self._codes.withdraw_code(code)  # ... and will not.
            raise CodeError(
                f"this code is for {code.account.name}, and that account, or the token that made"
                " the code, is good no more: ask the server's operator"
            )
        if code.secret:
            return code.secret
        ends = [each.expires for each in records if each.expires]
        writing = asyncio.to_thread(
            watcher.file.add_token,
            code.account.name,
            code.account.role,
            max(ends) if len(ends) == len(records) else None,
            device=device,
            parent=code.account.token,
        )
        making = asyncio.create_task(writing, name="make token")
        try:
            token, _ = await asyncio.shield(making)
        except asyncio.CancelledError:  # The device has gone, and never hears of it.
            undoing = asyncio.create_task(self._undo(code, watcher.file, making), name="undo")
            self._undoing.add(undoing)
            undoing.add_done_callback(self._undoing.discard)
            raise
        except ConfigError as error:
            self._codes.reopen_code(code)
            logger.warning("a code has signed nobody in: %s", error)
            text = (
                "the server cannot write its file of tokens now: its operator finds why in the log"
            )
            raise ProblemError(503, text) from None
        return token.reveal()

    async def _undo(
        self,
        code: SignInCode,
        file: TokenFile,
        making: asyncio.Task[tuple[AccessToken, TokenRecord]],
    ) -> None:
        """Revoke the token that is made for a code, and make the code good again."""
        try:
            _, record = await making
            await asyncio.to_thread(file.change, lambda keyring: keyring.without(record.id))
        except ConfigError as error:
            logger.warning("a code has signed nobody in: %s", error)
        self._codes.reopen_code(code)

    def _good_tokens(self, code: SignInCode) -> list[TokenRecord]:
        """Return the tokens of a code's account, if it and the maker of the code are still good."""
        watcher = self._policy.tokens
        if watcher is None or (code.maker and not self._policy.still_admits(code.maker)):
            return []
        watcher.add_new()  # The operator has perhaps made it for this code.
        return watcher.keyring.good_tokens(code.account, datetime.now(UTC))

    async def _sign_out(self, request: web.Request) -> web.Response:
        account = request[ACCOUNT]
        self._policy.check_own_page(request[HEAD], _OTHER_PAGE)
        watcher, id_ = self._policy.tokens, account.token
        if watcher is None or id_ is None:
            return json_answer(SignOut(revoked=False, reason=_OPEN), fields=_FRESH)
        records = watcher.keyring.good_tokens(account, datetime.now(UTC))
        revoke = f"'rookery-server token revoke {id_}' on the server's machine ends it"
        if not any(each.device for each in records):
            reason = f"no code has made this token, so it stays good: {revoke}"
            return json_answer(SignOut(revoked=False, reason=reason), fields=_FRESH)
        try:
            await asyncio.to_thread(watcher.file.change, lambda keyring: keyring.without(id_))
        except ConfigError as error:
            logger.warning("a device's token stays good after signing out: %s", error)
            text = f"the server cannot write its file of tokens, so this token stays good: {revoke}"
            raise ProblemError(503, text) from None
        logger.info(
            "a device of %s has signed out", account.name, extra=about(account=account.name)
        )
        return json_answer(SignOut(revoked=True), fields=_FRESH)

    async def _make(self, request: web.Request) -> web.Response:
        maker, head = request[ACCOUNT], request[HEAD]
        self._policy.check_own_page(head, _OTHER_PAGE)
        wanted = await read_json(request, CodeRequest, _MOST)
        watcher = self._policy.tokens
        if watcher is None or maker.token is None:
            text = "this server wants no token: the page is open to a phone without one"
            raise ProblemError(409, text)
        if not watcher.file.is_changeable():
            raise ProblemError(
                409,
                "this server may read its file of tokens, and not write it: on its machine,"
                " 'rookery-server invite --qr' makes a code",
            )
        seconds = 60 * wanted.minutes
        text, code = self._codes.make_code(
            _wanted_account(wanted, maker, watcher.keyring),
            maker,
            now=time.monotonic(),
            seconds=seconds,
        )
        url = sign_in_url(_origin_of(request), text)
        document = OpenCode(
            id=code.id, account=code.account.name, url=url, qr=svg_of(url), seconds=seconds
        )
        return json_answer(document, 201, {**_FRESH, "Location": f"{request.path}/{code.id}"})

    async def _look(self, request: web.Request) -> web.Response:
        code, now = self._code_of(request), time.monotonic()
        document = CodeState(
            id=code.id,
            account=code.account.name,
            state=code.state(now),
            seconds=max(0, round(code.expires - now)),
            device=code.device,
        )
        return json_answer(document, fields=_FRESH)

    async def _withdraw(self, request: web.Request) -> web.Response:
        self._codes.withdraw_code(self._code_of(request))
        return web.Response(status=204)

    def _code_of(self, request: web.Request) -> SignInCode:
        code = self._codes.find_code(request.match_info["id"], request[ACCOUNT])
        if code is None:
            raise web.HTTPNotFound(text=_NO_CODE)
        return code


def _wanted_account(wanted: CodeRequest, maker: Account, keyring: Keyring) -> Account:
    """Return the account that a code is to be for.

    Raises:
        ProblemError: the maker may not make it, or there is no such account.

    """
    if wanted.account is None:
        return maker
    if maker.role is not Role.ADMIN:
        raise ProblemError(
            403, "only an admin makes codes for other accounts: leave `account` out for your own"
        )
    account = Account(wanted.account, Role(wanted.role))
    if not keyring.good_tokens(account, datetime.now(UTC)):
        raise ProblemError(
            404,
            f"there is no {account.role} {account.name!r}: 'rookery-server token add' makes one",
            path="$.account",
        )
    return account


def _origin_of(request: web.Request) -> str:
    """Return the address by which a client has come: its page's, or else that of its request."""
    headers = request[HEAD].headers
    if origins := headers.get_all("Origin"):
        return origins[0]
    has_tls = request.get_extra_info("ssl_object") is not None
    is_secure = has_tls or headers.get_all("X-Forwarded-Proto") == ["https"]
    return f"{'https' if is_secure else 'http'}://{headers.get_all('Host')[0]}"
