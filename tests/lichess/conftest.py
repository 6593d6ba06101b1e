"""Fixtures of the broker's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from helpers.brokered import Api, Around, config
from helpers.support import Running, add_token


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Around]:
    tokens = tmp_path / "tokens.jsonl"
    alice, bob = add_token(tokens, "alice"), add_token(tokens, "bob")
    async with (
        Running(config(tmp_path)) as app,
        Api(app, alice) as first,
        Api(app, bob) as second,
    ):
        yield Around(app, first, second, alice, tmp_path)
