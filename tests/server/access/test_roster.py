"""Tokens that a server accepts while their file is written."""

import errno
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rookery_protocol.errors import ConfigError
from rookery_server.access.account import AccessToken, Keyring, Role, TokenRecord
from rookery_server.access.token_file import TokenFile, TokenWatcher

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)


def record(name: str, role: Role = Role.MEMBER) -> TokenRecord:
    token = AccessToken(f"{name:0<12.12}", "A" * 32)
    return TokenRecord(token.id, name, role, token.digest(), NOW)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    result = tmp_path / "tokens"
    write(result, record("alice"), record("bob"))
    return result


@pytest.fixture
def watcher(path: Path) -> TokenWatcher:
    return TokenWatcher(path)


def write(path: Path, *records: TokenRecord) -> None:
    TokenFile(path).change(lambda _: Keyring(records))


def names(watcher: TokenWatcher) -> set[str]:
    return {each.name for each in watcher.keyring}


def test_file_that_cannot_be_used_is_no_beginning(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there are no tokens in"):
        TokenWatcher(tmp_path / "none")


def test_file_that_is_emptied_and_written_loses_nobody(watcher: TokenWatcher, path: Path) -> None:
    text = path.read_text()
    path.write_text("")
    watcher.poll()
    assert names(watcher) == {"alice", "bob"}
    path.write_text(text)
    for _ in range(3):
        watcher.poll()
        assert names(watcher) == {"alice", "bob"}


def test_file_that_is_renamed_and_written_anew_loses_nobody(
    watcher: TokenWatcher, path: Path
) -> None:
    """Editors that keep the former file as a backup replace a file like this."""
    text = path.read_text()
    path.rename(f"{path}~")
    watcher.poll()
    path.touch(0o600)
    watcher.poll()
    path.write_text(text)
    watcher.poll()
    watcher.poll()
    assert names(watcher) == {"alice", "bob"}


def test_log_in_while_it_is_written_loses_nobody(watcher: TokenWatcher, path: Path) -> None:
    path.write_text("")
    watcher.add_new()
    watcher.poll()
    assert names(watcher) == {"alice", "bob"}


def test_file_that_is_empty_at_two_looks_has_no_token(watcher: TokenWatcher, path: Path) -> None:
    path.write_text("")
    watcher.poll()
    watcher.poll()
    assert names(watcher) == set()


def test_revoked_token_is_gone_at_the_second_look(watcher: TokenWatcher, path: Path) -> None:
    write(path, record("bob"))
    watcher.poll()
    watcher.poll()
    assert names(watcher) == {"bob"}


def test_token_that_is_revoked_while_no_file_can_be_opened_is_gone_afterwards(
    watcher: TokenWatcher,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    write(path, record("bob"))
    with monkeypatch.context() as patched:
        patched.setattr("rookery_server.config.files._at_once", refuse)
        for _ in range(3):
            watcher.poll()
        assert names(watcher) == {"alice", "bob"}
        assert caplog.text.count("the tokens are as before: ") == 1
    watcher.poll()
    watcher.poll()
    assert names(watcher) == {"bob"}


def test_half_a_file_changes_nothing_and_is_said_once(
    watcher: TokenWatcher, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = path.read_text()
    path.write_text(text[:-20])
    for _ in range(3):
        watcher.poll()
    assert names(watcher) == {"alice", "bob"}
    assert caplog.text.count("the tokens are as before: ") == 1


def test_nothing_is_lost_when_half_a_file_follows_an_empty_one(
    watcher: TokenWatcher, path: Path
) -> None:
    text = path.read_text()
    path.write_text("")
    watcher.poll()
    path.write_text(text[:-20])
    for _ in range(3):
        watcher.poll()
    assert names(watcher) == {"alice", "bob"}


def test_new_token_is_good_at_once_and_so_is_a_new_role(watcher: TokenWatcher, path: Path) -> None:
    write(path, record("bob", Role.ADMIN), record("carol"))
    watcher.add_new()
    assert names(watcher) == {"alice", "bob", "carol"}
    assert {each.role for each in watcher.keyring if each.name == "bob"} == {Role.ADMIN}


def test_who_says_reload_is_believed_at_once(watcher: TokenWatcher, path: Path) -> None:
    path.write_text("")
    watcher.reload()
    assert names(watcher) == set()
    write(path.with_name("other"), record("carol"))
    path.with_name("other").replace(path)
    watcher.reload()
    assert names(watcher) == {"carol"}
