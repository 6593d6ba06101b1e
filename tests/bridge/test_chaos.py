"""Searches while everything goes wrong; `tests/chaos.py` does more, and asks how late they are."""

import pytest
from chaos import run


@pytest.mark.parametrize("transport", ["tcp", "websocket"])
@pytest.mark.timeout(300)
async def test_each_search_has_one_legal_move_in_time(
    request: pytest.FixtureRequest, transport: str
) -> None:
    """Rows 131, 146, 147; `--cuts N` is how many searches there are, as in test_chaos."""
    goes = request.config.getoption("--cuts")
    tally = await run(goes, cuts=1.5, kills=8.0, murders=4.0, transport=transport, seed=5)
    assert tally.goes == goes
    assert tally.cuts
    assert tally.is_right, tally


async def test_without_another_engine_there_is_a_move_too() -> None:
    """Rows 146, 147."""
    tally = await run(6, cuts=2.0, kills=8.0, options=["--no-fallback"], seed=6)
    assert tally.is_right, tally
