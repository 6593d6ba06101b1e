"""The operator's commands for accounts, and for one-use codes that sign browsers in.

    {"do": "accounts"}                          {"ok": true, "accounts": [{"account": ...}, ...]}
    {"do": "offer-token", "token": "rk_...", "seconds": 600}
                                                {"ok": true, "id": "...", "code": "..."}
    {"do": "sign-in-code", "id": "..."}         {"ok": true, "state": "open", "device": null}
    {"do": "withdraw-code", "id": "..."}        {"ok": true}

A program of the operator's that has made a token has the server keep it for the browser that comes
with the code: so it works where the server may read its file of tokens, and not write it.
"""

import time
from datetime import UTC, datetime

from rookery_server.access.account import Account, TokenRecord
from rookery_server.access.sign_in_codes import LONGEST, SignInCode
from rookery_server.access.token_file import TokenWatcher
from rookery_server.http.admin_error import AdminError
from rookery_server.transport.connection_policy import ConnectionPolicy


class AdminSignIn:
    """The accounts and codes of a server, as its operator has to do with them."""

    def __init__(self, policy: ConnectionPolicy) -> None:
        self._policy = policy
        self._codes = policy.sign_in_codes

    def accounts(self) -> list[dict[str, object]]:
        """Describe the accounts that have good tokens.

        Raises:
            AdminError: this server has none.

        """
        now = datetime.now(UTC)
        found: dict[Account, list[TokenRecord]] = {}
        for record in self._watcher().keyring:
            if record.is_good(now):
                found.setdefault(record.account(), []).append(record)
        return [
            {
                "account": account.name,
                "role": account.role,
                "tokens": len(records),
                "devices": [each.device for each in records if each.device],
            }
            for account, records in sorted(found.items(), key=lambda item: item[0].name)
        ]

    def offer_token(self, token: str, seconds: float) -> dict[str, object]:
        """Make a code for which a browser gets this token.

        Raises:
            AdminError: that token is not good.

        """
        if not 0 < seconds <= 60 * LONGEST:
            raise AdminError(f"a code is good for 1 to {60 * LONGEST} seconds, not {seconds}")
        watcher = self._watcher()
        watcher.add_new()  # It was made a moment ago.
        account = watcher.keyring.account(token, datetime.now(UTC))
        if account is None:
            raise AdminError(
                "this server does not know that token: has it another file of tokens?"
                f" Its own is {watcher.file.path}"
            )
        text, code = self._codes.make_code(
            account, None, now=time.monotonic(), seconds=seconds, secret=token
        )
        return {"id": code.id, "code": text}

    def state_of(self, id_: str) -> dict[str, object]:
        """Say what has become of a code of the operator's.

        Raises:
            AdminError: there is none.

        """
        code = self._find(id_)
        return {"state": code.state(time.monotonic()), "device": code.device}

    def withdraw(self, id_: str) -> None:
        """End a code of the operator's.

        Raises:
            AdminError: there is none.

        """
        self._codes.withdraw_code(self._find(id_))

    def _find(self, id_: str) -> SignInCode:
        code = self._codes.find_code(id_, None)
        if code is None:
            raise AdminError("there is no such code, or not any more: make another one")
        return code

    def _watcher(self) -> TokenWatcher:
        watcher = self._policy.tokens
        if watcher is None:
            raise AdminError("this server wants no token, so nobody signs in to it")
        return watcher
