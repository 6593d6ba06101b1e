"""Tokens, and their accounts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery_server.access.account import (
    AccessToken,
    Account,
    Keyring,
    Role,
    TokenRecord,
    is_account_name,
)

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
TOKEN = AccessToken("0123456789ab", "A" * 31 + "-")
RECORD = TokenRecord(TOKEN.id, "alice", Role.MEMBER, TOKEN.digest(), NOW)


def test_token_reads_as_it_is_revealed() -> None:
    assert TOKEN.reveal() == "rk_0123456789ab_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-"
    assert AccessToken.parse(TOKEN.reveal()) == TOKEN


def test_printing_a_token_does_not_reveal_it() -> None:
    assert TOKEN.secret not in f"{TOKEN} {TOKEN!r}"


@pytest.mark.parametrize(
    "text",
    ["", "rk_", TOKEN.reveal()[:-1], TOKEN.reveal() + "A", TOKEN.reveal() + "\n",
     " " + TOKEN.reveal(),
     TOKEN.reveal().upper(), TOKEN.reveal()[:-1] + "é", TOKEN.reveal()[:-1] + "\0", "\0" * 48,
     "\udcff", "rk_0123456789ab_" + "\uff11" * 32, "x" * 1_000_000, "rk_" * 1_000_000],
)  # fmt: skip
def test_what_is_no_token_is_nobodys(text: str) -> None:
    assert AccessToken.parse(text) is None
    assert Keyring([RECORD]).account(text, NOW) is None


@given(st.text())
def test_no_text_is_too_strange(text: str) -> None:
    assert Keyring([RECORD]).account(text, NOW) is None
    assert Keyring([RECORD]).account(f"rk_{TOKEN.id}_{text}", NOW) is None


def test_token_is_whose_record_has_its_digest() -> None:
    keyring = Keyring([RECORD])
    assert keyring.account(TOKEN.reveal(), NOW) == Account("alice", Role.MEMBER)
    assert keyring.account(replace(TOKEN, secret="B" * 32).reveal(), NOW) is None
    assert keyring.account(replace(TOKEN, id="ffffffffffff").reveal(), NOW) is None
    assert Keyring().account(TOKEN.reveal(), NOW) is None


def test_expired_token_is_nobodys() -> None:
    keyring = Keyring([replace(RECORD, expires=NOW)])
    assert keyring.account(TOKEN.reveal(), NOW) is None
    account = keyring.account(TOKEN.reveal(), NOW - timedelta(seconds=1))
    assert account
    assert keyring.is_still_good(account, NOW - timedelta(seconds=1))
    assert not keyring.is_still_good(account, NOW)


def test_revoked_token_is_known_no_more() -> None:
    other = replace(RECORD, id="ffffffffffff")
    keyring = Keyring([RECORD, other, replace(RECORD, id="eeeeeeeeeeee", name="bob")])
    account = RECORD.account()
    assert keyring.is_still_good(account, NOW)
    assert not keyring.without(TOKEN.id).is_still_good(account, NOW)
    assert keyring.without(TOKEN.id).is_still_good(other.account(), NOW)
    assert [record.name for record in keyring.without("alice")] == ["bob"]
    assert [record.id for record in keyring.without("nobody")] == [record.id for record in keyring]


def test_account_whose_role_has_changed_is_another() -> None:
    keyring = Keyring([replace(RECORD, role=Role.ADMIN)])
    assert not keyring.is_still_good(RECORD.account(), NOW)


def test_two_tokens_of_a_name_are_one_account() -> None:
    assert RECORD.account() == replace(RECORD, id="ffffffffffff").account()


@pytest.mark.parametrize("name", ["alice", "a.b-c_d", "alice@club.example", "7"])
def test_names_of_accounts(name: str) -> None:
    assert is_account_name(name)


@pytest.mark.parametrize("name", ["", "-a", "a b", "a\n", "a/b", "é", "x" * 65, "\x1b[31m"])
def test_bad_names_of_accounts(name: str) -> None:
    assert not is_account_name(name)
