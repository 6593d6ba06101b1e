"""Commands in one argument, as each system writes them."""

import os

import pytest

from rookery_bridge.command_arguments import split_command


def test_command_is_split_as_a_shell_does() -> None:
    assert split_command("'/my engines/a b' --hash 16") == ("/my engines/a b", "--hash", "16")


def test_path_with_blanks_can_be_started_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "name", "nt")
    text = r'"C:\Program Files\engine.exe" --name "a b" c\d'
    assert split_command(text) == (r"C:\Program Files\engine.exe", "--name", "a b", r"c\d")


@pytest.mark.parametrize("text", ['"a b', "a 'b", " "])
@pytest.mark.parametrize("system", ["posix", "nt"])
def test_no_command(text: str, system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", system)
        with pytest.raises(ValueError, match=r"quotation|no word"):
            split_command(text)
