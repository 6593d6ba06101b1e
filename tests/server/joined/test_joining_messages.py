"""The messages between a server and a machine that has joined, and texts that are none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery_server.joined.joining_messages import (
    MAX_ENGINES,
    MAX_SENTENCE,
    MAX_VERSION,
    Beat,
    EngineTrouble,
    Joining,
    Leave,
    Message,
    MessageError,
    Sorry,
    Wanted,
    Welcome,
    parse,
    text_of,
)

JOINING = Joining("pc", "5f0c", "0.1.0", 16, 8192, 4, ("stockfish", "lc0"), ("ben", "admin"))
MESSAGES: list[Message] = [
    JOINING,
    Welcome("anna"),
    Wanted("stockfish", "a-secret"),
    Sorry("a-secret", "all sessions are in use"),
    EngineTrouble("lc0", "it does not answer"),
    Beat(),
    Leave(),
]


def said(**changes: object) -> bytes:
    """Return the first message of a machine, with something changed."""
    return json.dumps({**json.loads(text_of(JOINING)), **changes}).encode()


@pytest.mark.parametrize("message", MESSAGES)
def test_what_is_said_is_what_is_heard(message: Message) -> None:
    assert parse(text_of(message)) == message


def test_keys_of_a_later_version_are_skipped() -> None:
    assert parse(said(colour="blue")) == JOINING


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "JSON"),
        (b"[" * 100_000, "JSON"),
        (b'"joining"', "says one of"),
        (b'{"say": "reboot"}', "not 'reboot'"),
        (b'{"say": ["joining"]}', "says one of"),
        (b'{"say": "joining"}', "joining.machine is missing"),
        (said(engines=[]), "engines"),
        (said(engines=["x"] * (MAX_ENGINES + 1)), "engines"),
        (said(engines=["<script>"]), "engines"),
        (said(engines=["../../bin/sh"]), "engines"),
        (said(engines=["stockfish@somebody.else"]), "engines"),
        (said(machine="pc\n2026 ERROR"), "machine"),
        (said(threads=0), "threads"),
        (said(threads=True), "threads"),
        (said(threads=10**9), "threads"),
        (said(hash_mb="8"), "hash_mb"),
        (said(sessions=10**6), "sessions"),
        (said(allow="ben"), "allow"),
    ],
)
def test_what_is_no_message_is_said_so(text: bytes, why: str) -> None:
    with pytest.raises(MessageError, match=why):
        parse(text)


def test_what_a_machine_says_of_itself_is_bounded() -> None:
    long = parse(said(version="1" * 60_000))
    assert isinstance(long, Joining)
    assert len(long.version) == MAX_VERSION
    strange = parse(said(version="\U000e0001" * 60_000))
    assert isinstance(strange, Joining)
    assert len(strange.version) == MAX_VERSION
    for key in text_keys():
        with pytest.raises(MessageError) as caught:
            parse(said(**{key: ["x" * 60_000, 0]}))
        assert len(str(caught.value)) <= MAX_SENTENCE


def test_name_of_an_account_is_not_cut_to_that_of_another() -> None:
    with pytest.raises(MessageError, match="at most 64 characters"):
        parse(said(allow=["b" * 64 + "en"]))


def text_keys() -> list[str]:
    """Return what a machine says of itself."""
    return [key for key in json.loads(text_of(JOINING)) if key != "say"]


def test_sentences_for_people_steer_no_terminal_and_are_short() -> None:
    sorry = parse(json.dumps({"say": "sorry", "link": "x", "why": "\x1b]0;hi\x07" * 99}).encode())
    assert isinstance(sorry, Sorry)
    assert sorry.why.isprintable()
    assert len(sorry.why) < 5 * MAX_SENTENCE


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode()))
def test_no_bytes_do_more_than_be_refused(text: bytes) -> None:
    with pytest.raises(MessageError):
        parse(text)
