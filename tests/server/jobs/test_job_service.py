"""The work at jobs, with real engines in this process."""

import asyncio
import json
import os
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.job_world import ListeningClient, World, config_of, open_world
from helpers.jobbing import fens, file_url, items_of, new_job, timeless
from helpers.support import TIMEOUT, until

from rookery_protocol.errors import RefusedError
from rookery_server.access.account import LOCAL, Account
from rookery_server.background import work_upkeep
from rookery_server.background.work_runner import WorkRunner
from rookery_server.config.resources import Quotas
from rookery_server.config.sections import JobsConfig
from rookery_server.database import database
from rookery_server.database.database import StoreError
from rookery_server.jobs.job_batch import JobBatch
from rookery_server.jobs.job_loading import JobConflictError
from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.stored_job import GAMES, Claim, NewJob, TooMuchError
from rookery_uci import Limits

ANNA = Account("anna")
PGN = """[Event "a"]
[White "A"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0
"""


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(file_url(tmp_path)) as world:
        yield world


async def test_job_has_one_answer_for_each_position_in_their_order(url: str) -> None:
    positions = fens(300)
    positions[7] = "rubbish"
    async with open_world(url) as world:
        job = await world.post(items_of(positions))
        answers = [json.loads(text) for text in await world.answers(job)]
        assert [each["index"] for each in answers] == list(range(300))
        assert answers[7]["error"]["code"] == "illegal-position"
        assert answers[8]["analysis"]["fen"] == positions[8]
        done = await world.job(job)
        assert (done.state, done.done, done.failed) == ("finished", 300, 1)
        assert done.nodes >= 200 * done.positions > 0
        await until(lambda: not world.manager.actors)  # No engine is kept for nothing.
        assert world.service.counts.results == 300


async def test_answers_do_not_depend_on_what_was_searched_before(world: World) -> None:
    positions = fens(60)
    forwards = await world.answers(await world.post(items_of(positions)))
    backwards = await world.answers(await world.post(items_of(positions[::-1])))
    analyses = [json.loads(text)["analysis"] for text in forwards]
    others = [json.loads(text)["analysis"] for text in backwards][::-1]
    for each in (*analyses, *others):
        each.pop("time", None)
    assert analyses == others


async def test_job_of_bad_positions_only_is_finished_with_a_reason_each(world: World) -> None:
    job = await world.post(items_of(["x", "y"]))
    answers = [json.loads(text) for text in await world.answers(job)]
    assert ["error" in each for each in answers] == [True, True]
    done = await world.job(job)
    assert (done.state, done.failed, done.positions) == ("finished", 2, 0)


@pytest.mark.long  # test_job_kills.py has both, in every run
async def test_engines_that_are_killed_change_no_answer(world: World) -> None:
    items = items_of(fens(400))
    limits = Limits(nodes=10_000)
    undisturbed = await world.answers(await world.post(items, new_job(limits=limits)))
    job = await world.post(items, new_job(limits=limits))
    followed = asyncio.create_task(world.answers(job))
    kills = 0

    def is_due() -> bool:
        return world.service.counts.results >= 420 + 40 * kills and bool(world.engines())

    while not followed.done():
        await until(lambda: followed.done() or is_due())
        if engines := world.engines():
            os.kill(engines[0], signal.SIGKILL)
            kills += 1
    assert kills > 3
    answers = await followed
    assert list(map(timeless, answers)) == list(map(timeless, undisturbed))
    done = await world.job(job)
    assert (done.done, done.failed) == (400, 0)
    assert world.manager.totals.ended.engine_deaths + sum(
        actor.totals.engine_deaths for actor in world.manager.actors
    )


async def test_games_are_judged_and_annotated(world: World) -> None:
    game = json.dumps({"text": PGN, "line": 1, "flaw": None, "whole": True})
    bad = json.dumps({"text": '[FEN "x"]\n\n1. e4 *', "line": 9, "flaw": None, "whole": True})
    job = await world.post([game, bad, game], new_job(kind=GAMES, limits=Limits(nodes=2000)))
    answers = [json.loads(text) for text in await world.answers(job)]
    assert answers[0]["game"]["positions"][3]["judgement"] == "blunder"
    assert "line 9" in answers[1]["error"]["detail"]
    pages = [page async for page in world.service.results(job, annotated=True)]
    texts = [text for page in pages for _, text in page]
    assert "[%eval" in texts[0]
    assert "[analysis] line 9: " in " ".join(texts[1].split())
    assert texts[2].count("Blunder") == 1


