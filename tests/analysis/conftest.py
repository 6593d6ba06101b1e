"""A folder in which the program is run."""

from pathlib import Path

import pytest
from helpers.analyse_program import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)
