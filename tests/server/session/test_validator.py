"""One session's commands, judged one after the other."""

import unicodedata

import pytest
from helpers.support import FAIRY, offer_of, session_of
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery_protocol.legality import MAX_PLIES
from rookery_protocol.notices import Code
from rookery_server.config.engines import Alias, Forced, Policy
from rookery_server.config.resources import ANY_SIZE, Size
from rookery_server.engines.offered_options import OfferedOptions, PolicyVerdict
from rookery_server.session.commands import Need
from rookery_server.session.validator import Validator
from rookery_uci import (
    EXTRAS,
    Extra,
    Go,
    Option,
    Position,
    SetOption,
    parse_command,
    parse_reply,
)

ROOKS = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves"
HOUSE = "position startpos moves e2e4 d7d5 e4d5 d8d5 P@e4"


def say(validator: Validator, line: str) -> tuple[str | None, Code | None]:
    """Return what the engine hears for a line, and the code of the notice."""
    command = parse_command(line)
    assert command is not None
    verdict = validator.review(command)
    assert isinstance(verdict, PolicyVerdict)
    heard, notice = verdict
    return None if heard is None else str(heard), notice.code if notice else None


def test_castling_is_judged_by_what_the_client_has_set() -> None:
    validator = Validator(offer_of())
    assert say(validator, f"{ROOKS} e1h1") == (f"{ROOKS} e1g1", None)
    say(validator, "setoption name uci_chess960 value TRUE")
    assert say(validator, f"{ROOKS} e1h1") == (f"{ROOKS} e1h1", None)
    say(validator, "setoption name UCI_Chess960 value maybe")
    assert say(validator, f"{ROOKS} e1h1") == (f"{ROOKS} e1h1", None)
    say(validator, "setoption name UCI_Chess960 value false")
    assert say(validator, f"{ROOKS} e1h1") == (f"{ROOKS} e1g1", None)


def test_castling_is_judged_by_what_the_operator_has_set() -> None:
    validator = Validator(offer_of(Policy(options=(Forced("UCI_Chess960", "true"),))))
    say(validator, "setoption name UCI_Chess960 value false")
    assert say(validator, f"{ROOKS} e1h1") == (f"{ROOKS} e1h1", None)


def test_moves_are_judged_by_the_variant() -> None:
    validator = Validator(offer_of(answer=FAIRY))
    assert say(validator, HOUSE) == (None, Code.ILLEGAL_POSITION)
    say(validator, "setoption name UCI_Variant value crazyhouse")
    assert say(validator, HOUSE) == (HOUSE, None)
    say(validator, "setoption name UCI_Variant value xiangqi")
    assert say(validator, HOUSE) == (HOUSE, None)
    say(validator, "setoption name UCI_Variant value chess")
    assert say(validator, HOUSE) == (None, Code.ILLEGAL_POSITION)


@pytest.mark.parametrize("count", [MAX_PLIES + 1, 10_000, 210_000])
def test_moves_without_end_are_refused_unread(count: int) -> None:
    verdict = Validator(offer_of()).review(Position(None, ("joho",) * count))
    assert isinstance(verdict, PolicyVerdict)
    assert verdict.command is None
    assert verdict.notice
    assert verdict.notice.code is Code.POSITION_TOO_LONG


# --- whatever a client says

REALISTIC = offer_of(
    Policy(
        commands=("d", "perft"),
        aliases=(Alias("SyzygyPath", "small", "/data/small"),),
        options=(Forced("Move Overhead", "100"),),
        hidden=("Slow Mover",),
    ),
    Size(4, 256),
)
PLAIN = """
uci setoption name value position startpos fen moves go perft depth infinite register debug on
Hash Threads MultiPV Clear Debug Log File SyzygyPath EvalFile UCI_Chess960 true small <empty>
/etc/passwd /data/small 1 -1 512 99999999999999999999 e2e4 e7e5 e1g1 4k3/8/8/8/8/8/8/4K3
8/8/8/8/8/8/8/8 w KQkq - 0 bench export_net stop quit
"""
ODD = "\0\n\r\x0b\t\x85\u2028\xa0\u200b\x1b"
WORDS = [*PLAIN.split(), *ODD, "Move Overhead", "Slow Mover"]
texts = st.one_of(
    st.text(),
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=12).map("".join),
)


def allowed(offer: OfferedOptions, line: str) -> bool:
    """Say whether an engine may hear a line, by what the client was shown alone."""
    command = parse_command(line)
    assert command is not None
    assert str(command) == line
    assert not any(unicodedata.category(character) == "Cc" for character in line)
    if isinstance(command, Extra):
        return command.word in offer.policy.commands and command.word in EXTRAS
    if isinstance(command, Go):
        return command.limits.perft is None or "perft" in offer.policy.commands
    if not isinstance(command, SetOption):
        return True
    replies = [parse_reply(shown) for shown in offer.greeting.decode().splitlines()]
    option = next(
        each for each in replies if isinstance(each, Option) and each.name == command.name
    )
    value = command.value
    if option.type == "spin":
        assert option.min is not None
        assert option.max is not None
        return value is not None and option.min <= int(value) <= option.max
    if option.type == "check":
        return value in ("true", "false")
    if option.type == "button":
        return value is None
    return value in ("<empty>", "/data/small")


@settings(max_examples=500, deadline=None)
@given(st.lists(texts | st.binary(), max_size=6))
def test_no_line_raises_and_only_what_is_allowed_is_heard(lines: list[str | bytes]) -> None:
    session = session_of(REALISTIC)
    session.attach(ANY_SIZE)
    session.for_engine()  # what the operator sets
    heard = b""
    for line in lines:
        session.client_said(line.encode(errors="replace") if isinstance(line, str) else line)
        if session.needs is Need.SEARCH:
            session.begin_search()
        heard += session.for_engine()
    session.engine_said(b"bestmove e2e4\n")
    heard += session.for_engine()
    assert heard.endswith(b"\n") or not heard
    assert all(allowed(REALISTIC, line) for line in heard.decode().split("\n")[:-1])
    told = session.for_client().decode()
    assert "/etc" not in REALISTIC.greeting.decode()
    assert told.endswith("\n") or not told