async def test_options_and_lines_are_those_of_the_job(world: World) -> None:
    new = new_job(lines=3, options=(("Hash", "4"),))
    (answer,) = await world.answers(await world.post(["{}"], new))
    assert len(json.loads(answer)["analysis"]["lines"]) == 3


async def test_unknown_engine_and_bad_options_are_refused(world: World) -> None:
    for new, code in (
        (new_job(engine="none"), "unknown-engine"),
        (new_job(options=(("Threads", "1e1"),)), "bad-value"),
    ):
        with pytest.raises(RefusedError) as caught:
            await world.post(["{}"], new)
        assert caught.value.notice.code == code
    assert await world.service.jobs_of(LOCAL) == []


async def test_paused_job_stands_still_until_it_is_resumed(world: World) -> None:
    job = await world.post(items_of(fens(500)), new_job(limits=Limits(nodes=2000)))
    await until(lambda: world.service.counts.results)
    await world.service.pause(job)
    paused = await world.job(job)
    assert paused.state == "paused"
    await until(lambda: not world.manager.actors)
    assert (await world.job(job)).done == paused.done
    await world.service.resume(job, LOCAL)
    assert len(await world.answers(job)) == 500


async def test_deleted_job_is_gone_and_its_search_ends(world: World) -> None:
    job = await world.post(["{}"], new_job(limits=Limits(nodes=10**12)))
    await until(world.engines)
    await world.service.delete(job)
    assert await world.service.job_of(LOCAL, job.id) is None
    await until(lambda: not world.manager.actors)


async def test_job_of_another_account_is_none(world: World) -> None:
    job = await world.post(["{}"])
    assert await world.service.job_of(ANNA, job.id) is None
    assert await world.service.jobs_of(ANNA) == []


async def test_quotas_bound_what_is_stored(tmp_path: Path) -> None:
    quotas = Quotas.parse({"stored_jobs": 2, "stored_positions": 10, "stored_mb": 1}, {})
    async with open_world(file_url(tmp_path), config_of(quotas=quotas)) as world:
        await world.post(items_of(fens(8)))
        with pytest.raises(TooMuchError, match="10 positions and games, and 8 are stored"):
            await world.post(items_of(fens(3)))
        with pytest.raises(TooMuchError, match="1 MiB"):
            await world.post([json.dumps({"id": "x" * (1 << 20)})])
        await world.post(items_of(fens(2)))
        with pytest.raises(TooMuchError, match="2 jobs, and may have 2"):
            await world.post([])
        assert len(await world.service.jobs_of(LOCAL)) == 2


async def test_upload_that_the_database_cut_off_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_upkeep, "SHOW_TIME", 0.1)
    monkeypatch.setattr(work_upkeep, "IDLE_POLL", 0.1)
    monkeypatch.setattr(database, "_PATIENCE", 0.1)
    new = new_job(request="k")
    async with open_world(file_url(tmp_path)) as world:
        with closing(sqlite3.connect(tmp_path / "cache.sqlite")) as other:
            with pytest.raises(StoreError, match="locked"):
                await cut_off(world, new, other)
            with pytest.raises(StoreError, match="locked"):  # Neither could it be removed.
                await world.service._store.run(JobStore.expire)
        async with asyncio.timeout(TIMEOUT):
            while True:
                try:
                    job = await world.post(["{}"], new)
                    break
                except JobConflictError:
                    await asyncio.sleep(0.05)
        assert len(await world.answers(job)) == 1


async def cut_off(world: World, new: NewJob, other: sqlite3.Connection) -> None:
    """Load a job whose items the database does not take."""
    async with world.service.load(new) as loading:
        await loading.add(["{}"])
        other.execute("BEGIN IMMEDIATE")
        await loading.submit()


