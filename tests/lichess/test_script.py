"""Lines for engines and for the site, and the API's values, with plain lines."""

import pytest
from helpers.lichess_fake import work

from rookery_bridge.lichess.job_player import JobPlayer, SearchOutput, position_for
from rookery_bridge.lichess.provider_engine import ProviderSource
from rookery_protocol.lichess_api import (
    ExternalEngine,
    LichessApiError,
    LichessJob,
    LichessRegistration,
    LichessWork,
    selector,
)
from rookery_uci.uci_client import UciClient

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
    assert LichessRegistration.parse(REGISTRATION).json() == REGISTRATION
    assert ExternalEngine.parse(ENGINE).json() == ENGINE
    assert LichessWork.parse(work()).json() == work()
    job = {"id": "x", "work": work(), "engine": ENGINE}
    assert LichessJob.parse(job).json() == job


RUY = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1h1"]


def client_of(*options: str) -> UciClient:
    """Return the client of an engine with these options."""
    client = UciClient()
    client.handshake()
    lines = [*(f"option name {option}" for option in options), "uciok", ""]
    client.receive("\n".join(lines).encode())
    return client


def test_castling_is_as_the_engine_knows_it() -> None:
    """The broker writes it as in Chess960, and not every engine can be told so."""
    asked = LichessWork.parse(work(moves=RUY))
    knows = client_of("UCI_Chess960 type check default false")
    assert position_for(knows, asked).moves[-2:] == ("g8f6", "e1h1")
    assert position_for(client_of(), asked).moves[-2:] == ("g8f6", "e1g1")
    drops = LichessWork.parse(
        work(variant="crazyhouse", moves=["e2e4", "d7d5", "e4d5", "g8f6", "P@e4"])
    )
    assert position_for(client_of(), drops).moves[-2:] == ("g8f6", "P@e4")
    none = LichessWork.parse(work(moves=["e1h1"]))
    assert position_for(client_of(), none).moves == ("e1h1",)


def test_work_cannot_command_an_engine() -> None:
    """A broker may be anybody's, and engines write files where they are told to."""
    fen = f"{work()['initialFen']}\r\nsetoption name Debug Log File value /tmp/log\n"
    client = client_of("UCI_Chess960 type check default false")
    position = position_for(client, LichessWork.parse(work(initialFen=fen)))
    assert str(position).startswith("position fen ")
    assert len(str(position).splitlines()) == 1
    with pytest.raises(LichessApiError):
        LichessWork.parse(work(moves=["e2e4\nquit"]))


def output_of(*lines: bytes, ends: bool = False) -> list[bytes]:
    """Return the lines for the broker of what an engine writes in a search."""
    out: list[bytes] = []
    output = SearchOutput(out.append)
    for line in lines:
        output.add_line(line)
    if ends:
        output.end()
        output.end()
    return out


@pytest.mark.parametrize("no_move", ["(none)", "0000", "NULL"])
def test_reply_that_is_none_is_left_out(no_move: str) -> None:
    """The broker refuses what is no move, and the end of the search with it."""
    assert output_of(f"bestmove e2e4 ponder {no_move}".encode()) == [b"bestmove e2e4\n"]


def test_secrets_are_not_shown() -> None:
    assert "aaaa" not in repr(LichessRegistration.parse(REGISTRATION))
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
    with pytest.raises(LichessApiError, match=text):
        LichessWork.parse(work(**fields))


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
    with pytest.raises(LichessApiError, match=key):
        LichessRegistration.parse({**REGISTRATION, key: value})


def test_work_is_brought_within_what_was_registered() -> None:
    asked = LichessWork.parse(work(threads=64, hash=1024, multiPv=0))
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
    assert output_of(line) == ([out] if out else [])


def test_ending_is_the_best_of_the_first_line() -> None:
    first = b"info depth 3 multipv 1 score cp 5 pv d2d4 d7d5"
    second = b"info depth 3 multipv 2 score cp 4 pv e2e4"
    assert output_of(first, second, ends=True)[2:] == [b"bestmove d2d4\n"]
    assert output_of(first, b"bestmove e2e4", b"bestmove a2a4", ends=True)[1:] == [
        b"bestmove e2e4\n"
    ]
    assert output_of(ends=True) == [b"bestmove (none)\n"]


async def test_engine_is_registered_with_no_more_than_it_has() -> None:
    player = JobPlayer(ProviderSource("Engine"))
    given = player.registration("a" * 16, max_threads=16, max_hash=32)
    assert (given.max_threads, given.max_hash, given.variants) == (1, 1, ("chess",))
    player._client = client_of(
        "Threads type spin default 1 min 1 max 8", "Hash type spin default 1 min 1 max 64"
    )
    given = player.registration("a" * 16, max_threads=16, max_hash=32)
    assert (given.max_threads, given.max_hash, given.variants) == (8, 32, ("chess",))
