"""The client side of a UCI conversation: what an engine is sent, and what its lines mean."""

import pytest

from rookery_uci import BestMove, Limits, Option, Position, Score, SetOption, UciError
from rookery_uci.uci_client import (
    MAX_ANSWER,
    MAX_KEPT,
    MAX_VARIATIONS,
    RequestState,
    UciClient,
    UciSearch,
)

NODES = Limits(nodes=100)
START = Position()
AFTER_E4 = Position(None, ("e2e4",))


@pytest.fixture
def client() -> UciClient:
    """Return the client of an engine that has answered `uci`."""
    client = UciClient()
    client.handshake()
    assert client.data_to_send() == b"uci\n"
    client.receive(
        b"id name Test 1\n"
        b"option name Hash type spin default 16 min 1 max 64\n"
        b"option name UCI_Chess960 type check default false\n"
        b"option name Clear Hash type button\n"
        b"option name Style type combo default Normal var Normal var Very Solid\n"
        b"uciok\n"
    )
    return client


@pytest.fixture
def search(client: UciClient) -> UciSearch:
    """Return a search that the engine has begun."""
    search = client.search(START, NODES)
    client.data_to_send()
    return search


def test_handshake_fills_the_identity(client: UciClient) -> None:
    assert client.identity.name == "Test 1"
    assert client.option("clear  hash") == Option("Clear Hash", "button")
    assert client.option("Ponder") is None
    assert client.current is None


def test_next_request_is_sent_with_the_answer_to_the_one_before(client: UciClient) -> None:
    first, second = client.search(START, NODES), client.search(AFTER_E4, NODES)
    assert client.data_to_send() == b"position startpos\ngo nodes 100\n"
    client.receive(b"info depth 1 score cp 5 pv e2e4\n")
    assert client.data_to_send() == b""
    client.receive(b"bestmove e2e4 ponder e7e5\n")
    assert client.data_to_send() == b"position startpos moves e2e4\ngo nodes 100\n"
    assert first.best == BestMove("e2e4", "e7e5")
    assert client.current is second
    assert not second.is_over
    assert second.best is None


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_answers_may_come_in_pieces_of_any_size(
    client: UciClient, search: UciSearch, size: int
) -> None:
    said = b"info depth 1 score cp 5 pv e2e4\r\nbestmove e2e4\r\n"
    heard = b"".join(
        client.receive(said[start : start + size]) for start in range(0, len(said), size)
    )
    assert heard.split() == said.split()
    assert search.best == BestMove("e2e4")


def test_only_the_newest_exact_line_of_each_variation_counts(
    client: UciClient, search: UciSearch
) -> None:
    client.receive(
        b"info depth 1 multipv 1 score cp 5 pv e2e4\n"
        b"info depth 1 multipv 2 score cp 4 pv d2d4\n"
        b"info depth 2 multipv 1 score cp 6 pv d2d4\n"
        b"info depth 3 multipv 1 score cp 9 lowerbound pv c2c4\n"
        b"info string bestmove is near\n"
        b"bestmove d2d4 ponder d7d5\n"
    )
    assert [(info.depth, info.multipv, info.pv) for info in search.infos()] == [
        (2, 1, ("d2d4",)),
        (1, 2, ("d2d4",)),
    ]
    last = search.last_info()
    assert last
    assert last.score == Score(cp=9, bound="lowerbound")


def test_late_lines_of_an_old_search_are_never_counted(
    client: UciClient, search: UciSearch
) -> None:
    assert client.receive(b"bestmove e2e4\ninfo depth 9 score cp 900 pv a2a3\n") == (
        b"bestmove e2e4\n"
    )
    assert client.receive(b"info depth 10 score cp 900 pv a2a3\n") == b""
    other = client.search(AFTER_E4, NODES)
    client.receive(b"info depth 1 score cp -5 pv e7e5\nbestmove e7e5\n")
    assert [info.score for info in other.infos()] == [Score(cp=-5)]
    assert search.infos() == []


def test_requests_that_are_sent_ahead_are_answered_in_their_order() -> None:
    client = UciClient(ahead=1)
    first, second, third = (
        client.search(Position(None, moves), NODES) for moves in ((), ("e2e4",), ("d2d4",))
    )
    assert client.data_to_send() == first.lines + second.lines
    client.stop(second)
    assert client.data_to_send() == b""  # It would end the first.
    answer = b"info depth 1 score cp 1 pv e2e4\nbestmove e2e4\n"
    both = answer + answer.replace(b"e2e4", b"e7e5")
    assert client.receive(both[:-3]) == both[: len(answer) + answer.index(b"bestmove")]
    assert (first.is_over, second.is_over) == (True, False)
    assert client.data_to_send() == third.lines
    assert client.receive(both[-3:]) == b"bestmove e7e5\n"
    assert [each.best and each.best.move for each in (first, second)] == ["e2e4", "e7e5"]
    assert second.newest_lines == b"info depth 1 score cp 1 pv e7e5\n"
    assert client.current is third


def test_stop_is_sent_once_and_the_search_keeps_its_bestmove(
    client: UciClient, search: UciSearch
) -> None:
    client.stop(search)
    client.stop(search)
    assert client.data_to_send() == b"stop\n"
    assert not search.is_over
    client.receive(b"bestmove e2e4\n")
    client.stop(search)
    assert client.data_to_send() == b""
    assert search.best == BestMove("e2e4")


