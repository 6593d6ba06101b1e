"""`rookery-server check`: what it finds that a server would stumble over later."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from serving import SERVER
from support import TIMEOUT, odd

POLITE = f"[engines.polite]\ncommand = {list(odd('polite'))}\n"


def check(folder: Path, text: str, **variables: str) -> tuple[int, str, str]:
    """Check a configuration; return the status, and what is said."""
    (folder / "rookery.toml").write_text(text)
    done = subprocess.run(
        [SERVER, "check", "--config", "rookery.toml"],
        cwd=folder, env=os.environ | variables, capture_output=True, text=True,
        timeout=TIMEOUT, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_ports_of_one_number_are_refused_by_the_server_too(tmp_path: Path) -> None:
    status, _, errors = check(tmp_path, f"[metrics]\nport = 8080\n{POLITE}")
    assert status == 2
    assert errors == (
        "rookery-server: server.port and metrics.port are both 8080: each needs a port of its own\n"
    )
    serve = subprocess.run(
        [SERVER, "--config", "rookery.toml"],
        cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT, check=False,
    )  # fmt: skip
    assert (serve.returncode, serve.stderr) == (2, errors)


@pytest.mark.parametrize(
    ("socket", "why"),
    [
        ("none/socket", r"\S+/none is no folder that you may write into"),
        ("rookery.toml", "is there already, and is no socket"),
        ("x" * 108, "a socket's path has 107 bytes at most"),
    ],
)
def test_place_of_the_operators_socket(tmp_path: Path, socket: str, why: str) -> None:
    status, _, errors = check(tmp_path, f"[control]\nsocket = {socket!r}\n{POLITE}")
    assert status == 2
    assert re.search(rf"control\.socket {socket}:? {why}", errors), errors


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("rookery.toml/cache", "nothing can be made in "),
        ("rookery.toml", "that is no database of SQLite"),
        (".", "it cannot be opened: Is a directory"),
    ],
)
def test_file_of_analyses(tmp_path: Path, file: str, why: str) -> None:
    status, out, _ = check(tmp_path, f"[cache]\nfile = {file!r}\n{POLITE}")
    assert f", but {why}" in out
    assert status == 2
    # Without one in the usual place a server does, as nobody has asked for it.
    usual = {"XDG_STATE_HOME": str(tmp_path / "rookery.toml")}
    status, out, _ = check(tmp_path, POLITE, **usual)
    assert ", but nothing can be made in " in out
    assert status == 0


def test_file_of_analyses_is_neither_made_nor_changed(tmp_path: Path) -> None:
    assert check(tmp_path, f"[cache]\nfile = 'deep/cache'\n{POLITE}")[0] == 0
    assert not (tmp_path / "deep").exists()
    (tmp_path / "cache").touch()
    assert check(tmp_path, f"[cache]\nfile = 'cache'\n{POLITE}")[0] == 0
    assert not (tmp_path / "cache").stat().st_size


def test_paths_behind_aliases(tmp_path: Path) -> None:
    text = "[engines.own]\ncommand = 'rookery-engine'\naliases.SyzygyPath = {{ small = '{}' }}\n"
    status, out, _ = check(tmp_path, text.format(f"{tmp_path}:/no/such"))
    assert status == 2
    assert "engine own: aliases.SyzygyPath.small: there is no /no/such: " in out
    for good in (f"{tmp_path}:/", "beside-the-engine"):
        assert check(tmp_path, text.format(good))[0] == 0
