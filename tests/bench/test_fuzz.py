"""The fuzz run for a moment instead of hours: no target breaks its rule."""

import pytest
from bench.fuzz.conversation import Conversation, converse
from bench.fuzz.target import SEEDS, TARGETS
from hypothesis import given, settings
from hypothesis import strategies as st

# What was found, and may not come back: by target.
FOUND = [
    ("converse", b".h\xb2\xc1\x0es"),  # `register`, `go` and no engine: no bestmove
    ("reply", b"option type combo default b name X type combo default a"),  # read as another
    ("framing", b"\x81\xff" + ((1 << 64) - 14).to_bytes(8, "big") + b"mask"),  # never ended
    ("config", b"[tls]\ncertificate = '~nobody-of-that-name/x'\nkey = 'b'\n"),  # RuntimeError
]


@pytest.mark.parametrize("name", TARGETS)
@settings(deadline=None, max_examples=50)
@given(data=st.binary(max_size=200))
def test_bytes_that_mean_nothing_break_no_rule(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_break_no_rule(name: str) -> None:
    for seed in SEEDS.get(name, ()):
        TARGETS[name](seed)


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=60))
def test_every_conversation_comes_to_rest(data: bytes) -> None:
    converse(data)


@pytest.mark.parametrize(("name", "data"), FOUND)
def test_what_was_found_does_not_come_back(name: str, data: bytes) -> None:
    TARGETS[name](data)


def test_an_engine_that_is_disturbed_is_noticed() -> None:
    """The model would see it if the session said too much."""
    conversation = Conversation()
    conversation.client_said(b"go infinite")
    conversation.attach()
    assert conversation.engine
    with pytest.raises(AssertionError, match="in a search"):
        conversation.engine.check_line(b"go depth 1")
