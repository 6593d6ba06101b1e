"""What a session says to a client whose connection may be slow, lost, or another one."""

import pytest
from helpers.listening import Connection

from rookery_protocol.notices import Close
from rookery_server.session.client_channel import Ear
from rookery_server.session.client_writer import Delivery
from rookery_server.session.replay_buffer import GAP, MAX_KEPT
from rookery_server.session.totals import Totals


@pytest.fixture
def connection() -> Connection:
    return Connection()


@pytest.fixture
def totals() -> Totals:
    return Totals()


@pytest.fixture
def delivery(connection: Connection, totals: Totals) -> Delivery:
    return Delivery(connection, totals)


def test_lines_of_the_session_are_told_and_counted(
    delivery: Delivery, connection: Connection, totals: Totals
) -> None:
    delivery.put(b"id name odd\nuciok\n")
    delivery.tell(b"rookery session new\n")  # The server's own.
    assert connection.told == b"id name odd\nuciok\nrookery session new\n"
    assert totals.lines_told == 2


def test_who_comes_back_hears_what_it_has_missed(
    delivery: Delivery, connection: Connection
) -> None:
    delivery.keep()
    delivery.put(b"readyok\n")
    delivery.lose()
    assert delivery.client is None
    delivery.put(b"bestmove e2e4\n")
    delivery.tell(b"of a room\n")  # It is owed to nobody.
    again = Connection()
    delivery.change(Ear(again))
    delivery.catch_up(b"hello\n", 1)
    assert delivery.client is again
    assert (connection.told, again.told) == (b"readyok\n", b"hello\nbestmove e2e4\n")
    assert connection.closed is None  # It was gone before.
    assert delivery.owed
    assert delivery.owed.forgotten == 1


def test_to_keep_twice_is_to_keep_once(delivery: Delivery) -> None:
    delivery.keep()
    delivery.put(b"readyok\n")
    delivery.keep()
    assert delivery.owed
    assert delivery.owed.after(0) == b"readyok\n"


def test_what_was_heard_is_forgotten(delivery: Delivery) -> None:
    delivery.heard(1)  # Nothing is kept: it does no harm.
    delivery.keep()
    delivery.put(b"readyok\nbestmove e2e4\n")
    delivery.heard(1)
    assert delivery.owed
    assert delivery.owed.forgotten == 1
    assert delivery.owed.after(1) == b"bestmove e2e4\n"


def test_who_has_missed_too_much_is_told_so(delivery: Delivery) -> None:
    delivery.keep()
    delivery.lose()
    for _ in range(2 * MAX_KEPT // 4096):
        delivery.put(b"%b\n" % (b"x" * 4095))
    again = Connection()
    delivery.change(Ear(again))
    delivery.catch_up(b"hello\n", 0)
    assert again.told.startswith(b"hello\n" + GAP)


def test_connection_that_is_taken_over_is_closed(
    delivery: Delivery, connection: Connection
) -> None:
    delivery.keep()
    delivery.change(Ear(Connection()))
    assert connection.closed is Close.TAKEN_OVER


def test_nothing_is_mentioned_to_who_is_behind_or_away(
    delivery: Delivery, connection: Connection, totals: Totals
) -> None:
    delivery.keep()
    assert delivery.mention(b"info depth 9\n")
    assert delivery.ear
    delivery.ear.paused = True
    assert not delivery.mention(b"info depth 10\n")
    delivery.lose()
    assert not delivery.mention(b"info depth 11\n")
    assert (connection.told, totals.lines_told) == (b"info depth 9\n", 1)
    assert delivery.owed
    assert delivery.owed.size == 0


def test_last_lines_are_told_before_the_connection_closes(
    delivery: Delivery, connection: Connection
) -> None:
    assert delivery.ear
    delivery.ear.paused = True
    delivery.put(b"readyok\n")
    delivery.finish(b"bestmove e2e4\n", Close.DONE, "")
    assert (connection.told, connection.closed) == (b"readyok\nbestmove e2e4\n", Close.DONE)
    delivery.finish(b"late\n", Close.DONE, "")  # Nobody is there.
    assert delivery.client is None
