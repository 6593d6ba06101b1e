"""A folder in which the program is run."""

from pathlib import Path

import pytest
from helpers.batch_bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)
