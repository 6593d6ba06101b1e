"""Positions of jobs that the cache knows, and what jobs find for it."""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.job_world import World, config_of, open_world
from helpers.jobbing import fens, file_url, items_of, new_job
from helpers.support import until

from rookery_protocol.legality import STANDARD
from rookery_server.access.account import LOCAL, Account
from rookery_server.config.resources import Quotas
from rookery_server.config.sections import CacheConfig
from rookery_server.jobs.stored_job import StoredJob
from rookery_uci import Limits

LIMITS = Limits(depth=7)
POSITIONS = fens(12)
CHESS960 = json.dumps(
    {
        "fen": "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w KQkq - 0 1",
        "variant": "chess960",
    }
)


def cached(folder: Path, **fields: object) -> CacheConfig:
    keys: dict[str, Any] = {"least_depth": 2, "least_seconds": 0.0, **fields}
    return CacheConfig(file=folder / "known.sqlite", **keys)


async def run(world: World, items: list[str], **job: object) -> tuple[list[Any], StoredJob]:
    """Run a job; return its analyses, and what became of it."""
    stored = await world.post(items, new_job(**{"limits": LIMITS, **job}))  # type: ignore[arg-type]
    answers = await world.answers(stored)
    return [json.loads(text)["analysis"] for text in answers], await world.job(stored)


async def until_kept(world: World, count: int) -> None:
    keeper = world.manager.keeper
    assert keeper
    await until(lambda: keeper.counts.stored >= count)


async def test_position_that_is_known_is_not_searched_again(tmp_path: Path) -> None:
    items = [*items_of(POSITIONS), CHESS960]
    async with open_world(file_url(tmp_path), config_of(cache=cached(tmp_path))) as world:
        first, cost = await run(world, items)
        assert not any("cached" in each for each in first)
        assert cost.nodes > 0
        await until_kept(world, len(items))
        again, cost = await run(world, items)
        assert all(each["cached"].endswith("Z") for each in again)
        for one, other in zip(first, again, strict=True):
            assert (one["best"], one["depth"]) == (other["best"], other["depth"])
            assert one["lines"][0]["pv"] == other["lines"][0]["pv"]
        assert (cost.positions, cost.nodes, cost.spent) == (len(items), 0, 0)
        # It is not as good as these would be, or somebody else's.
        for fields in ({"limits": Limits(depth=8)}, {"lines": 2}, {"account": Account("anna")}):
            other, _ = await run(world, items[:2], **fields)
            assert not any("cached" in each for each in other), fields


async def test_position_is_known_by_its_rules(tmp_path: Path) -> None:
    fen = POSITIONS[9]
    async with open_world(file_url(tmp_path), config_of(cache=cached(tmp_path))) as world:
        await run(world, items_of([fen]))
        await until_kept(world, 1)
        item = json.dumps({"fen": fen, "variant": "chess960"})
        usual, _ = await run(world, [json.dumps({"fen": fen, "variant": STANDARD})])
        other, _ = await run(world, [item])
        assert "cached" in usual[0]
        assert "cached" not in other[0]


@pytest.mark.parametrize(
    "fields",
    [
        {"cache": {"enabled": False}},
        {"quotas": Quotas({"cache": False})},
    ],
    ids=["server", "account"],
)
async def test_nothing_is_kept_or_known_that_the_operator_does_not_want(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    config = config_of(**{**fields, "cache": cached(tmp_path, **fields.get("cache", {}))})
    async with open_world(file_url(tmp_path), config) as world:
        for _ in range(2):
            analyses, _ = await run(world, items_of(POSITIONS[:2]), account=LOCAL)
            assert not any("cached" in each for each in analyses)
