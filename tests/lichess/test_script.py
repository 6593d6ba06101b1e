"""What engines are told and what goes out, and the API's values, with plain lines."""

import pytest
from helpers.lichess_fake import work

from rookery_bridge.lichess.job_lines import Findings, Script
from rookery_protocol.lichess_api import (
    ContractError,
    ExternalEngine,
    Job,
    Registration,
    Work,
    selector,
)

ENGINE = {
    "id": "eei_1",
    "name": "Engine",
    "clientSecret": "ees_1",
    "userId": "somebody",
    "maxThreads": 4,
    "maxHash": 256,
    "variants": ["chess"],
}
REGISTRATION = {
    "name": "Engine",
    "maxThreads": 4,
    "maxHash": 256,
    "variants": ["chess", "3check"],
    "providerSecret": "a" * 16,
    "providerData": "mine",
}


def test_values_are_read_and_written_as_they_were() -> None:
    assert Registration.parse(REGISTRATION).json() == REGISTRATION
    assert ExternalEngine.parse(ENGINE).json() == ENGINE
    assert Work.parse(work()).json() == work()
    job = {"id": "x", "work": work(), "engine": ENGINE}
    assert Job.parse(job).json() == job


RUY = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1h1"]


def script_of(*options: str) -> Script:
    script = Script()
    for option in options:
        script.introduced(f"option name {option}".encode())
    return script


def test_castling_is_as_the_engine_knows_it() -> None:
    """The broker writes it as in Chess960, and not every engine can be told so."""
    asked = Work.parse(work(moves=RUY))
    knows = script_of("UCI_Chess960 type check default false")
    assert knows.search(asked)[0].endswith(b"g8f6 e1h1")
    assert script_of().search(asked)[0].endswith(b"g8f6 e1g1")
    drops = Work.parse(work(variant="crazyhouse", moves=["e2e4", "d7d5", "e4d5", "g8f6", "P@e4"]))
    assert script_of().search(drops)[0].endswith(b"g8f6 P@e4")
    none = Work.parse(work(moves=["e1h1"]))
    assert script_of().search(none)[0].endswith(b"moves e1h1")


def test_work_cannot_command_an_engine() -> None:
    """A broker may be anybody's, and engines write files where they are told to."""
    fen = f"{work()['initialFen']}\r\nsetoption name Debug Log File value /tmp/log\n"
    script = script_of("UCI_Chess960 type check default false")
    position, go = script.search(Work.parse(work(initialFen=fen)))
    assert position.startswith(b"position fen ")
    assert len(position.splitlines()) == 1
    assert go.startswith(b"go ")
    with pytest.raises(ContractError):
        Work.parse(work(moves=["e2e4\nquit"]))


@pytest.mark.parametrize("no_move", ["(none)", "0000", "NULL"])
def test_reply_that_is_none_is_left_out(no_move: str) -> None:
    """The broker refuses what is no move, and the end of the search with it."""
    assert Findings().heard(f"bestmove e2e4 ponder {no_move}".encode()) == b"bestmove e2e4\n"


def test_secrets_are_not_shown() -> None:
    assert "aaaa" not in repr(Registration.parse(REGISTRATION))
    assert "ees_1" not in repr(ExternalEngine.parse(ENGINE))


def test_selector_is_as_the_site_has_it() -> None:
    # printf 'providerSecret:secret' | sha256sum
    assert selector("secret") == "1efc37f2f013693c45cded77a033313fdbf7386fbf7edfe071c8641797ad55bb"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"movetime": None}, "one of movetime, depth and nodes, not none"),
        ({"depth": 3}, "not movetime and depth"),
        ({"multiPv": 6}, "multiPv needs a number from 0 to 5, not 6"),
        ({"threads": 0}, "threads needs a number from 1 to 65536, not 0"),
        ({"threads": True}, "threads needs a number"),
        ({"hash": 1048577}, "hash needs a number"),
        ({"variant": "xiangqi"}, "variant is one of chess, antichess"),
        ({"moves": ["e2e4"] * 601}, "moves has 600 at most, not 601"),
        ({"moves": "e2e4"}, "moves is a list"),
        ({"initialFen": None}, "work needs initialFen"),
        ({"sessionId": ""}, "sessionId needs 1 to 4096 characters"),
    ],
)
def test_work_that_is_none_is_refused(fields: dict[str, object], text: str) -> None:
    with pytest.raises(ContractError, match=text):
        Work.parse(work(**fields))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", "ab"),
        ("name", "a" * 201),
        ("providerSecret", "a" * 15),
        ("providerSecret", "a" * 1025),
        ("maxThreads", 65537),
        ("maxHash", 0),
        ("variants", "chess"),
    ],
)
def test_registration_that_is_none_is_refused(key: str, value: object) -> None:
    with pytest.raises(ContractError, match=key):
        Registration.parse({**REGISTRATION, key: value})


def test_work_is_brought_within_what_was_registered() -> None:
    asked = Work.parse(work(threads=64, hash=1024, multiPv=0))
    given = asked.within(ExternalEngine.parse(ENGINE))
    assert (given.threads, given.hash, given.multi_pv) == (4, 256, 1)


@pytest.mark.parametrize(
    ("line", "out"),
    [
        (b"info depth 3 score cp 5 wdl 1 998 1 pv e2e4", b"info depth 3 score cp 5 pv e2e4\n"),
        (b"info depth 3 score mate -2 ebf 1.5", b"info depth 3 score mate -2\n"),
        (b"info depth 3 score cp 1 lowerbound", b"info depth 3 score cp 1 lowerbound\n"),
        (b"info depth 3 score cp 1 string hi", b"info depth 3 score cp 1\n"),
        (b"info depth 3 currmove e2e4", None),
        (b"info string score cp 5", None),
        (b"readyok", None),
        (b"nonsense", None),
        (b"bestmove 0000", b"bestmove (none)\n"),
        (b"bestmove e2e4 ponder e7e5", b"bestmove e2e4 ponder e7e5\n"),
    ],
)
def test_only_what_the_broker_knows_goes_out(line: bytes, out: bytes | None) -> None:
    assert Findings().heard(line) == out


def test_ending_is_the_best_of_the_first_line() -> None:
    findings = Findings()
    findings.heard(b"info depth 3 multipv 1 score cp 5 pv d2d4 d7d5")
    findings.heard(b"info depth 3 multipv 2 score cp 4 pv e2e4")
    assert findings.ending() == b"bestmove d2d4\n"
    assert findings.ending() is None
    assert findings.heard(b"bestmove e2e4") is None
    assert Findings().ending() == b"bestmove (none)\n"


def test_engine_is_registered_with_no_more_than_it_has() -> None:
    script = Script()
    script.introduced(b"option name Threads type spin default 1 min 1 max 8")
    script.introduced(b"option name Hash type spin default 1 min 1 max 64")
    assert script.introduced(b"uciok")
    given = script.registration("Engine", "a" * 16, max_threads=16, max_hash=32)
    assert (given.max_threads, given.max_hash, given.variants) == (8, 32, ("chess",))
    assert Script().registration("Engine", "a" * 16, max_threads=16, max_hash=32).max_threads == 1
