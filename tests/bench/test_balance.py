"""Two servers behind HAProxy: one is killed, one drained, and no client goes without an answer."""

import pytest
from bench.balance import measure


@pytest.mark.long
@pytest.mark.timeout(180)
async def test_every_search_is_answered() -> None:
    run = await measure(4, 12.0)
    assert set(run.tallies) == {
        "quiet", "one killed", "one back", "the other drained", "both back",
    }  # fmt: skip
    assert sum(tally.searches for tally in run.tallies.values()) > 20
    assert not any(tally.wrong for tally in run.tallies.values()), run.tallies
