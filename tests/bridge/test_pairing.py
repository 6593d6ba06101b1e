"""Pairings and their files: names that are safe anywhere, permissions, launchers."""

import json
import os
import shlex
import stat
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from bench.child import free_port

from rookery_bridge.program import run
from rookery_bridge.setup import launcher
from rookery_bridge.setup.pairing import (
    BrokenError,
    Pairing,
    PairingError,
    PairingStore,
    config_folder,
    is_name,
    name_for,
    pairings_folder,
    read_pairing,
)
from rookery_protocol.address import Address

TOKEN = "rk_0123456789ab_secret"
PAIRING = Pairing(
    "lc0-rook.example",
    Address("wss", "rook.example", 8080, "lc0"),
    TOKEN,
    "0f" * 32,
    "Lc0 v0.31",
    launchers=(Path("/x/lc0"),),
)


@pytest.fixture
def store(tmp_path: Path) -> PairingStore:
    return PairingStore(tmp_path / "config" / "engines")


def test_what_is_kept_is_read_again(store: PairingStore) -> None:
    assert store.names() == []
    for pairing in (PAIRING, Pairing("tcp", Address("tcp", "::1", 1, None), insecure=True)):
        store.save(pairing)
        assert store.load(pairing.name) == pairing
    assert store.names() == ["lc0-rook.example", "tcp"]
    assert TOKEN not in repr(PAIRING)


def test_command_that_closes_a_file_is_quoted(tmp_path: Path) -> None:
    """The folder of macOS has a blank."""
    store = PairingStore(tmp_path / "Application Support")
    path = store.save(PAIRING)
    path.chmod(0o640)
    with pytest.raises(PairingError, match=rf"chmod 600 '{path}'"):
        store.load(PAIRING.name)


def test_file_is_its_users_alone(store: PairingStore) -> None:
    former = os.umask(0)
    try:
        path = store.save(PAIRING)
    finally:
        os.umask(former)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    path.chmod(0o640)
    with pytest.raises(PairingError, match=rf"others can read the token .*: chmod 600 {path}"):
        store.load(PAIRING.name)
    assert [each.name for each in store.folder.iterdir()] == [path.name]