async def test_error_of_the_server_does_not_end_the_upkeep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(work_upkeep, "IDLE_POLL", 0.1)
    async with open_world(file_url(tmp_path)) as world:
        with monkeypatch.context() as broken:
            broken.setattr(JobStore, "states", lambda _: 1 // 0)
            broken.setattr(WorkRunner, "start_workers", lambda _: 1 // 0)
            job = await world.post(["{}"])
            await until(lambda: "at the upkeep" in caplog.text and "at the start" in caplog.text)
        assert len(await world.answers(job)) == 1


async def test_error_of_the_server_at_the_next_batch_does_not_end_the_work(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(WorkRunner, "_rank_of", lambda *_: 1 // 0)
        job = await world.post(["{}"])
        await until(lambda: "at the next batch" in caplog.text)
    assert len(await world.answers(job)) == 1


async def test_claim_of_a_paused_job_is_not_freed_again_when_it_is_resumed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By then it may be in work by another worker."""
    released: list[Claim] = []
    monkeypatch.setattr(JobStore, "release", lambda _, claim, __: released.append(claim))

    def at_work() -> list[JobBatch]:
        workers = [each for each in world.runner._workers if each.batch]
        batches = [each.batch for each in workers if isinstance(each.batch, JobBatch)]
        is_searched = all(each.search for each in workers)
        return batches if is_searched and not any(each.is_lost for each in batches) else []

    job = await world.post(["{}"], new_job(limits=Limits(nodes=10**12)))
    await until(at_work)
    (former,) = at_work()
    await world.service.pause(job)
    await world.service.resume(await world.job(job), LOCAL)
    await until(lambda: at_work() and former not in at_work())
    assert former.is_lost
    assert released == []
    await world.service.delete(job)


async def test_key_makes_one_job(world: World) -> None:
    job = await world.post(["{}"], new_job(request="k"))
    async with world.service.load(new_job(request="k")) as loading:
        assert (loading.is_new, loading.job.id) == (False, job.id)
    assert (await world.post(["{}"], new_job(request="k"))).id == job.id
    for inputs, fields, member in (
        (["{}"], {"name": "other"}, "name"),
        (['{"id": 1}'], {}, "positions"),
        ([], {}, "positions"),
        (["{}", "{}"], {}, "positions"),
    ):
        text = f"used for job {job.id}, whose `{member}` differ: use another key"
        with pytest.raises(JobConflictError, match=text):
            await world.post(inputs, new_job(request="k", **fields))
    assert len(await world.answers(job)) == 1
    assert len(await world.service.jobs_of(LOCAL)) == 1


async def test_results_expire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_upkeep, "SHOW_TIME", 0.1)
    monkeypatch.setattr(work_upkeep, "IDLE_POLL", 0.1)
    quotas = Quotas.parse({"keep_results": 1.0}, {})
    async with open_world(file_url(tmp_path), config_of(quotas=quotas)) as world:
        job = await world.post(["{}"])
        assert len(await world.answers(job)) == 1
        async with asyncio.timeout(TIMEOUT):
            while await world.service.job_of(LOCAL, job.id):
                await asyncio.sleep(0.05)


async def test_server_that_ends_leaves_the_rest_to_the_next(url: str) -> None:
    items = items_of(fens(400))
    async with open_world(url) as world:
        job = await world.post(items, new_job(limits=Limits(nodes=3000)))
        await until(lambda: world.service.counts.results)
    async with open_world(url) as world:
        left = await world.job(job)
        assert 0 < left.done < 400
        assert len(await world.answers(job)) == 400
        assert (await world.job(job)).done == 400


async def test_two_servers_share_a_job(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_upkeep, "IDLE_POLL", 0.1)
    one = config_of(jobs=JobsConfig(workers=1))
    async with open_world(url, one) as first, open_world(url, one) as second:
        await second.service._upkeep.open()
        job = await first.post(items_of(fens(600)), new_job(limits=Limits(nodes=3000)))
        answers = await first.answers(job)
        assert len(answers) == 600
        counts = first.service.counts.results, second.service.counts.results
        assert min(counts) > 0
        assert sum(counts) == 600  # None was done twice.


async def test_waiting_client_has_an_engine_soon(tmp_path: Path) -> None:
    config = config_of()
    config = replace(config, budget=replace(config.budget, threads=1))
    async with open_world(file_url(tmp_path), config) as world:
        job = await world.post(items_of(fens(2000)), new_job(limits=Limits(nodes=2000)))
        await until(world.engines)
        client = ListeningClient()
        actor = world.manager.open("rookery", client, ANNA)
        actor.client_said(b"go depth 1")
        await until(lambda: b"bestmove" in client.heard)
        assert (await world.job(job)).state in ("queued", "running")
        actor.client_said(b"quit")
        await world.service.delete(job)
