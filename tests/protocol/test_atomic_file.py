"""Files that are replaced, also where another program has them open, which Windows forbids."""

from pathlib import Path

import pytest
from helpers.windows import ACCESS_DENIED, SHARING_VIOLATION, WindowsError

from rookery_protocol import atomic_file
from rookery_protocol.atomic_file import move_into_place, replace_file

REPLACE = Path.replace


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits, which take no time."""
    waits: list[float] = []
    monkeypatch.setattr(atomic_file.time, "sleep", waits.append)
    return waits


def refuse(monkeypatch: pytest.MonkeyPatch, error: OSError, times: int) -> None:
    """Have so many attempts to replace a file fail."""
    left = [error] * times

    def replace_unless_open(draft: Path, path: Path) -> Path:
        if left:
            raise left.pop()
        return REPLACE(draft, path)

    monkeypatch.setattr(Path, "replace", replace_unless_open)


@pytest.mark.parametrize("number", [ACCESS_DENIED, SHARING_VIOLATION])
def test_file_that_is_open_for_a_moment_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slept: list[float], number: int
) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    refuse(monkeypatch, WindowsError(number), 3)
    replace_file(file, "new")
    assert file.read_text() == "new"
    assert len(slept) == 3
    assert list(tmp_path.iterdir()) == [file]


def test_file_that_stays_open_is_an_error_in_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slept: list[float]
) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    refuse(monkeypatch, WindowsError(SHARING_VIOLATION), 1000)
    with pytest.raises(PermissionError, match="used by another process"):
        replace_file(file, "new")
    assert file.read_text() == "old"
    assert 0.5 < sum(slept) < 1.5
    assert list(tmp_path.iterdir()) == [file]


def test_folder_that_may_not_be_written_is_an_error_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slept: list[float]
) -> None:
    (tmp_path / "draft").touch()
    refuse(monkeypatch, PermissionError(13, "Permission denied"), 1)
    with pytest.raises(PermissionError):
        move_into_place(tmp_path / "draft", tmp_path / "file")
    assert slept == []