def test_unknown_name_is_told_which_there_are(store: PairingStore) -> None:
    with pytest.raises(PairingError, match="no remote engine 'x'; there are: none yet"):
        store.load("x")
    store.save(PAIRING)
    for name in ("x", "../x", "", "lc0/../x"):
        with pytest.raises(PairingError, match=r"there are: lc0-rook\.example"):
            store.load(name)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", "null", '{"address": "x", "token": null, "pin": null, "launchers": []}',
     json.dumps({"address": "ws://a/engines/b", "token": "a b", "pin": None, "launchers": []}),
     json.dumps({"address": "ws://a/engines/b", "token": None, "pin": "x", "launchers": []}),
     json.dumps({"address": "ws://a/engines/b", "token": None, "pin": None, "launchers": 7}),
     "[" * 100_000, "\xff"],
)  # fmt: skip
def test_file_that_is_none_is_an_error_that_names_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="latin-1")
    path.chmod(0o600)
    with pytest.raises(PairingError, match=str(path)):
        read_pairing(path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"address": 5}, "'address' needs an address in quotes"),
        ({"token": 5}, "'token' needs a token in quotes, or null"),
        ({"token": [TOKEN]}, "'token' needs a token in quotes, or null"),
        ({"pin": 5}, "'pin' needs a fingerprint in quotes, or null"),
        ({"title": None}, "'title' needs a text in quotes"),
        ({"insecure": "true"}, "'insecure' needs true or false"),
        ({"launchers": [5]}, "'launchers' needs paths in quotes"),
        ({"launchers": ["a\0b"]}, "'launchers' needs paths in quotes"),
        ({"adress": "ws://a/engines/b"}, "there is no 'adress': did you mean 'address'?"),
        ({"x": 1}, "there is no 'x': there are address, token, pin"),
        ({"address": f"ws://{TOKEN}@a/engines/b"}, "a token does not belong there"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_without_its_secret(
    store: PairingStore, change: dict[str, object], why: str
) -> None:
    path = store.save(PAIRING)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(BrokenError) as caught:
        read_pairing(path)
    assert why in str(caught.value)
    assert "pair it again" in str(caught.value)
    assert TOKEN not in str(caught.value)


def test_what_is_missing_in_a_file_is_said(store: PairingStore) -> None:
    path = store.save(PAIRING)
    path.write_text('{"address": "ws://a/engines/b"}')
    with pytest.raises(BrokenError, match="'token' is missing"):
        read_pairing(path)


def test_file_that_an_editor_has_written_anew_is_read(store: PairingStore) -> None:
    """With the mark of its encoding, and the line ends of Windows."""
    path = store.save(PAIRING)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_pairing(path) == PAIRING
    path.write_text(path.read_text(encoding="utf-8-sig"), encoding="utf-16")
    with pytest.raises(BrokenError, match="is no UTF-8 text"):
        read_pairing(path)


@pytest.mark.skipif(os.name != "posix", reason="wants pipes with names")
def test_pipe_instead_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.json", 0o600)
    with pytest.raises(PairingError, match="is no file"):
        read_pairing(tmp_path / "x.json")


def test_name_of_one_that_is_broken_is_free_again(store: PairingStore) -> None:
    path = store.save(PAIRING)
    store.save(replace(PAIRING, name="other"))
    store.path("other").chmod(0o644)  # Only its permissions are wrong: it has a token yet.
    path.write_text("{")
    assert store.names() == [PAIRING.name, "other"]
    assert store.taken() == ["other"]


def test_forgotten_leaves_nothing(store: PairingStore, tmp_path: Path) -> None:
    pairing = replace(PAIRING, launchers=(tmp_path / "lc0", tmp_path / "gone"))
    (tmp_path / "lc0").touch()
    path = store.save(pairing)
    assert store.remove(pairing.name, pairing.launchers) == [tmp_path / "lc0", path]
    assert store.names() == []


# --- names


@pytest.mark.parametrize(
    "name", ["", "a/b", "a\\b", "con", "Con.x", "NUL", "lpt1.lc0", "a.", "a b", "-a", ".a", "a:b",
             "é", "pair", "List", "lichess", "x" * 65, "a\n"],
)  # fmt: skip
def test_name_that_is_safe_not_everywhere_is_none(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize(
    ("engine", "host", "name"),
    [
        ("stockfish", "rook.example", "stockfish-rook.example"),
        (None, "10.0.0.7", "default-10.0.0.7"),
        ("lc0", "2001:db8::1", "lc0-2001-db8-1"),
        ("sf@anna", "localhost", "sf-anna-localhost"),
        ("con.1", "a", "rookery-con.1-a"),
        ("a" * 64, "b", "a" * 56),
    ],
)
def test_names_are_safe_everywhere(engine: str | None, host: str, name: str) -> None:
    assert name_for(Address("wss", host, 1, engine)) == name
    assert is_name(name)


def test_names_differ_by_more_than_case() -> None:
    address = Address("wss", "a", 1, "Lc0")
    assert name_for(address, ["lc0-a", "LC0-A-2"]) == "Lc0-a-3"


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/h/.config/rookery"),
        ("linux", {"XDG_CONFIG_HOME": "/c"}, "/c/rookery"),
        ("linux", {"XDG_CONFIG_HOME": "c"}, "/h/.config/rookery"),
        ("darwin", {"XDG_CONFIG_HOME": "/c"}, "/h/Library/Application Support/rookery"),
        ("win32", {"APPDATA": "/h/Roaming"}, "/h/Roaming/rookery"),
        ("win32", {}, "/h/AppData/Roaming/rookery"),
    ],
)
def test_files_are_where_each_system_has_them(
    platform: str, environment: dict[str, str], folder: str
) -> None:
    assert config_folder(environment, Path("/h"), platform) == Path(folder)


# --- launchers

NASTY = "/tmp/a b/$(touch x)/`y`/\"q\"/'s'/%PATH%"


