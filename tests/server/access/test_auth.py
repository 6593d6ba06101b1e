"""Accounts of clients, by the token that they show."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import (
    ANYBODY,
    LOCAL,
    AccessToken,
    Account,
    Keyring,
    Role,
    TokenRecord,
)
from rookery_server.access.login import FREE, Login, bearer, certified_account, has_token
from rookery_server.access.token_file import TokenFile, TokenWatcher

NOW = 1_800_000_000.0
TICKS = 5_000.0
TOKEN = AccessToken("0123456789ab", "A" * 32)
RECORD = TokenRecord(
    TOKEN.id, "alice", Role.MEMBER, TOKEN.digest(), datetime.fromtimestamp(NOW, UTC)
)
WRONG = AccessToken(TOKEN.id, "B" * 32).reveal()


@pytest.fixture
def login(tmp_path: Path) -> Login:
    TokenFile(tmp_path / "tokens").change(lambda _: Keyring([RECORD]))
    return Login(TokenWatcher(tmp_path / "tokens"))


def refused(login: Login, token: str | None, source: str | None = "a") -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        login.admit(token, source, now=NOW, ticks=TICKS)
    return caught.value


def test_where_no_token_is_wanted_all_come_in() -> None:
    assert Login().admit(None, "a", now=NOW, ticks=TICKS) == LOCAL
    assert Login(shared_account=ANYBODY).admit("nonsense", "a", now=NOW, ticks=TICKS) == ANYBODY
    assert ANYBODY.role is Role.MEMBER


def test_good_token(login: Login) -> None:
    account = login.admit(TOKEN.reveal(), "a", now=NOW, ticks=TICKS)
    assert (account, account.token) == (Account("alice"), TOKEN.id)
    assert login.still_admits(account, now=NOW)
    assert login.watcher
    login.watcher.keyring = Keyring()
    assert not login.still_admits(account, now=NOW)


def test_without_any_token_on_the_ring_nobody_comes_in(login: Login) -> None:
    assert login.watcher
    login.watcher.keyring = Keyring()
    assert refused(login, TOKEN.reveal()).notice.code is Code.UNAUTHORIZED


def test_wrong_token_and_none(login: Login) -> None:
    assert refused(login, WRONG).notice.code is Code.UNAUTHORIZED
    assert refused(login, None).notice.text == "this server wants a token: ask its operator for one"


def test_after_many_failures_wrong_tokens_have_to_wait_and_good_ones_do_not(login: Login) -> None:
    for _ in range(FREE + 1):
        assert refused(login, WRONG).notice.code is Code.UNAUTHORIZED
    for token in (WRONG, None):
        error = refused(login, token)
        assert (error.notice.code, error.wait) == (Code.TOO_MANY_TRIES, 2.0)
        assert "wait 2 s" in error.notice.text
    assert login.admit(TOKEN.reveal(), "a", now=NOW, ticks=TICKS) == Account("alice")
    assert refused(login, WRONG).notice.code is Code.TOO_MANY_TRIES
    assert refused(login, WRONG, "b").notice.code is Code.UNAUTHORIZED


def test_who_shows_no_token_has_not_guessed(login: Login) -> None:
    for _ in range(50):
        assert refused(login, None).notice.code is Code.UNAUTHORIZED


def test_exempt_source_never_waits(login: Login) -> None:
    for _ in range(50):
        assert refused(login, WRONG, None).notice.code is Code.UNAUTHORIZED


@pytest.mark.parametrize(
    ("header", "token"),
    [("Bearer abc", "abc"), ("bearer  abc ", "abc"), ("Bearer", ""), ("Basic abc", None),
     ("", None), ("abc", None)],
)  # fmt: skip
def test_authorization_header(header: str, token: str | None) -> None:
    assert bearer(header) == token


@pytest.mark.parametrize("target", ["/engines/a?token=x", "/?access_token=x",
                                    "/engines/a?x=rk_0123456789ab_x",
                                    "/engines/a?TOKEN=x", "/?a=b&auth=x",
                                    "/?%74oken=x", "/?x=rk%5F0123456789ab%5fx"])  # fmt: skip
def test_token_in_a_url_is_seen(target: str) -> None:
    assert has_token(target)


@pytest.mark.parametrize(
    "target", ["/engines/a", "/engines/a?x=y", "/token=", "/", "/?work_=1&oauth=2"]
)
def test_other_urls_are_left_alone(target: str) -> None:
    assert not has_token(target)


def test_certificate_is_an_account_by_its_common_name() -> None:
    subject = ((("organizationName", "Club"),), (("commonName", "alice"),))
    assert certified_account({"subject": subject}) == Account("alice")
    for certificate in (None, {}, {"subject": ()}, {"subject": (*subject, *subject)},
                        {"subject": ((("commonName", "a\nb"),),)},
                        {"subject": ((("commonName", "local"),),)},
                        {"subject": ((("commonName", "admin"),),)}):  # fmt: skip
        with pytest.raises(RefusedError, match="common name"):
            certified_account(certificate)
