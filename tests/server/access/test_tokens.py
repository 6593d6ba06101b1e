"""The file of tokens, and the commands that change it."""

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from asyncio.subprocess import PIPE
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from helpers.support import TIMEOUT, deny_files

from rookery_protocol.errors import ConfigError
from rookery_server.__main__ import run
from rookery_server.access.account import AccessToken, Account, Keyring, Role, TokenRecord
from rookery_server.access.token_file import TokenFile

SERVER = str(Path(sys.executable).with_name("rookery-server"))
NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
TOKEN = AccessToken("0123456789ab", "A" * 32)
RECORD = TokenRecord(TOKEN.id, "alice", Role.MEMBER, TOKEN.digest(), NOW, NOW + timedelta(days=1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    result = tmp_path / "tokens"
    TokenFile(result).change(lambda _: Keyring([RECORD]))
    return result


def tokens(*arguments: str) -> int:
    return run(["token", *arguments])


# --- the file


def test_file_reads_as_it_is_written(path: Path) -> None:
    assert list(TokenFile(path).read()) == [RECORD]


def test_token_of_a_device_goes_with_that_of_its_code(path: Path) -> None:
    file = TokenFile(path)
    phone = file.add_token("alice", Role.MEMBER, device="Safari on iPhone", parent=RECORD.id)[1]
    tablet = file.add_token("alice", Role.MEMBER, device="Chrome on Android", parent=phone.id)[1]
    assert list(file.read()) == [RECORD, phone, tablet]
    assert list(file.read().without(phone.id)) == [RECORD]
    assert list(file.read().without(tablet.id)) == [RECORD, phone]
    assert list(file.read().without(RECORD.id)) == []


def test_good_tokens_of_an_account_are_those_of_its_role_or_the_one_it_came_with() -> None:
    admin = replace(RECORD, id="a" * 12, role=Role.ADMIN)
    other = replace(RECORD, id="b" * 12)
    ring = Keyring([RECORD, admin, other])
    assert ring.good_tokens(Account("alice"), NOW) == [RECORD, other]
    assert ring.good_tokens(RECORD.account(), NOW) == [RECORD]
    assert ring.good_tokens(Account("alice"), NOW + timedelta(days=1)) == []


def test_file_is_private_and_has_no_secret(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600
    assert TOKEN.secret not in path.read_text()
    assert os.listdir(path.parent) == ["tokens"]


@pytest.mark.parametrize("mode", [0o644, 0o604, 0o602, 0o620, 0o666])
def test_file_that_others_can_use_is_refused(path: Path, mode: int) -> None:
    path.chmod(mode)
    with pytest.raises(ConfigError, match=rf"\(mode {mode:04o}\): chmod 600"):
        TokenFile(path).read()


def test_group_may_read_and_stays_able_to(path: Path) -> None:
    path.chmod(0o640)
    TokenFile(path).change(lambda keyring: keyring)
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("nonsense", "it is no line of JSON, or is cut off; remove that line, or take the file"),
        ("[]", "it is no object of JSON; "),
        ("{}", "it has no 'expires'; "),
        ('{"expires": null}', "it has no 'id'; "),
        ("[" * 100_000, "a value in it is of another kind"),
    ],
)
def test_line_that_is_no_token_is_named(path: Path, line: str, error: str) -> None:
    path.write_text(f"{path.read_text()}\n{line}\n")
    with pytest.raises(ConfigError, match=f"tokens, line 3: this is no token: {error}"):
        TokenFile(path).read()


@pytest.mark.parametrize(
    ("key", "value"),
    [("name", "a b"), ("name", 1), ("id", []), ("role", "king"), ("digest", "00"), ("digest", "x"),
     ("created", "yesterday"), ("created", "2026-11-21"), ("expires", 1)],
)  # fmt: skip
def test_value_that_a_token_cannot_have_is_named(path: Path, key: str, value: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
    with pytest.raises(ConfigError, match="line 1: this is no token"):
        TokenFile(path).read()


def test_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="make one with 'rookery-server token add NAME --file"):
        TokenFile(tmp_path / "none").read()
    with pytest.raises(ConfigError, match="cannot write the tokens"):
        TokenFile(tmp_path / "no" / "folder").change(lambda keyring: keyring)
    (tmp_path / "binary").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="not UTF-8"):
        TokenFile(tmp_path / "binary").read()
    with pytest.raises(ConfigError, match="cannot read the tokens"):
        TokenFile(tmp_path).read()
    os.mkfifo(tmp_path / "pipe", 0o600)  # Nobody waits for what is written to it.
    with pytest.raises(ConfigError, match="is a pipe: a regular file is wanted"):
        TokenFile(tmp_path / "pipe").read()


def test_file_of_another_owner_is_refused_with_what_to_do(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deny_files(monkeypatch)
    with pytest.raises(ConfigError, match=f"Permission denied: .*chgrp GROUP {path}; chmod 640"):
        TokenFile(path).read()


def test_change_is_seen(path: Path) -> None:
    file = TokenFile(path)
    first = file.stamp()
    assert file.stamp() == first is not None
    TokenFile(path).change(lambda keyring: keyring.without("alice"))
    assert file.stamp() != first
    path.unlink()
    assert file.stamp() is None


def test_change_of_mode_is_seen(path: Path) -> None:
    """The operator is told to make the file private."""
    path.chmod(0o644)
    file = TokenFile(path)
    first = file.stamp()
    with pytest.raises(ConfigError, match="chmod 600"):
        file.read()
    path.chmod(0o600)
    assert file.stamp() != first


def test_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(path)
    TokenFile(link).change(lambda keyring: keyring.without("alice"))
    assert link.is_symlink()
    assert len(TokenFile(path).read()) == 0


def test_change_that_fails_leaves_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ConfigError, match="No space left"):
        TokenFile(path).change(lambda _: Keyring())
    assert os.listdir(path.parent) == ["tokens"]
    assert list(TokenFile(path).read()) == [RECORD]


