"""Files of results: whole or not there."""

from pathlib import Path

import pytest
from helpers.windows import SHARING_VIOLATION, WindowsError

from rookery_bridge.service.result_files import ResultFile
from rookery_bridge.service.service_command import failure
from rookery_protocol import atomic_file


def test_file_is_there_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with ResultFile(str(path)) as result:
        result.write_line("{}")
        assert not path.exists()
    assert path.read_text() == "{}\n"
    assert list(tmp_path.iterdir()) == [path]


def test_results_are_kept_though_their_file_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a spreadsheet on Windows, which lets nothing replace what it shows."""

    def refuse(*_: object) -> None:
        raise WindowsError(SHARING_VIOLATION)

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(atomic_file, "_WAITS", ())
    path = tmp_path / "results.jsonl"
    path.write_text("old")
    with pytest.raises(OSError, match="used by another") as caught, ResultFile(str(path)) as result:
        result.write_line("{}")
    said = failure(caught.value)
    assert said.startswith(f"{path}: The file is used by another process; the results are whole in")
    assert f"{path}.part: close results.jsonl where it is open, and rename that file" in said
    assert (tmp_path / "results.jsonl.part").read_text() == "{}\n"
    assert path.read_text() == "old"
