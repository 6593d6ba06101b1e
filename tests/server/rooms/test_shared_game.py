"""The shared game of a room: versions, places, names and rights, without connections."""

import json

import pytest

from rookery_protocol.hello import OWNER, Hello, RoomLine, RoomWord
from rookery_server.rooms.members import LISTED, MAX_NAME, Member, Members, clean_name
from rookery_server.rooms.shared_game import MAX_GAME, MAX_PLACE, SharedGame
from rookery_uci import MAX_LINE, UciError

PGN = '[White "Ann"]\n\n1. e4 {two  blanks} e5 *\n'


def lines(members: Members, hearer: str = OWNER) -> list[str]:
    return members.lines(hearer).decode().replace("rookery room ", "").splitlines()


def test_game_arrives_as_it_was_sent() -> None:
    text = json.dumps(PGN)
    hello = Hello.parse(f"rookery room game 0 {text}".encode())
    assert hello
    assert hello.room == RoomLine(RoomWord.GAME, f"0 {text}")
    game = SharedGame(OWNER)
    assert game.write(hello.room.about, "3")
    assert (game.version, game.writer, json.loads(game.text)) == (1, "3", PGN)


def test_writer_of_an_older_version_changes_nothing() -> None:
    game = SharedGame(OWNER)
    assert game.write('0 "a"', "1")
    for version in (0, 2, 99999):
        assert not game.write(f'{version} "b"', "2")
    assert (game.version, game.writer, game.text) == (1, "1", '"a"')


@pytest.mark.parametrize(
    "asked",
    [
        "", "x", "0", "0 a", "0 1", "0 []", '0 {"a": 1}', '0 "a', '0 "a" "b"',
        '0 "\\u0000"', '0 "\\u001b[2J"', '0 "\\u0085"', '0 "\\ud800"', '0 "\x7f"', '0 "\x01"',
        f'0 "{"a" * MAX_GAME}"', f'0 "{"é" * (MAX_GAME // 2)}"', "0 " + "[" * 50_000,
    ],
)  # fmt: skip
def test_what_is_no_game_is_refused(asked: str) -> None:
    game = SharedGame(OWNER)
    with pytest.raises(UciError):
        game.write(asked, OWNER)
    assert (game.version, game.text) == (0, '""')


def test_largest_game_fits_in_a_line() -> None:
    game = SharedGame(OWNER)
    text = json.dumps("a" * (MAX_GAME - 2))
    assert game.write(f"0 {text}", "9" * 10)
    game.version = 10**12
    line = RoomLine(RoomWord.GAME, f"{game.version} {game.writer} {game.text}")
    assert len(bytes(line)) < MAX_LINE


def test_place_is_moves_and_nothing_else() -> None:
    game = SharedGame(OWNER)
    for place in ("moves", "moves e2e4 e7e5", "moves a7a8q 0000"):
        game.move(place)
        assert game.place == place
    assert game.places == 3
    game.move("moves a7a8q 0000")
    assert game.places == 3
    for place in (
        "",
        "e2e4",
        "moves  e2e4",
        "moves e2e9",
        "moves x",
        "moves" + " e2e4" * MAX_PLACE,
    ):
        with pytest.raises(UciError):
            game.move(place)
    game.forget_place()
    assert (game.place, game.places) == ("none", 4)


@pytest.mark.parametrize(
    "text", ["a\x00b", "a\u202eb", "a\u2066b", "a\u200bb", "\ufeff", "\ue000", "a" * (MAX_NAME + 1)]
)
def test_name_that_deceives_the_eye_is_refused(text: str) -> None:
    with pytest.raises(UciError):
        clean_name(text)


def test_name_is_plain() -> None:
    assert clean_name("  Anna \t Maria ") == "Anna Maria"
    assert clean_name("José") == clean_name("Jose\u0301")
    assert clean_name("") == ""


def test_same_names_are_numbered() -> None:
    members = Members(Member("ann", "Ann"))
    for id_ in ("1", "2", "3"):
        members.join(id_, Member("bob", "ann"))
    assert lines(members) == [
        "member owner writes Ann",
        "member 1 watches ann (2)",
        "member 2 watches ann (3)",
        "member 3 watches ann (4)",
        "members 4",
    ]
    members.rename("1", "")
    members.rename("3", "ANN")
    assert lines(members)[1] == "member 1 watches"
    assert lines(members)[3] == "member 3 watches ANN (2)"


def test_member_that_comes_back_is_what_it_was() -> None:
    members = Members(Member("ann"))
    members.join("1", Member("bob", "bob"))
    members.rename("1", "Robert")
    members.allow("1", True)
    ticket = members["1"].ticket
    members.remove("1")
    members.join("2", Member("eve", "eve"), ticket)  # It is another's.
    assert lines(members)[1] == "member 2 watches eve"
    members.join("3", Member("bob", "bob"), ticket)
    assert lines(members)[2] == "member 3 writes Robert"
    members.join("4", Member("bob", "bob"), ticket)  # The connection of 3 is lost without a word.
    assert lines(members)[2:4] == ["member 3 watches", "member 4 writes Robert"]
    members.expel("4")
    members.join("5", Member("bob", "bob"), ticket)
    assert lines(members)[3] == "member 5 watches bob"


def test_list_for_those_who_watch_is_short_and_has_the_writers() -> None:
    members = Members(Member("ann"))
    for number in range(1, 301):
        members.join(str(number), Member("bob"))
    members.allow("299", True)
    assert len(lines(members)) == 302
    short = lines(members, "300")
    assert len(short) == LISTED + 1
    assert short[-3:] == ["member 299 writes", "member 300 watches", "members 301"]


def test_those_who_have_left_are_forgotten_at_last() -> None:
    members = Members(Member("ann"))
    for number in range(1000):
        members.join("1", Member("bob", f"bob{number}"))
        members.remove("1")
    assert len(members._left) == 200
    assert lines(members) == ["member owner writes", "members 1"]