def test_changes_at_the_same_time_are_all_kept(path: Path) -> None:
    def add(number: int) -> None:
        record = TokenRecord(f"{number:012x}", "bob", Role.MEMBER, TOKEN.digest(), NOW)
        TokenFile(path).change(lambda keyring: keyring.updated([record]))

    threads = [threading.Thread(target=add, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(TokenFile(path).read()) == 21


# --- the commands


def test_added_token_is_printed_once_and_works(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tokens("add", "bob", "--file", str(path), "--role", "admin", "--days", "30") == 0
    out, err = capsys.readouterr()
    token = AccessToken.parse(out.strip())
    assert token
    assert token.secret not in err
    assert token.id in err
    account = TokenFile(path).read().account(token.reveal(), datetime.now(UTC))
    assert account
    assert (account.name, account.role) == ("bob", Role.ADMIN)
    assert (
        not TokenFile(path)
        .read()
        .account(token.reveal(), datetime.now(UTC) + timedelta(days=30, seconds=1))
    )


def test_first_token_makes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new"
    assert tokens("add", "bob", "--file", str(path)) == 0
    assert path.stat().st_mode & 0o777 == 0o600
    (record,) = TokenFile(path).read()
    assert (record.name, record.role, record.expires) == ("bob", Role.MEMBER, None)


def test_file_may_be_named_by_the_configuration(tmp_path: Path) -> None:
    config = tmp_path / "rookery.toml"
    config.write_text("[server]\ntokens = 'mine'\n")
    assert tokens("add", "bob", "--config", str(config)) == 0
    assert len(TokenFile(tmp_path / "mine").read()) == 1
    config.write_text("")
    assert tokens("list", "--config", str(config)) == 2


def test_list_shows_all_but_secrets(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tokens("add", "bob", "--file", str(path))
    tokens("add", "carol", "--file", str(path), "--expires", "2099-01-31")
    secrets = [line.split("_", 2)[2] for line in capsys.readouterr().out.splitlines()]
    assert tokens("list", "--file", str(path)) == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines()]
    assert rows[0] == ["ID", "ACCOUNT", "ROLE", "CREATED", "EXPIRES", "DEVICE"]
    assert [row[1] for row in rows[1:]] == ["alice", "bob", "carol"]
    assert rows[1][3:] == ["2026-11-21", "20:00", "2026-11-22", "20:00"] + (
        [] if datetime.now(UTC) < NOW + timedelta(days=1) else ["(over)"]
    )
    assert rows[2][-1] == "never"
    assert rows[3][-2:] == ["2099-01-31", "00:00"]
    assert not any(secret in out for secret in secrets)


def test_revoke_by_name_and_by_id(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tokens("add", "bob", "--file", str(path))
    tokens("add", "bob", "--file", str(path))
    assert tokens("revoke", TOKEN.id, "--file", str(path)) == 0
    assert [record.name for record in TokenFile(path).read()] == ["bob", "bob"]
    assert tokens("revoke", "bob", "--file", str(path)) == 0
    assert capsys.readouterr().err.count("revoked token ") == 3
    assert len(TokenFile(path).read()) == 0
    assert tokens("revoke", "bob", "--file", str(path)) == 2
    assert "there is no token or account 'bob'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["add", "a b"], "a name has 1 to 64 letters"),
        (["add", "a", "--days", "0"], "needs a number from 1 to 36500, not '0'"),
        (["add", "a", "--days", "x"], "needs a number from 1 to 36500, not 'x'"),
        (["add", "a", "--days", "9" * 5000], "needs a number"),
        (["add", "a", "--expires", "soon"], "needs a date as 2027-01-31, not 'soon'"),
        (["add", "a", "--expires", "2020-01-01"], "--expires 2020-01-01 is over already"),
        (["add", "a", "--role", "king"], "king"),
        (["add"], "required: name"),
        (["dance"], "invalid choice: 'dance'"),
    ],
)
def test_command_says_what_is_wrong(
    path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], error: str
) -> None:
    try:
        status = tokens(*arguments, "--file", str(path))
    except SystemExit as ending:
        status = int(ending.code or 0)
    assert status == 2
    assert error in capsys.readouterr().err


def test_command_needs_to_know_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        tokens("list")
    assert "one of the arguments --file --config is required" in capsys.readouterr().err


async def test_programs_at_the_same_time_lose_nothing(path: Path) -> None:
    arguments = (SERVER, "token", "add", "bob", "--file", str(path))
    async with asyncio.timeout(TIMEOUT):
        started = [
            await asyncio.create_subprocess_exec(*arguments, stdout=PIPE, stderr=PIPE)
            for _ in range(8)
        ]
        said = [await process.communicate() for process in started]
    keyring = TokenFile(path).read()
    assert len(keyring) == 9
    for out, _ in said:
        assert re.fullmatch(rb"rk_[0-9a-f]{12}_[\w-]{32}\n", out)
        assert keyring.account(out.decode().strip(), datetime.now(UTC))


def test_token_of_the_program_can_go_to_a_file(path: Path, tmp_path: Path) -> None:
    with (tmp_path / "mine").open("wb") as file:
        subprocess.run(
            [SERVER, "token", "add", "bob", "--file", str(path)],
            stdout=file, stderr=subprocess.DEVNULL, check=True,
        )  # fmt: skip
    assert AccessToken.parse((tmp_path / "mine").read_text().strip())
