"""The watchers of a room, control, and what each party hears: without any connection."""

import pytest

from rookery_protocol.notices import Code, Meaning, Notice
from rookery_server.rooms.room import Room

SAID = b"rookery room said go infinite\n"
BESTMOVE = b"bestmove e2e4\n"
READY = b"readyok\n"


@pytest.fixture
def room() -> Room[str]:
    room: Room[str] = Room()
    assert [room.add_watcher("anna"), room.add_watcher("bob")] == ["1", "2"]
    return room


def hand(room: Room[str], id_: str, asked: int = 0) -> None:
    assert room.offer_control(id_) is None
    assert room.accept_control(id_, asked)


def test_names_are_not_guessed() -> None:
    names = {Room[str]().name for _ in range(100)}
    assert len(names) == 100
    assert min(map(len, names)) >= 22  # characters of 6 bits: 128 and more


def test_id_is_never_used_again(room: Room[str]) -> None:
    room.remove_watcher("2", 0)
    assert room.add_watcher("carl") == "3"


# --- who has control


def test_control_goes_only_to_the_watcher_that_was_offered_it(room: Room[str]) -> None:
    assert room.offer_control("1") is None
    assert not room.accept_control("2", 0)
    assert room.control is None
    assert room.accept_control("1", 0)
    assert room.control == "1"


def test_offer_is_good_once(room: Room[str]) -> None:
    hand(room, "1")
    assert room.reclaim_control(0)
    assert not room.accept_control("1", 0)
    assert room.control is None


def test_second_offer_takes_the_place_of_the_first(room: Room[str]) -> None:
    assert room.offer_control("1") is None
    assert room.offer_control("2") is None
    assert not room.accept_control("1", 0)
    assert room.accept_control("2", 0)


def test_owner_may_take_an_offer_back(room: Room[str]) -> None:
    assert room.offer_control("1") is None
    assert not room.reclaim_control(0)
    assert not room.accept_control("1", 0)


def test_offer_can_be_declined(room: Room[str]) -> None:
    assert room.offer_control("1") is None
    assert not room.decline_control("2")
    assert room.decline_control("1")
    assert not room.accept_control("1", 0)


@pytest.mark.parametrize("id_", ["3", "owner", ""])
def test_none_has_that_id(room: Room[str], id_: str) -> None:
    refusal = room.offer_control(id_)
    assert refusal
    assert refusal[0] is Code.ROOM_REFUSED


def test_client_that_leaves_leaves_control_to_the_owner(room: Room[str]) -> None:
    hand(room, "1")
    assert not room.remove_watcher("2", 0)
    assert room.remove_watcher("1", 0)
    assert room.control is None


def test_control_goes_on_from_one_to_another(room: Room[str]) -> None:
    hand(room, "1")
    hand(room, "2")
    assert room.control == "2"
    assert not room.return_control("1", 0)
    assert room.return_control("2", 0)


# --- who hears what


@pytest.mark.parametrize(
    ("line", "owner", "watchers"),
    [
        (b"info depth 1 pv e2e4\n", True, True),
        (b"info string of the engine\n", True, True),
        (BESTMOVE, True, True),
        (b"what is this\n", True, True),
        (READY, True, False),
        (b"id name Odd\n", True, False),
        (b"option name Hash type button\n", True, False),
        (b"uciok\n", True, False),
        (b"info string rookery bad-value: no\n", True, False),
        (b"info string rookery engine-died: gone\n", True, True),
        (SAID, False, True),
    ],
)
def test_owner_and_those_that_watch(
    room: Room[str], line: bytes, owner: bool, watchers: bool
) -> None:
    for piece in (line, BESTMOVE + line):
        shares = room.split(piece)
        before = piece.removesuffix(line)
        assert shares.owner == (piece if owner else before)
        assert shares.watchers == (piece if watchers else before)


@pytest.mark.parametrize("code", Code)
def test_those_that_watch_hear_what_becomes_of_the_search(room: Room[str], code: Code) -> None:
    line = b"%b\n" % bytes(Notice(code, "why"))
    private = (Meaning.NEWS, Meaning.ALTERED, Meaning.REFUSED)
    is_private = code.meaning in private or code is Code.UNAUTHORIZED
    assert room.split(line).watchers == (b"" if is_private else line)


def test_client_that_has_control_hears_what_the_owner_would(room: Room[str]) -> None:
    hand(room, "1")
    piece = SAID + READY + BESTMOVE + b"info string rookery bad-value: no\n"
    shares = room.split(piece)
    assert shares.control == piece
    assert shares.owner == SAID + BESTMOVE + b"info string rookery bad-value: no\n"
    assert shares.watchers == SAID + BESTMOVE


def test_answer_goes_to_the_party_that_asked_before_control_went_on(room: Room[str]) -> None:
    hand(room, "1", asked=2)  # by the owner
    assert room.split(READY).owner == READY
    assert room.reclaim_control(3)  # one of the owner's is left, and two are new
    assert room.split(READY).owner == READY
    shares = room.split(READY + READY + READY)
    assert shares.ready == ("1", "1")
    assert shares.owner == READY


def test_answers_are_for_each_of_several_in_turn(room: Room[str]) -> None:
    hand(room, "1")
    hand(room, "2", asked=1)
    assert room.reclaim_control(2)
    shares = room.split(READY * 3)
    assert shares.ready == ("1", "2")
    assert shares.owner == READY


def test_status_says_who_has_control_and_how_many_watch(room: Room[str]) -> None:
    assert room.status() == b"rookery room control owner\nrookery room watching 2\n"
    hand(room, "2")
    assert room.status() == b"rookery room control 2\nrookery room watching 2\n"


def test_answers_to_those_of_a_closed_room_are_for_nobody_in_the_next(room: Room[str]) -> None:
    """The owner asks, then one who watches asks twice; the room is closed, and another opened."""
    hand(room, "1", asked=1)
    assert room.reclaim_control(3)
    assert room.split(READY).owner == READY
    later: Room[str] = Room()
    later.succeed(room)
    assert later.add_watcher("dora") == "1"
    for _ in range(2):
        shares = later.split(READY)
        assert (shares.owner, shares.control, shares.watchers) == (b"", b"", b"")
        assert "1" not in shares.ready
    assert later.split(READY).owner == READY