def test_search_that_was_not_sent_is_withdrawn_without_a_bestmove(
    client: UciClient, search: UciSearch
) -> None:
    waiting, next_one = client.search(AFTER_E4, NODES), client.prepare()
    client.stop(waiting)
    assert waiting.state is RequestState.WITHDRAWN
    assert waiting.is_over
    assert waiting.best is None
    client.receive(b"bestmove e2e4\n")
    assert client.data_to_send() == b"isready\n"
    client.receive(b"readyok\n")
    assert search.is_over
    assert next_one.is_over


def test_options_and_a_new_game_are_sent_before_isready(client: UciClient) -> None:
    ready = client.prepare([client.setoption("hash", "32")], new_game=True)
    assert client.data_to_send() == b"setoption name Hash value 32\nucinewgame\nisready\n"
    client.receive(b"info string hash table of 32 MiB\nreadyok\n")
    assert ready.is_over


def test_options_of_a_search_are_sent_before_it_if_they_have_changed(client: UciClient) -> None:
    options = [client.setoption("hash", "32")]
    start = b"position startpos\ngo depth 1\n"
    for first in (b"setoption name Hash value 32\nucinewgame\n", b"ucinewgame\n"):
        client.search(Position(None), Limits(depth=1), new_game=True, options=options)
        assert client.data_to_send() == first + start
        client.receive(b"bestmove e2e4\n")


@pytest.mark.parametrize(
    ("name", "value", "command"),
    [
        ("hash", " 64 ", SetOption("Hash", "64")),
        ("uci_chess960", "TRUE", SetOption("UCI_Chess960", "true")),
        ("Style", "very  solid", SetOption("Style", "Very Solid")),
        ("clear hash", "", SetOption("Clear Hash", None)),
    ],
)
def test_option_is_set_in_the_spelling_of_the_engine(
    client: UciClient, name: str, value: str, command: SetOption
) -> None:
    assert client.setoption(name, value) == command


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("Ponder", "true", "Test 1 has no option 'Ponder'"),
        ("Hash", "65", "Hash needs a number from 1 to 64, not '65'"),
        ("Hash", "x", "Hash needs a number from 1 to 64, not 'x'"),
        ("UCI_Chess960", "1", "UCI_Chess960 needs 'true' or 'false', not '1'"),
        ("Style", "Risky", "Style needs one of Normal, Very Solid, not 'Risky'"),
    ],
)
def test_option_that_the_engine_cannot_have_is_refused(
    client: UciClient, name: str, value: str, error: str
) -> None:
    with pytest.raises(UciError, match=f"^{error}$"):
        client.setoption(name, value)


def test_options_that_have_their_value_already_are_not_changed(client: UciClient) -> None:
    wanted = [SetOption("Hash", "32"), SetOption("Clear Hash")]
    assert client.changed(wanted) == wanted
    client.prepare(wanted)
    assert client.changed(wanted) == [SetOption("Clear Hash")]
    assert client.changed([SetOption("hash", "16")]) == [SetOption("hash", "16")]


@pytest.mark.parametrize("line", [b"bestmove\n", b"bestmove   \n"])
def test_bestmove_without_a_move_ends_the_search(
    client: UciClient, search: UciSearch, line: bytes
) -> None:
    client.receive(line)
    assert search.is_over
    assert search.best is None


def test_answers_to_nothing_are_left_out(client: UciClient) -> None:
    assert client.receive(b"bestmove e2e4\nreadyok\n") == b""
    search = client.search(AFTER_E4, NODES)
    assert not search.is_over


def test_line_without_end_is_left_out(client: UciClient, search: UciSearch) -> None:
    client.receive(70_000 * b"x")
    assert client.receive(70_000 * b"x" + b"\nbestmove e2e4\n") == b"bestmove e2e4\n"
    assert search.best == BestMove("e2e4")


def test_answer_to_uci_without_end_is_an_error() -> None:
    client = UciClient()
    client.handshake()
    line = b"option name X type string default " + 1000 * b"x" + b"\n"
    for _ in range(MAX_ANSWER // len(line)):
        client.receive(line)
    with pytest.raises(UciError, match=f"it says more than {MAX_ANSWER} bytes before uciok"):
        client.receive(line)


def test_memory_of_a_search_is_bounded(client: UciClient, search: UciSearch) -> None:
    for depth in range(10_000):
        client.receive(b"info depth %d score cp 5 pv e2e4\n" % depth)
    client.receive(b"bestmove e2e4\n")
    assert len(search.answer) < 2 * MAX_KEPT
    assert search.newest_lines == b"info depth 9999 score cp 5 pv e2e4\n"


def test_variations_without_number_are_not_kept(client: UciClient, search: UciSearch) -> None:
    for number in range(20_000):
        line = b"info depth 1 multipv %d score cp 5 pv e2e4 " % number
        client.receive(line + 100 * b"x" + b"\n")
    client.receive(b"bestmove e2e4\n")
    assert search.newest_lines.count(b"\n") <= MAX_VARIATIONS
    assert len(search.answer) < 1 << 18