def test_script_runs_the_command_whatever_is_in_its_name(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    path.write_text(launcher.script("x\nrm -rf", ["printf", "%s\n", NASTY]))
    output = subprocess.run(["sh", str(path), "more"], capture_output=True, check=True, text=True)
    assert output.stdout.splitlines() == [NASTY, "more"]


def test_batch_file_is_quoted_for_windows() -> None:
    lines = launcher.batch("x & del %Y%", [r"C:\a b\100%\b.exe", "--paired", "c"]).split("\r\n")
    assert lines == [
        "@echo off",
        "rem x   del  Y ",
        r'"C:\a b\100%%\b.exe" "--paired" "c" %*',
        "",
    ]


USER = {
    "USERPROFILE": "C:\\Users\\Jürgen",
    "APPDATA": "C:\\Users\\Jürgen\\AppData\\Roaming",
    "LOCALAPPDATA": "C:\\Users\\Jürgen\\AppData\\Local",
}


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("c:\\users\\jürgen\\100%\\b.exe", r'"%USERPROFILE%\100%%\b.exe"'),
        ("C:\\Users\\Jürgen\\AppData\\Roaming\\rookery\\x.json", r'"%APPDATA%\rookery\x.json"'),
        ("C:\\Users\\Jürgen\\AppData\\Local\\py.exe", r'"%LOCALAPPDATA%\py.exe"'),
        ("C:\\Users\\Jürgen\\engines\\Ä\\b.exe", r'"%~dp0b.exe"'),
        ("C:\\Users\\Jürg\\b.exe", None),
    ],
)
def test_batch_file_needs_no_code_page_for_the_name_of_the_user(
    word: str, written: str | None
) -> None:
    """A code page that it sets would stay in the user's terminal."""
    folder = "C:\\Users\\Jürgen\\engines\\Ä"
    text = launcher.batch("x", [word, "--paired", "c"], folder, USER)
    if written:
        assert text.split("\r\n")[2:] == [f'{written} "--paired" "c" %*', ""]
        return
    assert text.split("\r\n")[2:] == [
        "setlocal",
        """for /f "tokens=2 delims=:." %%p in ('chcp') do set "page=%%p\"""",
        "chcp 65001 >nul",
        f'"{word}" "--paired" "c" %*',
        'set "status=%errorlevel%"',
        "chcp %page% >nul",
        "exit /b %status%",
        "",
    ]


def test_desktop_entry_is_quoted_as_its_specification_has_it() -> None:
    entry = launcher.desktop("x\nExec=evil", ["/a b", 'c"$\\%'])
    assert "Name=x Exec evil\n" in entry
    assert 'Exec="/a b" "c\\\\"\\\\$\\\\\\\\%%"\n' in entry
    assert "\nExec=evil" not in entry


def test_launchers_have_no_secret(tmp_path: Path) -> None:
    files = launcher.write(PAIRING, tmp_path / "x.json", tmp_path / "to", ["/b/rookery-bridge"])
    assert [path.name for path in files] == ["lc0-rook.example", "lc0-rook.example.desktop"]
    for path in files:
        text = path.read_text()
        assert TOKEN not in text
        assert "rookery-bridge" in text
        assert os.access(path, os.X_OK)
    assert shlex.split(files[0].read_text().splitlines()[-1]) == [
        *("exec", "/b/rookery-bridge", "--paired", str(tmp_path / "x.json"), "$@"),
    ]


def test_launcher_takes_the_place_of_a_launcher_only(tmp_path: Path) -> None:
    where = (tmp_path / "x.json", tmp_path, ["/b/rookery-bridge"])
    files = launcher.write(PAIRING, *where)
    assert launcher.write(PAIRING, *where) == files
    for path in files:
        path.unlink()
    files[1].mkdir()
    with pytest.raises(PairingError, match=rf"{files[1]} is there already, and is no launcher"):
        launcher.write(PAIRING, *where)
    assert not files[0].exists()


@pytest.mark.skipif(os.name != "posix", reason="wants pipes with names")
def test_pipe_instead_of_a_launcher_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x")
    assert launcher.is_other(tmp_path / "x")


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        ("/v/bin/rookery-bridge", ("/v/bin/rookery-bridge",)),
        ("/x/rookery-bridge.pyz", ("py", "/x/rookery-bridge.pyz")),
        ("/s/rookery_bridge/__main__.py", ("py", "-m", "rookery_bridge")),
    ],
)
def test_launcher_starts_what_has_made_it(argv: str, command: tuple[str, ...]) -> None:
    assert launcher.program([argv], "py") == command


# --- launchers of Windows that are the program itself


def made_by_pip(path: Path, version: str = "1") -> Path:
    """Write what pip writes as a program: a starter, the Python's path, and a zip of a script."""
    with path.open("wb") as file:
        file.write(b"MZ" + bytes(200_000) + version.encode() + b"#!C:\\py\\python.exe\r\n")
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("__main__.py", "from rookery_bridge.__main__ import main\nmain()\n")
    return path


def test_program_is_told_from_a_script(tmp_path: Path) -> None:
    wrapper = made_by_pip(tmp_path / "rookery-bridge.exe")
    # So Windows has it, without the end of the name; and a name may have dots.
    assert launcher.program([str(tmp_path / "rookery-bridge")], "py") == (str(wrapper),)
    other = wrapper.rename(tmp_path / "lc0-rook.example.exe")
    command = launcher.program([str(tmp_path / "lc0-rook.example")], "py")
    assert command == (str(other),)
    assert launcher.own_executable(command) == other
    assert launcher.own_executable(("py", str(other))) is None
    (tmp_path / "conda.exe").write_bytes(b"MZ")  # which looks for a script beside it
    assert launcher.own_executable((str(tmp_path / "conda.exe"),)) is None
    assert launcher.own_executable(("/v/bin/rookery-bridge",)) is None
    frozen = launcher.program(["x"], "/x/rookery-bridge", is_frozen=True)
    assert frozen == ("/x/rookery-bridge",)
    assert launcher.own_executable(frozen, is_frozen=True) == Path("/x/rookery-bridge")


