"""Files that make an engine what it is: found from anywhere, and missed if they are not there."""

import subprocess
from pathlib import Path

import pytest
from helpers.serving import SERVER
from helpers.support import TIMEOUT, odd

from rookery_server.config.config import Overrides, load
from rookery_server.engines.engine_build import stamp

TEXT = f"[engines.polite]\ncommand = {list(odd('polite'))}\nbuild = ['network']\n"


def test_file_beside_a_configuration_of_this_folder_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rookery.toml").write_text(TEXT)
    Path("network").write_text("first")
    [engine] = load(Path("rookery.toml"), Overrides()).engines
    [file] = engine.build
    assert stamp(file)


def test_file_that_is_not_there_is_told_by_check(tmp_path: Path) -> None:
    (tmp_path / "rookery.toml").write_text(TEXT)
    done = subprocess.run(
        [SERVER, "check", "--config", "rookery.toml"],
        cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert f"engine polite: build: there is no {tmp_path}/network: " in done.stdout
