"""Sessions that want more room than there is: who makes it, who waits, who is refused."""

from dataclasses import replace

from helpers.detached import CONFIG, begin, returning, until_detached
from helpers.peers import running
from helpers.support import code_of, hear_until, odd

from rookery_protocol.notices import Code
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import BudgetConfig, Quotas


async def test_account_with_all_its_sessions_may_come_back() -> None:
    config = replace(CONFIG, quotas=Quotas({"sessions": 1}))
    # The loss of the first connection has not been noticed when the second comes.
    async with running(config) as app, app.tcp() as client, app.tcp() as other:
        hello = await begin(client, "isready")
        await client.hear_until("readyok")
        other.say(f"rookery session {hello.session} heard 1", "isready")
        assert (await other.hear_until("readyok"))[-1] == "readyok"


async def test_session_without_connection_makes_room_for_a_client() -> None:
    async with running(replace(CONFIG, quotas=Quotas({"sessions": 1}))) as app:
        async with app.tcp() as client:
            hello = await begin(client, "go nodes 1 infinite")
            await app.one_engine()
        await until_detached(app)
        async with app.tcp() as client:
            client.say("go nodes 2")
            assert (await client.hear_until("bestmove"))[-1] == "bestmove n2"
            async with app.tcp() as another:
                another.say("isready")
                assert code_of(await another.hear()) is Code.QUOTA_SESSIONS
            async with app.tcp() as former:
                assert hello.session
                former.say(f"rookery session {hello.session} heard 0")
                assert code_of(await former.hear()) in (Code.UNKNOWN_SESSION, Code.QUOTA_SESSIONS)


async def test_session_without_connection_stays_if_that_makes_no_room() -> None:
    config = replace(CONFIG, quotas=Quotas({"sessions": 2}))
    async with running(config) as app, app.tcp() as there:
        there.say("isready")
        await there.hear_until("readyok")
        client = returning(app)
        await client.connect()
        await client.say("go nodes 7 infinite")
        while not (await client.hear()).startswith("info depth"):
            pass
        client.lose()
        await until_detached(app)
        await app.reconfigure(replace(config, quotas=Quotas({"sessions": 1})))
        async with app.tcp() as another:
            another.say("isready")
            assert code_of(await another.hear()) is Code.QUOTA_SESSIONS
        await client.say("stop")
        await client.until(1)
        assert client.answers == ["bestmove n7"]
        there.say("quit")
        await there.hear_until("")
        client.lose()
        await until_detached(app)
        async with app.tcp() as another:
            another.say("go nodes 8")
            assert (await another.hear_until("bestmove"))[-1] == "bestmove n8"


async def test_idle_session_without_connection_gives_its_slot_first() -> None:
    config = replace(CONFIG, budget=BudgetConfig(threads=1))
    async with running(config) as app:
        client = returning(app)
        await client.connect()
        await client.say("go nodes 1")
        await client.until(1)
        client.lose()
        await until_detached(app)
        async with app.websocket("numbered") as other:
            await other.send("go nodes 2")
            assert (await hear_until(other, "best"))[-1] == "bestmove n2"
        await client.say("go nodes 3")
        await client.until(2)
        assert client.answers == ["bestmove n1", "bestmove n3"]


async def test_session_that_is_over_is_not_parked() -> None:
    """Though its engine, which takes its time to end, still has the slot."""
    deaf = (EngineConfig("deaf", odd("deaf")),)
    async with running(replace(CONFIG, engines=deaf, budget=BudgetConfig(threads=1))) as app:
        async with app.websocket("deaf") as first:
            await first.send("go")
            assert await first.recv() == "bestmove e2e4"
        async with app.tcp() as other:
            other.say("go")
            assert code_of(await other.hear()) is Code.WAITING
            assert await other.hear() == "bestmove e2e4"


async def test_search_goes_on_though_others_wait() -> None:
    config = replace(CONFIG, budget=BudgetConfig(threads=1))
    async with running(config) as app:
        client = returning(app)
        await client.connect()
        await client.say("go nodes 1 infinite")
        await app.one_engine()
        client.lose()
        await until_detached(app)
        async with app.tcp() as other:
            other.say("go nodes 2", "isready")
            lines = await other.hear_until("readyok")
            assert [code_of(line) for line in lines[:-1]] == [Code.WAITING]
            other.say("quit")  # and it does not wait for a slot to do so
            assert (await other.hear_until("bestmove"))[-1].startswith("bestmove ")
            assert await other.hear() == ""
        await client.say("stop")
        await client.until(1)
        assert client.answers == ["bestmove n1"]


