"""Searches while everything goes wrong; `tests/chaos.py` does more, and asks how late they are."""

import asyncio

import pytest
from chaos import Tally, run

ALONE = 4  # searches without an engine of this machine: one may wait half a minute


async def all_at_once(goes: int, alone: int) -> tuple[list[Tally], Tally]:
    """Let a bridge of each kind search, at once because they mostly wait.

    Returns:
        the results over each transport, and those without an engine of this machine.

    """
    async with asyncio.TaskGroup() as tasks:
        helped = [
            tasks.create_task(
                run(goes, cuts=1.5, kills=8.0, murders=4.0, transport=transport, seed=5)
            )
            for transport in ("tcp", "websocket")
        ]
        left = tasks.create_task(run(alone, kills=8.0, options=["--no-fallback"], seed=6))
    return [each.result() for each in helped], left.result()


@pytest.mark.parametrize("alone", [ALONE, pytest.param(20, marks=pytest.mark.long)])
@pytest.mark.timeout(900)
async def test_each_search_has_one_legal_move_in_time(
    request: pytest.FixtureRequest, alone: int
) -> None:
    """Rows 131, 146, 147; `--cuts N` is how many searches there are, as in test_chaos."""
    goes = request.config.getoption("--cuts")
    helped, left = await all_at_once(goes, alone)
    for tally in (*helped, left):
        assert tally.is_right, tally
        assert tally.cuts
    assert [tally.goes for tally in helped] == [goes] * 2
    assert left.goes == alone
