"""The game that a room shares, over connections that are real."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.peers import CONFIG, SERVER, TRANSPORTS, Peer, code_in, peer, room_lines, running
from helpers.support import Running, add_token, until

from rookery_protocol.notices import Close, Code
from rookery_server.rooms.shared_game import MAX_GAME

ROOM = "rookery room "


@pytest.fixture
async def app() -> AsyncIterator[Running]:
    async with running() as app:
        yield app


async def say_of_room(party: Peer, *lines: str) -> None:
    await party.say(*(ROOM + line for line in lines))


async def heard_next(party: Peer, *starts: str) -> str:
    """Return what the first line says that starts with one of these."""
    heard = await party.until(*(ROOM + start for start in starts), "info string")
    return heard[-1].removeprefix(ROOM)


async def refused(party: Peer, *lines: str) -> Code:
    await say_of_room(party, *lines)
    return code_in(await party.until("info string"))


async def heard_up_to(party: Peer, line: str) -> list[str]:
    """Return what is heard of the room up to a line."""
    heard: list[str] = []
    while not heard or heard[-1] != line:
        heard.append((await party.until(ROOM))[-1].removeprefix(ROOM))
    return heard


async def follow_room(party: Peer, name: str, ticket: str = "") -> str:
    """Watch and follow; return the ticket."""
    await party.watch(name)
    await say_of_room(party, f"follow {ticket}".strip())
    return (await heard_next(party, "ticket")).split()[1]


async def shared(owner: Peer) -> str:
    """Open a room whose owner follows; return its name."""
    name = await owner.open()
    await say_of_room(owner, "follow")
    assert await heard_next(owner, "game") == 'game 0 owner ""'
    return name


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_followers_hear_the_game_and_those_who_come_late_its_newest_version(
    app: Running, transport: str
) -> None:
    async with peer(app) as owner, peer(app, transport) as first, peer(app) as late:
        name = await shared(owner)
        await follow_room(first, name)
        assert await heard_next(first, "game") == 'game 0 owner ""'
        text = json.dumps("1. e4 {two  blanks} *\n")
        await say_of_room(owner, f"game 0 {text}", "place moves e2e4")
        assert await heard_next(owner, "written", "stale") == "written 1"
        assert await heard_next(first, "game") == f"game 1 owner {text}"
        assert await heard_next(first, "place") == "place moves e2e4"
        await say_of_room(owner, 'game 0 "other"')
        assert await heard_next(owner, "written", "stale") == "stale 1"
        await follow_room(late, name)
        assert await heard_next(late, "members") == "members 3"
        assert await heard_next(late, "game") == f"game 1 owner {text}"
        assert await heard_next(late, "place") == "place moves e2e4"


async def test_client_that_does_not_follow_hears_nothing_of_it(app: Running) -> None:
    async with peer(app) as owner, peer(app) as plain:
        name = await shared(owner)
        await plain.watch(name)
        await say_of_room(owner, 'game 0 "a"', "place moves e2e4", "name Ann")
        assert await heard_next(owner, "members") == "members 1"
        await owner.say("position startpos", "go nodes 3")
        heard = room_lines(await plain.until("bestmove"))
        assert {line.split()[0] for line in heard} <= {"said", "watching", "control"}
        assert await refused(plain, 'game 1 "b"') is Code.ROOM_REFUSED


async def test_of_two_who_write_at_once_one_is_refused_and_has_the_others_game(
    app: Running,
) -> None:
    async with peer(app) as owner, peer(app) as writer:
        name = await shared(owner)
        await follow_room(writer, name)
        assert await refused(writer, 'game 0 "b"') is Code.ROOM_REFUSED
        await say_of_room(owner, "allow 1", 'game 0 "a"')
        assert await heard_next(owner, "written") == "written 1"
        before = await heard_up_to(writer, "member 1 writes")
        await say_of_room(writer, 'game 0 "b"')
        assert 'game 1 owner "a"' in before + await heard_up_to(writer, "stale 1")
        await say_of_room(writer, 'game 1 "ab"')
        assert await heard_next(writer, "stale", "written") == "written 2"
        assert await heard_next(owner, "game") == 'game 2 1 "ab"'
        await say_of_room(owner, "disallow 1")
        await heard_up_to(writer, "member 1 watches")
        assert await refused(writer, 'game 2 "b"') is Code.ROOM_REFUSED


async def test_place_is_that_of_the_client_with_control(app: Running) -> None:
    async with peer(app) as owner, peer(app) as watcher:
        await follow_room(watcher, await shared(owner))
        assert await heard_next(watcher, "place") == "place none"
        await say_of_room(owner, "place moves e2e4")
        assert await heard_next(watcher, "place") == "place moves e2e4"
        assert await refused(watcher, "place moves d2d4") is Code.ROOM_REFUSED
        await say_of_room(owner, "hand 1")
        await heard_next(watcher, "offer")
        await say_of_room(watcher, "accept")
        assert await heard_next(watcher, "place") == "place none"
        await say_of_room(watcher, "place moves d2d4")
        assert "place none" in await heard_up_to(owner, "place moves d2d4")
        await say_of_room(watcher, 'game 0 "a"')
        assert await heard_next(watcher, "written") == "written 1"
        assert await refused(owner, "place moves e2e4") is Code.ROOM_REFUSED
        await say_of_room(watcher, "return")
        await watcher.until(ROOM + "control owner")
        await say_of_room(watcher, 'game 1 "b"')
        assert "do not write" in (await watcher.until("info string rookery room-refused: you"))[-1]


async def test_name_and_right_survive_the_connection(app: Running) -> None:
    async with peer(app) as owner:
        name = await shared(owner)
        async with peer(app) as writer:
            ticket = await follow_room(writer, name)
            await say_of_room(writer, "name  José  Raúl ")
            await say_of_room(owner, "allow 1")
            await heard_up_to(owner, "member 1 writes José Raúl")
        await heard_up_to(owner, "members 1")
        async with peer(app) as writer:
            await follow_room(writer, name, ticket)
            assert await heard_next(writer, "member 2") == "member 2 writes José Raúl"
            await say_of_room(writer, 'game 0 "a"')
            assert await heard_next(writer, "written") == "written 1"


async def test_removed_viewer_is_told_and_comes_back_as_another(app: Running) -> None:
    async with peer(app) as owner, peer(app, "websocket") as viewer, peer(app) as again:
        name = await shared(owner)
        ticket = await follow_room(viewer, name)
        await say_of_room(owner, "allow 1", "remove 1")
        assert code_in(await viewer.end()) is Code.ROOM_REMOVED
        assert viewer.close_code == Close.ROOM
        await follow_room(again, name, ticket)
        assert await heard_next(again, "member 2") == "member 2 watches"
        assert await refused(again, "remove 2") is Code.ROOM_REFUSED
        assert await refused(owner, "remove 1") is Code.ROOM_REFUSED


async def test_visitor_has_a_name_and_never_writes(tmp_path: Path) -> None:
    token = add_token(tmp_path / "tokens", "ann")
    server = replace(SERVER, tokens=tmp_path / "tokens", watch_without_token=True)
    config = replace(CONFIG, server=server)
    async with running(config) as app, peer(app, token=token) as owner:
        name = await owner.open()
        await say_of_room(owner, "follow")
        assert await heard_next(owner, "member") == "member owner writes ann"
        async with peer(app, "websocket") as visitor:
            await follow_room(visitor, name)
            assert await heard_next(visitor, "member 1") == "member 1 watches"
            await say_of_room(visitor, "name Ann")
            await heard_up_to(owner, "member 1 watches Ann (2)")
            assert await refused(owner, "allow 1") is Code.ROOM_REFUSED
            assert await refused(visitor, 'game 0 "a"') is Code.ROOM_REFUSED
            assert await refused(visitor, "allow 1") is Code.ROOM_REFUSED


async def test_bad_input_is_refused_and_changes_nothing(app: Running) -> None:
    async with peer(app) as owner, peer(app) as viewer:
        name = await shared(owner)
        await follow_room(viewer, name)
        for line in (
            'game x "a"', "game 0 a", 'game 0 "\\u0007"', f'game 0 "{"a" * MAX_GAME}"',
            "place e2e4", "name \u202eevil", "name " + "a" * 41,
        ):  # fmt: skip
            assert await refused(owner, line) is Code.BAD_COMMAND, line
        for line in ("allow 9", "allow owner", "disallow 9", "remove owner", "remove 9"):
            assert await refused(owner, line) is Code.ROOM_REFUSED, line
        for line in ('game 0 "a"', "place moves", "allow 1", "disallow 1", "remove 1"):
            assert await refused(viewer, line) is Code.ROOM_REFUSED, line
        assert await refused(viewer, "name \u202eevil") is Code.BAD_COMMAND
        (audience,) = app.host.rooms._by_actor.values()
        assert audience.sharing.game.version == 0


async def test_who_writes_much_and_who_reads_late_are_told_the_newest(app: Running) -> None:
    async with peer(app) as owner, peer(app) as viewer:
        name = await shared(owner)
        await follow_room(viewer, name)
        await heard_next(viewer, "game")
        large = "a" * (MAX_GAME - 10)
        versions = 100
        for version in range(versions):
            await say_of_room(
                owner, f'game {version} "{large}"', f"name n{version}", "place moves e2e4"
            )
            assert await heard_next(owner, "written") == f"written {version + 1}"
        heard = 1
        while not (await heard_next(viewer, "game")).startswith(f"game {versions} "):
            heard += 1
        assert heard < versions / 2
        (spectator,) = app.host.rooms.spectators()
        await until(lambda: spectator._channel.outbox.size == 0)
