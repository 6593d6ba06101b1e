"""One-use codes, and what browsers are called."""

import pytest

from rookery_server.access.account import Account
from rookery_server.access.sign_in_codes import (
    MAX_KEPT,
    REMEMBERED,
    CodeError,
    SignInCodes,
    device_name,
)

ANN, BOB = Account("ann", token="0123456789ab"), Account("bob")
AGENTS = [
    (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15"
        " (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
        "Safari on iPhone",
    ),
    (
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)"
        " Chrome/139.0.0.0 Mobile Safari/537.36",
        "Chrome on Android",
    ),
    ("Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0", "Firefox on Android"),
    (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
        " Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0",
        "Edge on Windows",
    ),
    ("curl/8.5.0 \x1b[2J", "another program"),
    ("", "another program"),
]


@pytest.fixture
def codes() -> SignInCodes:
    return SignInCodes()


def refusal(codes: SignInCodes, text: str, now: float) -> str:
    with pytest.raises(CodeError) as caught:
        codes.use_code(text, "Safari on iPhone", now)
    return str(caught.value)


def test_a_code_is_good_once(codes: SignInCodes) -> None:
    text, made = codes.make_code(BOB, ANN, now=0, seconds=600)
    assert made.state(599) == "open"
    used = codes.use_code(text, "Safari on iPhone", 599)
    assert (used, used.account, used.state(599)) == (made, BOB, "used")
    assert refusal(codes, text, 599).startswith("this code was used already, and is good once")
    assert used.state(10_000) == "used"


def test_a_code_expires(codes: SignInCodes) -> None:
    text, made = codes.make_code(BOB, ANN, now=0, seconds=600)
    assert made.state(600) == "expired"
    assert "has expired" in refusal(codes, text, 600)


@pytest.mark.parametrize("text", ["", "x", "\ud800", "é" * 200])
def test_a_code_of_nobodys_is_not_known(codes: SignInCodes, text: str) -> None:
    codes.make_code(BOB, ANN, now=0, seconds=600)
    assert "not known here" in refusal(codes, text, 1)


def test_a_code_that_was_withdrawn_is_not_known(codes: SignInCodes) -> None:
    text, made = codes.make_code(BOB, ANN, now=0, seconds=600)
    codes.withdraw_code(made)
    assert "was withdrawn" in refusal(codes, text, 1)


def test_a_code_that_failed_by_no_fault_of_the_device_is_good_again(codes: SignInCodes) -> None:
    text, _ = codes.make_code(BOB, ANN, now=0, seconds=600)
    codes.reopen_code(codes.use_code(text, "Safari on iPhone", 1))
    assert codes.use_code(text, "Chrome on Android", 2).device == "Chrome on Android"


def test_only_its_maker_finds_a_code(codes: SignInCodes) -> None:
    _, made = codes.make_code(BOB, ANN, now=0, seconds=600)
    assert codes.find_code(made.id, ANN) is made
    assert (
        codes.find_code(made.id, BOB)
        is codes.find_code(made.id, None)
        is codes.find_code("x", ANN)
        is None
    )


def test_the_codes_of_an_account_are_bounded(codes: SignInCodes) -> None:
    other, _ = codes.make_code(ANN, BOB, now=0, seconds=600)
    first, *rest = [codes.make_code(BOB, ANN, now=0, seconds=600)[0] for _ in range(MAX_KEPT + 1)]
    assert "not known here" in refusal(codes, first, 1)
    for text in (*rest, other):
        codes.use_code(text, "Safari on iPhone", 1)


def test_a_code_is_forgotten_long_after_its_end(codes: SignInCodes) -> None:
    _, made = codes.make_code(BOB, ANN, now=0, seconds=600)
    codes.make_code(BOB, BOB, now=600 + REMEMBERED, seconds=600)
    assert codes.find_code(made.id, ANN) is made
    codes.make_code(BOB, BOB, now=601 + REMEMBERED, seconds=600)
    assert codes.find_code(made.id, ANN) is None


def test_nothing_that_is_kept_tells_the_code(codes: SignInCodes) -> None:
    text, made = codes.make_code(BOB, ANN, now=0, seconds=600, secret="rk_secret")
    assert len(text) == 24  # 144 bits in base64
    assert text not in repr(made)
    assert "rk_secret" not in repr(made)


@pytest.mark.parametrize(("agent", "name"), AGENTS)
def test_a_browser_is_called_by_its_kind(agent: str, name: str) -> None:
    assert device_name(agent) == name
