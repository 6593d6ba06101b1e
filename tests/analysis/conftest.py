"""A folder in which the program is run."""

from pathlib import Path

import pytest
from helpers.analyse_program import AnalyseProgram


@pytest.fixture
def bench(tmp_path: Path) -> AnalyseProgram:
    return AnalyseProgram(tmp_path)