def windows(tmp_path: Path, executable: Path | None, name: str = "lc0") -> tuple[Path, ...]:
    """Write the launchers of Windows."""
    return launcher.write(
        *(replace(PAIRING, name=name), tmp_path / "x.json", tmp_path / "to", ["py", "x.pyz"]),
        executable=executable,
        platform="win32",
    )


def test_program_is_a_launcher_on_windows(tmp_path: Path) -> None:
    program = made_by_pip(tmp_path / "rookery-bridge.exe")
    assert [path.name for path in windows(tmp_path, None)] == ["lc0.cmd"]
    exe, cmd = windows(tmp_path, program)
    assert [exe.name, cmd.name] == ["lc0.exe", "lc0.cmd"]
    assert exe.samefile(program)  # and takes no room
    assert not launcher.is_other(exe)
    # It would be the program itself, not a launcher.
    assert [path.name for path in windows(tmp_path, program, "Rookery-Bridge")] == [
        "Rookery-Bridge.cmd"
    ]
    exe.write_bytes(b"MZ" + b"rookery_bridge" + bytes(100_000))
    with pytest.raises(PairingError, match=rf"{exe} is there already, and is no launcher"):
        windows(tmp_path, program)


def test_program_is_copied_where_it_cannot_be_linked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    program = made_by_pip(tmp_path / "rookery-bridge.exe")
    exe = windows(tmp_path, program)[0]
    assert not exe.samefile(program)
    assert exe.read_bytes() == program.read_bytes()
    assert launcher.renew_outdated([exe], program) == []  # It is the same.


def test_launchers_of_an_older_program_are_renewed(tmp_path: Path) -> None:
    program = made_by_pip(tmp_path / "rookery-bridge.exe")
    files = windows(tmp_path, program)
    program.unlink()
    made_by_pip(program, "2")
    assert launcher.renew_outdated(files, None) == []  # It is run as a script.
    assert launcher.renew_outdated((*files, tmp_path / "gone.exe"), program) == [files[0]]
    assert files[0].samefile(program)
    assert launcher.renew_outdated(files, program) == []
    files[0].write_bytes(b"MZ, of somebody else")
    assert launcher.renew_outdated(files, program) == []
    assert [path.name for path in (tmp_path / "to").iterdir() if path.suffix == ".new"] == []


def test_launcher_that_runs_is_not_replaced_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows refuses to replace or remove the file of a program that runs."""
    program = made_by_pip(tmp_path / "rookery-bridge.exe")
    exe = windows(tmp_path, program)[0]
    program.unlink()
    made_by_pip(program, "2")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Access is denied")

    store = PairingStore(tmp_path / "config")
    store.save(replace(PAIRING, name="lc0", launchers=(exe,)))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        patch.setattr(Path, "unlink", refuse)
        with pytest.raises(PairingError, match=r"lc0\.exe: .* denied; end the chess program"):
            store.remove("lc0", [exe])
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        for attempt in (
            lambda: windows(tmp_path, program),
            lambda: launcher.renew_outdated([exe], program),
        ):
            with pytest.raises(PairingError, match="end the chess program that runs it, and try"):
                attempt()
    assert store.names() == ["lc0"]
    assert {path.name for path in (tmp_path / "to").iterdir()} == {"lc0.exe", "lc0.cmd"}
    assert windows(tmp_path, program)[0].samefile(program)


def test_doctor_renews_a_launcher_of_an_older_program_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    program = made_by_pip(tmp_path / "rookery-bridge.exe")
    files = windows(tmp_path, program)
    address = Address("tcp", "127.0.0.1", free_port(), None)
    PairingStore(pairings_folder()).save(Pairing("lc0", address, launchers=files))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "rookery-bridge")])
    program.unlink()
    made_by_pip(program, "2")
    said = f"launcher: {files[0]} was of another version, and is new"
    for is_renewed in (True, False):
        assert run(["doctor", "lc0"]) == 1  # There is no server.
        out = capsys.readouterr().out
        assert (said in out) is is_renewed
        assert f"ok     launcher: {files[0]}\n" in out
    assert files[0].samefile(program)
    files[0].unlink()
    assert run(["doctor", "lc0"]) == 1
    assert f"{files[0]} is gone, the launcher: 'rookery-bridge pair'" in capsys.readouterr().err