async def test_stop_ends_all_searches_that_wait() -> None:
    config = replace(CONFIG, budget=BudgetConfig(threads=1))
    async with running(config) as app, app.tcp() as first, app.tcp() as second:
        first.say("go nodes 1 infinite")
        await app.one_engine()
        second.say("go nodes 2", "go nodes 3", "position startpos moves e2e4", "go nodes 4", "stop")
        for _ in range(3):
            assert (await second.hear_until("bestmove"))[-1].startswith("bestmove ")


async def test_queue_that_is_full_refuses_and_goes_on() -> None:
    """With and without a search: nobody is answered what he has not asked."""
    config = replace(CONFIG, budget=BudgetConfig(threads=1, waiting=0))
    async with running(config) as app, app.tcp() as first, app.tcp() as second:
        first.say("go nodes 1 infinite")
        await app.one_engine()
        second.say("isready")
        assert code_of(await second.hear()) is Code.QUEUE_FULL
        assert await second.hear() == "readyok"
        second.say(*["go nodes 2"] * 2)
        for _ in range(2):
            assert code_of(await second.hear()) is Code.QUEUE_FULL
            assert code_of(await second.hear()) is Code.NO_SEARCH
            assert (await second.hear()).startswith("bestmove ")
        second.say("quit")
        assert await second.hear() == ""


# --- sizes of slots


async def test_slot_has_the_size_of_the_engine() -> None:
    config = replace(CONFIG, budget=BudgetConfig(threads=8, hash_mb=256))
    async with running(config) as app, app.tcp() as client:
        client.say("setoption name Threads value 3", "isready")
        assert await client.hear_until("readyok")
        (actor,) = app.host.actors
        assert (slot := app.host.scheduler._slots.get(actor))
        assert str(slot.size) == "3 threads and 16 MiB"
        for line, size in (
            ("Hash value 200", "3 threads and 200 MiB"),
            ("Threads value 1", "1 threads and 200 MiB"),
        ):
            client.say(f"setoption name {line}", "isready")
            assert await client.hear_until("readyok")
            assert str(slot.size) == size


async def test_what_there_is_no_room_for_is_less_and_told() -> None:
    config = replace(CONFIG, budget=BudgetConfig(threads=4, hash_mb=256))
    async with running(config) as app, app.tcp() as first, app.tcp() as second:
        first.say("setoption name Threads value 3", "isready")
        await first.hear_until("readyok")
        second.say("isready")
        await second.hear_until("readyok")
        second.say("setoption name Threads value 4", "isready")
        lines = await second.hear_until("readyok")
        assert lines[-3:] == [
            "info string rookery option-clamped:"
            " Threads is 1 here, not 4: there is no room for more now",
            "info string heard setoption name Threads value 1",
            "readyok",
        ]
        first.say("setoption name Threads value 1", "isready")
        await first.hear_until("readyok")
        second.say("setoption name Threads value 3", "isready")
        assert "info string heard setoption name Threads value 3" in await second.hear_until(
            "ready"
        )


async def test_session_that_asks_for_much_waits_for_it() -> None:
    config = replace(CONFIG, budget=BudgetConfig(threads=4, hash_mb=256))
    async with running(config) as app, app.tcp() as first, app.tcp() as second:
        first.say("setoption name Threads value 3", "go nodes 1 infinite")
        await app.one_engine()
        second.say("setoption name Threads value 2", "go nodes 2")
        assert code_of(await second.hear()) is Code.WAITING
        first.say("quit")
        assert (await second.hear_until("bestmove"))[-1] == "bestmove n2"


async def test_replaced_engine_hears_what_there_is_room_for() -> None:
    config = replace(CONFIG, budget=BudgetConfig(threads=4, hash_mb=256))
    async with running(config) as app, app.tcp() as client:
        client.say("setoption name Threads value 9", "setoption name Hash value 999", "isready")
        lines = await client.hear_until("readyok")
        told = [line for line in lines if "heard setoption" in line]
        assert told == [
            "info string heard setoption name Threads value 4",
            "info string heard setoption name Hash value 256",
        ]
